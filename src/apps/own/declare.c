/* SPDX-License-Identifier: Apache-2.0 */
/* declare.c - what the declarations of an own app mean. One function each, in a table; what one alone cannot tell (a
 * name that comes later, what fits the model) is for resolve.c. */
#include "apps/own/reader.h"
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

rd_status rd__own_bad(const rd__own_reader *r, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rd__fail(r->err, RD_EINPUT, "%s:%u: %s", r->file->label, r->line, text);
}

/* A copy that lives as long as the app. There is room: declarations do not overlap in the file. */
static const char *keep(rd__own_reader *r, const char *text)
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

rd_status rd__own_take_type(rd__own_reader *r, const char *text, rd__own_type *type)
{
    for (int i = 0; i < OWN_TYPES; i++)
        if (strcmp(text, rd__own_types[i].name) == 0) {
            *type = (rd__own_type)i;
            r->file->uses_f64 |= i == OWN_F64;
            return RD_OK;
        }
    return rd__own_bad(
        r, "'%.40s' is no type of an array or number; there are rd_u32, rd_i32, rd_u64, rd_i64, rd_f32, rd_f64", text);
}

/* "text" without its quotes; \" and \\ as in C. */
static rd_status take_string(rd__own_reader *r, const char *text, const char **out)
{
    const size_t length = strlen(text);
    char *copy = r->app->pool + r->app->pool_used;
    size_t used = 0;
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return rd__own_bad(r, "a text in quotes is wanted, not '%.60s'", text);
    for (size_t i = 1; i + 1 < length; i++) {
        if (text[i] == '\\')
            i++;
        if ((unsigned char)text[i] < ' ' || (text[i] == '"' && text[i - 1] != '\\'))
            return rd__own_bad(r, "a text has one pair of quotes, in one line, and no tabs");
        copy[used++] = text[i];
    }
    copy[used] = '\0';
    r->app->pool_used += used + 1;
    *out = copy;
    return RD_OK;
}

rd__own_item *rd__own_find_item(rd__own_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->items; i++)
        if (strcmp(file->item[i].name, name) == 0)
            return &file->item[i];
    return NULL;
}

static rd_status new_item(rd__own_reader *r, rd__own_kind kind, const char *name, rd__own_item **out)
{
    static const char *const taken[] = {"vertices", "edges", "max_degree", "gpu",    "RD_NONE",
                                        "all",      "where", "index",      "degree", "indegree"};
    if (!is_name(name))
        return rd__own_bad(r, "'%.40s' is no name: letters, digits and _, at most 31, not a digit first", name);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return rd__own_bad(r, "the name '%s' is taken: in declarations it has a meaning of its own", name);
    if (strncmp(name, "RD_", 3) == 0)
        return rd__own_bad(r, "the name '%s' is taken: those that begin with RD_ are the library's", name);
    if (rd__own_is_word(name))
        return rd__own_bad(r, "the name '%s' is taken: it is a word of C, C++ or OpenCL C", name);
    if (rd__own_find_item(r->file, name))
        return rd__own_bad(r, "'%s' is declared twice", name);
    if (r->file->items == RD__APP_MAX_ARGS)
        return rd__own_bad(r, "an app has at most %d options, numbers and arrays in all", RD__APP_MAX_ARGS);
    *out = &r->file->item[r->file->items++];
    **out = (rd__own_item){.kind = kind, .line = r->line};
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return RD_OK;
}

/* ---- Declarations ---- */

static rd_status declare_app(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->name[0])
        return rd__own_bad(r, "RD_APP is there twice: a file is one app");
    for (const char *at = arg[0]; *at; at++)
        if (!islower((unsigned char)*at) && !(at > arg[0] && (isdigit((unsigned char)*at) || *at == '_')))
            return rd__own_bad(
                r, "'%.40s' is no name for an app: small letters, digits and _, at most 31, a letter first", arg[0]);
    if (!is_name(arg[0]))
        return rd__own_bad(r, "'%.40s' is no name for an app: 1 to 31 small letters, digits and _", arg[0]);
    snprintf(r->file->name, sizeof r->file->name, "%s", arg[0]);
    return take_string(r, arg[1], &r->file->text);
}

static rd_status take_limit(rd__own_reader *r, const char *text, double *out)
{
    if (!rd_parse_double(text, out))
        return rd__own_bad(r, "a limit is a number, not '%.40s'", text);
    return RD_OK;
}

