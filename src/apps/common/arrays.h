/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays.h - the arrays of an app as a table: a word per vertex, the copy of it that is the result, a few counters.
 * From a line each the plan, the allocation, the first values before each run, the copy back and the freeing follow;
 * an app's own plan, alloc, free and fetch are for what is not like that; alloc finds the arrays made.
 *
 *     static const rd__app_array arrays[] = {
 *         {.name = "mark", .at = offsetof(mis_state, mark), .each = 4, .result = "in_set"},
 *         {0},
 *     };
 */
#ifndef RD_APPS_ARRAYS_H
#define RD_APPS_ARRAYS_H

#include "apps/app.h"

#include <stddef.h>

enum { RD__FILLED_FOR_CORES = 2 };

struct rd__app_array {
    const char *name;   /* in plans and messages; NULL ends the table */
    size_t at;          /* offsetof in the app's state: an rd__buffer, or of arrays on the host a pointer */
    uint32_t each;      /* bytes per item: see rd__app.items */
    uint32_t bits;      /* or bits per item, in whole words */
    uint32_t edge_bits; /* and bits per edge of the graph, in whole words */
    uint32_t more;      /* bytes besides, whatever the number of items */
    uint64_t (*beside)(const rd_job *job); /* and so many, or NULL */
    uint8_t on_host;    /* else on the device */
    uint8_t filled;     /* with `first`, before each run; RD__FILLED_FOR_CORES: where a group may be a core (RD_CORE) */
    uint32_t first;     /* each word */
    const char *result; /* its name as a result, of the one array that is; job->copy gets it */
    rd_result_kind kind;
    /* Is it needed with these options? NULL: always. One that was not is made by the first run that needs it. */
    int (*wanted)(const rd_job *job);
};

/* What the table says: */
void rd__arrays_plan(const rd_job *job, rd_plan *plan);
rd_status rd__arrays_alloc(rd_job *job, rd_error *err);
rd_status rd__arrays_fill(rd_job *job, rd_error *err);
void rd__arrays_free(rd_job *job);

/* All of them, to a file or from it; or only those on the device. */
rd_status rd__arrays_freeze(rd_job *job, struct rd__freeze *freeze, rd_error *err);
rd_status rd__arrays_freeze_device(rd_job *job, struct rd__freeze *freeze, rd_error *err);

/* Has job->copy lead to the result array, or to a copy of it, which is not to be written: the first step of an app's
 * own `fetch`, and all there is where it has none. */
rd_status rd__arrays_read(rd_job *job, rd_error *err);
/* Likewise, always to a copy, which the app may write; or to memory for one. */
rd_status rd__arrays_read_copy(rd_job *job, rd_error *err);
rd_status rd__arrays_keep(rd_job *job, rd_error *err);

/* Brings the result of the last run to the host, unless it is there: of apps that want it at once, their `finish`. */
rd_status rd__app_fetch(rd_job *job, rd_error *err);
/* The same, and says what it is. */
rd_status rd__app_result(rd_job *job, rd_result *result, rd_error *err);

#endif
