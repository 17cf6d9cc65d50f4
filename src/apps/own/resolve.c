/* SPDX-License-Identifier: Apache-2.0 */
/* resolve.c - what declarations of an own app mean together: names may be used before the line that declares them, and
 * what an app has to say depends on its model. */
#include "apps/own/reader.h"

#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

/* Names that sums may contain; values do not matter yet. */
static int is_known(const void *user, const char *name, uint64_t *value)
{
    const rd__own_file *file = user;
    *value = 0;
    if (strcmp(name, "RD_NONE") == 0 || strcmp(name, "gpu") == 0)
        return 1;
    if (strcmp(name, "vertices") == 0 || strcmp(name, "edges") == 0 || strcmp(name, "max_degree") == 0)
        return rd__own_takes_graph(file);
    for (uint32_t i = 0; i < file->items; i++)
        if (strcmp(file->item[i].name, name) == 0)
            return file->item[i].kind == OWN_SOURCE ||
                   (file->item[i].kind == OWN_OPTION && file->item[i].type <= OWN_I64);
    return 0;
}

static rd_status known_sum(rd__own_reader *r, const char *text)
{
    char where[300];
    uint64_t value;
    snprintf(where, sizeof where, "%.250s:%u", r->file->label, r->line);
    return rd__expression(text, where, 1, is_known, r->file, &value, r->err);
}

int rd__own_is_negative(rd__own_type type, const char *text, uint64_t *bits)
{
    uint64_t size;
    if ((type != OWN_I32 && type != OWN_I64) || text[0] != '-' || !rd_parse_u64(text + 1, &size) ||
        size > (type == OWN_I32 ? 1ull << 31 : 1ull << 63))
        return 0;
    *bits = 0 - size;
    return 1;
}

static rd_status known_value(rd__own_reader *r, rd__own_type type, const char *text)
{
    uint64_t bits;
    return rd__own_is_negative(type, text, &bits) ? RD_OK : known_sum(r, text);
}

static rd_status check_first(rd__own_reader *r, const rd__own_item *item)
{
    double real;
    if (strcmp(item->value, "index") == 0)
        return RD_OK;
    if (strcmp(item->value, "degree") == 0 || strcmp(item->value, "indegree") == 0)
        return rd__own_takes_graph(r->file) && strcmp(item->length, "vertices") == 0 && item->type < OWN_F32
                   ? RD_OK
                   : rd__own_bad(r, "'%s' is the first value of whole numbers, one for each of the graph's vertices",
                                 item->value);
    if (item->type >= OWN_F32)
        return rd_parse_double(item->value, &real) ? RD_OK : rd__own_bad(r, "'%.40s' is no number", item->value);
    return known_value(r, item->type, item->value);
}

static rd_status check_items(rd__own_reader *r)
{
    for (uint32_t i = 0; i < r->file->items; i++) {
        const rd__own_item *item = &r->file->item[i];
        r->line = item->line;
        if (item->kind == OWN_SCALAR)
            RD_TRY(known_sum(r, item->value));
        if (item->kind != OWN_ARRAY)
            continue;
        RD_TRY(known_sum(r, item->length));
        RD_TRY(check_first(r, item));
    }
    for (uint32_t i = 0; i < r->file->constants; i++) {
        r->line = r->file->constant[i].line;
        RD_TRY(known_sum(r, r->file->constant[i].value));
    }
    for (uint32_t i = 0; i < r->file->sets; i++) {
        r->line = r->file->set[i].line;
        const rd__own_type type = r->file->item[r->file->set[i].item].type;
        if (type >= OWN_F32)
            return rd__own_bad(r, "RD_SET is for arrays of whole numbers");
        RD_TRY(known_sum(r, r->file->set[i].index));
        RD_TRY(known_value(r, type, r->file->set[i].value));
    }
    return RD_OK;
}

static rd_status find_result(rd__own_reader *r)
{
    rd__own_file *file = r->file;
    const int tasks = file->model == RD__MODEL_FORKJOIN;
    file->result = -1;
    file->sum_type = OWN_U64;
    r->line = file->result_line ? file->result_line : file->model_line;
    if (!file->result_line)
        return tasks ? RD_OK : rd__own_bad(r, "which array is the result? RD_RESULT(array) says so");
    rd__own_item *item = rd__own_find_item(file, file->result_name);
    if (item && item->kind == OWN_ARRAY) {
        file->result = (int)(item - file->item);
        return RD_OK;
    }
    if (!tasks)
        return rd__own_bad(r, "RD_RESULT: '%.40s' is no array", file->result_name);
    if (strncmp(file->result_name, "rd_", 3) != 0)
        return rd__own_bad(
            r, "RD_RESULT: '%.40s' is no array of this file, nor what tasks return (rd_u64, rd_i64, rd_f64)",
            file->result_name);
    RD_TRY(rd__own_take_type(r, file->result_name, &file->sum_type));
    return file->sum_type == OWN_U64 || file->sum_type == OWN_I64 || file->sum_type == OWN_F64
               ? RD_OK
               : rd__own_bad(r, "tasks return 64 bits: rd_u64, rd_i64, or rd_f64 by rd_as_u64");
}

