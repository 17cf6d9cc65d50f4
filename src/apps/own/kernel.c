/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.c - an own app's text as compilers get it: its kernel arguments before it, and behind its model's header what
 * its functions have to look like, so that a function of another kind is refused where it is written.
 */
#include "apps/own/own.h"

#include "core/memory.h"
#include "model/forkjoin_layout.k.h"

#include <stdio.h>
#include <string.h>

/* The functions that models ask for: src/model/NAME.k.h. */
typedef struct function {
    rd__model model;
    uint32_t with, without; /* traits */
    const char *name, *type, *parameters;
} function;

#define GRAPH_EDGE "(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)"
#define WHOLE      "rd_u32 v, rd_global const rd_u32 *to, rd_u32 degree)"

static const function functions[] = {
    {RD__MODEL_FORKJOIN, 0, 0, "rd_app_seed", "void", "(const rd_app *a, rd_u32 i, rd_task *t)"},
    {RD__MODEL_FORKJOIN, 0, 0, "rd_app_task", "void", "(const rd_app *a, rd_worker *w, rd_task *t)"},
    {RD__MODEL_FORKJOIN, 0, 0, "rd_app_join", "void", "(const rd_app *a, rd_worker *w, rd_task *t)"},
    {RD__MODEL_FRONTIER, 0, RD__TRAIT_VERTEX, "rd_app_open", "rd_u32", "(const rd_app *a, rd_u32 u)"},
    {RD__MODEL_FRONTIER, 0, RD__TRAIT_VERTEX, "rd_app_want", "rd_u32", "(const rd_app *a, rd_u32 value, rd_u32 v)"},
    {RD__MODEL_FRONTIER, 0, RD__TRAIT_VERTEX, "rd_app_edge", "void", GRAPH_EDGE},
    {RD__MODEL_FRONTIER, RD__TRAIT_VERTEX, 0, "rd_app_vertex", "void", "(const rd_app *a, rd_worker *w, " WHOLE},
    {RD__MODEL_FRONTIER, RD__TRAIT_VERTEX, 0, "rd_app_vertex_wide", "void",
     "(const rd_app *a, rd_worker *w, const rd_team *team, " WHOLE},
    {RD__MODEL_FRONTIER, RD__TRAIT_REPEATS, 0, "rd_app_when", "rd_u32", "(const rd_app *a, rd_u32 v)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_RANKS, 0, "rd_app_rank", "rd_u32", "(const rd_app *a, rd_u32 v)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_SEEDS, RD__TRAIT_SEED_EDGES, "rd_app_is_seed", "rd_u32",
     "(const rd_app *a, rd_u32 v)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_SEEDS | RD__TRAIT_SEED_EDGES, 0, "rd_app_seed_edge", "rd_u32",
     "(const rd_app *a, rd_u32 v, rd_u32 u, rd_u64 e)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_SEEDS | RD__TRAIT_SEED_EDGES, 0, "rd_app_is_seed_by", "rd_u32",
     "(const rd_app *a, rd_u32 v, rd_u32 count)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_PULLS, 0, "rd_app_pull", "void",
     "(const rd_app *a, rd_u32 v, rd_u32 u, rd_u32 round)"},
    {RD__MODEL_FRONTIER, RD__TRAIT_LATE, 0, "rd_app_claim", "rd_u32", "(const rd_app *a, rd_u32 v, rd_u32 level)"},
    {RD__MODEL_RANKED, 0, 0, "rd_app_keep", "rd_u32", "(const rd_app *a, rd_u64 rank, rd_u64 data)"},
    {RD__MODEL_RANKED, 0, 0, "rd_app_task", "void", "(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)"},
    {RD__MODEL_SWEEP, 0, 0, "rd_app_edges", "void",
     "(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)"},
    {RD__MODEL_SWEEP, 0, 0, "rd_app_edge", "RD_FOLD",
     "(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)"},
    {RD__MODEL_SWEEP, 0, 0, "rd_app_vertex", "void",
     "(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)"},
    {RD__MODEL_SWEEP, 0, 0, "rd_app_next", NULL, "(const rd_app *a, const rd_sweep *s, const rd_gain *gain)"},
    {RD__MODEL_DAG, 0, 0, "rd_app_waits", "rd_u32", "(const rd_app *a, rd_u32 t)"},
    {RD__MODEL_DAG, 0, 0, "rd_app_task", "void", "(const rd_app *a, rd_worker *w, rd_u32 t)"},
    {RD__MODEL_PLANE, 0, 0, "rd_app_item", "rd_task", "(const rd_app *a, rd_u32 x, rd_u32 y)"},
    {RD__MODEL_PLANE, 0, 0, "rd_app_tasks", "void",
     "(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)"},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0], BEFORE_ROOM = 8192, BEHIND_ROOM = 8192 };
