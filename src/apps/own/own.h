/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own.h - apps that come while the program runs: one file in the dialect, whose declarations say what the host side of
 * the library's own apps says in C. docs/own-tasks.md teaches it.
 *
 *   scan.c, expression.c   the text: declarations, sums
 *   declare.c              what declarations mean: rd__own_file
 *   kernel.c               what goes before and behind the text for compilers; what each model asks of it
 *   arrays.c, run.c        its arrays, and the rest of an app (apps/app.h)
 *   parts.c, least.k.h     on several ranks
 *   check.c                its serial function, for rd_job_check
 *   check_parts.c          the same on several ranks
 *   register.c             rd_app_register
 *   ahead.c                rd_app_write
 */
#ifndef RD_APPS_OWN_H
#define RD_APPS_OWN_H

#include "apps/app.h"
#include "apps/own/expression.h"
#include "device/source.h"

enum {
    RD__OWN_SETS = 8,
    RD__OWN_CONSTANTS = 8,
    RD__OWN_TEXT_MOST = 1 << 20,
    RD__OWN_PROGRAMS = 32,
    RD__OWN_FUNCTIONS = 32
};

#define RD__OWN_CHECK_ROOT "apps/own/check.k.h"

typedef enum rd__own_type { OWN_U32, OWN_I32, OWN_U64, OWN_I64, OWN_F32, OWN_F64, OWN_TYPES } rd__own_type;

typedef enum rd__own_kind {
    OWN_OPTION,  /* a number that the user sets */
    OWN_SCALAR,  /* a number that is computed of options */
    OWN_SOURCE,  /* the vertex to start from */
    OWN_STAGE,   /* the number of the stage */
    OWN_ARRAY,   /* */
    OWN_WEIGHTS, /* the graph's arrays: */
    OWN_ROWS,
    OWN_TARGETS,
} rd__own_kind;

/* A kernel argument, in the order of declarations. Texts are the app's. */
typedef struct rd__own_item {
    rd__own_kind kind;
    rd__own_type type;
    unsigned line;
    char name[RD__OWN_NAME_ROOM];
    const char *value; /* of options the default, of scalars the sum, of arrays the first value */
    const char *length, *help;
    double least, most;
} rd__own_item;

/* RD_SET(array, index, value) */
typedef struct rd__own_set {
    unsigned line;
    uint32_t item;
    const char *index, *value;
} rd__own_set;

/* RD_CONSTANT(name, sum): what GPUs compile its kernels for. */
typedef struct rd__own_constant {
    unsigned line;
    const char *name, *value;
} rd__own_constant;

typedef enum rd__own_seeds { OWN_SEEDS_COUNT, OWN_SEEDS_ALL, OWN_SEEDS_WHERE, OWN_SEEDS_SOURCE } rd__own_seeds;

/* What a file declares. */
typedef struct rd__own_file {
    const char *label; /* of the file, for messages */
    char name[RD__OWN_NAME_ROOM];
    const char *text; /* one line */
    rd__model model;
    uint32_t traits;
    unsigned model_line;
    uint32_t items;
    rd__own_item item[RD__APP_MAX_ARGS];
    uint32_t sets;
    rd__own_set set[RD__OWN_SETS];
    uint32_t constants;
    rd__own_constant constant[RD__OWN_CONSTANTS];
    int result; /* the item, or -1: the sum of what tasks return */
    rd__own_type sum_type;
    unsigned result_line;
    const char *result_name;
    rd__own_seeds seeds;
    const char *seed_count;
    unsigned seeds_line;
    int flag; /* RD_STAGES: the array whose first word says that there is another one; -1: there is one stage */
    const char *flag_name;
    unsigned flag_line;
    const char *columns, *rows, *depth; /* RD_PLANE */
    unsigned plane_line;
    const char *tasks, *tasks_most; /* RD_TASKS; most: NULL, the same */
    unsigned tasks_line;
    const char *sample;
    uint8_t symmetric, weighted, uses_f64;
    uint32_t functions; /* that it defines: bits by the place in the model's table, kernel.c */
    unsigned function_line[RD__OWN_FUNCTIONS];
    int has_check;
    /* #define in the text; 0: it has none */
    uint32_t words, children, join, has_join, gives, pack, adds, least, has_gives, has_releases;
} rd__own_file;

/* A registered app. The first field is what the rest of the library sees. */
typedef struct rd__own_app {
    rd__app app;
    rd__own_file file;
    rd__own_source source;
    rd__own_root root;
    char root_name[RD__OWN_NAME_ROOM + 16]; /* its kernel root's: the app's, unless the library has such a root */
    const char *roots[2];
    char *given, *text, *label, *pool; /* as it came; for compilers; the name of its file; texts of declarations */
    size_t pool_used;
    char *before;
    rd_option_info *infos;
    rd__app_option *options;
    enum { OWN_ENGINES = 32 } engines_most;
    const rd__engine *engine[OWN_ENGINES];
    const char *policy[OWN_ENGINES];
    const char *samples[2];
    const char *arrays[RD__APP_MAX_ARGS + 1];
    rd__own_program *programs;
    rd_app_info info; /* as the public sees it */
    /* on several ranks, where it can be: the same for its other root, of parts.c */
    rd__app_ranks ranks;
    rd__own_source parts_source;
    rd__own_root parts;
    char parts_name[RD__OWN_NAME_ROOM + 24];
    char *parts_before, *parts_text;
    rd__own_program *parts_programs;
    struct rd__own_app *next;
} rd__own_app;

