/* SPDX-License-Identifier: Apache-2.0 */
/* test_crew.c - groups that die and join while a launch runs (parts/crew.k.h), at random, thousands of times: the
 * kernel (crew.k.c) looks at the rules, the host at what came of it. */
#include "selftest/selftest.h"

#include "core/hash.h"
#include "core/memory.h"
#include "model/args.h"
#include "sched/parts/crew_layout.k.h"
#include "selftest/crew_layout.k.h"

#include <stdio.h>
#include <string.h>

RD__ARGS(crew_args, CREW_ARGS)

static const char *const way_name[CREW_WAYS] = {"between tasks", "in rounds", "in resizing barriers",
                                                "in resizing barriers of single steps"};
static const char *const fault_name[CREW_KINDS] = {
    "a group that lives has a number above those that do", "the number of those that live is out of range",
    "what was handed over is not what the forker had", "a barrier opened early",
    "the number changed between two resizing barriers"};

enum { ITEMS = 97 };

typedef struct tally {
    uint64_t runs, kills, forks;
} tally;

static rd_status verdict(rd__rig *rig, uint32_t way, uint32_t rounds, tally *count, rd_error *err)
{
    uint32_t out[CREW_OUT], item[ITEMS];
    uint64_t word;
    RD_TRY(rd__buffer_read(&rig->buffer[3], 0, sizeof out, out, err));
    RD_TRY(rd__buffer_read(&rig->buffer[2], 0, sizeof item, item, err));
    RD_TRY(rd__buffer_read(&rig->buffer[0], 0, sizeof word, &word, err));
    for (int k = 0; k < CREW_KINDS; k++)
        if (out[CREW_FAULTS + k])
            return rd__fail(err, RD_EWRONG, "groups that die and join %s: %s, %u times", way_name[way], fault_name[k],
                            out[CREW_FAULTS + k]);
    const uint32_t want = way == CREW_TASKS ? 1 : way == CREW_ROUNDS ? 0 : rounds;
    for (int i = 0; i < ITEMS; i++)
        if (item[i] != want)
            return rd__fail(err, RD_EWRONG, "groups that die and join %s: item %d was run %u times, not %u",
                            way_name[way], i, item[i], want);
    const uint32_t live = (uint32_t)word & 0xffff;
    if (!(word & RD_CREW_OVER) || (word & RD_CREW_FORKING) || live < 1 || live > rig->groups)
        return rd__fail(err, RD_EWRONG, "groups that die and join %s: the word was left as %llx", way_name[way],
                        (unsigned long long)word);
    count->runs++;
    count->kills += out[CREW_KILLS];
    count->forks += out[CREW_FORKS];
    return RD_OK;
}

static rd_status run_once(rd__rig *rig, uint32_t way, uint64_t draw, tally *count, rd_error *err)
{
    const uint32_t groups = rig->groups, first = 1 + (uint32_t)(draw >> 8) % groups,
                   rounds = 1 + (uint32_t)(draw >> 40) % 60;
    /* the phase may be about to wrap around */
    const uint64_t phase = draw % 3 ? 0 : RD_CREW_PHASES - (draw >> 20) % 8;
    const uint64_t word = RD_CREW_FIRST((uint64_t)first, (uint64_t)groups) | phase << RD_CREW_PHASE;
    const crew_args args = {.word = &rig->buffer[0],
                            .mail = &rig->buffer[1],
                            .item = &rig->buffer[2],
                            .out = &rig->buffer[3],
                            .items = ITEMS,
                            .rounds = rounds,
                            .first = first,
                            .seed = (uint32_t)(draw >> 16),
                            .way = way};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = crew_args_pack(&args, list);
    RD_TRY(rd__buffer_write(&rig->buffer[0], 0, sizeof word, &word, err));
    for (int i = 1; i < 4; i++)
        RD_TRY(rd__buffer_fill(&rig->buffer[i], 0, err));
    RD_TRY(rd__rig_launch(rig, "crew_run", list, used, err));
    return verdict(rig, way, rounds, count, err);
}

static rd_status run_way(rd__test *test, uint32_t way, rd_error *err)
{
    const uint32_t lanes = rd__device_default_lanes(test->device);
    const uint32_t runs = test->device->caps.slow_wide_compile ? test->repeats / 10 + 1 : test->repeats; /* and slow */
    rd__rig rig;
    tally count = {0};
    RD_TRY(rd__rig_load(&rig, test->device, "selftest_crew", "selftest/crew.k.c", lanes > 64 ? 64 : lanes, 256, err));
    rd_status status = rd__rig_buffer(&rig, 0, 8, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 1, 4ull * RD_CREW_MAIL(rig.groups, CREW_ROOM), 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 2, 4 * ITEMS, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 3, 4 * CREW_OUT, 0, err);
    for (uint32_t i = 0; status == RD_OK && i < runs; i++)
        status = run_once(&rig, way, rd__mix64(test->seed + 8ull * i + way), &count, err);
    if (status == RD_OK && rig.groups > 1 && count.runs > 50 && (!count.kills || !count.forks))
        status = rd__fail(err, RD_EWRONG, "nobody died or nobody joined in %llu runs: this test shows nothing",
                          (unsigned long long)count.runs);
    snprintf(test->note, sizeof test->note, "%llu runs of %u groups, %llu died, %llu joined",
             (unsigned long long)count.runs, rig.groups, (unsigned long long)count.kills,
             (unsigned long long)count.forks);
    rd__rig_free(&rig);
    return status;
}

static rd_status tasks(rd__test *test, rd_error *err)
{
    return run_way(test, CREW_TASKS, err);
}

static rd_status rounds(rd__test *test, rd_error *err)
{
    return run_way(test, CREW_ROUNDS, err);
}

static rd_status resize(rd__test *test, rd_error *err)
{
    return run_way(test, CREW_RESIZE, err);
}

static rd_status steps(rd__test *test, rd_error *err)
{
    return run_way(test, CREW_STEPS, err);
}

const rd__test_case rd__crew_cases[] = {
    {"crew/tasks", tasks, RD__ONCE},
    {"crew/barrier", rounds, RD__ONCE},
    {"crew/resizing", resize, RD__ONCE},
    {"crew/resizing-v1", steps, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