_Static_assert((int)FUNCTIONS <= (int)RD__OWN_FUNCTIONS, "a bit and a line for each");

static int is_asked(const rd__own_file *file, const function *f)
{
    if (f->model != file->model || (f->with & ~file->traits) || (f->without & file->traits))
        return 0;
    return !(file->model == RD__MODEL_FORKJOIN && file->join == RD_JOIN_NONE && strcmp(f->name, "rd_app_join") == 0);
}

/* Before the model is known: a bit for each name. */
void rd__own_note_function(rd__own_file *file, const char *name, unsigned line)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) {
            file->functions |= 1u << i;
            file->function_line[i] = line;
        }
    file->has_check |= strcmp(name, "rd_app_check") == 0;
}

static rd_status check_functions(const rd__own_file *file, rd_error *err)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        if (is_asked(file, &functions[i]) && !(file->functions >> i & 1))
            return rd__fail(err, RD_EINPUT, "%s:%u: an app of this model defines `rd_fn %s %s%s`, and there is none",
                            file->label, file->model_line, functions[i].type ? functions[i].type : "rd_u32",
                            functions[i].name, functions[i].parameters);
    return RD_OK;
}

static size_t add(char *text, size_t room, size_t used, const char *a, const char *b, const char *c, const char *d)
{
    const int n = used < room ? snprintf(text + used, room - used, "%s%s%s%s", a, b, c, d) : 0;
    return used + (size_t)(n > 0 ? n : 0);
}

/* What follows is of that line of the user's file. A compiler keeps the name from one line to the next; files of odd
 * names have none. */
static size_t add_line(const rd__own_file *file, unsigned line, int named, char *text, size_t room, size_t used)
{
    char mark[32];
    snprintf(mark, sizeof mark, "#line %u", line);
    if (strpbrk(file->label, "\"\\\n"))
        return used;
    return named ? add(text, room, used, mark, " \"", file->label, "\"\n") : add(text, room, used, mark, "\n", "", "");
}

/* Of apps/common/hand_args.k.h, in its order. */
static const char hand_fields[] = "rd_global const rd_u32 *hand_in;\nrd_global rd_u32 *hand_out;\n"
                                  "rd_u32 hand_room;\nrd_u32 hand_budget;\nrd_u32 hand_root;\n";
static const char hand_names[] = "#define rd_app_seed rd_own_seed\n#define rd_app_task rd_own_task\n";
/* Of a search: least.k.h. */
static const char least_args[] = " arg(rd_u32, rd_least_owned) arg(rd_u32, rd_least_beyond)",
                  least_fields[] = "rd_u32 rd_least_owned;\nrd_u32 rd_least_beyond;\n",
                  least_names[] = "#define rd_app_edge rd_own_edge\n#define RD_LEAST_WORD(a) (a)->";

/* The kernel arguments, under names that no engine has, and the struct that functions see them in, under their own:
 * bound in the same order (rd_bind); in parts with those for handing tasks over, or of a search, and with other names
 * for the functions that come between (parts.c). Where 64-bit floats are used, a word to devices without. */
