/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.h - the self-test of the C API: the conformance suite of a device. raddle.h has the rules. */
#ifndef RADDLE_SELFTEST_H
#define RADDLE_SELFTEST_H

#include "base.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rd_selftest_case {
    const char *name; /* valid during the callback */
    rd_status status; /* RD_OK, or why it failed */
    const char *text; /* the failure, or a short note; valid during the callback */
    double seconds;
    size_t index, count;
} rd_selftest_case;
typedef void (*rd_selftest_fn)(void *user, const rd_selftest_case *result);

typedef struct rd_selftest_options {
    size_t size;
    const char *filter; /* run only cases whose name contains this; "=name": that case; NULL: all */
    uint32_t repeats;   /* scale of the stress cases; 0: the default, 1000 */
    uint8_t list_only;  /* call back with the names, run nothing */
    uint8_t reserved[3];
    uint64_t seed;
    uint32_t units; /* as if the device had only so many: for tools under which all of them take too long; 0: all */
    uint32_t reserved_word;
} rd_selftest_options;

/* Runs the conformance suite on a device: the kernel dialect's primitives against serial models, litmus shapes, and
 * each app x scheduler on small graphs of every shape against its checker.
 * @return RD_OK when all passed, RD_EWRONG when one failed; err then names the first. */
RD_API rd_status rd_selftest(rd_device *device, const rd_selftest_options *options, rd_selftest_fn fn, void *user,
                             size_t *passed, size_t *failed, rd_error *err);

#ifdef __cplusplus
}
#endif

#endif
