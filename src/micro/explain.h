/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - microbenchmarks that explain what `raddle study` finds: explain.k.c says what they do. */
#ifndef RD_MICRO_EXPLAIN_H
#define RD_MICRO_EXPLAIN_H

#include "device/device.h"

typedef struct rd__explain {
    rd_device *device;
    rd__program *program;
    rd__buffer out, word;
    uint32_t lanes, groups;
    const char *name; /* "combine/lane" ... */
    uint32_t loops;   /* of utilisation: of one launch; 0: not found out yet */
} rd__explain;

/* rd__explain_close afterwards, also when it failed. */
rd_status rd__explain_open(rd__explain *explain, rd_device *device, const char *name, const rd_micro_options *options,
                           rd_error *err);
/* count: atomics or words of a lane, launches; 0: so many as take some milliseconds. */
rd_status rd__explain_run(rd__explain *explain, uint32_t count, rd_micro_report *report, rd_error *err);
void rd__explain_close(rd__explain *explain);

#endif
