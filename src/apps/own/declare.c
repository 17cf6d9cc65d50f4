/* SPDX-License-Identifier: Apache-2.0 */
/* declare.c - what the declarations of an own app mean. One function each, in a table; what one alone cannot tell (a
 * name that comes later, what fits the model) is looked at in the end. */
#include "apps/own/own.h"
#include "apps/own/scan.h"

#include "core/memory.h"
#include "model/forkjoin_layout.k.h"
#include "raddle/tool.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct rd__own_type_info rd__own_types[OWN_TYPES] = {
    [OWN_U32] = {"rd_u32", 4, RD_RESULT_U32}, [OWN_I32] = {"rd_i32", 4, RD_RESULT_I32},
    [OWN_U64] = {"rd_u64", 8, RD_RESULT_U64}, [OWN_I64] = {"rd_i64", 8, RD_RESULT_I64},
    [OWN_F32] = {"rd_f32", 4, RD_RESULT_F32}, [OWN_F64] = {"rd_f64", 8, RD_RESULT_F64},
};

/* What is being read. */
typedef struct reader {
    rd__own_app *app;
    rd__own_file *file;
    unsigned line;
    rd_error *err;
} reader;

#define BAD(r, ...) bad(r, __VA_ARGS__)
__attribute__((format(printf, 2, 3))) static rd_status bad(const reader *r, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rd__fail(r->err, RD_EINPUT, "%s:%u: %s", r->file->label, r->line, text);
}

/* A copy that lives as long as the app. There is room: declarations do not overlap in the file. */
static const char *keep(reader *r, const char *text)
{
    char *copy = r->app->pool + r->app->pool_used;
    const size_t bytes = strlen(text) + 1;
    memcpy(copy, text, bytes);
    r->app->pool_used += bytes;
    return copy;
}

/* ---- Parts of declarations ---- */

static int is_name(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length && length < RD__OWN_NAME_ROOM && !text[length] && !isdigit((unsigned char)text[0]);
}

static rd_status take_type(reader *r, const char *text, rd__own_type *type)
{
    for (int i = 0; i < OWN_TYPES; i++)
        if (strcmp(text, rd__own_types[i].name) == 0) {
            *type = (rd__own_type)i;
            r->file->uses_f64 |= i == OWN_F64;
            return RD_OK;
        }
    return BAD(r, "'%.40s' is no type of an array or number; there are rd_u32, rd_i32, rd_u64, rd_i64, rd_f32, rd_f64",
               text);
}

/* "text" without its quotes; \" and \\ as in C. */
static rd_status take_string(reader *r, const char *text, const char **out)
{
    const size_t length = strlen(text);
    char *copy = r->app->pool + r->app->pool_used;
    size_t used = 0;
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return BAD(r, "a text in quotes is wanted, not '%.60s'", text);
    for (size_t i = 1; i + 1 < length; i++) {
        if (text[i] == '\\')
            i++;
        if ((unsigned char)text[i] < ' ' || (text[i] == '"' && text[i - 1] != '\\'))
            return BAD(r, "a text has one pair of quotes, in one line");
        copy[used++] = text[i];
    }
    copy[used] = '\0';
    r->app->pool_used += used + 1;
    *out = copy;
    return RD_OK;
}

static rd__own_item *find_item(rd__own_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->items; i++)
        if (strcmp(file->item[i].name, name) == 0)
            return &file->item[i];
    return NULL;
}

static rd_status new_item(reader *r, rd__own_kind kind, const char *name, rd__own_item **out)
{
    static const char *const taken[] = {"vertices", "edges", "RD_NONE", "all", "where", "index", "degree", "indegree"};
    if (!is_name(name))
        return BAD(r, "'%.40s' is no name: letters, digits and _, at most 31, not a digit first", name);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return BAD(r, "the name '%s' is taken: in declarations it has a meaning of its own", name);
    if (find_item(r->file, name))
        return BAD(r, "'%s' is declared twice", name);
    if (r->file->items == RD__APP_MAX_ARGS)
        return BAD(r, "an app has at most %d options, numbers and arrays in all", RD__APP_MAX_ARGS);
    *out = &r->file->item[r->file->items++];
    **out = (rd__own_item){.kind = kind, .line = r->line};
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return RD_OK;
}