static rd_status check_seeds(rd__own_reader *r)
{
    rd__own_file *file = r->file;
    const int frontier = file->model == RD__MODEL_FRONTIER;
    file->flag = -1;
    r->line = file->seeds_line ? file->seeds_line : file->model_line;
    if (frontier && (!file->seeds_line || file->seeds == OWN_SEEDS_COUNT))
        return rd__own_bad(r, "where does it start? RD_SEEDS(all), RD_SEEDS(where) or RD_SOURCE(name)");
    if (!frontier && file->seeds != OWN_SEEDS_COUNT)
        return rd__own_bad(r, "RD_SEEDS(all), RD_SEEDS(where) and RD_SOURCE are for model frontier");
    if (file->seeds == OWN_SEEDS_COUNT && file->seed_count) {
        if (file->model != RD__MODEL_FORKJOIN && file->model != RD__MODEL_RANKED)
            return rd__own_bad(r, "RD_SEEDS is for models forkjoin, ranked and frontier");
        RD_TRY(known_sum(r, file->seed_count));
    }
    file->traits |= file->seeds == OWN_SEEDS_WHERE ? RD__TRAIT_SEEDS : 0;
    if (!file->flag_name)
        return RD_OK;
    r->line = file->flag_line;
    const rd__own_item *flag = rd__own_find_item(file, file->flag_name);
    if (file->seeds != OWN_SEEDS_WHERE || !flag || flag->kind != OWN_ARRAY || flag->type != OWN_U32)
        return rd__own_bad(r, "RD_STAGES(name, array) goes with RD_SEEDS(where), and array is one of rd_u32");
    file->flag = (int)(flag - file->item);
    return RD_OK;
}

static rd_status check_model(rd__own_reader *r)
{
    rd__own_file *file = r->file;
    r->line = file->model_line ? file->model_line : 1;
    if (!file->name[0])
        return rd__own_bad(r, "this is no app: RD_APP(name, \"what it does\") is missing");
    if (!file->model_line)
        return rd__own_bad(r,
                           "which model is it for? It has no #include \"model/NAME.k.h\", in quotes, with NAME one of "
                           "forkjoin, frontier, ranked, sweep, plane, dag");
    if (file->model == RD__MODEL_FORKJOIN && (!file->words || !file->children || !file->has_join))
        return rd__own_bad(r,
                           "a forkjoin app defines RD_TASK_WORDS, RD_TASK_CHILDREN and RD_TASK_JOIN before this line");
    if (file->model == RD__MODEL_PLANE && (!file->gives || file->pack != 1 || !file->columns))
        return rd__own_bad(
            r,
            "a plane app of your own defines RD_APP_PACK 1 and RD_APP_GIVES, and has RD_PLANE(columns, rows, depth)");
    if (file->model == RD__MODEL_RANKED && !file->has_gives)
        return rd__own_bad(r, "a ranked app defines RD_TASK_GIVES: the most tasks that one task gives, 1 to 8");
    if (file->model == RD__MODEL_DAG && !file->has_releases)
        return rd__own_bad(r, "a dag app defines RD_TASK_RELEASES before this line: the most tasks that one task "
                              "releases, 1 to 1024");
    if (file->model == RD__MODEL_DAG && !file->tasks)
        return rd__own_bad(r, "a dag app has RD_TASKS(how many), or RD_TASKS(known beforehand, most)");
    if (file->tasks) {
        r->line = file->tasks_line;
        if (file->model != RD__MODEL_DAG)
            return rd__own_bad(r, "RD_TASKS is for model dag");
        RD_TRY(known_sum(r, file->tasks));
        RD_TRY(known_sum(r, file->tasks_most));
    }
    if (file->columns) {
        r->line = file->plane_line;
        if (file->model != RD__MODEL_PLANE)
            return rd__own_bad(r, "RD_PLANE is for model plane");
        RD_TRY(known_sum(r, file->columns));
        RD_TRY(known_sum(r, file->rows));
        RD_TRY(known_sum(r, file->depth));
    }
    return RD_OK;
}

rd_status rd__own_resolve(rd__own_reader *r)
{
    RD_TRY(check_model(r));
    RD_TRY(check_items(r));
    RD_TRY(find_result(r));
    return check_seeds(r);
}
