/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - see explain.h; explain.k.c is what runs.
 *
 * Utilisation: launches of a kernel that takes a known time, each followed by a copy of one word to the host, as rounds
 * that the host keeps going do. kernel_s is what all of the work takes in one launch, total_s what it takes in many;
 * one over the other is how busy the device is kept.
 */
#include "micro/explain.h"

#include "micro/explain_layout.k.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

enum { ADDS = 1000, WORDS = 256, FEW = 64, PROBE = 1 << 16, TRIES = 3, MOST_LOOPS = 1 << 28 };

RD__ARGS(combine_args, COMBINE_ARGS)
RD__ARGS(stride_args, STRIDE_ARGS)
RD__ARGS(work_args, WORK_ARGS)

/* Lanes that are threads take long to meet; a core has one lane, and so little to do. */
static uint32_t usual(const rd__explain *explain, uint32_t count)
{
    return explain->lanes == 1 ? 100 * count : explain->device->caps.fixed_width ? FEW : count;
}

static uint32_t rounds_of(const rd__explain *explain, uint32_t count)
{
    const int adds = strncmp(explain->name, "combine/", 8) == 0;
    return count ? count : usual(explain, adds ? ADDS : WORDS);
}

rd_status rd__explain_open(rd__explain *explain, rd_device *device, const char *name, const rd_micro_options *options,
                           rd_error *err)
{
    const uint32_t lanes = rd__device_default_lanes(device);
    *explain = (rd__explain){.device = device, .name = name};
    explain->lanes = !options->lanes || device->caps.fixed_width ? lanes : options->lanes;
    const rd__program_spec spec = {.name = "micro_explain", .root = "micro/explain.k.c", .lanes = explain->lanes};
    rd__kernel *kernel;
    RD_TRY(rd__program_load(device, &spec, &explain->program, err));
    RD_TRY(rd__kernel_find(device, explain->program, "explain_work", &kernel, err));
    RD_TRY(rd__kernel_resident(device, kernel, &explain->groups, err));
    const uint32_t wanted = options->per_unit * device->info.compute_units;
    explain->groups = wanted && wanted < explain->groups ? wanted : explain->groups;
    explain->groups = explain->groups ? explain->groups : 1;
    RD_TRY(rd__buffer_alloc(device, &explain->out, "control words", 4 * EXPLAIN_WORDS, err));
    if (strncmp(name, "stride/", 7) != 0)
        return RD_OK;
    const uint64_t words = (uint64_t)explain->groups * explain->lanes * rounds_of(explain, options->count);
    RD_TRY(rd__buffer_alloc(device, &explain->word, "words to read", 4 * words, err));
    return rd__buffer_fill(&explain->word, 1, err);
}

void rd__explain_close(rd__explain *explain)
{
    rd__buffer_free(&explain->out);
    rd__buffer_free(&explain->word);
    if (explain->device)
        rd__program_unload(explain->device, explain->program);
    *explain = (rd__explain){0};
}

/* `times` launches, each followed by a copy of a word when reads is set; and what they took. */
static rd_status timed(rd__explain *explain, const char *name, const rd__arg *list, uint32_t used, uint32_t times,
                       int reads, rd_micro_report *report, rd_error *err)
{
    rd__kernel *kernel;
    uint32_t word;
    RD_TRY(rd__kernel_find(explain->device, explain->program, name, &kernel, err));
    RD_TRY(rd__buffer_fill(&explain->out, 0, err));
    RD_TRY(rd__device_wait(explain->device, NULL, err)); /* what comes before is not timed */
    const double began = rd_now();
    RD_TRY(rd__time_begin(explain->device, err));
    for (uint32_t i = 0; i < times; i++) {
        RD_TRY(rd__kernel_launch(explain->device, kernel, explain->groups, 0, list, used, err));
        if (reads)
            RD_TRY(rd__buffer_read(&explain->out, 0, sizeof word, &word, err));
    }
    RD_TRY(rd__time_mark(explain->device, err));
    RD_TRY(rd__time_end(explain->device, &report->kernel_s, err));
    report->total_s = rd_now() - began;
    return RD_OK;
}