/* ---- Declarations ---- */

static rd_status declare_app(reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->name[0])
        return BAD(r, "RD_APP is there twice: a file is one app");
    for (const char *at = arg[0]; *at; at++)
        if (!islower((unsigned char)*at) && !(at > arg[0] && (isdigit((unsigned char)*at) || *at == '_')))
            return BAD(r, "'%.40s' is no name for an app: small letters, digits and _, at most 31, a letter first",
                       arg[0]);
    if (!is_name(arg[0]))
        return BAD(r, "'%.40s' is no name for an app: 1 to 31 small letters, digits and _", arg[0]);
    snprintf(r->file->name, sizeof r->file->name, "%s", arg[0]);
    return take_string(r, arg[1], &r->file->text);
}

static rd_status take_limit(reader *r, const char *text, double *out)
{
    if (!rd_parse_double(text, out))
        return BAD(r, "a limit is a number, not '%.40s'", text);
    return RD_OK;
}

/* (type, name, default, "help") or (type, name, default, least, most, "help") */
static rd_status declare_option(reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    double initial;
    if (count == 5)
        return BAD(r, "RD_OPTION(type, name, default, \"help\"), or with least and most before the help");
    RD_TRY(new_item(r, OWN_OPTION, arg[1], &item));
    RD_TRY(take_type(r, arg[0], &item->type));
    if (item->type == OWN_I32 || item->type == OWN_I64)
        return BAD(r, "options are rd_u32, rd_u64, rd_f32 or rd_f64");
    const int real = item->type == OWN_F32 || item->type == OWN_F64;
    item->least = real ? -1e300 : 0;
    item->most = real ? 1e300 : item->type == OWN_U32 ? 4294967295.0 : 18446744073709549568.0;
    if (count == 6) {
        RD_TRY(take_limit(r, arg[3], &item->least));
        RD_TRY(take_limit(r, arg[4], &item->most));
    }
    uint64_t whole = 0;
    if (!real && !rd_parse_u64(arg[2], &whole)) /* as the command reads it */
        return BAD(r, "the default of '%s' is a whole number, not '%.40s'", item->name, arg[2]);
    initial = (double)whole;
    if (real)
        RD_TRY(take_limit(r, arg[2], &initial));
    if (!(initial >= item->least && initial <= item->most))
        return BAD(r, "the default of '%s' is not among the values that it may have", item->name);
    item->value = keep(r, arg[2]);
    return take_string(r, arg[count - 1], &item->help);
}

static rd_status declare_scalar(reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    RD_TRY(new_item(r, OWN_SCALAR, arg[1], &item));
    RD_TRY(take_type(r, arg[0], &item->type));
    if (item->type != OWN_U32 && item->type != OWN_U64)
        return BAD(r, "a scalar is a whole number, rd_u32 or rd_u64");
    item->value = keep(r, arg[2]);
    return RD_OK;
}

static rd_status declare_array(reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    RD_TRY(new_item(r, OWN_ARRAY, arg[1], &item));
    RD_TRY(take_type(r, arg[0], &item->type));
    item->length = keep(r, arg[2]);
    item->value = keep(r, arg[3]);
    return RD_OK;
}

/* An array's name, or the type of what fork-join tasks return. */
static rd_status declare_result(reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->result_line)
        return BAD(r, "RD_RESULT is there twice; rd_job_read reads the other arrays");
    r->file->result_line = r->line;
    r->file->result_name = keep(r, arg[0]);
    return RD_OK;
}

static rd_status declare_set(reader *r, char *const *arg, int count)
{
    (void)count;
    rd__own_item *item = find_item(r->file, arg[0]);
    if (!item || item->kind != OWN_ARRAY)
        return BAD(r, "RD_SET(array, index, value): '%.40s' is no array that is declared above", arg[0]);
    if (r->file->sets == RD__OWN_SETS)
        return BAD(r, "at most %d RD_SET", RD__OWN_SETS);
    r->file->set[r->file->sets++] = (rd__own_set){
        .line = r->line, .item = (uint32_t)(item - r->file->item), .index = keep(r, arg[1]), .value = keep(r, arg[2])};
    return RD_OK;
}

