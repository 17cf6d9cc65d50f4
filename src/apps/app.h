/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app.h - what an app is on the host. An app declares its options, its buffers, its kernel arguments, its seeds and its
 * result, and brings an independent checker. It names no scheduler and no device; src/job/ puts them together.
 */
#ifndef RD_APP_H
#define RD_APP_H

#include "core/watch.h"
#include "sched/sched.h"

typedef struct rd__app rd__app;
typedef struct rd__app_option rd__app_option; /* common/options.h */
typedef struct rd__app_array rd__app_array;   /* common/arrays.h */
struct rd__facts;                             /* common/choose.h */
struct rd__choice;

/* What a new value of an option makes useless: each includes those before it. */
typedef enum rd__changes {
    RD__CHANGES_NOTHING, /* the next run takes it as it is */
    RD__CHANGES_PROGRAM, /* another kernel root may run: what the scheduler made */
    RD__CHANGES_BUFFERS, /* what is on the device */
    RD__CHANGES_INPUT,   /* what was made of the input: it is opened again */
} rd__changes;

struct rd_ranks; /* ranks/ranks.h */

/* How an app runs on several ranks; what kinds have in common is in src/job/, a file each. */
typedef enum rd__ranks_kind {
    RD__RANKS_LEAST = 1, /* searches: a word a vertex, of which the least offer counts (ranks_least.c) */
    RD__RANKS_SHARE,     /* fork-join tasks whose result is a sum (ranks_share.c) */
    RD__RANKS_LABELS,    /* components, of which parts have parts (ranks_labels.c) */
    RD__RANKS_OWN,       /* the app's own way */
    RD__RANKS_BOUND,     /* ranked tasks in memory of the app's own, and a bound for all (ranks_bound.c) */
} rd__ranks_kind;

/* Runs the engine once on this rank, from seeds until nothing is left, and adds to the report. */
typedef rd_status (*rd__slice_fn)(rd_job *job, const rd__seeds *seeds, rd_report *report, rd_error *err);

/* Of RD__RANKS_BOUND. */
typedef struct rd__app_bound {
    /* Before a run: everything as for a run by itself; first: with the first task, else with none. */
    rd_status (*begin)(rd_job *job, int first, rd_error *err);
    uint64_t (*count)(const rd_job *job); /* tasks that wait here */
    /* Runs them for a while, by slices; what is left waits again. */
    rd_status (*run)(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err);
    /* Takes about half of them out, as bytes for another rank, at most so many; of rd__array_new, or none. */
    rd_status (*give)(rd_job *job, uint64_t most, void **data, uint64_t *bytes, rd_error *err);
    rd_status (*take)(rd_job *job, const void *data, uint64_t bytes, rd_error *err);
    /* The best value found here; and the best of all, which may be higher. */
    uint64_t (*best)(const rd_job *job);
    rd_status (*hear)(rd_job *job, uint64_t best, rd_error *err);
    /* All that it has, to a file or from it. */
    rd_status (*freeze)(rd_job *job, struct rd__freeze *freeze, rd_error *err);
    /* All ranks, after the run: each gets the result. */
    rd_status (*end)(rd_job *job, rd_report *report, rd_error *err);
} rd__app_bound;

