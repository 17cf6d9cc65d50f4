/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.c - see tokens.h; tokens.k.c is what runs. */
#include "micro/tokens.h"

#include "micro/tokens_layout.k.h"
#include "model/args.h"
#include "raddle/tool.h"
#include "sched/parts/ring_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { GPU_BURST = 4, CPU_BURST = 64 };

RD__ARGS(tokens_args, TOKENS_ARGS)

static uint32_t kind_of(const char *form)
{
    return strcmp(form, "cas") == 0 ? QUEUE_CAS : strcmp(form, "an") == 0 ? QUEUE_AN : QUEUE_RETRY_FREE;
}

/* Tokens a lane gives before it takes. */
static uint32_t burst_of(const rd__tokens *tokens)
{
    return tokens->kind == QUEUE_CAS ? 1 : tokens->lanes == 1 ? CPU_BURST : GPU_BURST;
}

rd_status rd__tokens_open(rd__tokens *tokens, rd_device *device, const char *form, const rd_micro_options *options,
                          rd_error *err)
{
    char defines[32];
    const uint32_t usual = rd__device_default_lanes(device);
    *tokens = (rd__tokens){.kind = kind_of(form), .bits = options->token_bits ? options->token_bits : 32};
    if (tokens->bits != 32 && tokens->bits != 64)
        return rd__fail(err, RD_EARG, "rd_micro_options.token_bits is %u; a token has 32 or 64", tokens->bits);
    tokens->device = device;
    tokens->lanes = !options->lanes || device->caps.fixed_width ? usual : options->lanes;
    snprintf(defines, sizeof defines, "-DQUEUE_KIND=%u", tokens->kind);
    const rd__program_spec spec = {.name = tokens->bits == 64 ? "micro_tokens64" : "micro_tokens",
                                   .root = tokens->bits == 64 ? "micro/tokens64.k.c" : "micro/tokens.k.c",
                                   .lanes = tokens->lanes,
                                   .defines = defines};
    RD_TRY(rd__program_load(device, &spec, &tokens->program, err));
    RD_TRY(rd__kernel_find(device, tokens->program, "tokens_run", &tokens->kernel, err));
    RD_TRY(rd__kernel_resident(device, tokens->kernel, &tokens->bound, err));
    tokens->groups = options->share ? tokens->bound / options->share : tokens->bound;
    tokens->groups = tokens->groups ? tokens->groups : 1;
    const uint64_t under_way = (uint64_t)tokens->groups * tokens->lanes * burst_of(tokens);
    tokens->shift = 1;
    while (tokens->shift < 28 && 1ull << tokens->shift < 2 * under_way)
        tokens->shift++;
    RD_TRY(rd__buffer_alloc(device, &tokens->slot, "ring", (uint64_t)tokens->bits / 4 << tokens->shift, err));
    return rd__buffer_alloc(device, &tokens->control, "control words", 4 * TOKENS_WORDS, err);
}

void rd__tokens_close(rd__tokens *tokens)
{
    rd__buffer_free(&tokens->slot);
    rd__buffer_free(&tokens->control);
    if (tokens->device)
        rd__program_unload(tokens->device, tokens->program);
    *tokens = (rd__tokens){0};
}

/* So many that it takes a few milliseconds, or that failing reservations do not take minutes. */
static uint64_t usual_count(const rd__tokens *tokens)
{
    const uint64_t one_round = (uint64_t)tokens->groups * tokens->lanes * burst_of(tokens);
    if (!tokens->device->info.is_gpu)
        return tokens->lanes > 1 ? 20000 : 2000000; /* lanes that are threads are slow */
    return tokens->kind == QUEUE_RETRY_FREE ? 200 * one_round : tokens->kind == QUEUE_AN ? 20 * one_round : one_round;
}

rd_status rd__tokens_run(rd__tokens *tokens, uint32_t count, rd_micro_report *report, rd_error *err)
{
    const uint64_t one_round = (uint64_t)tokens->groups * tokens->lanes * burst_of(tokens);
    const uint64_t wanted = count ? count : usual_count(tokens);
    const uint32_t rounds = (uint32_t)((wanted + one_round - 1) / one_round);
    uint32_t word[TOKENS_WORDS];
    uint64_t stat[TOKENS_COUNTS];
    RD_TRY(rd__buffer_fill(&tokens->slot, QUEUE_FREE(0u, tokens->shift), err));
    RD_TRY(rd__buffer_fill(&tokens->control, 0, err));
    RD_TRY(rd__device_wait(tokens->device, NULL, err)); /* what comes before is not timed */
    const tokens_args args = {.slot = &tokens->slot,
                              .control = &tokens->control,
                              .shift = tokens->shift,
                              .kind = tokens->kind,
                              .rounds = rounds,
                              .burst = burst_of(tokens)};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = tokens_args_pack(&args, list);
    const double began = rd_now();
    RD_TRY(rd__time_begin(tokens->device, err));
    RD_TRY(rd__kernel_launch(tokens->device, tokens->kernel, tokens->groups, 0, list, used, err));
    RD_TRY(rd__time_mark(tokens->device, err));
    RD_TRY(rd__time_end(tokens->device, &report->kernel_s, err));
    report->total_s = rd_now() - began;
    RD_TRY(rd__buffer_read(&tokens->control, 0, sizeof word, word, err));
    memcpy(stat, word + TOKENS_STATS, sizeof stat);
    report->count = stat[0];
    report->groups = tokens->groups;
    report->bound = tokens->bound;
    report->lanes = tokens->lanes;
    report->token_bits = tokens->bits;
    report->reservations = stat[2];
    report->retries = stat[3];
    report->empty_polls = stat[4];
    if (stat[0] != rounds * one_round || stat[1] || word[TOKENS_REAR] != (uint32_t)(rounds * one_round))
        return rd__fail(err, RD_EWRONG, "%llu tokens were given, %llu came, %llu of them to the wrong ticket",
                        (unsigned long long)(rounds * one_round), (unsigned long long)stat[0],
                        (unsigned long long)stat[1]);
    if (tokens->kind == QUEUE_RETRY_FREE && stat[3])
        return rd__fail(err, RD_EWRONG, "the retry-free queue tried %llu times again", (unsigned long long)stat[3]);
    return RD_OK;
}