static rd_status declare_seeds(reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->seeds_line)
        return BAD(r, "where to start is said twice (RD_SEEDS, RD_SOURCE)");
    r->file->seeds_line = r->line;
    r->file->seeds = strcmp(arg[0], "all") == 0     ? OWN_SEEDS_ALL
                     : strcmp(arg[0], "where") == 0 ? OWN_SEEDS_WHERE
                                                    : OWN_SEEDS_COUNT;
    r->file->seed_count = keep(r, arg[0]);
    return RD_OK;
}

static rd_status declare_source(reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    if (r->file->seeds_line)
        return BAD(r, "where to start is said twice (RD_SEEDS, RD_SOURCE)");
    r->file->seeds_line = r->line;
    r->file->seeds = OWN_SEEDS_SOURCE;
    return new_item(r, OWN_SOURCE, arg[0], &item);
}

static rd_status declare_stages(reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    r->file->flag_name = keep(r, arg[1]);
    return new_item(r, OWN_STAGE, arg[0], &item);
}

static rd_status graph_array(reader *r, rd__own_kind kind, rd__own_type type, const char *name)
{
    rd__own_item *item;
    RD_TRY(new_item(r, kind, name, &item));
    item->type = type;
    return RD_OK;
}

static rd_status declare_weights(reader *r, char *const *arg, int count)
{
    (void)count;
    r->file->weighted = 1;
    return graph_array(r, OWN_WEIGHTS, OWN_U32, arg[0]);
}

static rd_status declare_rows(reader *r, char *const *arg, int count)
{
    (void)count;
    return graph_array(r, OWN_ROWS, OWN_U64, arg[0]);
}

static rd_status declare_targets(reader *r, char *const *arg, int count)
{
    (void)count;
    return graph_array(r, OWN_TARGETS, OWN_U32, arg[0]);
}

static rd_status declare_symmetric(reader *r, char *const *arg, int count)
{
    (void)arg;
    (void)count;
    r->file->symmetric = 1;
    return RD_OK;
}

static rd_status declare_plane(reader *r, char *const *arg, int count)
{
    (void)count;
    r->file->plane_line = r->line;
    r->file->columns = keep(r, arg[0]);
    r->file->rows = keep(r, arg[1]);
    r->file->depth = keep(r, arg[2]);
    return RD_OK;
}

/* (known), or (known, most) */
static rd_status declare_tasks(reader *r, char *const *arg, int count)
{
    r->file->tasks_line = r->line;
    r->file->tasks = keep(r, arg[0]);
    r->file->tasks_most = count == 2 ? keep(r, arg[1]) : r->file->tasks;
    return RD_OK;
}

static rd_status declare_sample(reader *r, char *const *arg, int count)
{
    (void)count;
    return take_string(r, arg[0], &r->file->sample);
}

static const struct {
    const char *name, *form;
    int least, most;
    rd_status (*take)(reader *r, char *const *arg, int count);
} declarations[] = {
    {"RD_APP", "RD_APP(name, \"what it does\")", 2, 2, declare_app},
    {"RD_OPTION", "RD_OPTION(type, name, default, \"help\")", 4, 6, declare_option},
    {"RD_SCALAR", "RD_SCALAR(type, name, sum)", 3, 3, declare_scalar},
    {"RD_ARRAY", "RD_ARRAY(type, name, length, first value)", 4, 4, declare_array},
    {"RD_RESULT", "RD_RESULT(array)", 1, 1, declare_result},
    {"RD_SET", "RD_SET(array, index, value)", 3, 3, declare_set},
    {"RD_SEEDS", "RD_SEEDS(all), RD_SEEDS(where) or RD_SEEDS(how many)", 1, 1, declare_seeds},
    {"RD_SOURCE", "RD_SOURCE(name)", 1, 1, declare_source},
    {"RD_STAGES", "RD_STAGES(name, array)", 2, 2, declare_stages},
    {"RD_WEIGHTS", "RD_WEIGHTS(name)", 1, 1, declare_weights},
    {"RD_ROWS", "RD_ROWS(name)", 1, 1, declare_rows},
    {"RD_TARGETS", "RD_TARGETS(name)", 1, 1, declare_targets},
    {"RD_SYMMETRIC", "RD_SYMMETRIC()", 0, 0, declare_symmetric},
    {"RD_PLANE", "RD_PLANE(columns, rows, depth)", 3, 3, declare_plane},
    {"RD_TASKS", "RD_TASKS(how many), or RD_TASKS(known beforehand, most)", 1, 2, declare_tasks},
    {"RD_SAMPLE", "RD_SAMPLE(\"option=value graph=kron:8\")", 1, 1, declare_sample},
};
enum { DECLARATIONS = sizeof declarations / sizeof declarations[0] };