/* (type, name, default, "help") or (type, name, default, least, most, "help") */
static rd_status declare_option(rd__own_reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    double initial;
    if (count == 5)
        return rd__own_bad(r, "RD_OPTION(type, name, default, \"help\"), or with least and most before the help");
    RD_TRY(new_item(r, OWN_OPTION, arg[1], &item));
    RD_TRY(rd__own_take_type(r, arg[0], &item->type));
    if (item->type == OWN_I32 || item->type == OWN_I64)
        return rd__own_bad(r, "options are rd_u32, rd_u64, rd_f32 or rd_f64");
    const int real = item->type == OWN_F32 || item->type == OWN_F64;
    item->least = real ? -1e300 : 0;
    item->most = real ? 1e300 : item->type == OWN_U32 ? 4294967295.0 : 18446744073709551616.0;
    if (count == 6) {
        RD_TRY(take_limit(r, arg[3], &item->least));
        RD_TRY(take_limit(r, arg[4], &item->most));
    }
    uint64_t whole = 0;
    if (!real && !rd_parse_u64(arg[2], &whole)) /* as the command reads it */
        return rd__own_bad(r, "the default of '%s' is a whole number, not '%.40s'", item->name, arg[2]);
    initial = (double)whole;
    if (real)
        RD_TRY(take_limit(r, arg[2], &initial));
    if (!(initial >= item->least && initial <= item->most))
        return rd__own_bad(r, "the default of '%s' is not among the values that it may have", item->name);
    item->value = keep(r, arg[2]);
    return take_string(r, arg[count - 1], &item->help);
}

static rd_status declare_scalar(rd__own_reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    RD_TRY(new_item(r, OWN_SCALAR, arg[1], &item));
    RD_TRY(rd__own_take_type(r, arg[0], &item->type));
    if (item->type != OWN_U32 && item->type != OWN_U64)
        return rd__own_bad(r, "a scalar is a whole number, rd_u32 or rd_u64");
    item->value = keep(r, arg[2]);
    return RD_OK;
}

static rd_status declare_array(rd__own_reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    RD_TRY(new_item(r, OWN_ARRAY, arg[1], &item));
    RD_TRY(rd__own_take_type(r, arg[0], &item->type));
    item->length = keep(r, arg[2]);
    item->value = keep(r, arg[3]);
    return RD_OK;
}

/* An array's name, or the type of what fork-join tasks return. */
static rd_status declare_result(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->result_line)
        return rd__own_bad(r, "RD_RESULT is there twice; rd_job_read reads the other arrays");
    r->file->result_line = r->line;
    r->file->result_name = keep(r, arg[0]);
    return RD_OK;
}

static rd_status declare_set(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    rd__own_item *item = rd__own_find_item(r->file, arg[0]);
    if (!item || item->kind != OWN_ARRAY)
        return rd__own_bad(r, "RD_SET(array, index, value): '%.40s' is no array that is declared above", arg[0]);
    if (r->file->sets == RD__OWN_SETS)
        return rd__own_bad(r, "at most %d RD_SET", RD__OWN_SETS);
    r->file->set[r->file->sets++] = (rd__own_set){
        .line = r->line, .item = (uint32_t)(item - r->file->item), .index = keep(r, arg[1]), .value = keep(r, arg[2])};
    return RD_OK;
}

static rd_status declare_constant(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    if (!is_name(arg[0]) || strncmp(arg[0], "RD_", 3) == 0 || strncmp(arg[0], "rd_", 3) == 0)
        return rd__own_bad(r, "'%.40s' is no name for a constant: letters, digits and _, at most 31, not RD_ first",
                           arg[0]);
    if (r->file->constants == RD__OWN_CONSTANTS)
        return rd__own_bad(r, "at most %d RD_CONSTANT", RD__OWN_CONSTANTS);
    for (uint32_t i = 0; i < r->file->constants; i++)
        if (strcmp(r->file->constant[i].name, arg[0]) == 0)
            return rd__own_bad(r, "'%s' is declared twice", arg[0]);
    r->file->constant[r->file->constants++] =
        (rd__own_constant){.line = r->line, .name = keep(r, arg[0]), .value = keep(r, arg[1])};
    return RD_OK;
}

static rd_status declare_seeds(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    if (r->file->seeds_line)
        return rd__own_bad(r, "where to start is said twice (RD_SEEDS, RD_SOURCE)");
    r->file->seeds_line = r->line;
    r->file->seeds = strcmp(arg[0], "all") == 0     ? OWN_SEEDS_ALL
                     : strcmp(arg[0], "where") == 0 ? OWN_SEEDS_WHERE
                                                    : OWN_SEEDS_COUNT;
    r->file->seed_count = keep(r, arg[0]);
    return RD_OK;
}

static rd_status declare_source(rd__own_reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    if (r->file->seeds_line)
        return rd__own_bad(r, "where to start is said twice (RD_SEEDS, RD_SOURCE)");
    r->file->seeds_line = r->line;
    r->file->seeds = OWN_SEEDS_SOURCE;
    return new_item(r, OWN_SOURCE, arg[0], &item);
}