static size_t write_before(const rd__own_file *file, int parts, char *text, size_t room)
{
    const int least = parts && file->least, hands = parts && !file->least;
    size_t used =
        add(text, room, 0, "#define RD_OWN 1\n#include \"raddle/kernel.h\"\n", "#include \"apps/own/checked.k.h\"\n",
            hands ? "#include \"apps/common/hand_args.k.h\"\n" : "", "");
    if (file->uses_f64)
        used =
            add(text, room, used, "#ifndef RD_HAS_F64\n#error \"this device has no 64-bit floats (rd_f64), which app ",
                file->name, " uses\"\n#endif\n", "");
    if (file->seeds == OWN_SEEDS_WHERE)
        used = add(text, room, used, "#define RD_APP_SEEDS 1\n", "", "", "");
    used = add(text, room, used, "#define RD_APP_ARGS(buf, arg)", "", "", "");
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_item *item = &file->item[i];
        const char *kind = item->kind < OWN_ARRAY ? " arg(" : item->kind == OWN_ARRAY ? " buf(" : " buf(const ";
        used = add(text, room, used, kind, rd__own_types[item->type].name, ", rd_own_", item->name);
        used = add(text, room, used, ")", "", "", "");
    }
    used = add(text, room, used, file->items ? "" : " arg(rd_u32, rd_own_nothing)",
               hands   ? " HAND_ARGS(buf, arg)"
               : least ? least_args
                       : "",
               "\n", "typedef struct {\n");
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_item *item = &file->item[i];
        used = add_line(file, item->line, i == 0, text, room, used);
        const char *kind = item->kind < OWN_ARRAY ? "" : item->kind == OWN_ARRAY ? "rd_global " : "rd_global const ";
        used = add(text, room, used, kind, rd__own_types[item->type].name, item->kind < OWN_ARRAY ? " " : " *",
                   item->name);
        used = add(text, room, used, ";\n", "", "", "");
    }
    used = add(text, room, used, file->items ? "" : "rd_u32 nothing;\n",
               hands   ? hand_fields
               : least ? least_fields
                       : "",
               "} rd_app;\n", hands ? hand_names : "");
    return least ? add(text, room, used, least_names, file->item[file->result].name, "\n", "") : used;
}

/* C++ takes a function of other parameters for another one, and misses this one: which it is to say of the line where
 * the user wrote it. */
static size_t write_line(const rd__own_file *file, uint32_t which, char *text, size_t room, size_t used)
{
    char mark[96];
    snprintf(mark, sizeof mark, "#ifdef RD_TARGET_CUDA\n#line %u ", file->function_line[which] - 1); /* then #endif */
    return strpbrk(file->label, "\"\\\n") ? used : add(text, room, used, mark, "\"", file->label, "\"\n#endif\n");
}

static size_t write_behind(const rd__own_file *file, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        if (is_asked(file, &functions[i]) && functions[i].type) {
            used = write_line(file, i, text, room, used);
            used = add(text, room, used, "rd_fn ", functions[i].type, " ", functions[i].name);
            used = add(text, room, used, functions[i].parameters, ";\n", "", "");
        }
    return used;
}

rd_status rd__own_kernel(rd__own_app *app, rd_error *err)
{
    RD_TRY(check_functions(&app->file, err));
    app->before = rd__malloc(BEFORE_ROOM + BEHIND_ROOM);
    if (!app->before)
        return rd__fail_memory(err, "declarations of an app", BEFORE_ROOM + BEHIND_ROOM);
    char *behind = app->before + BEFORE_ROOM;
    if (write_before(&app->file, 0, app->before, BEFORE_ROOM) >= BEFORE_ROOM ||
        write_behind(&app->file, behind, BEHIND_ROOM) >= BEHIND_ROOM)
        return rd__fail(err, RD_EINPUT, "%s: its declarations are too long", app->label);
    app->source.name = app->label;
    app->source.before = app->before;
    app->source.text = app->text;
    app->source.behind = behind;
    return RD_OK;
}

rd_status rd__own_kernel_parts(rd__own_app *app, rd_error *err)
{
    app->parts_before = rd__malloc(BEFORE_ROOM);
    if (!app->parts_before)
        return rd__fail_memory(err, "declarations of an app", BEFORE_ROOM);
    if (write_before(&app->file, 1, app->parts_before, BEFORE_ROOM) >= BEFORE_ROOM)
        return rd__fail(err, RD_EINPUT, "%s: its declarations are too long", app->label);
    app->parts_source.before = app->parts_before;
    return RD_OK;
}
