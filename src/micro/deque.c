/* SPDX-License-Identifier: Apache-2.0 */
/* deque.c - see deque.h. */
#include "micro/deque.h"

#include "core/memory.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

rd_status rd__deques_load(rd__deques *deques, rd_device *device, uint32_t lanes, rd_error *err)
{
    const rd_device_info *info = &device->info;
    lanes = lanes ? lanes : rd__device_default_lanes(device);
    *deques = (rd__deques){.device = device, .lanes = lanes};
    const rd__program_spec spec = {.name = "micro_deque", .root = "micro/deque.k.c", .lanes = lanes};
    RD_TRY(rd__program_load(device, &spec, &deques->program, err));
    RD_TRY(rd__kernel_find(device, deques->program, "deque_run", &deques->kernel, err));
    RD_TRY(rd__kernel_resident(device, deques->kernel, &deques->resident, err));
    if (!device->caps.coresident && deques->resident > info->compute_units)
        deques->resident = info->compute_units; /* what an OpenCL device surely runs at once */
    return RD_OK;
}

void rd__deques_close(rd__deques *deques)
{
    rd__buffer_free(&deques->line);
    rd__buffer_free(&deques->item);
    rd__buffer_free(&deques->control);
    rd__buffer_free(&deques->seen);
    if (deques->device)
        rd__program_unload(deques->device, deques->program);
    *deques = (rd__deques){0};
}

static rd_status make(rd__deques *deques, rd__buffer *buffer, uint64_t bytes, rd_error *err)
{
    if (buffer->bytes < bytes) {
        rd__buffer_free(buffer);
        RD_TRY(rd__buffer_alloc(deques->device, buffer, "deques", bytes, err));
    }
    return rd__buffer_fill(buffer, 0, err);
}

/* Ends of the deques; and their items, when nobody pushes them. */
static rd_status lay_out(rd__deques *deques, const rd__deque_case *shape, uint32_t owners, rd_error *err)
{
    const int filled = !(shape->acts & DEQUE_ACT_PUSH);
    const uint32_t index = (uint32_t)shape->head, tail = index + (filled ? shape->each : 0);
    const uint64_t slots = (uint64_t)owners << shape->shift;
    uint32_t *line = NULL, *item = NULL;
    RD_TRY(make(deques, &deques->line, 4ull * DEQUE_LINE * owners, err));
    RD_TRY(make(deques, &deques->item, 4 * slots, err));
    RD_TRY(rd__array_new(&line, "ends of deques", (uint64_t)owners * DEQUE_LINE, sizeof *line, err));
    memset(line, 0, 4ull * owners * DEQUE_LINE);
    for (uint32_t g = 0; g < owners; g++) {
        memcpy(line + (size_t)g * DEQUE_LINE + DEQUE_HEAD, &shape->head, sizeof shape->head);
        line[(size_t)g * DEQUE_LINE + DEQUE_TAIL] = line[(size_t)g * DEQUE_LINE + DEQUE_USER] = tail;
    }
    rd_status status = rd__buffer_write(&deques->line, 0, 4ull * owners * DEQUE_LINE, line, err);
    rd__array_free(line);
    if (status != RD_OK || !filled)
        return status;
    RD_TRY(rd__array_new(&item, "items of deques", slots, sizeof *item, err));
    memset(item, 0, 4 * slots);
    for (uint32_t g = 0; g < owners; g++)
        for (uint32_t i = 0; i < shape->each; i++)
            item[((size_t)g << shape->shift) + ((index + i) & ((1u << shape->shift) - 1))] = g * shape->each + i;
    status = rd__buffer_write(&deques->item, 0, 4 * slots, item, err);
    rd__array_free(item);
    return status;
}