static rd_status run_work(rd__explain *explain, uint32_t loops, uint32_t times, int reads, rd_micro_report *report,
                          rd_error *err)
{
    const work_args args = {.out = &explain->out, .loops = loops};
    rd__arg list[RD__MAX_ARGS];
    return timed(explain, "explain_work", list, work_args_pack(&args, list), times, reads, report, err);
}

/* How many loops take so long, in one launch: the least of some tries, because others may have the processor. */
static rd_status calibrate(rd__explain *explain, double seconds, rd_error *err)
{
    rd_micro_report report = {0};
    uint32_t loops = PROBE / 2;
    double least;
    do {
        loops *= 2;
        least = 1e9;
        for (int tries = 0; tries < TRIES; tries++) {
            RD_TRY(run_work(explain, loops, 1, 0, &report, err));
            least = report.kernel_s < least ? report.kernel_s : least;
        }
    } while (least < 1e-3 && loops < MOST_LOOPS);
    explain->loops = (uint32_t)(seconds / (least > 0 ? least / loops : 1e-9)) + 1;
    return RD_OK;
}

static rd_status run_launches(rd__explain *explain, uint32_t count, rd_micro_report *report, rd_error *err)
{
    const double seconds = strstr(explain->name, "200us") ? 200e-6 : 20e-6;
    rd_micro_report alone = {0};
    if (!explain->loops)
        RD_TRY(calibrate(explain, seconds, err));
    report->count = count ? count : (uint32_t)(10e-3 / seconds);
    RD_TRY(run_work(explain, explain->loops, (uint32_t)report->count, 1, report, err));
    for (int tries = 0; tries < TRIES; tries++) { /* likewise */
        RD_TRY(run_work(explain, (uint32_t)(explain->loops * report->count), 1, 0, &alone, err));
        report->kernel_s = tries == 0 || alone.kernel_s < report->kernel_s ? alone.kernel_s : report->kernel_s;
    }
    if (report->kernel_s > report->total_s) /* others had it each time */
        report->kernel_s = report->total_s;
    return RD_OK;
}

static rd_status run_memory(rd__explain *explain, uint32_t rounds, rd_micro_report *report, rd_error *err)
{
    const int adds = strncmp(explain->name, "combine/", 8) == 0;
    const uint32_t many = strstr(explain->name, "/warp") ? EXPLAIN_BY_WARP : EXPLAIN_BY_LANE;
    const combine_args combine = {.out = &explain->out, .rounds = rounds, .by = many};
    const stride_args stride = {.word = &explain->word,
                                .out = &explain->out,
                                .rounds = rounds,
                                .meets = strstr(explain->name, "/barrier") != NULL};
    uint32_t out[EXPLAIN_WORDS];
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = adds ? combine_args_pack(&combine, list) : stride_args_pack(&stride, list);
    RD_TRY(timed(explain, adds ? "explain_combine" : "explain_stride", list, used, 1, 0, report, err));
    RD_TRY(rd__buffer_read(&explain->out, 0, sizeof out, out, err));
    report->count = (uint64_t)explain->groups * explain->lanes * rounds;
    if (out[EXPLAIN_WRONG] || (adds && out[EXPLAIN_SUM] != (uint32_t)report->count))
        return rd__fail(err, RD_EWRONG, "%s: %u lanes found what should not be; the sum is %u", explain->name,
                        out[EXPLAIN_WRONG], out[EXPLAIN_SUM]);
    return RD_OK;
}

rd_status rd__explain_run(rd__explain *explain, uint32_t count, rd_micro_report *report, rd_error *err)
{
    report->groups = explain->groups;
    report->bound = explain->groups;
    report->lanes = explain->lanes;
    if (strncmp(explain->name, "utilisation/", 12) == 0)
        return run_launches(explain, count, report, err);
    return run_memory(explain, rounds_of(explain, count), report, err);
}
