/* SPDX-License-Identifier: Apache-2.0 */
/* rank.h - what the host sides of the schedulers `heap` and `multi` have in common: rank.c. */
#ifndef RD_SCHED_RANK_H
#define RD_SCHED_RANK_H

#include "sched/edges/hubs.h"
#include "sched/parts/seed.h"
#include "sched/rank/layout.k.h"

enum { RD__RANK_GIVES_MOST = 8 };

/* The first member of both schedulers' states. */
typedef struct rd__rank {
    rd_device *device;
    rd__program *program;
    rd__kernel *work, *collect, *put, *seed; /* seed: of vertices */
    rd__seeder seeder;                       /* likewise */
    rd__hubs hubs;                           /* likewise */
    rd__buffer inbox, words, spare;          /* spare: of collections, and seeds */
    const char *name;                        /* the scheduler's */
    uint32_t item_bytes, lanes, groups;
    uint32_t inbox_room, fetch; /* tasks that a group holds, and takes at once */
    uint32_t near_by, few, split, vertices;
    int timed; /* the time of the run has begun */
    /* of a run */
    uint64_t collections, collected, launches;
    uint32_t seeds;
} rd__rank;

/* What differs. */
typedef struct rd__rank_ops {
    const char *peak; /* the measure: most tasks at a time */
    /* The queue's own kernel arguments, and its limit. @return how many. */
    uint32_t (*args)(rd__sched_state *state, const rd__sched_job *job, rd__arg *args, uint32_t *limit);
    /* The queue is too full: drops what is not worth running, and makes room. */
    rd_status (*make_room)(rd__sched_state *state, const rd__sched_job *job, rd_error *err);
    rd_status (*remaining)(rd__sched_state *state, uint64_t *tasks, uint64_t *least_rank, rd_error *err);
} rd__rank_ops;

uint32_t rd__rank_item_bytes(const rd__sched_job *job);
rd__width rd__rank_width(const rd__sched_job *job);
uint32_t rd__rank_lanes(const rd__sched_job *job);
/* Groups before the kernel can be asked. */
uint32_t rd__rank_groups_planned(const rd__sched_job *job);
/* Most items that a group may insert after it saw room, when it takes up to `hold` tasks at once. */
uint64_t rd__rank_reserve(const rd__sched_job *job, uint32_t hold, uint32_t lanes);
/* Tasks to have room for at first. */
uint64_t rd__rank_capacity(const rd__sched_job *job);
void rd__rank_plan(const rd__sched_job *job, uint32_t hold, rd_plan *plan);

/* Bytes of group memory that a queue needs in a group of so many lanes. */
typedef uint64_t (*rd__rank_memory)(const rd__sched_job *job, uint32_t lanes);

/* Are option `near` and the width good? Then the program with all kernels but `put`, and how many groups there are.
 * cpu_near: option `near` by default on CPUs, in mean weights. */
rd_status rd__rank_check(const rd__sched_job *job, uint32_t lanes, rd__rank_memory queue_memory, rd_error *err);
rd_status rd__rank_load(rd__rank *rank, const rd__sched_job *job, const char *defines, uint32_t cpu_near,
                        rd_error *err);
rd_status rd__rank_alloc(rd__rank *rank, rd_error *err);
void rd__rank_free(rd__rank *rank);

/* Makes items of the seeds, in `spare`: vertices with their rank, other tasks with rank 0. The time of a run begins
 * here, before or after. */
rd_status rd__rank_seeds(rd__rank *rank, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *count,
                         rd_error *err);
/* Copies what is worth running of `waiting` tasks to `spare`; queue: the first arguments of the kernel rank_collect. */
rd_status rd__rank_collect(rd__rank *rank, const rd__sched_job *job, const rd__arg *queue, uint32_t queue_count,
                           uint64_t waiting, uint64_t *kept, rd_error *err);
/* Of a run that is between two launches: all but the queue. */
rd_status rd__rank_freeze(rd__rank *rank, struct rd__freeze *freeze, rd_error *err);
/* Runs all that comes of the seeds, which are in the queue, so many, and fills the report. */
rd_status rd__rank_run(rd__rank *rank, const rd__rank_ops *ops, const rd__sched_job *job, uint32_t seeds,
                       rd_report *report, rd_error *err);

/* Options of engines whose tasks are vertices. */
#define RD__RANK_NEAR                                                                                                  \
    {"near", "auto|0..4294967295", "auto", "what ranks so little above the least is run at once", 0},                  \
        {"split", "off|on", "off", "report how much of the time was spent in the queue, at rest, and at work", 0},     \
    {                                                                                                                  \
        "few", "0..4294967295", "0",                                                                                   \
            "with fewer vertices that wait or run, what is found is run at once, in no order", 0                       \
    }
/* An engine of scheduler `name`: its functions are name_plan and so on, its policy is `policy`. */
#define RD__RANK_ENGINE(name, order, of, with)                                                                         \
    {                                                                                                                  \
        .policy = &policy, .tag = #name, .model = of, .is = order, .options = with, .width = rd__rank_width,           \
        .plan = name##_plan, .create = name##_create, .destroy = name##_destroy, .run = name##_run,                    \
        .freeze = name##_freeze, .remaining = name##_remaining                                                         \
    }

#endif