static rd_status on_declaration(void *user, unsigned line, const char *name, char *const *arg, int count, rd_error *err)
{
    reader *r = user;
    r->line = line;
    r->err = err;
    for (int i = 0; i < DECLARATIONS; i++)
        if (strcmp(name, declarations[i].name) == 0)
            return count >= declarations[i].least && count <= declarations[i].most
                       ? declarations[i].take(r, arg, count)
                       : BAD(r, "%s is wanted, and %d parts are there", declarations[i].form, count);
    return BAD(
        r,
        "there is no declaration %.40s; there are RD_APP, RD_OPTION, RD_SCALAR, RD_ARRAY, RD_RESULT, RD_SET, "
        "RD_SEEDS, RD_SOURCE, RD_STAGES, RD_WEIGHTS, RD_ROWS, RD_TARGETS, RD_SYMMETRIC, RD_PLANE, RD_TASKS, RD_SAMPLE",
        name);
}

/* ---- Lines of the preprocessor ---- */

static rd_status take_number(reader *r, const char *name, const char *value, uint32_t *out)
{
    uint64_t number;
    if (!rd_parse_u64(value, &number) || number > 4096)
        return BAD(r, "%s is a number in digits here, not '%.40s': the host has to know it too", name, value);
    *out = (uint32_t)number;
    return RD_OK;
}

static rd_status on_define(void *user, unsigned line, const char *name, const char *value, rd_error *err)
{
    static const char *const joins[] = {
        [RD_JOIN_NONE] = "RD_JOIN_NONE", [RD_JOIN_SUM] = "RD_JOIN_SUM", [RD_JOIN_VALUES] = "RD_JOIN_VALUES"};
    static const struct {
        const char *name;
        uint32_t trait;
    } traits[] = {{"RD_APP_VERTEX", RD__TRAIT_VERTEX},   {"RD_APP_NO_ROUNDS", RD__TRAIT_NO_ROUNDS},
                  {"RD_APP_REPEATS", RD__TRAIT_REPEATS}, {"RD_APP_RANKS", RD__TRAIT_RANKS},
                  {"RD_APP_URGENT", RD__TRAIT_URGENT},   {"RD_APP_SEEDS", RD__TRAIT_SEEDS},
                  {"RD_APP_PULLS", RD__TRAIT_PULLS}};
    reader *r = user;
    r->line = line;
    r->err = err;
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++)
        if (strcmp(name, traits[i].name) == 0)
            r->file->traits |= traits[i].trait;
    if (strcmp(name, "RD_APP_ARGS") == 0)
        return BAD(r, "RD_APP_ARGS is made of the declarations (RD_OPTION, RD_ARRAY ...): leave it out");
    if (strcmp(name, "RD_TASK_WORDS") == 0)
        return take_number(r, name, value, &r->file->words);
    if (strcmp(name, "RD_TASK_CHILDREN") == 0)
        return take_number(r, name, value, &r->file->children);
    if (strcmp(name, "RD_APP_GIVES") == 0)
        return take_number(r, name, value, &r->file->gives);
    if (strcmp(name, "RD_APP_PACK") == 0)
        return take_number(r, name, value, &r->file->pack);
    if (strcmp(name, "RD_TASK_JOIN") != 0)
        return RD_OK;
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(value, joins[i]) == 0) {
            r->file->join = i;
            r->file->has_join = 1;
            return RD_OK;
        }
    return BAD(r, "RD_TASK_JOIN is RD_JOIN_NONE, RD_JOIN_SUM or RD_JOIN_VALUES, not '%.40s'", value);
}

