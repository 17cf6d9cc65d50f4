/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - the rest of an own app: kernel arguments, seeds, stages, planes, result and answer. See apps/app.h for what
 * each function is. */
#include "apps/own/own.h"

#include "apps/common/choose.h"
#include "apps/common/values.h"
#include "core/memory.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t sum_of(const rd_job *job, const char *text, unsigned line)
{
    uint64_t value = 0;
    (void)rd__own_sum(job, text, line, &value, NULL); /* validated */
    return value;
}

static rd__arg option_arg(const rd__own_item *item, const rd__own_state *state, uint32_t i)
{
    uint64_t bits;
    switch (item->type) {
    case OWN_F32: return RD__F32((float)state->value[i].real);
    case OWN_F64: memcpy(&bits, &state->value[i].real, sizeof bits); return RD__U64(bits); /* the same 8 bytes */
    case OWN_U64: return RD__U64(state->value[i].u64);
    default: return RD__U32(state->value[i].u32);
    }
}

uint32_t rd__own_args(rd_job *job, rd__arg *args)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_state *state = job->state;
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_item *item = &file->item[i];
        uint64_t value;
        switch (item->kind) {
        case OWN_OPTION: args[i] = option_arg(item, state, i); break;
        case OWN_SCALAR:
            value = sum_of(job, item->value, item->line);
            args[i] = item->type == OWN_U32 ? RD__U32((uint32_t)value) : RD__U64(value);
            break;
        case OWN_SOURCE: args[i] = RD__U32(rd__own_start_vertex(job)); break;
        case OWN_STAGE: args[i] = RD__U32(state->stage); break;
        case OWN_ARRAY: args[i] = RD__BUFFER(&state->buffer[i]); break;
        case OWN_WEIGHTS: args[i] = RD__BUFFER(&job->weight); break;
        case OWN_ROWS: args[i] = RD__BUFFER(&job->row); break;
        case OWN_TARGETS: args[i] = RD__BUFFER(&job->col); break;
        }
    }
    if (!file->items)
        args[0] = RD__U32(0); /* rd_nothing */
    return file->items ? file->items : 1;
}

/* Validated: each fits 32 bits, and so the text has room for all. */
static const char *own_constants(const rd_job *job)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    size_t used = 0;
    for (uint32_t i = 0; i < file->constants; i++)
        used += (size_t)snprintf(state->constants + used, sizeof state->constants - used, "%s-D%s=%" PRIu32 "u",
                                 i ? " " : "", file->constant[i].name,
                                 (uint32_t)sum_of(job, file->constant[i].value, file->constant[i].line));
    return state->constants;
}

static void own_plane(const rd_job *job, rd__plane *plane)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    *plane = (rd__plane){.columns = (uint32_t)sum_of(job, file->columns, file->plane_line),
                         .rows = (uint32_t)sum_of(job, file->rows, file->plane_line),
                         .depth = (uint32_t)sum_of(job, file->depth, file->plane_line),
                         .gives = file->gives,
                         .pack = file->pack};
}

static void own_dag(const rd_job *job, rd__dag *dag)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    *dag = (rd__dag){.known = (uint32_t)sum_of(job, file->tasks, file->tasks_line),
                     .most = (uint32_t)sum_of(job, file->tasks_most, file->tasks_line)};
}

/* Ranked tasks start from a list of numbers. It lives until the next run. */
static rd_status number_seeds(rd_job *job, uint32_t count, rd__seeds *seeds, rd_error *err)
{
    rd__own_state *state = job->state;
    uint32_t *list = NULL;
    if (count == 1) {
        rd__seeds_one(seeds, 0);
        return RD_OK;
    }
    rd__array_free(state->copy);
    state->copy = NULL;
    RD_TRY(rd__array_new(&state->copy, "seeds", count, sizeof *list, err));
    list = state->copy;
    for (uint32_t i = 0; i < count; i++)
        list[i] = i;
    seeds->kind = RD__SEEDS_LIST;
    seeds->vertex = list;
    seeds->count = count;
    return RD_OK;
}

static rd_status own_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    state->stage = 0;
    RD_TRY(rd__own_fill(job, err));
    const uint32_t count = file->seed_count && file->seeds == OWN_SEEDS_COUNT
                               ? (uint32_t)sum_of(job, file->seed_count, file->seeds_line)
                               : 1;
    switch (file->seeds) {
    case OWN_SEEDS_ALL: seeds->kind = RD__SEEDS_ALL; break;
    case OWN_SEEDS_WHERE: seeds->kind = RD__SEEDS_WHERE; break;
    case OWN_SEEDS_SOURCE:
        state->ran_source = rd__vertex_or_hub(job->graph, state->source);
        if (state->ran_source != RD_NONE)
            rd__seeds_one(seeds, state->ran_source);
        break;
    case OWN_SEEDS_COUNT:
        if (file->model == RD__MODEL_RANKED)
            return number_seeds(job, count, seeds, err);
        if (file->model == RD__MODEL_FORKJOIN)
            seeds->count = count;
        break;
    }
    return RD_OK;
}

/* ---- On several ranks ---- */

/* Of a search: which vertices run now and here, behind its own arguments. */
static uint32_t own_args(rd_job *job, rd__arg *args)
{
    const uint32_t used = rd__own_args(job, args);
    if (!rd__own_of(job)->file.least || !rd__job_in_parts(job))
        return used;
    args[used] = RD__U32(job->part.own);
    args[used + 1] = RD__U32(job->part.limit);
    return used + 2;
}

static rd__buffer *own_words(rd_job *job)
{
    return &((rd__own_state *)job->state)->buffer[rd__own_of(job)->file.result];
}

static uint32_t own_asked_source(const rd_job *job)
{
    return ((const rd__own_state *)job->state)->source;
}

