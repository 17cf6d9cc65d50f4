/* SPDX-License-Identifier: Apache-2.0 */
/* seed.c - see seed.h. */
#include "sched/parts/seed.h"

#include "core/memory.h"
#include "core/stride.h"
#include "sched/parts/launch.h"
#include "sched/parts/seed_layout.k.h"

#include <string.h>

enum { FEW = 64, SEED_SHARE = 512 }; /* share: vertices a group, at least */

RD__ARGS(seed_args, SEED_ARGS)
RD__ARGS(seed_where_args, SEED_WHERE_ARGS)

static uint32_t traits_of(const rd__sched_job *job)
{
    const rd__root *root = rd__root_find(job->program);
    return root ? root->traits : 0;
}

static int asks(const rd__sched_job *job)
{
    return (traits_of(job) & RD__TRAIT_SEEDS) != 0;
}

/* Those that the app says wait for their phases, all of them. */
static int all_wait(const rd__sched_job *job)
{
    return asks(job) && (traits_of(job) & RD__TRAIT_DUE);
}

/* Does it make lists of what the app says? */
static int makes_lists(const rd__sched_job *job)
{
    return asks(job) && !all_wait(job);
}

static uint64_t list_bytes(const rd__sched_job *job)
{
    const uint64_t vertices = job->input.graph ? rd_graph_csr(job->input.graph).vertices : 0;
    return 4 * (makes_lists(job) && vertices > FEW ? vertices : FEW);
}

void rd__seeder_plan(const rd__sched_job *job, rd_plan *plan)
{
    rd__plan_add(plan, "seeds", list_bytes(job), 0, 0);
    if (makes_lists(job))
        rd__plan_add(plan, "candidates", 2 * list_bytes(job) + 4 * SEED_WORDS, 0, 0);
}

void rd__seeder_close(rd__seeder *seeder)
{
    rd__buffer_free(&seeder->list);
    rd__buffer_free(&seeder->later[0]);
    rd__buffer_free(&seeder->later[1]);
    rd__buffer_free(&seeder->words);
}

rd_status rd__seeder_open(rd__seeder *seeder, const rd__sched_job *job, rd__program *program, rd_error *err)
{
    seeder->device = job->device;
    RD_TRY(rd__buffer_alloc(job->device, &seeder->list, "seeds", list_bytes(job), err));
    if (!asks(job))
        return RD_OK;
    RD_TRY(rd__kernel_find(job->device, program, "seed_where", &seeder->where, err));
    if (!makes_lists(job))
        return RD_OK;
    for (int i = 0; i < 2; i++)
        RD_TRY(rd__buffer_alloc(job->device, &seeder->later[i], "candidates", list_bytes(job), err));
    return rd__buffer_alloc(job->device, &seeder->words, "candidates", 4 * SEED_WORDS, err);
}

/* ---- A list on the host ---- */

/* Copies the list without what was there before: by comparing, where they are few, or with a set of vertices. */
static uint32_t drop_repeated(const rd__seeds *seeds, uint32_t *set, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < seeds->count; i++) {
        const uint32_t v = seeds->vertex[i];
        uint32_t known = 0;
        if (set) {
            known = set[v / 32] >> v % 32 & 1;
            set[v / 32] |= 1u << v % 32;
        }
        for (uint32_t k = 0; !set && k < count && !known; k++)
            known = out[k] == v;
        if (!known)
            out[count++] = v;
    }
    return count;
}

static rd_status upload(rd__seeder *seeder, const uint32_t *vertex, uint32_t count, rd_error *err)
{
    if (seeder->list.bytes < 4ull * count) {
        rd__buffer_free(&seeder->list);
        RD_TRY(rd__buffer_alloc(seeder->device, &seeder->list, "seeds", 4ull * count, err));
    }
    return count ? rd__buffer_write(&seeder->list, 0, 4ull * count, vertex, err) : RD_OK;
}

static rd_status take_list(rd__seeder *seeder, const rd__sched_job *job, const rd__seeds *seeds, rd__seed_view *view,
                           rd_error *err)
{
    const uint32_t vertices = rd_graph_csr(job->input.graph).vertices;
    uint32_t few[FEW], *set = NULL, *out = few;
    for (uint32_t i = 0; i < seeds->count; i++)
        if (seeds->vertex[i] >= vertices)
            return rd__fail(err, RD_EARG, "%s starts from vertex %u, and the graph has %u", job->app, seeds->vertex[i],
                            vertices);
    if (seeds->count > FEW) {
        out = NULL;
        RD_TRY(rd__array_new(&set, "seeds on the host", (vertices + 31ull) / 32, sizeof *set, err));
        const rd_status status = rd__array_new(&out, "seeds on the host", seeds->count, sizeof *out, err);
        if (status != RD_OK) {
            rd__array_free(set);
            return status;
        }
        memset(set, 0, (vertices + 31ull) / 32 * sizeof *set);
    }
    view->count = drop_repeated(seeds, set, out);
    const rd_status status = upload(seeder, out, view->count, err);
    view->list = &seeder->list;
    if (set) {
        rd__array_free(set);
        rd__array_free(out);
    }
    return status;
}