/* One array bound by rd_job_bind. */
typedef struct rd__own_bound {
    void *data;
    uint64_t count;
    uint32_t how;
    uint8_t is;
} rd__own_bound;

typedef struct rd__own_state {
    uint32_t source, ran_source, stage;
    union {
        uint32_t u32;
        uint64_t u64;
        double real;
    } value[RD__APP_MAX_ARGS]; /* of options */
    rd__buffer buffer[RD__APP_MAX_ARGS];
    rd__own_bound bound[RD__APP_MAX_ARGS];
    char constants[RD__OWN_CONSTANTS * (RD__OWN_NAME_ROOM + 16)]; /* as compilers take them */
    void *copy;                                                   /* of the array that was read last */
    uint32_t *indegree; /* of the graph's vertices, where an array begins with it */
} rd__own_state;

/* Does it take a graph: by its model, or because it asks for arrays of one? */
static inline int rd__own_takes_graph(const rd__own_file *file)
{
    int asks = file->model == RD__MODEL_FRONTIER || file->model == RD__MODEL_SWEEP;
    for (uint32_t i = 0; i < file->items; i++)
        asks |= file->item[i].kind >= OWN_WEIGHTS;
    return asks;
}

extern const struct rd__own_type_info {
    const char *name;
    uint32_t bytes;
    rd_result_kind kind;
} rd__own_types[OWN_TYPES];

static inline const rd__own_app *rd__own_of(const rd_job *job)
{
    return (const rd__own_app *)(const void *)job->app;
}

/* declare.c: reads the declarations of app->text, which gets blanks in their place. */
rd_status rd__own_declare(rd__own_app *app, rd_error *err);
/* kernel.c: are all functions there that the model asks for? Then source.before and .behind. */
rd_status rd__own_kernel(rd__own_app *app, rd_error *err);
/* The same for parts_source: with arguments for handing tasks over, or of a search. */
rd_status rd__own_kernel_parts(rd__own_app *app, rd_error *err);
/* parts.c: where it can run on several ranks, what compilers get for that: parts_text, which is NULL elsewhere. */
rd_status rd__own_parts(rd__own_app *app, rd_error *err);
/* Notes that the text has a function of this name. */
void rd__own_note_function(rd__own_file *file, const char *name, unsigned line);
/* arrays.c */
/* The vertex to start from, by its number in the job's graph; RD_NONE: of several ranks another has it, or none. */
uint32_t rd__own_start_vertex(const rd_job *job);
rd_status rd__own_length(const rd_job *job, const rd__own_item *item, uint64_t *length, rd_error *err);
/* Is it a number below 0 that the type has? Sums have none. *bits: the number. */
int rd__own_is_negative(rd__own_type type, const char *text, uint64_t *bits);
rd_status rd__own_sum(const rd_job *job, const char *text, unsigned line, uint64_t *value, rd_error *err);
rd_status rd__own_validate(rd_job *job, rd_error *err);
void rd__own_plan(const rd_job *job, rd_plan *plan);
rd_status rd__own_alloc(rd_job *job, rd_error *err);
void rd__own_free(rd_job *job);
rd_status rd__own_freeze(rd_job *job, struct rd__freeze *freeze, rd_error *err);
rd_status rd__own_fill(rd_job *job, rd_error *err);
rd_status rd__own_finish(rd_job *job, rd_error *err);
rd_status rd__own_fetch(rd_job *job, rd_error *err);
rd_status rd__own_bind(rd_job *job, const char *name, void *data, uint64_t count, uint32_t how, rd_error *err);
rd_status rd__own_read(rd_job *job, const char *name, rd_result *result, rd_error *err);
/* run.c: fills app->app but for its info. */
void rd__own_make_app(rd__own_app *app);
uint32_t rd__own_args(rd_job *job, rd__arg *args);
/* check.c; by all ranks of a search: check_parts.c */
rd_status rd__own_check(rd_job *job, const rd_result *result, rd_error *err);
rd_status rd__own_check_parts(rd_job *job, const rd_result *result, rd_error *err);
/* What it looks at: the job's graph and its array, or all of both. */
typedef struct rd__own_looked {
    rd_csr csr;
    const uint32_t *word; /* NULL: the array on the device */
    uint32_t source;
} rd__own_looked;
rd_status rd__own_check_whole(rd_job *job, const rd_result *result, const rd__own_looked *looked, rd_error *err);
/* register.c: reads a text, and registers nothing. */
rd_status rd__own_open(const char *text, const char *label, rd__own_app **app, rd_error *err);
void rd__own_forget(rd__own_app *app);
/* @return the own app of that name, or NULL. */
const rd__app *rd__own_find(const char *name);

#endif
