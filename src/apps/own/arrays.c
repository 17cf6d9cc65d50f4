/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.c - the arrays of an own app: lengths, first values, memory that the caller bound, results. */
#include "apps/own/own.h"

#include "apps/common/values.h"
#include "core/memory.h"
#include "graph/part/part.h"
#include "raddle/tool.h"
#include "sched/freeze.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 16 }; /* values that are made at once on the host */

/* ---- Sums ---- */

uint32_t rd__own_start_vertex(const rd_job *job)
{
    const uint32_t asked = ((const rd__own_state *)job->state)->source;
    if (!job->graph)
        return 0;
    const rd__part *part = rd__job_in_parts(job) ? rd__graph_part(job->graph) : NULL;
    if (!part)
        return rd__vertex_or_hub(job->graph, asked);
    const uint32_t source = asked == RD_NONE ? part->hub : asked;
    return source != RD_NONE && source - part->first < part->own ? source - part->first : RD_NONE;
}

static int value_of(const void *user, const char *name, uint64_t *value)
{
    const rd_job *job = user;
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_state *state = job->state;
    const rd_csr csr = job->graph ? rd_graph_csr(job->graph) : (rd_csr){.vertices = 0};
    if (strcmp(name, "RD_NONE") == 0)
        *value = RD_NONE;
    else if (strcmp(name, "vertices") == 0)
        *value = csr.vertices;
    else if (strcmp(name, "edges") == 0)
        *value = csr.edges;
    else if (strcmp(name, "max_degree") == 0)
        *value = job->graph ? rd_graph_max_degree(job->graph) : 0;
    else if (strcmp(name, "gpu") == 0)
        *value = job->device && job->device->info.is_gpu;
    else {
        uint32_t i = 0;
        while (i < file->items && strcmp(file->item[i].name, name) != 0)
            i++;
        if (i == file->items)
            return 0;
        if (file->item[i].kind == OWN_SOURCE)
            *value = rd__own_start_vertex(job);
        else
            *value = file->item[i].type == OWN_U32 ? state->value[i].u32 : state->value[i].u64;
    }
    return 1;
}

rd_status rd__own_sum(const rd_job *job, const char *text, unsigned line, uint64_t *value, rd_error *err)
{
    char where[300];
    snprintf(where, sizeof where, "%.250s:%u", rd__own_of(job)->file.label, line);
    return rd__expression(text, where, 0, value_of, job, value, err);
}

/* What an array holds: a sum, or of signed ones a number below 0. */
static rd_status array_value(const rd_job *job, const rd__own_item *item, const char *text, unsigned line,
                             uint64_t *bits, rd_error *err)
{
    if (rd__own_is_negative(item->type, text, bits))
        return RD_OK;
    RD_TRY(rd__own_sum(job, text, line, bits, err));
    return rd__own_types[item->type].bytes == 8 || *bits <= UINT32_MAX
               ? RD_OK
               : rd__fail(err, RD_EINPUT, "%s:%u: '%.80s' is %llu, which an array of %s does not hold",
                          rd__own_of(job)->label, line, text, (unsigned long long)*bits,
                          rd__own_types[item->type].name);
}

rd_status rd__own_length(const rd_job *job, const rd__own_item *item, uint64_t *length, rd_error *err)
{
    RD_TRY(rd__own_sum(job, item->length, item->line, length, err));
    if (*length > (1ull << 60))
        return rd__fail(err, RD_EINPUT, "%s:%u: array %s would have %llu values", rd__own_of(job)->file.label,
                        item->line, item->name, (unsigned long long)*length);
    return RD_OK;
}

static uint64_t bytes_of(const rd_job *job, const rd__own_item *item)
{
    uint64_t length = 0;
    (void)rd__own_length(job, item, &length, NULL); /* validated */
    return length * rd__own_types[item->type].bytes;
}

/* ---- Before a run ---- */

/* On several ranks the one of a search, the source's, is for who owns it: job/ranks_least.c. */
static uint32_t sets_of(const rd_job *job)
{
    return rd__job_in_parts(job) ? 0 : rd__own_of(job)->file.sets;
}

static rd_status check_bound(const rd_job *job, uint32_t i, rd_error *err)
{
    const rd__own_item *item = &rd__own_of(job)->file.item[i];
    const rd__own_bound *bound = &((const rd__own_state *)job->state)->bound[i];
    uint64_t length;
    RD_TRY(rd__own_length(job, item, &length, err));
    if (bound->is && bound->count != length)
        return rd__fail(err, RD_EARG, "array %s has %llu values with these options, and %llu were bound", item->name,
                        (unsigned long long)length, (unsigned long long)bound->count);
    return RD_OK;
}