typedef struct rd__app_ranks {
    rd__ranks_kind kind;
    const char *root; /* the kernel root for a part */
    /* LEAST, LABELS: the words. LEAST: the vertex of the whole graph to start from (RD_NONE: the hub). */
    rd__buffer *(*values)(rd_job *job);
    uint32_t (*source)(const rd_job *job);
    /* LABELS: after a run, a vertex of the component that was taken for the largest; edges of it may have been passed
     * over where each edge of the whole graph is listed at both ends. Not a vertex: there is none. */
    rd_status (*largest)(rd_job *job, uint32_t *vertex, rd_error *err);
    /* LEAST: how wide the first window is. NULL: 1. */
    double (*window)(const rd_job *job);
    /* LEAST: are words the bits of floats? NULL: no. */
    int (*real)(const rd_job *job);
    /* LEAST: before a run, and where parents are wanted the place for them on the host. NULL: nothing, never. */
    rd_status (*begin)(rd_job *job, rd_error *err);
    uint32_t *(*parents)(rd_job *job);
    /* OWN: a whole run, and its checker; both by all ranks. LEAST: a checker where edges are not as the library's are,
     * or NULL. The result is to be in job->copy, with job->fetched set. */
    rd_status (*run)(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err);
    rd_status (*check)(rd_job *job, const rd_result *result, rd_error *err);
    /* SHARE: how many tasks it begins with. NULL: one. */
    uint32_t (*first_tasks)(const rd_job *job);
    const rd__app_bound *bound;
    /* LEAST, whose kernel does with the weight of an edge what rd__least_over says: notes that some word did not fit.
     * NULL: it does something else, or there are no weights. */
    rd_status (*too_long)(rd_job *job, rd_error *err);
    uint8_t weighted; /* LEAST: edges have weights; else each counts 1 */
    const char *far;  /* LEAST: what the words are: "depth" */
} rd__app_ranks;

/* Of a job that is one of several: what its rank's kernel is told, by the files of src/job/. */
typedef struct rd__ranks_run {
    uint32_t own, limit; /* LEAST */
    rd__buffer in, out;  /* SHARE: see apps/common/hand.k.h */
    uint32_t room, budget, root;
    uint64_t reached, vertices;      /* LEAST: of all ranks, for the answer */
    uint32_t farthest;               /* a word */
    uint32_t parents;                /* the result is parents */
    uint64_t tasks, messages, bytes; /* of this rank */
    uint64_t needed, records, batches;
    double idle_s;
    float base;       /* OWN: a number for the kernel */
    uint32_t best;    /* OWN, for the answer: a vertex, */
    float best_value; /* and its value */
} rd__ranks_run;

/* May an engine hand a run over to another: never, where that was measured to win, wherever it can? */
typedef enum rd__hands { RD__HANDS_OFF, RD__HANDS_AUTO, RD__HANDS_ON } rd__hands;

struct rd_job {
    const rd__app *app;
    void *state;                 /* the app's, app->state_bytes of it */
    rd_device *device;           /* held; NULL: only to be planned */
    const rd_graph *graph;       /* held */
    char *input;                 /* of RD_INPUT_TEXT: what the app has opened; NULL: nothing */
    rd__buffer row, col, weight; /* weight: of RD_INPUT_WEIGHTED */
    const rd__engine *engine;
    rd__sched_state *sched_state;
    const char *launch;
    const rd__engine *asked_engine; /* NULL: rd__choose decides */
    const char *asked_launch;       /* likewise */
    char why[512];                  /* the choice, in words */
    uint8_t is_deep;                /* a search of the graph has very many levels */
    char explained[1024];           /* the same, with the worker */
    rd__settings settings;          /* of schedulers */
    uint32_t worker, groups;
    uint32_t made_for[2];   /* groups and workers that the scheduler's state was made for; 0: all */
    struct rd_ranks *ranks; /* that it is one of, or NULL; the program's */
    uint32_t window;        /* as asked for; 0: by what it costs */
    rd__ranks_run part;
    struct rd__checkpoint *checkpoint; /* job/checkpoint.c; NULL: none are written */
    double timeout;
    double budget;             /* seconds of the run at hand, of one that is only tried; 0: as many as it takes */
    uint32_t learn;            /* rd__learn_mode */
    uint32_t hands;            /* rd__hands: may an engine hand a run over to another? */
    struct rd__memory *memory; /* job/remember.c: what its runs have taught */
    char *trace_path;          /* NULL: no trace is wanted */
    struct rd__trace *trace;   /* src/job/trace.c; NULL before the first run that has one */
    rd_progress_fn progress;
    void *progress_user;
    int uploaded;     /* input and the app's buffers are on the device */
    int ready;        /* and kernels and the scheduler's buffers fit the options */
    uint32_t running; /* in rd_job_run, which calls the program back; atomic */
    int has_run;
    int shares;                  /* it was started: what the scheduler makes can give the device to others */
    rd__turn *turn;              /* of a run that was started, while it has or waits for the device */
    const rd__pause *pause;      /* likewise: whether it is to be written to a file */
    char *frozen;                /* the file that the next run goes on from, or NULL */
    struct rd__started *started; /* job/start.c: from rd_job_start to rd_job_wait; else NULL */
    /* of the last run: */
    rd_report last;
    char answer[160];   /* once it was asked for */
    void *copy;         /* the result, of apps whose arrays say which it is: on a CPU the array itself, */
    void *kept;         /* else this, on the host */
    int fetched;        /* it, or what the app fetches by itself, is there */
    int measured;       /* and counted: the app's measures of it are in `last` */
    double download_s;  /* that took */
    int stopped;        /* the last run was stopped before its end, and its result is what was found until then */
    uint64_t allocated; /* bytes on the device, for this job */
    double compile_s, upload_s; /* not yet reported */
};