static rd_status declare_stages(rd__own_reader *r, char *const *arg, int count)
{
    rd__own_item *item;
    (void)count;
    r->file->flag_name = keep(r, arg[1]);
    r->file->flag_line = r->line;
    return new_item(r, OWN_STAGE, arg[0], &item);
}

static rd_status graph_array(rd__own_reader *r, rd__own_kind kind, rd__own_type type, const char *name)
{
    rd__own_item *item;
    RD_TRY(new_item(r, kind, name, &item));
    item->type = type;
    return RD_OK;
}

static rd_status declare_weights(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    r->file->weighted = 1;
    return graph_array(r, OWN_WEIGHTS, OWN_U32, arg[0]);
}

static rd_status declare_rows(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    return graph_array(r, OWN_ROWS, OWN_U64, arg[0]);
}

static rd_status declare_targets(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    return graph_array(r, OWN_TARGETS, OWN_U32, arg[0]);
}

static rd_status declare_symmetric(rd__own_reader *r, char *const *arg, int count)
{
    (void)arg;
    (void)count;
    r->file->symmetric = 1;
    return RD_OK;
}

static rd_status declare_plane(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    r->file->plane_line = r->line;
    r->file->columns = keep(r, arg[0]);
    r->file->rows = keep(r, arg[1]);
    r->file->depth = keep(r, arg[2]);
    return RD_OK;
}

/* (known), or (known, most) */
static rd_status declare_tasks(rd__own_reader *r, char *const *arg, int count)
{
    r->file->tasks_line = r->line;
    r->file->tasks = keep(r, arg[0]);
    r->file->tasks_most = count == 2 ? keep(r, arg[1]) : r->file->tasks;
    return RD_OK;
}

static rd_status declare_sample(rd__own_reader *r, char *const *arg, int count)
{
    (void)count;
    return take_string(r, arg[0], &r->file->sample);
}

static const struct {
    const char *name, *form;
    int least, most;
    rd_status (*take)(rd__own_reader *r, char *const *arg, int count);
} declarations[] = {
    {"RD_APP", "RD_APP(name, \"what it does\")", 2, 2, declare_app},
    {"RD_OPTION", "RD_OPTION(type, name, default, \"help\")", 4, 6, declare_option},
    {"RD_SCALAR", "RD_SCALAR(type, name, sum)", 3, 3, declare_scalar},
    {"RD_ARRAY", "RD_ARRAY(type, name, length, first value)", 4, 4, declare_array},
    {"RD_RESULT", "RD_RESULT(array)", 1, 1, declare_result},
    {"RD_CONSTANT", "RD_CONSTANT(NAME, sum)", 2, 2, declare_constant},
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
    rd__own_reader *r = user;
    r->line = line;
    r->err = err;
    for (int i = 0; i < DECLARATIONS; i++)
        if (strcmp(name, declarations[i].name) == 0)
            return count >= declarations[i].least && count <= declarations[i].most
                       ? declarations[i].take(r, arg, count)
                       : rd__own_bad(r, "%s is wanted, and %d parts are there", declarations[i].form, count);
    return rd__own_bad(
        r,
        "there is no declaration %.40s; there are RD_APP, RD_OPTION, RD_SCALAR, RD_ARRAY, RD_RESULT, RD_SET, "
        "RD_CONSTANT, "
        "RD_SEEDS, RD_SOURCE, RD_STAGES, RD_WEIGHTS, RD_ROWS, RD_TARGETS, RD_SYMMETRIC, RD_PLANE, RD_TASKS, RD_SAMPLE",
        name);
}

/* ---- Lines of the preprocessor ---- */

/* Numbers that a text defines. The host has to know some of them; of the others compilers know what they come to. Their
 * limits are those of the model, which would tell them of its own header's line. */
static rd_status take_number(rd__own_reader *r, const char *name, const char *value)
{
    rd__own_file *file = r->file;
    const struct {
        const char *name;
        uint32_t least, most;
        const char *why;
        uint32_t *out, *has;
    } numbers[] = {
        {"RD_TASK_WORDS", 1, 4096, "32-bit words of a task", &file->words, NULL},
        {"RD_TASK_CHILDREN", 1, 32, "spawn a task that spawns the rest", &file->children, NULL},
        {"RD_TASK_ADDS", 0, 1, "does joining only add?", &file->adds, NULL},
        {"RD_TASK_GIVES", 1, 8, "give a task that gives the rest", NULL, &file->has_gives},
        {"RD_TASK_RELEASES", 1, 1024, "release a task that releases the rest", NULL, &file->has_releases},
        {"RD_APP_LEAST", 0, 1, "is it a search?", &file->least, NULL},
        {"RD_APP_GIVES", 1, 2, "tasks that one task gives", &file->gives, NULL},
        {"RD_APP_PACK", 0, 4096, "items of a task", &file->pack, NULL},
    };
    size_t i = 0;
    while (i < sizeof numbers / sizeof numbers[0] && strcmp(name, numbers[i].name) != 0)
        i++;
    if (i == sizeof numbers / sizeof numbers[0])
        return RD_OK;
    uint64_t number;
    const int digits = rd_parse_u64(value, &number);
    if (numbers[i].has)
        *numbers[i].has = 1;
    if (!digits)
        return numbers[i].has
                   ? RD_OK
                   : rd__own_bad(r, "%s is a number in digits here, not '%.40s': the host has to know it too", name,
                                 value);
    if (number < numbers[i].least || number > numbers[i].most)
        return rd__own_bad(r, "%s is %u to %u, not %.20s: %s", name, numbers[i].least, numbers[i].most, value,
                           numbers[i].why);
    if (numbers[i].out)
        *numbers[i].out = (uint32_t)number;
    return RD_OK;
}