static rd_status check_tasks(const rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    uint64_t known, most;
    RD_TRY(rd__own_sum(job, file->tasks, file->tasks_line, &known, err));
    RD_TRY(rd__own_sum(job, file->tasks_most, file->tasks_line, &most, err));
    if (known > most || most > 1u << 30)
        return rd__fail(
            err, RD_EINPUT,
            "%s:%u: %llu tasks known beforehand, of at most %llu; there may be up to 2^30, and no more known "
            "than there may be",
            file->label, file->tasks_line, (unsigned long long)known, (unsigned long long)most);
    return RD_OK;
}

static rd_status check_constants(const rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    for (uint32_t i = 0; i < file->constants; i++) {
        const rd__own_constant *constant = &file->constant[i];
        uint64_t value;
        RD_TRY(rd__own_sum(job, constant->value, constant->line, &value, err));
        if (value > UINT32_MAX)
            return rd__fail(err, RD_EINPUT, "%s:%u: %s is %llu, and constants have 32 bits", file->label,
                            constant->line, constant->name, (unsigned long long)value);
    }
    return RD_OK;
}

rd_status rd__own_validate(rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    uint64_t value, length;
    RD_TRY(check_constants(job, err));
    for (uint32_t i = 0; i < file->items; i++) {
        if (file->item[i].kind == OWN_ARRAY)
            RD_TRY(check_bound(job, i, err));
        if (file->item[i].kind != OWN_SCALAR)
            continue;
        RD_TRY(rd__own_sum(job, file->item[i].value, file->item[i].line, &value, err));
        if (file->item[i].type == OWN_U32 && value > UINT32_MAX)
            return rd__fail(err, RD_EINPUT, "%s:%u: %s is %llu, more than 32 bits hold", file->label,
                            file->item[i].line, file->item[i].name, (unsigned long long)value);
    }
    for (uint32_t i = 0; i < sets_of(job); i++) {
        const rd__own_set *set = &file->set[i];
        RD_TRY(array_value(job, &file->item[set->item], set->value, set->line, &value, err));
        RD_TRY(rd__own_sum(job, set->index, set->line, &value, err));
        RD_TRY(rd__own_length(job, &file->item[set->item], &length, err));
        if (value >= length && !(job->graph && rd_graph_csr(job->graph).vertices == 0))
            return rd__fail(err, RD_EINPUT, "%s:%u: %s has %llu values, and number %llu is set", file->label, set->line,
                            file->item[set->item].name, (unsigned long long)length, (unsigned long long)value);
    }
    const char *const plane[] = {file->columns, file->rows, file->depth};
    for (int i = 0; i < 3 && file->columns; i++) {
        RD_TRY(rd__own_sum(job, plane[i], file->plane_line, &value, err));
        if (value < 1 || value > (i == 2 ? 4096 : UINT32_MAX))
            return rd__fail(err, RD_EINPUT,
                            "%s:%u: a plane has 1 to 2^32 - 1 columns and rows, and a depth of 1 to 4096", file->label,
                            file->plane_line);
    }
    if (file->tasks)
        RD_TRY(check_tasks(job, err));
    if (file->seeds == OWN_SEEDS_COUNT && file->seed_count) {
        RD_TRY(rd__own_sum(job, file->seed_count, file->seeds_line, &value, err));
        if (value > (1u << 28))
            return rd__fail(err, RD_EINPUT, "%s:%u: %llu seeds; at most 2^28", file->label, file->seeds_line,
                            (unsigned long long)value);
    }
    return RD_OK;
}

static int is_in_place(const rd_job *job, const rd__own_bound *bound)
{
    return bound->is && (bound->how == RD_BIND_DEVICE ||
                         (bound->how == RD_BIND_SHARE && job->device && job->device->caps.shares_host));
}

void rd__own_plan(const rd_job *job, rd_plan *plan)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_state *state = job->state;
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY)
            rd__plan_add(plan, file->item[i].name, bytes_of(job, &file->item[i]), 0,
                         is_in_place(job, &state->bound[i]));
}

/* How many edges lead to each vertex, once for a graph. */
static rd_status count_indegrees(rd_job *job, rd_error *err)
{
    rd__own_state *state = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(rd__array_new(&state->indegree, "edges that lead to vertices", csr.vertices, sizeof *state->indegree, err));
    if (csr.vertices)
        memset(state->indegree, 0, csr.vertices * sizeof *state->indegree);
    for (uint64_t e = 0; e < csr.edges; e++)
        state->indegree[csr.col[e]]++;
    return RD_OK;
}