/* Tasks to begin with. */
static uint32_t own_first_tasks(const rd_job *job)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    return file->seed_count ? (uint32_t)sum_of(job, file->seed_count, file->seeds_line) : 1;
}

/* ---- Stages, results ---- */

/* Another stage while the flag is set, by rd_app_is_seed or by a task. */
static rd_status own_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    rd__own_state *state = job->state;
    rd__buffer *flag = &state->buffer[rd__own_of(job)->file.flag];
    uint32_t word = 0;
    (void)report;
    RD_TRY(rd__buffer_read(flag, 0, sizeof word, &word, err));
    *more = word != 0;
    if (!*more)
        return RD_OK;
    word = 0;
    state->stage++;
    seeds->kind = RD__SEEDS_WHERE;
    seeds->later = 1;
    return rd__buffer_write(flag, 0, sizeof word, &word, err);
}

static void own_report(rd_job *job, rd_report *report)
{
    if (job->graph)
        report->reached = report->tasks_needed;
}

static void own_result(const rd_job *job, rd_result *result)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_state *state = job->state;
    uint64_t length = 0;
    if (file->result < 0) {
        result->kind = rd__own_types[file->sum_type].kind;
        return;
    }
    const rd__own_item *item = &file->item[file->result];
    (void)rd__own_length(job, item, &length, NULL); /* validated */
    result->name = item->name;
    result->word = state->copy;
    result->kind = rd__own_types[item->type].kind;
    result->count = length;
}

static void write_value(const rd_result *result, uint64_t i, char *text, size_t room)
{
    switch (result->kind) {
    case RD_RESULT_F32: rd__snprintf(text, room, "%.9g", (double)result->real[i]); break;
    case RD_RESULT_F64: rd__snprintf(text, room, "%.17g", result->wide_real[i]); break;
    case RD_RESULT_U64: snprintf(text, room, "%" PRIu64, result->wide[i]); break;
    case RD_RESULT_I64: snprintf(text, room, "%" PRId64, (int64_t)result->wide[i]); break;
    case RD_RESULT_I32: snprintf(text, room, "%" PRId32, (int32_t)result->word[i]); break;
    case RD_RESULT_U32: snprintf(text, room, "%" PRIu32, result->word[i]); break;
    }
}

static void own_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    char value[40];
    (void)job;
    if (result->count == 1) {
        write_value(result, 0, value, sizeof value);
        snprintf(text, room, "%s = %s", result->name, value);
        return;
    }
    uint64_t none = 0, least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; result->kind == RD_RESULT_U32 && i < result->count; i++) {
        none += result->word[i] == RD_NONE;
        least = result->word[i] < least ? result->word[i] : least;
        most = result->word[i] > most && result->word[i] != RD_NONE ? result->word[i] : most;
    }
    int used = snprintf(text, room, "%s: %" PRIu64 " values", result->name, result->count);
    if (result->kind == RD_RESULT_U32 && result->count > none && used > 0 && (size_t)used < room)
        used += snprintf(text + used, room - (size_t)used, " from %" PRIu64 " to %" PRIu64, least, most);
    if (none && used > 0 && (size_t)used < room)
        snprintf(text + used, room - (size_t)used, ", %" PRIu64 " none", none);
}

void rd__own_make_app(rd__own_app *own)
{
    rd__app *app = &own->app;
    const rd__own_file *file = &own->file;
    app->state_bytes = sizeof(rd__own_state);
    app->forkjoin = (rd__forkjoin){.words = file->words, .children = file->children, .join = file->join};
    if (file->model != RD__MODEL_FORKJOIN)
        app->forkjoin = (rd__forkjoin){0};
    app->all_seeds = file->seeds == OWN_SEEDS_ALL || file->model == RD__MODEL_SWEEP;
    app->needs_symmetric = file->symmetric;
    app->options = own->options;
    app->validate = rd__own_validate;
    app->plan = rd__own_plan;
    app->alloc = rd__own_alloc;
    app->free = rd__own_free;
    app->freeze = rd__own_freeze;
    app->args = own_args;
    app->constants = file->constants ? own_constants : NULL;
    app->plane = file->model == RD__MODEL_PLANE ? own_plane : NULL;
    app->dag = file->model == RD__MODEL_DAG ? own_dag : NULL;
    const int searches = file->model == RD__MODEL_FRONTIER && file->seeds != OWN_SEEDS_ALL;
    app->choose = file->model == RD__MODEL_RANKED ? rd__choose_ranked
                  : file->model == RD__MODEL_DAG  ? rd__choose_dag
                  : searches                      ? rd__choose_search
                                                  : NULL;
    app->start = own_start;
    app->next = file->flag >= 0 ? own_next : NULL;
    app->finish = rd__own_finish;
    app->report = own_report;
    app->fetch = rd__own_fetch;
    app->result = own_result;
    app->answer = own_answer;
    app->check = rd__own_check;
    app->bind = rd__own_bind;
    app->read = rd__own_read;
    app->engines = own->engine;
    if (own->parts_text && file->least) /* what an edge adds is the text's: levels cannot go against the edges */
        own->ranks = (rd__app_ranks){.kind = RD__RANKS_LEAST,
                                     .root = own->parts_name,
                                     .values = own_words,
                                     .source = own_asked_source,
                                     .begin = rd__own_fill,
                                     .check = rd__own_check_parts,
                                     .weighted = 1,
                                     .far = file->item[file->result].name};
    else if (own->parts_text)
        own->ranks = (rd__app_ranks){.kind = RD__RANKS_SHARE, .root = own->parts_name, .first_tasks = own_first_tasks};
    app->ranks = own->parts_text ? &own->ranks : NULL;
    app->roots = own->roots;
}