static rd_status on_define(void *user, unsigned line, const char *name, const char *value, rd_error *err)
{
    static const char *const joins[] = {
        [RD_JOIN_NONE] = "RD_JOIN_NONE", [RD_JOIN_SUM] = "RD_JOIN_SUM", [RD_JOIN_VALUES] = "RD_JOIN_VALUES"};
    static const struct {
        const char *name;
        uint32_t trait;
    } traits[] = {
#define TRAIT(NAME) {"RD_APP_" #NAME, RD__TRAIT_##NAME},
#include "model/traits.def"
#undef TRAIT
    };
    rd__own_reader *r = user;
    r->line = line;
    r->err = err;
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++)
        if (strcmp(name, traits[i].name) == 0)
            r->file->traits |= traits[i].trait;
    if (strcmp(name, "RD_APP_ARGS") == 0)
        return rd__own_bad(r, "RD_APP_ARGS is made of the declarations (RD_OPTION, RD_ARRAY ...): leave it out");
    if (strcmp(name, "RD_TASK_JOIN") != 0)
        return take_number(r, name, value);
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(value, joins[i]) == 0) {
            r->file->join = i;
            r->file->has_join = 1;
            return RD_OK;
        }
    return rd__own_bad(r, "RD_TASK_JOIN is RD_JOIN_NONE, RD_JOIN_SUM or RD_JOIN_VALUES, not '%.40s'", value);
}

static rd_status on_include(void *user, unsigned line, const char *path, rd_error *err)
{
    static const struct {
        const char *path;
        rd__model model;
    } models[] = {{"model/frontier.k.h", RD__MODEL_FRONTIER}, {"model/sweep.k.h", RD__MODEL_SWEEP},
                  {"model/forkjoin.k.h", RD__MODEL_FORKJOIN}, {"model/ranked.k.h", RD__MODEL_RANKED},
                  {"model/plane.k.h", RD__MODEL_PLANE},       {"model/dag.k.h", RD__MODEL_DAG}};
    rd__own_reader *r = user;
    r->line = line;
    r->err = err;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(path, models[i].path) == 0) {
            if (r->file->model_line)
                return rd__own_bad(r, "a file is written for one model; line %u includes one already",
                                   r->file->model_line);
            r->file->model = models[i].model;
            r->file->model_line = line;
            r->app->source.model = models[i].path;
            return RD_OK;
        }
    const rd__source_file *known = rd__source_files;
    while (known->name && strcmp(known->name, path) != 0)
        known++;
    return known->name
               ? RD_OK
               : rd__own_bad(r,
                             "\"%.60s\" is none of the library's kernel files, and an app is one file; models are "
                             "\"model/NAME.k.h\", with NAME one of forkjoin, frontier, ranked, sweep, plane, dag",
                             path);
}

static rd_status on_function(void *user, unsigned line, const char *name, rd_error *err)
{
    rd__own_reader *r = user;
    r->line = line;
    r->err = err;
    if (strcmp(name, "rd_context") == 0 || strcmp(name, "rd_kernels") == 0 || strcmp(name, "rd_kernel") == 0)
        return rd__own_bad(r, "%s is made by the library here: leave it out", name);
    rd__own_note_function(r->file, name, line);
    return RD_OK;
}

static void on_f64(void *user)
{
    ((rd__own_reader *)user)->file->uses_f64 = 1;
}

rd_status rd__own_declare(rd__own_app *app, rd_error *err)
{
    rd__own_reader r = {.app = app, .file = &app->file, .line = 1, .err = err};
    const rd__scan_events events = {on_declaration, on_define, on_include, on_function, on_f64, &r};
    app->file.label = app->label;
    RD_TRY(rd__scan(app->label, app->text, &events, err));
    return rd__own_resolve(&r);
}