static rd_status verdict(rd__deques *deques, const rd__deque_case *shape, const uint32_t *word, uint64_t tokens,
                         rd_error *err)
{
    uint64_t sum;
    uint32_t *seen = NULL;
    memcpy(&sum, word + DEQUE_SUM, sizeof sum);
    const char *what = word[DEQUE_LEFT]                   ? "tokens were lost, or met twice"
                       : word[DEQUE_BAD]                  ? "a token came out that nobody pushed"
                       : sum != tokens * (tokens - 1) / 2 ? "the tokens met do not add up"
                                                          : NULL;
    if (what)
        return rd__fail(err, RD_EWRONG, "deque, %s: %s; %d left of %llu", shape->name, what, (int32_t)word[DEQUE_LEFT],
                        (unsigned long long)tokens);
    if (!(shape->acts & DEQUE_ACT_COUNT))
        return RD_OK;
    RD_TRY(rd__array_new(&seen, "tokens met", tokens, sizeof *seen, err));
    rd_status status = rd__buffer_read(&deques->seen, 0, 4 * tokens, seen, err);
    for (uint64_t i = 0; i < tokens && status == RD_OK; i++)
        if (seen[i] != 1)
            status = rd__fail(err, RD_EWRONG, "deque, %s: token %llu was met %u times", shape->name,
                              (unsigned long long)i, seen[i]);
    rd__array_free(seen);
    return status;
}

RD__ARGS(deque_run_args, DEQUE_RUN_ARGS)

rd_status rd__deques_run(rd__deques *deques, const rd__deque_case *shape, rd__deque_numbers *numbers, rd_error *err)
{
    uint32_t groups = shape->groups && shape->groups < deques->resident ? shape->groups : deques->resident;
    uint32_t word[DEQUE_CONTROL] = {0};
    const uint32_t owners = groups > shape->thieves ? groups - shape->thieves : 1;
    groups = owners == 1 && groups <= shape->thieves ? groups : owners + shape->thieves;
    if (groups == 1 && !(shape->acts & DEQUE_ACT_POP)) /* nobody would take anything */
        return rd__fail(err, RD_EARG, "deque, %s: needs two workers", shape->name);
    const uint64_t tokens = (uint64_t)owners * shape->each;
    /* Many seconds. Threads of a CPU may be kept from their core for long, and turns are short there. */
    const uint32_t turns = deques->device->info.is_gpu ? 20u * 1000 * 1000 : 1000u * 1000 * 1000;
    RD_TRY(lay_out(deques, shape, owners, err));
    RD_TRY(make(deques, &deques->control, sizeof word, err));
    RD_TRY(make(deques, &deques->seen, shape->acts & DEQUE_ACT_COUNT ? 4 * tokens : 4, err));
    word[DEQUE_LEFT] = (uint32_t)tokens;
    RD_TRY(rd__buffer_write(&deques->control, 0, sizeof word, word, err));
    const deque_run_args args = {.line = &deques->line,
                                 .item = &deques->item,
                                 .control = &deques->control,
                                 .seen = &deques->seen,
                                 .shift = shape->shift,
                                 .kind = shape->kind,
                                 .owners = owners,
                                 .each = shape->each,
                                 .burst = shape->burst,
                                 .acts = shape->acts,
                                 .turns = turns};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = deque_run_args_pack(&args, list);
    const double began = rd_now();
    RD_TRY(rd__time_begin(deques->device, err));
    RD_TRY(rd__kernel_launch(deques->device, deques->kernel, groups, deques->device->caps.coresident, list, used, err));
    RD_TRY(rd__time_mark(deques->device, err));
    RD_TRY(rd__time_end(deques->device, &numbers->kernel_s, err));
    numbers->total_s = rd_now() - began;
    RD_TRY(rd__buffer_read(&deques->control, 0, sizeof word, word, err));
    numbers->tokens = tokens;
    numbers->groups = groups;
    numbers->won = word[DEQUE_WON];
    numbers->failed = word[DEQUE_FAILED];
    numbers->empty = word[DEQUE_EMPTY];
    numbers->share = tokens ? (double)word[DEQUE_MOST] * groups / (double)tokens : 0;
    return verdict(deques, shape, word, tokens, err);
}