/* ---- All vertices, and those that the app says ---- */

/* Asks for `asked` vertices, all or those of the list. */
static rd_status ask(rd__seeder *seeder, const rd__sched_job *job, uint32_t listed, uint32_t asked, uint32_t groups,
                     rd_error *err)
{
    const rd__buffer *some = &seeder->list;
    const int lists = makes_lists(job);
    const uint32_t from = seeder->turn, enough = asked / SEED_SHARE + 1;
    const seed_where_args args = {.seed_from = lists ? &seeder->later[from] : some,
                                  .seed_listed = listed,
                                  .seed_asked = asked,
                                  .seed_now = &seeder->list,
                                  .seed_later = lists ? &seeder->later[1 - from] : some,
                                  .seed_row = job->input.row,
                                  .seed_col = job->input.col,
                                  .seed_words = lists ? &seeder->words : some};
    rd__launch launch = {
        .job = job, .kernel = seeder->where, .groups = enough < groups ? enough : groups, .step = RD__NO_STEP};
    rd__arg own[RD__MAX_ARGS];
    RD_TRY(rd__launch_pack(&launch, own, seed_where_args_pack(&args, own), err));
    if (lists)
        RD_TRY(rd__buffer_fill(&seeder->words, 0, err));
    return rd__launch_batch(&launch, 0, 1, err);
}

static rd_status take_where(rd__seeder *seeder, const rd__sched_job *job, const rd__seeds *seeds, uint32_t groups,
                            rd__seed_view *view, rd_error *err)
{
    uint32_t word[SEED_WORDS];
    if (!seeder->where)
        return rd__fail(err, RD_EARG, "%s has no predicate for seeds: its kernel source must define RD_APP_SEEDS",
                        job->app);
    const uint32_t vertices = rd_graph_csr(job->input.graph).vertices,
                   asked = seeds->later ? seeder->waiting : vertices;
    RD_TRY(ask(seeder, job, seeds->later, asked, groups, err));
    if (all_wait(job)) {
        *view = (rd__seed_view){.list = &seeder->list, .count = vertices, .stride = 1, .wait = 1};
        return RD_OK;
    }
    RD_TRY(rd__buffer_read(&seeder->words, 0, sizeof word, word, err));
    if ((uint64_t)word[SEED_NOW] + word[SEED_LATER] > asked)
        return rd__fail(err, RD_EDEVICE, "%s miscomputed: %u vertices have more answers; run `raddle selftest -d %s`",
                        seeder->device->info.name, asked, seeder->device->info.name);
    seeder->turn = 1 - seeder->turn;
    seeder->waiting = word[SEED_LATER];
    view->list = &seeder->list;
    view->count = word[SEED_NOW];
    return RD_OK;
}

rd_status rd__seeder_take(rd__seeder *seeder, const rd__sched_job *job, const rd__seeds *seeds, uint32_t groups,
                          rd__seed_view *view, rd_error *err)
{
    *view = (rd__seed_view){.list = &seeder->list, .count = seeds->count};
    switch (seeds->kind) {
    case RD__SEEDS_LIST: return take_list(seeder, job, seeds, view, err);
    case RD__SEEDS_BUFFER:
        view->list = seeds->count ? seeds->buffer : view->list;
        view->first = seeds->count ? seeds->first : 0;
        return RD_OK;
    case RD__SEEDS_WHERE: return take_where(seeder, job, seeds, groups, view, err);
    default:
        view->count = rd_graph_csr(job->input.graph).vertices;
        view->stride = seeds->scatter ? rd__stride_through(view->count) : 1;
        view->ordered = job->frontier.order != NULL;
        if (view->ordered) {
            view->list = job->frontier.order;
            view->stride = 0;
        }
        return RD_OK;
    }
}

int rd__seeds_are_work(const rd__seeds *seeds)
{
    return seeds->kind == RD__SEEDS_ALL || seeds->kind == RD__SEEDS_WHERE;
}

uint32_t rd__seed_args(const rd__seed_view *view, rd__arg *args)
{
    const seed_args own = {
        .seed_list = view->list, .seed_first = view->first, .seed_count = view->count, .seed_stride = view->stride};
    return seed_args_pack(&own, args);
}

uint32_t rd__seed_groups(const rd__seed_view *view, uint32_t groups, uint32_t lanes)
{
    const uint64_t enough = ((uint64_t)view->count + lanes - 1) / lanes;
    return enough < groups ? (uint32_t)enough : groups;
}