static rd_status on_include(void *user, unsigned line, const char *path, rd_error *err)
{
    static const struct {
        const char *path;
        rd__model model;
    } models[] = {{"model/frontier.k.h", RD__MODEL_FRONTIER}, {"model/sweep.k.h", RD__MODEL_SWEEP},
                  {"model/forkjoin.k.h", RD__MODEL_FORKJOIN}, {"model/ranked.k.h", RD__MODEL_RANKED},
                  {"model/plane.k.h", RD__MODEL_PLANE},       {"model/dag.k.h", RD__MODEL_DAG}};
    reader *r = user;
    r->line = line;
    r->err = err;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(path, models[i].path) == 0) {
            if (r->file->model_line)
                return BAD(r, "a file is written for one model; line %u includes one already", r->file->model_line);
            r->file->model = models[i].model;
            r->file->model_line = line;
            r->app->source.model = models[i].path;
            return RD_OK;
        }
    const rd__source_file *known = rd__source_files;
    while (known->name && strcmp(known->name, path) != 0)
        known++;
    return known->name ? RD_OK
                       : BAD(r, "\"%.60s\" is none of the library's kernel files, and an app is one file", path);
}

static rd_status on_function(void *user, unsigned line, const char *name, rd_error *err)
{
    reader *r = user;
    r->line = line;
    r->err = err;
    if (strcmp(name, "rd_context") == 0 || strcmp(name, "rd_kernels") == 0 || strcmp(name, "rd_kernel") == 0)
        return BAD(r, "%s is made by the library here: leave it out", name);
    rd__own_note_function(r->file, name);
    return RD_OK;
}

/* ---- In the end ---- */

/* Names that sums may contain; values do not matter yet. */
static int is_known(const void *user, const char *name, uint64_t *value)
{
    const rd__own_file *file = user;
    *value = 0;
    if (strcmp(name, "RD_NONE") == 0)
        return 1;
    if (strcmp(name, "vertices") == 0 || strcmp(name, "edges") == 0)
        return rd__own_takes_graph(file);
    for (uint32_t i = 0; i < file->items; i++)
        if (strcmp(file->item[i].name, name) == 0)
            return file->item[i].kind == OWN_SOURCE ||
                   (file->item[i].kind == OWN_OPTION && file->item[i].type <= OWN_I64);
    return 0;
}

static rd_status known_sum(reader *r, const char *text)
{
    char where[300];
    uint64_t value;
    snprintf(where, sizeof where, "%.250s:%u", r->file->label, r->line);
    return rd__expression(text, where, 1, is_known, r->file, &value, r->err);
}

static rd_status check_first(reader *r, const rd__own_item *item)
{
    double real;
    if (strcmp(item->value, "index") == 0)
        return RD_OK;
    if (strcmp(item->value, "degree") == 0 || strcmp(item->value, "indegree") == 0)
        return rd__own_takes_graph(r->file) && strcmp(item->length, "vertices") == 0 && item->type < OWN_F32
                   ? RD_OK
                   : BAD(r, "'%s' is the first value of whole numbers, one for each of the graph's vertices",
                         item->value);
    if (item->type >= OWN_F32)
        return rd_parse_double(item->value, &real) ? RD_OK : BAD(r, "'%.40s' is no number", item->value);
    return known_sum(r, item->value);
}

static rd_status check_items(reader *r)
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
    for (uint32_t i = 0; i < r->file->sets; i++) {
        r->line = r->file->set[i].line;
        if (r->file->item[r->file->set[i].item].type >= OWN_F32)
            return BAD(r, "RD_SET is for arrays of whole numbers");
        RD_TRY(known_sum(r, r->file->set[i].index));
        RD_TRY(known_sum(r, r->file->set[i].value));
    }
    return RD_OK;
}

static rd_status find_result(reader *r)
{
    rd__own_file *file = r->file;
    const int tasks = file->model == RD__MODEL_FORKJOIN;
    file->result = -1;
    file->sum_type = OWN_U64;
    r->line = file->result_line ? file->result_line : 1;
    if (!file->result_line)
        return tasks ? RD_OK : BAD(r, "which array is the result? RD_RESULT(array) says so");
    rd__own_item *item = find_item(file, file->result_name);
    if (item && item->kind == OWN_ARRAY) {
        file->result = (int)(item - file->item);
        return RD_OK;
    }
    if (!tasks)
        return BAD(r, "RD_RESULT: '%.40s' is no array", file->result_name);
    RD_TRY(take_type(r, file->result_name, &file->sum_type));
    return file->sum_type == OWN_U64 || file->sum_type == OWN_I64 || file->sum_type == OWN_F64
               ? RD_OK
               : BAD(r, "tasks return 64 bits: rd_u64, rd_i64, or rd_f64 by rd_as_u64");
}

