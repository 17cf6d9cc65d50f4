/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - the serial function of an own app, for rd_job_check. It is a program of the CPU, whatever device the tasks
 * ran on: a kernel of one lane, which gets copies of all arrays. */
#include "apps/own/own.h"

#include "apps/own/check_layout.k.h"
#include "apps/common/called.h"
#include "core/memory.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

RD__ARGS(check_args, OWN_CHECK_ARGS)

typedef struct checking {
    rd_job *job;
    const rd__own_looked *looked;
    rd_device *cpu;
    rd__program *program;
    rd__buffer array[RD__APP_MAX_ARGS], row, col, weight, answer;
} checking;

static rd_status copy_array(checking *c, uint32_t i, rd_error *err)
{
    const rd__own_state *state = c->job->state;
    const rd__buffer *from = &state->buffer[i];
    if (c->looked->word)
        return rd__buffer_from(c->cpu, &c->array[i], from->name, 4ull * c->looked->csr.vertices, c->looked->word, err);
    RD_TRY(rd__buffer_alloc(c->cpu, &c->array[i], from->name, from->bytes, err));
    return rd__buffer_read(from, 0, from->bytes, c->array[i].at.host, err);
}

static rd_status copy_inputs(checking *c, rd_error *err)
{
    static const uint64_t nothing[2];
    const rd__own_file *file = &rd__own_of(c->job)->file;
    const rd_csr csr = c->looked->csr;
    const void *row = csr.row ? (const void *)csr.row : nothing, *col = csr.edges ? (const void *)csr.col : nothing;
    const void *weight = csr.weight && csr.edges ? (const void *)csr.weight : nothing;
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY)
            RD_TRY(copy_array(c, i, err));
    RD_TRY(rd__buffer_from(c->cpu, &c->row, "row offsets", csr.row ? 8 * (csr.vertices + 1ull) : 8, row, err));
    RD_TRY(rd__buffer_from(c->cpu, &c->col, "edge targets", csr.edges ? 4 * csr.edges : 4, col, err));
    RD_TRY(rd__buffer_from(c->cpu, &c->weight, "weights", csr.edges ? 4 * csr.edges : 4, weight, err));
    return rd__buffer_alloc(c->cpu, &c->answer, "answer of the check", 8, err);
}

static uint32_t pack(const checking *c, rd__arg *args)
{
    const rd__own_file *file = &rd__own_of(c->job)->file;
    const rd_csr csr = c->looked->csr;
    const check_args own = {.check_row = &c->row,
                            .check_col = &c->col,
                            .check_weight = &c->weight,
                            .check_answer = &c->answer,
                            .check_vertices = csr.vertices,
                            .check_edges = csr.edges,
                            .check_sum = c->job->last.sum};
    const uint32_t used = rd__own_args(c->job, args);
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_kind kind = file->item[i].kind;
        const rd__buffer *buffer = kind == OWN_ARRAY     ? &c->array[i]
                                   : kind == OWN_WEIGHTS ? &c->weight
                                   : kind == OWN_ROWS    ? &c->row
                                   : kind == OWN_TARGETS ? &c->col
                                                         : NULL;
        if (buffer)
            args[i] = RD__BUFFER(buffer);
        else if (kind == OWN_SOURCE)
            args[i] = RD__U32(c->looked->source);
    }
    return used + check_args_pack(&own, args + used);
}

static rd_status ask(checking *c, uint64_t *answer, rd_error *err)
{
    rd__arg args[RD__MAX_ARGS];
    rd__kernel *kernel = NULL;
    char name[sizeof rd__own_of(c->job)->root_name + 8];
    const rd__limit limit = {.deadline = c->job->timeout > 0 ? rd_now() + c->job->timeout : 0};
    snprintf(name, sizeof name, "%s_check", rd__own_of(c->job)->root_name);
    RD_TRY(rd__program_load_named(c->cpu, name, 1, NULL, 0, &c->program, err));
    RD_TRY(rd__kernel_find(c->cpu, c->program, "own_check", &kernel, err));
    RD_TRY(copy_inputs(c, err));
    RD_TRY(rd__kernel_launch(c->cpu, kernel, 1, 0, args, pack(c, args), err));
    RD_TRY(rd__device_wait(c->cpu, &limit, err));
    return rd__buffer_read(&c->answer, 0, sizeof *answer, answer, err);
}

static void release(checking *c)
{
    for (uint32_t i = 0; i < RD__APP_MAX_ARGS; i++)
        rd__buffer_free(&c->array[i]);
    rd__buffer_free(&c->row);
    rd__buffer_free(&c->col);
    rd__buffer_free(&c->weight);
    rd__buffer_free(&c->answer);
    rd__program_unload(c->cpu, c->program);
    rd_device_close(c->cpu);
}

rd_status rd__own_check_whole(rd_job *job, const rd_result *result, const rd__own_looked *looked, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd_device_options options = {
        .size = sizeof options, .no_cache = job->device && !job->device->use_cache, .threads = 1};
    checking c = {.job = job, .looked = looked};
    uint64_t answer = 0;
    if (!file->has_check)
        return rd__fail(err, RD_EARG,
                        "%s has no serial function to check with: `rd_fn rd_u64 rd_app_check(const rd_app *a, const "
                        "rd_checked *c)` inside #ifdef RD_CHECK",
                        file->label);
    RD_TRY(rd_device_open("cpu", &options, &c.cpu, err));
    const rd_status status = ask(&c, &answer, err);
    release(&c);
    if (status != RD_OK || answer == UINT64_MAX)
        return status;
    if (file->result < 0)
        return rd__fail(err, RD_EWRONG, "%s: rd_app_check says that the result is wrong", file->name);
    if (job->graph && result->count == looked->csr.vertices && answer < looked->csr.vertices)
        return rd__fail(err, RD_EWRONG, "%s: rd_app_check says that %s of vertex %llu is wrong", file->name,
                        result->name, rd__called((uint32_t)answer));
    return rd__fail(err, RD_EWRONG, "%s: rd_app_check says that value %llu of %s is wrong", file->name,
                    (unsigned long long)answer, result->name);
}

rd_status rd__own_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd__own_looked looked = {.csr = job->graph ? rd_graph_csr(job->graph) : (rd_csr){.vertices = 0},
                                   .source = rd__own_start_vertex(job)};
    return rd__own_check_whole(job, result, &looked, err);
}