rd_status rd__own_alloc(rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY && strcmp(file->item[i].value, "indegree") == 0 && !state->indegree)
            RD_TRY(count_indegrees(job, err));
    for (uint32_t i = 0; i < file->items; i++) {
        const uint64_t bytes = file->item[i].kind == OWN_ARRAY ? bytes_of(job, &file->item[i]) : 0;
        if (file->item[i].kind != OWN_ARRAY)
            continue;
        if (is_in_place(job, &state->bound[i]) && bytes) {
            rd__buffer *buffer = &state->buffer[i];
            *buffer = (rd__buffer){.device = job->device, .name = file->item[i].name, .bytes = bytes, .borrowed = 1};
            buffer->at.address = (uint64_t)(uintptr_t)state->bound[i].data; /* a pointer of the host, or the device's */
        } else {
            RD_TRY(rd__buffer_alloc(job->device, &state->buffer[i], file->item[i].name, bytes, err));
        }
    }
    return RD_OK;
}

void rd__own_free(rd_job *job)
{
    rd__own_state *state = job->state;
    for (uint32_t i = 0; i < RD__APP_MAX_ARGS; i++)
        rd__buffer_free(&state->buffer[i]);
    rd__array_free(state->copy);
    rd__array_free(state->indegree);
    state->copy = NULL;
    state->indegree = NULL;
}

rd_status rd__own_freeze(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    rd__hash hash = {{0, 0}};
    rd__hash_text(&hash, rd__own_of(job)->given);
    RD_TRY(rd__freeze_same(freeze, "the text of the app", hash.word[0], err));
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY)
            RD_TRY(rd__freeze_fixed(freeze, &state->buffer[i], err));
    return RD_OK;
}

/* ---- First values ---- */

static uint64_t bits_of(const rd__own_item *item, uint64_t whole)
{
    double real = 0;
    float single;
    uint64_t bits = whole;
    uint32_t word;
    if (item->type < OWN_F32)
        return whole;
    (void)rd_parse_double(item->value, &real); /* checked when it was declared */
    memcpy(&bits, &real, sizeof bits);
    single = (float)real;
    memcpy(&word, &single, sizeof word);
    return item->type == OWN_F32 ? word : bits;
}

/* Values `from` on, `some` of them, into a chunk: of floats, numbers as such for `index`, else bits. */
static void make_chunk(const rd_job *job, const rd__own_item *item, uint64_t first, uint64_t from, uint64_t some,
                       void *chunk)
{
    const int index = strcmp(item->value, "index") == 0, degree = strcmp(item->value, "degree") == 0;
    const uint32_t *indegree =
        strcmp(item->value, "indegree") == 0 ? ((const rd__own_state *)job->state)->indegree : NULL;
    const rd_csr csr = job->graph ? rd_graph_csr(job->graph) : (rd_csr){.vertices = 0};
    for (uint64_t i = 0; i < some; i++) {
        const uint64_t x = index      ? from + i
                           : indegree ? indegree[from + i]
                           : degree   ? csr.row[from + i + 1] - csr.row[from + i]
                                      : first;
        switch (item->type) {
        case OWN_F32: ((float *)chunk)[i] = (float)x; break; /* only `index`: 32 bits are filled otherwise */
        case OWN_F64:
            if (index)
                ((double *)chunk)[i] = (double)x;
            else
                memcpy((double *)chunk + i, &x, sizeof x);
            break;
        case OWN_U64:
        case OWN_I64: ((uint64_t *)chunk)[i] = x; break;
        default: ((uint32_t *)chunk)[i] = (uint32_t)x; break;
        }
    }
}

static rd_status fill_by_chunks(rd_job *job, uint32_t i, uint64_t first, rd_error *err)
{
    const rd__own_item *item = &rd__own_of(job)->file.item[i];
    const uint32_t each = rd__own_types[item->type].bytes;
    const uint64_t count = bytes_of(job, item) / each;
    void *chunk = NULL;
    RD_TRY(rd__array_new(&chunk, "first values", CHUNK, 8, err));
    rd_status status = RD_OK;
    for (uint64_t at = 0; at < count && status == RD_OK; at += CHUNK) {
        const uint64_t some = count - at < CHUNK ? count - at : CHUNK;
        make_chunk(job, item, first, at, some, chunk);
        status = rd__buffer_write(&((rd__own_state *)job->state)->buffer[i], at * each, some * each, chunk, err);
    }
    rd__array_free(chunk);
    return status;
}