static rd_status check_seeds(reader *r)
{
    rd__own_file *file = r->file;
    const int frontier = file->model == RD__MODEL_FRONTIER;
    file->flag = -1;
    r->line = file->seeds_line ? file->seeds_line : 1;
    if (frontier && (!file->seeds_line || file->seeds == OWN_SEEDS_COUNT))
        return BAD(r, "where does it start? RD_SEEDS(all), RD_SEEDS(where) or RD_SOURCE(name)");
    if (!frontier && file->seeds != OWN_SEEDS_COUNT)
        return BAD(r, "RD_SEEDS(all), RD_SEEDS(where) and RD_SOURCE are for model frontier");
    if (file->seeds == OWN_SEEDS_COUNT && file->seed_count) {
        if (file->model != RD__MODEL_FORKJOIN && file->model != RD__MODEL_RANKED)
            return BAD(r, "RD_SEEDS is for models forkjoin, ranked and frontier");
        RD_TRY(known_sum(r, file->seed_count));
    }
    file->traits |= file->seeds == OWN_SEEDS_WHERE ? RD__TRAIT_SEEDS : 0;
    if (!file->flag_name)
        return RD_OK;
    const rd__own_item *flag = find_item(file, file->flag_name);
    if (file->seeds != OWN_SEEDS_WHERE || !flag || flag->kind != OWN_ARRAY || flag->type != OWN_U32)
        return BAD(r, "RD_STAGES(name, array) goes with RD_SEEDS(where), and array is one of rd_u32");
    file->flag = (int)(flag - file->item);
    return RD_OK;
}

static rd_status check_model(reader *r)
{
    rd__own_file *file = r->file;
    r->line = file->model_line ? file->model_line : 1;
    if (!file->name[0])
        return BAD(r, "this is no app: RD_APP(name, \"what it does\") is missing");
    if (!file->model_line)
        return BAD(r, "which model is it for? It has no #include \"model/NAME.k.h\", with NAME one of forkjoin, "
                      "frontier, ranked, sweep, plane, dag");
    if (file->model == RD__MODEL_FORKJOIN && (!file->words || !file->children || !file->has_join))
        return BAD(r, "a forkjoin app defines RD_TASK_WORDS, RD_TASK_CHILDREN and RD_TASK_JOIN before this line");
    if (file->model == RD__MODEL_PLANE && (!file->gives || file->pack != 1 || !file->columns))
        return BAD(
            r,
            "a plane app of your own defines RD_APP_PACK 1 and RD_APP_GIVES, and has RD_PLANE(columns, rows, depth)");
    if (file->model == RD__MODEL_DAG && !file->tasks)
        return BAD(r, "a dag app has RD_TASKS(how many), or RD_TASKS(known beforehand, most)");
    if (file->tasks) {
        r->line = file->tasks_line;
        if (file->model != RD__MODEL_DAG)
            return BAD(r, "RD_TASKS is for model dag");
        RD_TRY(known_sum(r, file->tasks));
        RD_TRY(known_sum(r, file->tasks_most));
    }
    if (file->columns) {
        r->line = file->plane_line;
        if (file->model != RD__MODEL_PLANE)
            return BAD(r, "RD_PLANE is for model plane");
        RD_TRY(known_sum(r, file->columns));
        RD_TRY(known_sum(r, file->rows));
        RD_TRY(known_sum(r, file->depth));
    }
    return RD_OK;
}

rd_status rd__own_declare(rd__own_app *app, rd_error *err)
{
    reader r = {.app = app, .file = &app->file, .line = 1, .err = err};
    const rd__scan_events events = {on_declaration, on_define, on_include, on_function, &r};
    app->file.label = app->label;
    app->file.uses_f64 = strstr(app->text, "rd_f64") != NULL;
    RD_TRY(rd__scan(app->label, app->text, &events, err));
    RD_TRY(check_model(&r));
    RD_TRY(check_items(&r));
    RD_TRY(find_result(&r));
    return check_seeds(&r);
}
