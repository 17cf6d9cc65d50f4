/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h - what a task is, for the host. A model is one kind of task; its header NAME.k.h beside this file is the
 * whole contract of its apps: what they define, what is optional, what they are promised. A policy says who runs which
 * task next; an engine (sched/engines.def) is one policy for one model.
 *
 *   frontier   vertices of a graph, with a function for each edge, or for a whole vertex
 *   sweep      all vertices, phase after phase
 *   forkjoin   tasks that spawn others and may wait for what those return
 *   ranked     tasks with a rank: the least first, where the policy has an order
 *   dag        tasks that run when what they wait for is done
 *   plane      the items of a rectangle, which may give further tasks
 *
 * Which model a kernel root is written for, and what its text says of itself (traits), is found when the library is
 * built: tools/programs.sh.
 */
#ifndef RD_MODEL_H
#define RD_MODEL_H

#include "device/device.h"

typedef enum rd__model {
    RD__MODEL_NONE, /* a program by itself */
    RD__MODEL_FRONTIER,
    RD__MODEL_SWEEP,
    RD__MODEL_FORKJOIN,
    RD__MODEL_RANKED,
    RD__MODEL_PLANE,
    RD__MODEL_DAG,
} rd__model;

/* RD__TRAIT_NAME: RD_APP_NAME in the text, each a bit. */
enum {
#define TRAIT(name) RD__TRAIT_AT_##name,
#include "model/traits.def"
#undef TRAIT
#define TRAIT(name) RD__TRAIT_##name = 1 << RD__TRAIT_AT_##name,
#include "model/traits.def"
#undef TRAIT
};

typedef struct rd__root {
    const char *name, *path;
    rd__model model;
    uint32_t traits;
} rd__root;

/* @return the kernel root of that name, or NULL. */
const rd__root *rd__root_find(const char *name);
/* Loads the program of that name, of those the library was built with. defines: as in rd__program_spec. */
rd_status rd__program_load_named(rd_device *device, const char *name, uint32_t lanes, const char *defines, int places,
                                 rd__program **program, rd_error *err);
/* @return 1 when there is one. */
int rd__program_exists(const char *name);
/* @return 1 when it is an own app's, which every device compiles when it is needed, unless that was done ahead. */
int rd__program_is_own(const char *name);

/* Adds a root that the library was not built with, for the life of the process: an own app's. Names are new. What is
 * pointed to stays where it is. */
typedef struct rd__own_root {
    rd__root root;
    const struct rd__own_source *source;
    struct rd__own_root *next;
} rd__own_root;
void rd__root_add(rd__own_root *root);
/* And a program of it: with the engine whose kernels are this file, and its constants. */
typedef struct rd__own_program {
    char name[64];
    const char *engine, *constants;
    const rd__own_root *root;
    struct rd__own_program *next;
} rd__own_program;
void rd__program_add(rd__own_program *program);
/* As rd__program_write. */
rd_status rd__program_write_own(const rd__own_program *program, char **text, uint64_t key[2], rd_error *err);
/* Compiles such a program for a kind of device, as rd__program_compile does. */
rd_status rd__program_compile_own(const rd__own_program *program, const char *kind, uint32_t lanes, rd_error *err);

/* ---- What a job hands to an engine, by model ---- */

/* Of frontiers and sweeps: the graph, and where it is on the device. */
typedef struct rd__graph_input {
    const rd_graph *graph; /* NULL: the app has none */
    const rd__buffer *row, *col;
    const rd_csr *walked; /* the host's look at row and col where they are not graph's own, else NULL */
} rd__graph_input;

typedef struct rd__frontier {
    uint8_t repeats;         /* RD__TRAIT_REPEATS */
    uint8_t urgent;          /* RD__TRAIT_URGENT */
    uint8_t pulls;           /* RD__TRAIT_PULLS */
    uint8_t late;            /* RD__TRAIT_LATE */
    uint8_t deep;            /* a search of the graph has very many levels, of few vertices each */
    uint8_t all_seeds;       /* every vertex is a seed: how many run at once counts more than how soon one is done */
    const rd__buffer *order; /* all vertices, in the order in which they are seeds; NULL: as the seeds say */
} rd__frontier;

/* The tasks that a run starts from. Of frontiers they are vertices, of ranked tasks the data words of tasks of rank 0,
 * always as a list; of fork-join tasks only `count` counts: the kernel makes them. Each vertex is a seed once: what a
 * list on the host names again is dropped; who gives a buffer promises that it holds none twice. There may be none:
 * then the run is over at once. */
typedef enum rd__seed_kind {
    RD__SEEDS_LIST,   /* `vertex`, on the host */
    RD__SEEDS_BUFFER, /* `buffer`, on the device, from word `first` on */
    RD__SEEDS_ALL,    /* every vertex: by number, scattered, or in frontier.order */
    RD__SEEDS_WHERE,  /* where the app's rd_app_is_seed says so (model/frontier.k.h), of all vertices, or of those of
                         which it said `later` the last time; with RD_APP_DUE all wait for their phases */
} rd__seed_kind;

typedef struct rd__seeds {
    rd__seed_kind kind;
    uint32_t count; /* of LIST and BUFFER */
    const uint32_t *vertex;
    const rd__buffer *buffer;
    uint32_t first;
    uint32_t scatter; /* ALL: neighbours far apart */
    uint32_t later;   /* WHERE: only those of which it was said */
    uint32_t one;     /* room for a list of one */
} rd__seeds;

static inline void rd__seeds_one(rd__seeds *seeds, uint32_t vertex)
{
    seeds->kind = RD__SEEDS_LIST;
    seeds->one = vertex;
    seeds->vertex = &seeds->one;
    seeds->count = 1;
}

/* As in the app's kernel source: RD_TASK_WORDS, RD_TASK_CHILDREN, RD_TASK_JOIN. */
typedef struct rd__forkjoin {
    uint32_t words, children, join;
} rd__forkjoin;

typedef struct rd__plane {
    uint32_t columns, rows; /* of items; each is a task */
    uint32_t gives;         /* most tasks that a task gives */
    uint32_t depth;         /* most tasks one below the other, items included */
    uint32_t pack;          /* tasks that a lane runs at once where groups have one lane */
} rd__plane;

typedef struct rd__dag {
    uint32_t known; /* tasks that there are beforehand: numbers below this */
    uint32_t most;  /* that there may be, with those that tasks make */
} rd__dag;

#endif