static rd_status fill_array(rd_job *job, uint32_t i, rd_error *err)
{
    const rd__own_item *item = &rd__own_of(job)->file.item[i];
    rd__own_state *state = job->state;
    const rd__own_bound *bound = &state->bound[i];
    uint64_t first = 0;
    if (bound->is)
        return is_in_place(job, bound) ? RD_OK
                                       : rd__buffer_write(&state->buffer[i], 0, bytes_of(job, item), bound->data, err);
    if (strcmp(item->value, "index") == 0 || strcmp(item->value, "degree") == 0 || strcmp(item->value, "indegree") == 0)
        return fill_by_chunks(job, i, 0, err);
    if (item->type < OWN_F32)
        RD_TRY(array_value(job, item, item->value, item->line, &first, err));
    first = bits_of(item, first);
    const uint32_t low = (uint32_t)first, high = (uint32_t)(first >> 32);
    if (rd__own_types[item->type].bytes == 4 || low == high)
        return rd__buffer_fill(&state->buffer[i], low, err);
    return fill_by_chunks(job, i, first, err);
}

rd_status rd__own_fill(rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY)
            RD_TRY(fill_array(job, i, err));
    for (uint32_t i = 0; i < sets_of(job); i++) {
        const rd__own_set *set = &file->set[i];
        const uint32_t each = rd__own_types[file->item[set->item].type].bytes;
        uint64_t index, value, length;
        RD_TRY(rd__own_sum(job, set->index, set->line, &index, err));
        RD_TRY(array_value(job, &file->item[set->item], set->value, set->line, &value, err));
        RD_TRY(rd__own_length(job, &file->item[set->item], &length, err));
        const uint32_t word = (uint32_t)value;
        if (index < length)
            RD_TRY(rd__buffer_write(&state->buffer[set->item], index * each, each,
                                    each == 4 ? (const void *)&word : &value, err));
    }
    return RD_OK;
}

/* ---- After a run ---- */

rd_status rd__own_finish(rd_job *job, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    rd__own_state *state = job->state;
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_bound *bound = &state->bound[i];
        if (bound->is && bound->how == RD_BIND_SHARE && !is_in_place(job, bound))
            RD_TRY(rd__buffer_read(&state->buffer[i], 0, bytes_of(job, &file->item[i]), bound->data, err));
    }
    return RD_OK;
}

static rd_status read_item(rd_job *job, uint32_t i, rd_error *err)
{
    rd__own_state *state = job->state;
    const uint64_t bytes = bytes_of(job, &rd__own_of(job)->file.item[i]);
    rd__array_free(state->copy);
    state->copy = NULL;
    RD_TRY(rd__array_new(&state->copy, "result on the host", bytes, 1, err));
    return rd__buffer_read(&state->buffer[i], 0, bytes, state->copy, err);
}

rd_status rd__own_fetch(rd_job *job, rd_error *err)
{
    const int result = rd__own_of(job)->file.result;
    return result >= 0 ? read_item(job, (uint32_t)result, err) : RD_OK;
}

static const rd__own_item *find_array(const rd__own_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY && strcmp(file->item[i].name, name) == 0)
            return &file->item[i];
    return NULL;
}

rd_status rd__own_read(rd_job *job, const char *name, rd_result *result, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_item *item = find_array(file, name);
    const double began = rd_now();
    if (!item)
        return rd__fail(err, RD_EARG, "%s has no array '%.40s'", file->name, name);
    job->fetched = 0; /* there is one copy */
    RD_TRY(read_item(job, (uint32_t)(item - file->item), err));
    *result = (rd_result){.name = item->name,
                          .word = ((rd__own_state *)job->state)->copy,
                          .kind = rd__own_types[item->type].kind,
                          .count = bytes_of(job, item) / rd__own_types[item->type].bytes,
                          .download_s = rd_now() - began};
    return RD_OK;
}

rd_status rd__own_bind(rd_job *job, const char *name, void *data, uint64_t count, uint32_t how, rd_error *err)
{
    const rd__own_file *file = &rd__own_of(job)->file;
    const rd__own_item *item = find_array(file, name);
    if (!item)
        return rd__fail(err, RD_EARG, "%s has no array '%.40s' to bind", file->name, name);
    if (how > RD_BIND_DEVICE)
        return rd__fail(err, RD_EARG, "rd_job_bind takes RD_BIND_COPY, RD_BIND_SHARE or RD_BIND_DEVICE");
    if (data && (uintptr_t)data % rd__own_types[item->type].bytes && how != RD_BIND_COPY)
        return rd__fail(err, RD_EARG, "array %s: its memory is not aligned to its type, %s", name,
                        rd__own_types[item->type].name);
    ((rd__own_state *)job->state)->bound[item - file->item] =
        (rd__own_bound){.data = data, .count = count, .how = how, .is = data != NULL};
    return RD_OK;
}
