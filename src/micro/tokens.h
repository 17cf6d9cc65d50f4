/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.h - microbenchmarks of the shared queue: tokens through push and pop, in each of its forms. */
#ifndef RD_MICRO_TOKENS_H
#define RD_MICRO_TOKENS_H

#include "device/device.h"

typedef struct rd__tokens {
    rd_device *device;
    rd__program *program;
    rd__kernel *kernel;
    rd__buffer slot, control;
    uint32_t kind, bits, lanes, groups, bound, shift;
} rd__tokens;

/* form: "retry-free", "an" or "cas". RD_EARG for a size of tokens that there is not. rd__tokens_close afterwards, also
 * when it failed. */
rd_status rd__tokens_open(rd__tokens *tokens, rd_device *device, const char *form, const rd_micro_options *options,
                          rd_error *err);
/* Sends about `count` tokens through the queue, 0: so many as take some milliseconds. RD_EWRONG when one did not come
 * out as it went in. */
rd_status rd__tokens_run(rd__tokens *tokens, uint32_t count, rd_micro_report *report, rd_error *err);
void rd__tokens_close(rd__tokens *tokens);

#endif