/* Whoever is to hear of what the job does. */
static inline rd__watch rd__job_watch(const rd_job *job)
{
    return (rd__watch){job->progress, job->progress_user};
}

enum { RD__APP_MAX_ARGS = 16 };

/* Whether an engine without rounds may go on from what its arrays hold between two rounds. */
typedef enum rd__moves {
    RD__MOVES_NEVER,
    RD__MOVES_LATE, /* without rounds tasks may be run again: only when most are done */
    RD__MOVES,
} rd__moves;

/* What is NULL or 0 is not there: then the comment says what happens. */
struct rd__app {
    rd_app_info info;
    /* Its kernel roots, ended by NULL; NULL: one that has its name. Which engines it runs under follows from them. */
    const char *const *roots;
    const rd__app_option *options; /* what info.options set, ended by key NULL */
    const rd__app_array *arrays;   /* on device and host, ended by name NULL */
    rd__forkjoin forkjoin;         /* of fork-join roots */
    const rd__app_ranks *ranks;    /* NULL: it does not run on several ranks */
    uint8_t all_seeds;             /* it starts with every vertex */
    rd__moves moves;               /* of apps that are alike */
    uint8_t needs_symmetric;       /* graphs that are not are refused */
    uint8_t partial;               /* a run that was stopped (timeout, cancelled) has a result all the same */
    size_t state_bytes;
    /* Into zeroed state, after the defaults of options: what they do not say. */
    void (*init)(rd_job *job);
    /* Reads an option that is RD__OPTION_OWN. */
    rd_status (*set)(rd_job *job, const char *key, const char *value, rd_error *err);
    /* Of RD_INPUT_TEXT: opens the input, in place of an earlier one. */
    rd_status (*open)(rd_job *job, const char *text, rd_error *err);
    /* Frees what init, set and open made. Called once, after free. */
    void (*close)(rd_job *job);
    /* Do options and input fit together? NULL: always. */
    rd_status (*validate)(rd_job *job, rd_error *err);
    /* How many items an array has that has some bytes for each. NULL: as many as there are vertices. */
    uint64_t (*items)(const rd_job *job);
    /* Buffers besides `arrays`. */
    void (*plan)(const rd_job *job, rd_plan *plan);
    rd_status (*alloc)(rd_job *job, rd_error *err);
    void (*free)(rd_job *job);
    /* (optional) Lists all of those that a run changes, so that it can be paused to a file. */
    rd_status (*freeze)(rd_job *job, struct rd__freeze *freeze, rd_error *err);
    /* Of the root that runs, packed by its struct: model/args.h. @return how many. */
    uint32_t (*args)(rd_job *job, rd__arg *args);
    /* Of sweeps that walk another graph than job->graph: sets view->input. Of apps that start with every vertex in an
     * order of their own: sets view->frontier.order. Of those whose options keep them from pulling: clears
     * view->frontier.pulls. NULL: never. */
    void (*bind_input)(rd_job *job, rd__sched_job *view);
    /* Of planes: the first tasks. */
    void (*plane)(const rd_job *job, rd__plane *plane);
    /* Of task graphs: how many tasks. */
    void (*dag)(const rd_job *job, rd__dag *dag);
    /* The rule for defaults, from what is cheap to know. NULL: the first engine that it runs under. */
    void (*choose)(const rd_job *job, const struct rd__facts *facts, struct rd__choice *choice);
    /* Of an app that has roots of several models under one policy: is this engine, another one of the policy that was
     * chosen, the better one for the job's device and input? NULL: no. */
    int (*prefers)(const rd_job *job, const rd__engine *engine);
    /* Does it come to the same result, word for word, under every engine? Then a job may change between them. NULL: no.
     */
    int (*alike)(const rd_job *job);
    /* The root to run under job->engine, of those for its model. NULL: the first. */
    const char *(*root)(const rd_job *job);
    /* What is constant in a run, as "-DA=1 -DB=0"; static. GPUs compile a kernel for it, so that what an option leaves
     * out costs nothing there; elsewhere kernels have to ask. NULL: nothing. Options that it follows change the
     * program.
     */
    const char *(*constants)(const rd_job *job);
    /* An app that has two ways, one of which may take very much longer than the other: seconds after which the run is
     * given up and begun anew, the other way (give_up, which it is not asked about again). 0: it may take its time. */
    double (*patience)(const rd_job *job);
    void (*give_up)(rd_job *job);
    /* Puts buffers into their first state, where `arrays` do not, and names the seeds: *seeds are all vertices already
     * with all_seeds, else one of fork-join roots, else an empty list. NULL: that will do. */
    rd_status (*start)(rd_job *job, rd__seeds *seeds, rd_error *err);
    /* After a run to the end: another stage? Then *more is 1, and *seeds, an empty list on entry, names its seeds.
     * `report` is that of all stages so far. NULL: there is one stage. */
    rd_status (*next)(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err);
    /* Between launches of a long run, where the scheduler can: how it goes. NULL: never. */
    void (*look)(rd_job *job, const rd__look *look);
    /* After a run: may its result be used? NULL: yes. */
    rd_status (*finish)(rd_job *job, rd_error *err);
    /* After a run: the app's measures, from what the host knows by then: nothing here takes the longer the larger the
     * input is, since whoever repeats a run waits for it. */
    void (*report)(rd_job *job, rd_report *report);
    /* Measures that have to be counted in the result, when someone asks for them (rd_job_measure). */
    void (*measure)(rd_job *job, const rd_result *result, rd_report *report);
    /* Brings the result to the host; once after a run, when it is asked for. NULL: the array that is the result is
     * copied. */
    rd_status (*fetch)(rd_job *job, rd_error *err);
    /* What the result is. It is filled in already for apps with an array that is the result, and for fork-join ones,
     * whose result is the sum of what root tasks returned. */
    void (*result)(const rd_job *job, rd_result *result);
    /* The answer in one line for people, without its end: what the run was for, no counters. NULL: the result's name
     * and how many values it has. */
    void (*answer)(const rd_job *job, const rd_result *result, char *text, size_t room);
    rd_status (*check)(rd_job *job, const rd_result *result, rd_error *err);
    /* Writes the result, which was fetched, to a file in a form of its own; NULL: values one a line will do. */
    rd_status (*save)(rd_job *job, const char *path, rd_error *err);
    /* rd_job_bind and rd_job_read, of arrays by name. NULL: it has none. */
    rd_status (*bind)(rd_job *job, const char *name, void *data, uint64_t count, uint32_t how, rd_error *err);
    rd_status (*read)(rd_job *job, const char *name, rd_result *result, rd_error *err);
    /* Of own apps: the engines they run under, ended by NULL. NULL: apps.c finds them. */
    const rd__engine *const *engines;
};

/* Is the job one of several? */
int rd__job_in_parts(const rd_job *job);
/* Is what the job is going to run in rounds? */
int rd__job_in_rounds(const rd_job *job);
/* The engines that an app runs under, each policy once, ended by NULL; and that of a policy, or NULL. */
const rd__engine *const *rd__app_engines(const rd__app *app);
const rd__engine *rd__app_engine(const rd__app *app, const char *policy);
/* @return the app of that name, or NULL. */
const rd__app *rd__app_find(const char *name);

extern const rd__app *const rd__apps[]; /* ended by NULL */

#endif
