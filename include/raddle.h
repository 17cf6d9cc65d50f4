/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raddle.h - the public C API of Raddle, a scheduler for irregular work.
 *
 * A run = app x scheduler x launch x worker x device. A program
 *
 *   1. opens a device            rd_device_open(NULL, NULL, &dev, &err)
 *   2. opens a graph             rd_graph_open("kron:20", NULL, &graph, &err)
 *   3. makes a job of an app     rd_job_create(dev, "bfs", &job, &err)
 *   4. sets what it wants        rd_job_set(job, "source", "17", &err)
 *   5. gives it the graph        rd_job_set_graph(job, graph, &err)
 *   6. runs it, reads it         rd_job_run(job, &report, &err); rd_job_result(job, &result, &err)
 *   7. may have it checked       rd_job_check(job, &err)
 *
 * Rules that hold for every function here:
 *   - It returns RD_OK (0) or a negative rd_status, and then *err (when err is not NULL) says what
 *     went wrong, where, and what to do about it.
 *   - It never exits, aborts or prints. Messages go to the callback of rd_set_log.
 *   - NULL for a pointer that is needed is RD_EARG. Destroy and close functions accept NULL; so do functions
 *     that return no status, and then give nothing: 0, "", NULL, an empty struct.
 *   - Option structs start with `size`: set it to sizeof the struct, zero the rest for defaults.
 *
 * Threads. Functions may be called from any thread, and by several at once as long as each has a device and jobs of its
 * own. A graph may be used by all of them at once: nothing that can be seen of it changes. Opening and listing devices
 * need no lock of the program's. A device does one thing at a time: a run on one that is at work, for another thread or
 * for the job whose callback is being called, is RD_EDEVICE; a call on a job that is running is RD_EARG. That is a help
 * against mistakes, not a lock: destroy jobs, heaps and devices when no other thread uses their device. Callbacks may
 * use other objects; rd_job_destroy on the job that calls back does nothing. rd_set_log and rd_set_allocator come
 * first, before other threads use the library.
 *
 * Lifetime. What is used is held: a graph lives until rd_graph_destroy and until no job has it, a device until
 * rd_device_close and until nothing is left on it. So the order of destroying does not matter. What is borrowed
 * (rd_csr, rd_result, texts) lives as long as whom it was got from says, and after rd_graph_destroy is not the
 * program's any more. On a device that was closed nothing can be run (RD_EDEVICE); results of earlier runs can be read
 * and checked.
 *
 * Fork. A child of fork() has the graphs, and none of the threads. What is on devices that were opened before is
 * RD_EDEVICE there, and can be closed; the child opens its own. Of OpenCL and CUDA it cannot when the parent had used
 * them: fork first.
 */
#ifndef RADDLE_H
#define RADDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RD_VERSION_MAJOR  0
#define RD_VERSION_MINOR  1
#define RD_VERSION_PATCH  0
#define RD_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define RD_API __attribute__((visibility("default")))
#else
#define RD_API
#endif

/* ---- 1. Status, errors, log, memory ------------------------------------------------------ */

/* name, value, exit code of the raddle command, meaning */
#define RD_STATUS_LIST(X)                                                                                              \
    X(RD_OK, 0, 0, "success")                                                                                          \
    X(RD_EWRONG, -1, 1, "the checker found a wrong result")                                                            \
    X(RD_EARG, -2, 2, "bad argument or option")                                                                        \
    X(RD_EINPUT, -3, 3, "bad input data")                                                                              \
    X(RD_EIO, -4, 3, "a file could not be read or written")                                                            \
    X(RD_ENOMEM, -5, 4, "out of memory on the host or the device")                                                     \
    X(RD_EDEVICE, -6, 4, "a device is absent or a device call failed")                                                 \
    X(RD_EBUILD, -7, 4, "a kernel could not be compiled for the device")                                               \
    X(RD_ETIMEOUT, -8, 5, "the time allowed was used up")                                                              \
    X(RD_ECANCELLED, -9, 5, "the caller asked the run to stop")

typedef enum rd_status {
#define RD_STATUS_ENUM(name, value, exit_code, text) name = value,
    RD_STATUS_LIST(RD_STATUS_ENUM)
#undef RD_STATUS_ENUM
} rd_status;

#define RD_ERROR_TEXT 1024

/* Owned by the caller; filled by the first failing call it is given to. */
typedef struct rd_error {
    rd_status status;
    char text[RD_ERROR_TEXT]; /* one or more sentences, no trailing newline */
} rd_error;

/* @return a static string: "RD_EINPUT", and its meaning. Unknown codes get "RD_?". */
RD_API const char *rd_status_name(rd_status status);
RD_API const char *rd_status_text(rd_status status);
/* @return the exit code the raddle command uses for this status (0..5). */
RD_API int rd_status_exit_code(rd_status status);
RD_API const char *rd_version(void); /* RD_VERSION_STRING of the library that is really loaded */
/* @return one line on how the library was built: compiler, commit, optional libraries. Static. */
RD_API const char *rd_build_info(void);

typedef enum rd_log_level { RD_LOG_ERROR, RD_LOG_WARN, RD_LOG_INFO, RD_LOG_DEBUG } rd_log_level;
typedef void (*rd_log_fn)(void *user, rd_log_level level, const char *text);
/* Sends messages of `level` and more serious ones to fn. NULL (the default) drops them. Call it before
 * other threads use the library. */
RD_API void rd_set_log(rd_log_fn fn, void *user, rd_log_level level);

/* Replaces the allocator of the whole library (host memory). All three or none (NULL: the C library's).
 * Call it before anything else; functions must be thread-safe. */
typedef void *(*rd_malloc_fn)(size_t bytes);
typedef void *(*rd_realloc_fn)(void *ptr, size_t bytes);
typedef void (*rd_free_fn)(void *ptr);
RD_API rd_status rd_set_allocator(rd_malloc_fn malloc_fn, rd_realloc_fn realloc_fn, rd_free_fn free_fn);
/* Frees arrays that the library handed over to the caller (each such function says so). */
RD_API void rd_free(void *ptr);

/* Called from time to time during long work, by the thread that called the library.
 * done/total count `unit`s; total is 0 when it is not known. Non-zero stops the work (RD_ECANCELLED). */
typedef int (*rd_progress_fn)(void *user, const char *what, uint64_t done, uint64_t total, const char *unit);

/* ---- 2. Devices -------------------------------------------------------------------------- */

typedef struct rd_device rd_device;

typedef struct rd_device_info {
    char name[32];             /* what rd_device_open takes: "cpu", "cuda:0", "opencl:0.1" */
    char backend[16];          /* "cpu", "cuda", "opencl" */
    char model[128];           /* what its maker calls it */
    char driver[128];          /* driver or platform version */
    char reason[256];          /* why it cannot be used; empty when it can */
    uint64_t memory;           /* bytes, all of it */
    uint64_t memory_free;      /* bytes free now; 0 when the device does not say */
    uint64_t memory_max_alloc; /* largest single buffer in bytes */
    uint32_t compute_units;    /* cores, multiprocessors, compute units */
    uint32_t resident_lanes;   /* lanes that can be resident at once; 0 when the device does not say */
    uint32_t max_group;        /* most lanes in one group */
    uint32_t warp;             /* lanes that run in lockstep; 1 on a CPU */
    uint32_t local_bytes;      /* group-local memory */
    uint8_t usable;            /* 0: see reason */
    uint8_t is_gpu;
    uint8_t reserved[6];
} rd_device_info;

/* Lists every device; a back end with no device at all contributes one entry with usable = 0 and the reason.
 * *list is freed with rd_free. */
RD_API rd_status rd_device_list(rd_device_info **list, size_t *count, rd_error *err);

typedef struct rd_device_options {
    size_t size;
    uint32_t threads; /* cpu: number of worker threads, at most 4096; 0 = one for each core this process may use */
    uint8_t no_pin;   /* cpu: do not pin threads to cores */
    uint8_t no_cache; /* do not read or write the on-disk cache of compiled kernels */
    uint8_t debug; /* cpu: guards around buffers; an own app that touches what is outside of an array is RD_EDEVICE with
                      the array's name. Takes SIGSEGV and SIGBUS of the process */
    uint8_t reserved[1];
} rd_device_options;

/* Opens a device. name: NULL or "auto" (the first GPU that works, else the CPU), "cpu", "cpu:T" (T threads),
 * "cpu:TxW" (for tests: T groups of W lanes; at most 4096 lanes), "cuda", "cuda:N", "opencl",
 * "opencl:P.D".
 * @return RD_EARG for a name that names nothing, RD_EDEVICE for a device that is not here or does not work. */
RD_API rd_status rd_device_open(const char *name, const rd_device_options *options, rd_device **device, rd_error *err);
/* Jobs, heaps and microbenchmarks that are left on the device keep it until they are destroyed too. */
RD_API void rd_device_close(rd_device *device);
/* @return what the device is; for NULL an entry that is not usable. */
RD_API const rd_device_info *rd_device_get_info(const rd_device *device);

/* ---- 3. Graphs --------------------------------------------------------------------------- */

#define RD_VERTEX_MAX 4294967294u /* most vertices: ids are 32 bits and 2^32-1 means "none" */
#define RD_NONE       4294967295u

typedef struct rd_graph rd_graph;

/* A borrowed look at a graph in CSR form: edges of v are col[row[v]] .. col[row[v+1]-1]. */
typedef struct rd_csr {
    uint32_t vertices;
    uint64_t edges;        /* directed: an undirected edge counts twice */
    const uint64_t *row;   /* vertices + 1 offsets */
    const uint32_t *col;   /* edges targets, ascending within a row unless rd_graph_options.shuffle_rows */
    const int32_t *weight; /* edges weights, or NULL; of real ones the words of rd_weight_word */
} rd_csr;

/* A real weight, a finite 32-bit float, as a word that has its order: words compare as the numbers do. Of numbers that
 * are not negative it is just the bits of the float. */
static inline int32_t rd_weight_word(float real)
{
    union {
        float real;
        int32_t word;
    } both = {real + 0.0f}; /* -0 is 0 */
    return both.word < 0 ? both.word ^ INT32_MAX : both.word;
}

static inline float rd_weight_real(int32_t word)
{
    const union {
        int32_t word;
        float real;
    } both = {word < 0 ? word ^ INT32_MAX : word};
    return both.real;
}

typedef struct rd_graph_options {
    size_t size;
    const char *format;      /* force a reader by name ("mtx", "el", ...); NULL: by content, then by name */
    uint8_t symmetrize;      /* add the reverse of each edge */
    uint8_t drop_loops;      /* drop edges v -> v */
    uint8_t drop_duplicates; /* keep one of parallel edges (the one of least weight) */
    uint8_t permute;         /* renumber vertices at random by seed */
    uint8_t round_weights;   /* round fractional weights of a file to the nearest integer */
    uint8_t verify;          /* .rdg: also check the content against its checksum, and what the header claims of it */
    uint8_t keep_weights;    /* weight_min and weight_max are only for input that has no weights of its own */
    uint8_t own_numbers;     /* forget what the file calls its vertices: rd_graph_name(v) is v */
    uint32_t threads;        /* at most 4096; 0: all cores */
    int32_t weight_min;      /* with weight_max > 0: draw weights uniformly from [min, max] by seed, */
    int32_t weight_max;      /*   equal on both directions of an edge */
    uint64_t seed;           /* 0: the default seed, RD_SEED */
    rd_progress_fn progress;
    void *progress_user;
    struct rd_ranks *ranks; /* of rd_graph_open_part (raddle/ranks.h), which sets it; else NULL */
    uint8_t order;          /* renumber vertices, after permuting: an rd_order */
    uint8_t shuffle_rows;   /* the edges of each vertex in random order, by seed; .rdg files cannot hold that */
    uint8_t real_weights;   /* weights are 32-bit floats: of text and drawn ones so, of arrays words of rd_weight_word.
                               A file of text that has fractions is read so by itself, unless round_weights is set */
} rd_graph_options;

typedef enum rd_order {
    RD_ORDER_GIVEN,     /* as they come */
    RD_ORDER_DEGREE,    /* most edges first; of equals the one that came first */
    RD_ORDER_DEGREE_UP, /* fewest edges first, likewise */
} rd_order;

#define RD_SEED 27491u

/* Opens what the command calls INPUT: a file, "-" for standard input, or a generator such as "kron:20",
 * "urand:20:16", "road:2048x2048:0.65", "tree:4:11", "path:100", "star:100". A name that contains ':' and
 * starts with a generator's name is a generator; "./" before a file name avoids that. */
RD_API rd_status rd_graph_open(const char *spec, const rd_graph_options *options, rd_graph **graph, rd_error *err);

/* Builds a graph from `edges` pairs source[i] -> target[i] (and weight[i] unless weight is NULL). Copies. */
RD_API rd_status rd_graph_from_edges(uint32_t vertices, uint64_t edges, const uint32_t *source, const uint32_t *target,
                                     const int32_t *weight, const rd_graph_options *options, rd_graph **graph,
                                     rd_error *err);
/* Builds a graph from CSR arrays, checked in full. Copies. Rows need not be sorted. */
RD_API rd_status rd_graph_from_csr(const rd_csr *csr, const rd_graph_options *options, rd_graph **graph, rd_error *err);

/* Writes a graph. format NULL: by the name's suffix. The file appears complete or not at all. "-": stdout. */
RD_API rd_status rd_graph_save(const rd_graph *graph, const char *path, const char *format, rd_error *err);
/* A job that was given the graph keeps it until it gets another one or is destroyed. */
RD_API void rd_graph_destroy(rd_graph *graph);

RD_API rd_csr rd_graph_csr(const rd_graph *graph);
/* The graph with every edge turned round; made on the first call and kept; several threads may ask at
 * once. A symmetric graph is its own. */
RD_API rd_status rd_graph_transpose(const rd_graph *graph, rd_csr *csr, rd_error *err);
/* @return where the graph came from: generator and seed, or file and options. Owned by the graph. */
RD_API const char *rd_graph_provenance(const rd_graph *graph);
/* Vertices here are 0, 1, 2 ...; files may count from 1, or use any numbers. @return what the file calls a vertex (its
 * own number, of what is no file; UINT64_MAX of none), and the vertex of that name or RD_NONE. .rdg files keep names.
 */
RD_API uint64_t rd_graph_name(const rd_graph *graph, uint32_t vertex);
RD_API uint32_t rd_graph_find(const rd_graph *graph, uint64_t name);
/* @return all names when reading (sparse ids) or `permute` renumbered vertices, else NULL. Owned by the graph. */
RD_API const uint64_t *rd_graph_ids(const rd_graph *graph);
/* @return 1 when each edge is known to have its reverse (with the same weight). */
RD_API int rd_graph_is_symmetric(const rd_graph *graph);
/* @return 1 when the weights are real, 32-bit floats: rd_weight_real. */
RD_API int rd_graph_has_real_weights(const rd_graph *graph);
/* @return 1 when the weights were drawn at random, because options asked for it. */
RD_API int rd_graph_has_drawn_weights(const rd_graph *graph);
/* @return the vertex of highest out-degree, lowest id on a tie; RD_NONE for a graph without vertices. */
RD_API uint32_t rd_graph_hub(const rd_graph *graph);
RD_API uint64_t rd_graph_max_degree(const rd_graph *graph); /* the highest out-degree */

typedef struct rd_graph_times {
    double read_s;  /* reading and parsing, or generating edges */
    double build_s; /* sorting into CSR */
} rd_graph_times;
RD_API rd_graph_times rd_graph_get_times(const rd_graph *graph);

typedef struct rd_name_text {
    const char *name;
    const char *text; /* one line */
} rd_name_text;
/* Tables of what this library knows, each ended by an entry whose name is NULL. */
RD_API const rd_name_text *rd_generators(void); /* name = syntax, e.g. "kron:SCALE[:DEGREE]" */
RD_API const rd_name_text *rd_readers(void);
RD_API const rd_name_text *rd_writers(void);

/* ---- 4. Jobs: an app with its options, on a device ---------------------------------------- */

typedef struct rd_job rd_job;

typedef struct rd_option_info {
    const char *key;     /* "source" */
    const char *value;   /* what the value looks like: "VERTEX"; "a|b|c": one of these; NULL for an on/off option */
    const char *initial; /* default as text; NULL: none */
    const char *text;    /* one line of help */
    char letter;         /* short flag of the command, or 0 */
} rd_option_info;

typedef enum rd_input {
    RD_INPUT_NONE,     /* the options say all */
    RD_INPUT_GRAPH,    /* rd_job_set_graph */
    RD_INPUT_WEIGHTED, /* the same, and the graph must have weights */
    RD_INPUT_TEXT,     /* rd_job_set_input: a file or a generator of the app's own */
} rd_input;

typedef struct rd_app_info {
    const char *name;              /* "bfs" */
    const char *text;              /* one line */
    const rd_option_info *options; /* of this app, ended by key NULL */
    const char *const *schedulers; /* that it runs under, ended by NULL */
    rd_input input;
    const char *input_name; /* of RD_INPUT_TEXT: "ITEMS", and lines of help on it, each ended by a newline */
    const char *input_text;
    const char *const *samples; /* of apps without a graph: small runs that show all it can, as "INPUT key=value ..."
                                   with the input only where it takes one; ended by NULL. The self-test runs them */
    uint8_t has_source;         /* takes a "source": drivers may run several */
    const char *file_suffixes;  /* of what rd_job_save writes: ".png .ppm"; NULL: it has no file of its own */
    const char *const *arrays;  /* of own apps: what rd_job_read and rd_job_bind know, ended by NULL; else NULL */
} rd_app_info;

/* @return the table of apps, ended by an entry whose name is NULL. */
RD_API const rd_app_info *rd_apps(void);
RD_API int rd_app_takes_graph(const rd_app_info *app); /* with weights or without */
/* @return options that every app has (sched, launch, worker, ...), ended by key NULL. */
RD_API const rd_option_info *rd_common_options(void);
/* @return 1 when that option of every app leaves this one a choice, 0 when any value comes to the same. */
RD_API int rd_app_has_choice(const rd_app_info *app, const char *key);
/* @return the schedulers with one line each, ended by an entry whose name is NULL. */
RD_API const rd_name_text *rd_schedulers(void);
/* @return the launches a scheduler has, ended by NULL, the first is its default; NULL for an unknown scheduler. */
RD_API const char *const *rd_scheduler_launches(const char *scheduler);
/* @return the options that a scheduler has for this app, ended by key NULL; NULL when the app does not run under it.
 * Options of the same name mean the same under every scheduler that has them. */
RD_API const rd_option_info *rd_scheduler_options(const char *app, const char *scheduler);

/* Own apps: a text in the kernel dialect whose declarations say what it needs (docs/own-tasks.md). Once registered it
 * is an app like any other, by the name that its RD_APP gives, for the life of the process; the same text again is
 * fine, another one of that name is RD_EARG. Where the library has an app of that name, the name means the registered
 * one from then on. What is wrong with its declarations is RD_EINPUT; its kernels are compiled
 * when a job is first run, which is RD_EBUILD when a compiler refuses them. label: what messages call it, usually the
 * file's name. info may be NULL; it is static. The text is a program: it runs with the rights of this process. */
RD_API rd_status rd_app_register(const char *text, const char *label, const rd_app_info **info, rd_error *err);
RD_API rd_status rd_app_register_file(const char *path, const rd_app_info **info, rd_error *err);
/* One program of an own app that was compiled ahead of time. Tables of them are written by rd_app_write. */
typedef struct rd_app_program {
    const char *name;
    uint64_t key[2]; /* what it was made of: one that this library would make of something else is not used */
    const void *(*kernels)(const void *hooks);
    const void *image; /* of GPUs: machine code, `bytes` of it; kernels is NULL */
    size_t bytes;
} rd_app_program;
/* Writes an own app as C into a folder that is there, to be compiled into a program that then needs no C compiler to
 * run it on CPUs: a file for each of its programs, and NAME.c with the function rd_status raddle_NAME_register(const
 * rd_app_info **info, rd_error *err); which does what rd_app_register did. GPUs get its text, as always. *files (may be
 * NULL): how many. */
RD_API rd_status rd_app_write(const char *app, const char *folder, size_t *files, rd_error *err);
/* The same, and machine code for GPUs, which then need no compiler either: devices that compile and do not run, opened
 * by an architecture, "cuda:sm_90" (machine code) or "cuda:compute_80" (PTX, for newer ones too), on which jobs of the
 * app were compiled (rd_job_compile) with the options, and for such an input, as they will run with. */
RD_API rd_status rd_app_write_for(const char *app, rd_device *const *devices, size_t count, const char *folder,
                                  size_t *files, rd_error *err);
/* What that function calls. The table stays the caller's, and has to be there as long as the process. */
RD_API rd_status rd_app_register_compiled(const char *text, const char *label, const rd_app_program *programs,
                                          size_t count, const rd_app_info **info, rd_error *err);
/* Compiles all programs of an own app for a kind of device (rd_device_info.backend) that need not be here: RD_EDEVICE
 * where that takes a device, RD_EBUILD when the compiler refuses it. *programs (may be NULL): how many. Runs nothing.
 */
RD_API rd_status rd_app_compile(const char *app, const char *kind, size_t *programs, rd_error *err);

/* Makes a job. device may be NULL for a job that is only planned against host limits. */
RD_API rd_status rd_job_create(rd_device *device, const char *app, rd_job **job, rd_error *err);
RD_API void rd_job_destroy(rd_job *job);
/* Sets an option of the app, a common one, or one of a scheduler that the app runs under. On/off options take "1" or
 * "0". An option of a scheduler other than the one the job runs under is refused by rd_job_plan and rd_job_run. */
RD_API rd_status rd_job_set(rd_job *job, const char *key, const char *value, rd_error *err);
/* The job holds the graph until it is given another one or destroyed; rd_graph_destroy may be called before. */
RD_API rd_status rd_job_set_graph(rd_job *job, const rd_graph *graph, rd_error *err);
/* Of apps that take RD_INPUT_TEXT: opens a file or generates. */
RD_API rd_status rd_job_set_input(rd_job *job, const char *text, rd_error *err);
RD_API void rd_job_set_progress(rd_job *job, rd_progress_fn progress, void *user);

typedef enum rd_bind {
    RD_BIND_COPY,  /* before each run the array gets what is there */
    RD_BIND_SHARE, /* and after each run it is there what tasks left; the device cpu uses the memory in place */
    RD_BIND_DEVICE /* memory of the device itself, used in place: a pointer on cpu, a CUdeviceptr, a cl_mem */
} rd_bind;
/* Of own apps: memory of the caller's for an array, in place of its declared first value. It stays the caller's, and
 * has to be there until the job is destroyed or the array bound again; data NULL: no more. count: values, as many as
 * the array has with the options of the run. */
RD_API rd_status rd_job_bind(rd_job *job, const char *array, void *data, uint64_t count, rd_bind how, rd_error *err);

#define RD_PLAN_MAX 24
/* Device memory, buffer by buffer. */
typedef struct rd_plan {
    size_t count;
    struct rd_plan_item {
        const char *name; /* static */
        uint64_t bytes;
        uint8_t is_graph;  /* part of the graph, not of the app's or the scheduler's own state */
        uint8_t is_shared; /* the device uses the host's copy in place: nothing is allocated */
    } item[RD_PLAN_MAX];
    uint64_t graph_bytes; /* of items with is_graph, shared or not */
    uint64_t own_bytes;   /* of the others */
    uint64_t alloc_bytes; /* of all that are not shared: what rd_job_run allocates on the device */
} rd_plan;
/* What the job would allocate with its options and graph. Allocates nothing. */
RD_API rd_status rd_job_plan(rd_job *job, rd_plan *plan, rd_error *err);

/* Which scheduler and launch the job would run under, and why; on a second line how wide its workers would be and how
 * many groups of them, where that is known before the kernel is compiled. Valid until the job changes. */
RD_API rd_status rd_job_explain(rd_job *job, const char **text, rd_error *err);

/* What the job changed by itself. From what its runs took (option learn) it tries another scheduler or launch for a
 * run, takes it for those that follow when it was faster, or drops it. Within a run (option switch) a scheduler whose
 * rounds have become narrow hands over to one without rounds. */
typedef struct rd_switch {
    uint64_t run;     /* of the job, counted from 1 */
    int in_run;       /* 1: on the way. 0: between runs */
    const char *kind; /* "tries", "takes", "drops"; in a run "hands over to"; all texts are static */
    const char *from_sched, *from_launch, *to_sched, *to_launch;
    double from_s, to_s; /* in a run: until then, and from then on. Else what a run usually took, and what this one
                            took: kernel_s of reports */
    const char *reason;  /* a clause: "rounds were short and many" */
} rd_switch;
/* The last ones, at most `room` of them, the latest at the end. *count: how many. Kept until the job is destroyed. */
RD_API rd_status rd_job_switches(rd_job *job, rd_switch *list, size_t room, size_t *count, rd_error *err);

#define RD_MEASURES_MAX 16
/* A number with a name, of an app or a scheduler: "colours", "corrections_per_vertex". */
typedef struct rd_measure {
    const char *name; /* static; words joined by '_' */
    double value;
} rd_measure;

typedef struct rd_report {
    /* seconds; those of preparation (compile, upload) are zero when an earlier run already paid for them */
    double compile_s; /* kernels: compiled or read from the cache */
    double upload_s;  /* graph to device */
    double kernel_s;  /* by the device's own clock from the first launch to the end of the last; see docs */
    double run_s;     /* by the host's clock: reset, launches, waiting */
    uint64_t tasks;   /* tasks run */
    uint64_t edges;   /* edges looked at */
    uint64_t rounds;  /* levels of a bulk-synchronous run */
    uint64_t launches;
    uint64_t reached;         /* app's measure: vertices reached, ... */
    uint64_t bytes_allocated; /* on the device, for this job, now */
    uint32_t groups;          /* as launched */
    uint32_t lanes;           /* in a group */
    const char *sched;        /* static strings */
    const char *launch;
    uint64_t pulled;       /* rounds of a bulk-synchronous run that went against the edges */
    uint64_t tasks_needed; /* tasks that no order could have saved; tasks / tasks_needed is the overwork */
    uint64_t reservations; /* atomics on the ends of a shared queue */
    uint64_t empty_polls;  /* looks at a shared queue that found nothing yet */
    uint64_t sum;          /* of apps of tasks: what root tasks returned, added up */
    uint32_t measures;     /* in use of: */
    rd_measure measure[RD_MEASURES_MAX];
} rd_report;
/* Prepares what is not ready yet: compiles, allocates, copies the input. The next rd_job_run then begins at once. */
RD_API rd_status rd_job_compile(rd_job *job, rd_error *err);
/* Prepares what is not ready yet, then runs once. report may be NULL.
 * Options and graph may be changed between runs. Stopped before the end it returns RD_ETIMEOUT or RD_ECANCELLED; apps
 * that approach their answer (knapsack) then have a report and a result all the same: the best so far. */
RD_API rd_status rd_job_run(rd_job *job, rd_report *report, rd_error *err);

/* Adds to the report of the last run the measures that have to be counted in its result: components, members, colours.
 * A call of its own, since the result is copied from the device and looked through for them, which whoever repeats runs
 * may not want to wait for. */
RD_API rd_status rd_job_measure(rd_job *job, rd_report *report, rd_error *err);

/* Jobs that share a device. rd_job_start runs a job in a thread of the library's and returns at once. Any number of
 * jobs may be started on one device: they take turns. Who has the higher priority goes first, of equals the one with
 * the earlier deadline; equals without one share the time. A job that has to make way does so between two pieces of
 * its work (docs/multitasking.md says how soon that is), keeps all that it has, and goes on from there, or goes on with
 * fewer workers meanwhile; its result is what it would have been. rd_job_run on the same device is RD_EDEVICE while one
 * of them is at work. Until rd_job_wait has returned only rd_job_poll, rd_job_wait, rd_job_cancel and rd_job_destroy
 * may be called on the job. Its progress callback is called from its thread. */
typedef struct rd_start {
    size_t size;     /* of this struct */
    int priority;    /* the higher goes first; 0 is usual */
    double deadline; /* seconds from now by which the job should be done; 0: none */
    /* Where the device lends workers (CPUs): how many it wants, at most all but one. It runs beside a job that it goes
     * before, which goes on with the rest if it can, or in turn with it. 0: all. */
    uint32_t workers;
    uint32_t reserved; /* 0 */
} rd_start;
/* start: NULL for the defaults. */
RD_API rd_status rd_job_start(rd_job *job, const rd_start *start, rd_error *err);

typedef enum rd_job_state {
    RD_JOB_IDLE,    /* not started, or rd_job_wait has returned */
    RD_JOB_WAITING, /* for the device: at first, or to go on */
    RD_JOB_RUNNING,
    RD_JOB_DONE, /* well or not: rd_job_wait tells */
} rd_job_state;
typedef struct rd_job_now {
    rd_job_state state;
    double seconds;       /* since rd_job_start, until it was done */
    uint64_t done, total; /* how far it is, as a progress callback would hear; total 0: not known */
} rd_job_now;
/* How the job is, now or when it is done, which is waited for at most so many seconds. */
RD_API rd_status rd_job_poll(rd_job *job, double seconds, rd_job_now *now, rd_error *err);
/* Waits until the job is done. report may be NULL. @return what rd_job_run would have; RD_EARG: it was not started. */
RD_API rd_status rd_job_wait(rd_job *job, rd_report *report, rd_error *err);
/* Has a job that was started write all that it has to a file, at its next safe point, and end: rd_job_wait says
 * RD_ECANCELLED then. Waits until that is done. The file appears complete or not at all; when it cannot be written
 * (RD_EIO), when the app or its scheduler cannot do this, or the job was done before (RD_EARG), the job goes on as if
 * nothing had been. From any thread but the job's own. */
RD_API rd_status rd_job_pause(rd_job *job, const char *path, rd_error *err);
/* As rd_job_start, from where rd_job_pause ended a job with the same app, options, input, and number of groups and
 * lanes, in this process or another one. A file of another job, or a damaged one, is RD_EINPUT, which rd_job_wait
 * tells. Files are to be trusted like programs. */
RD_API rd_status rd_job_resume(rd_job *job, const char *path, const rd_start *start, rd_error *err);
/* Asks the job to stop. rd_job_wait will say RD_ECANCELLED, unless the job was done before. From any thread. */
RD_API rd_status rd_job_cancel(rd_job *job, rd_error *err);

typedef enum rd_result_kind {
    RD_RESULT_U32,
    RD_RESULT_F32,
    RD_RESULT_U64,
    RD_RESULT_I32, /* these three: of own apps. Signed ones are looked at as word and wide */
    RD_RESULT_I64,
    RD_RESULT_F64,
} rd_result_kind;

/* A borrowed look at the result of the last run, valid until the next run or rd_job_destroy. */
typedef struct rd_result {
    const char *name;         /* "depth", "parent" */
    union {                   /* `count` values of the kind: */
        const uint32_t *word; /* RD_NONE where there is none */
        const float *real;
        const uint64_t *wide;
        const double *wide_real;
    };
    rd_result_kind kind;
    uint8_t of_vertices; /* values are vertices: rd_graph_name has what their file calls them */
    uint64_t count;
    double download_s;
} rd_result;
RD_API rd_status rd_job_result(rd_job *job, rd_result *result, rd_error *err);
/* Of own apps: the same for any of their arrays. It takes the place of what rd_job_result or rd_job_read gave before.
 */
RD_API rd_status rd_job_read(rd_job *job, const char *array, rd_result *result, rd_error *err);
/* Writes the result of the last run to a file in the app's own form (ray: a picture), of apps whose info
 * says file_suffixes. The file appears complete or not at all. RD_EARG where there is none. */
RD_API rd_status rd_job_save(rd_job *job, const char *path, rd_error *err);
/* @return in *text the answer of the last run in a line for people: "724 ways", "3 components". Until the next run. */
RD_API rd_status rd_job_answer(rd_job *job, const char **text, rd_error *err);
/* Proves the last result with the app's independent checker (serial, on the host, shares no code with the app).
 * @return RD_OK, and then err->text may hold a note of the checker (how much was compared); RD_EWRONG with the first
 * fault found in err; or another error. */
RD_API rd_status rd_job_check(rd_job *job, rd_error *err);

/* ---- 5. Self-test ------------------------------------------------------------------------- */

typedef struct rd_selftest_case {
    const char *name; /* valid during the callback */
    rd_status status; /* RD_OK, or why it failed */
    const char *text; /* the failure, or a short note; valid during the callback */
    double seconds;
    size_t index, count;
} rd_selftest_case;
typedef void (*rd_selftest_fn)(void *user, const rd_selftest_case *result);

typedef struct rd_selftest_options {
    size_t size;
    const char *filter; /* run only cases whose name contains this; NULL: all */
    uint32_t repeats;   /* scale of the stress cases; 0: the default, 1000 */
    uint8_t list_only;  /* call back with the names, run nothing */
    uint8_t reserved[3];
    uint64_t seed;
} rd_selftest_options;

/* Runs the conformance suite on a device: the kernel dialect's primitives against serial models, litmus shapes, and
 * each app x scheduler on small graphs of every shape against its checker.
 * @return RD_OK when all passed, RD_EWRONG when one failed; err then names the first. */
RD_API rd_status rd_selftest(rd_device *device, const rd_selftest_options *options, rd_selftest_fn fn, void *user,
                             size_t *passed, size_t *failed, rd_error *err);

/* ---- 6. Microbenchmarks: what the library's own parts cost on a device ----------------------- */

typedef struct rd_micro rd_micro;

typedef struct rd_micro_options {
    size_t size;
    uint32_t count;      /* operations a run; 0: so many that the device takes some milliseconds */
    uint32_t lanes;      /* in a group; 0: the device's default; the CPU has only that */
    uint32_t per_unit;   /* groups a compute unit, at most what fits; 0: as many as fit */
    uint32_t share;      /* queue, deque: one in so many of the groups that fit, at least one; 0: all */
    uint8_t large_local; /* discovery: groups that need so much memory of their own that fewer fit */
    uint8_t token_bits;  /* queue: bits of a token, 32 or 64; 0: 32 */
    uint8_t native;      /* discovery: groups keep their own numbers, where lower ones start first */
    uint8_t reserved[5];
    uint32_t delay;    /* discovery: turns or looks between polling and closing, plus 1; 0: by device */
    uint32_t burst;    /* deque: most items of one operation: with one lane 1 to 64, else one a lane; 0: by device */
    const char *input; /* peers of ray: the scene; count is then the width of the picture */
} rd_micro_options;

typedef struct rd_micro_report {
    double kernel_s;     /* by the device's own clock */
    double total_s;      /* by the host's */
    uint64_t count;      /* operations done */
    uint32_t groups;     /* that took part */
    uint32_t bound;      /* that fit at once; 0 where no one can say */
    uint32_t lanes;      /* in a group */
    uint32_t token_bits; /* of queues: bits of a token */
    /* of queues: atomics that reserved, those that failed to, and looks in vain */
    uint64_t reservations, retries, empty_polls;
    double success; /* deques: thefts that were won, of those tried; below 0: none was tried */
    double share;   /* deques: items of the busiest group, over the mean */
} rd_micro_report;

/* @return the microbenchmarks with one line each ("barrier/tree"), ended by an entry whose name is NULL. Peers to
 * compare with can be opened too, and are not listed: "embree/single" and "embree/packets" where rd_build_info() names
 * embree; "barrier/gridsync" on CUDA with cooperative_groups.h installed, else RD_EDEVICE. */
RD_API const rd_name_text *rd_micros(void);
RD_API rd_status rd_micro_open(rd_device *device, const char *name, const rd_micro_options *options, rd_micro **micro,
                               rd_error *err);
/* Runs once, measures, and proves that what was measured works: RD_EWRONG when it does not. */
RD_API rd_status rd_micro_run(rd_micro *micro, rd_micro_report *report, rd_error *err);
RD_API void rd_micro_close(rd_micro *micro);

/* ---- 7. Priority queue: a concurrent heap on a device ------------------------------------------ */

/* Keys wait in nodes of k sorted items; many groups of the device insert and delete at once (docs/heap.md). */
typedef struct rd_heap rd_heap;

/* What keys are, and so which of two is less. */
typedef enum rd_heap_keys {
    RD_HEAP_UNSIGNED, /* uint32_t or uint64_t */
    RD_HEAP_SIGNED,   /* int32_t or int64_t */
    RD_HEAP_REAL,     /* float or double; -0 is before +0, and NaNs are beyond the infinities of their sign */
} rd_heap_keys;

/* How rd_heap_insert and rd_heap_delete go about it. Results are the same. */
typedef enum rd_heap_method {
    RD_HEAP_BELOW,    /* insertions climb from their node up; rd_heap_mixed inserts from above all the same */
    RD_HEAP_ABOVE,    /* insertions walk down from the root, as rd_heap_mixed's do */
    RD_HEAP_PIPELINE, /* one operation for each pair of levels, in steps that all take together: how it was done
                         before nodes had locks (P-Sync), to compare with. Whole nodes only, and no rd_heap_mixed */
} rd_heap_method;

typedef struct rd_heap_options {
    size_t size;
    uint32_t key_bits;     /* 32 or 64; 0: 32 */
    uint32_t payload_bits; /* 0 (none), 32 or 64: what travels with each key */
    uint32_t node;         /* k, items in a node: a power of two, 1 to 2048; 0: the device's default */
    uint32_t lanes;        /* in a group, on devices that let one choose; 0: the device's default */
    uint32_t groups;       /* that work at once, at most 2^20; 0: as many as are resident */
    uint32_t batch;        /* items of one insertion, 1 to k; 0: k */
    uint64_t capacity;     /* keys to have room for at once; it grows by itself when more come */
    rd_heap_keys keys;
    rd_heap_method method;
    uint8_t ragged;      /* insertions have random numbers of items, from 1 to one less than `batch`, in place of it */
    uint8_t reserved[7]; /* 0 */
} rd_heap_options;

typedef struct rd_heap_info {
    uint32_t node, lanes, groups; /* as chosen */
    uint32_t item_bytes;          /* of one key with its payload on the device */
    uint64_t capacity;            /* keys there is room for now */
    uint64_t bytes;               /* on the device */
    double kernel_s;              /* device time of the last insert, delete or mixed run */
    double total_s;               /* the same with copies to and from the device, by the host's clock */
    /* since the heap was opened or cleared */
    uint64_t inserts, deletes; /* operations, of a batch each */
    uint64_t levels;           /* nodes they worked on */
    uint64_t merges, skips;    /* pairs of lists merged; found in order, or exchanged as a whole */
    uint64_t handovers;        /* insertions that gave their items to a waiting deletion */
    uint64_t refused;          /* operations that came in the wrong phase; 0 unless the library is broken */
} rd_heap_info;

RD_API rd_status rd_heap_open(rd_device *device, const rd_heap_options *options, rd_heap **heap, rd_error *err);
RD_API void rd_heap_close(rd_heap *heap);

/* keys and payloads are arrays of words of 32 or 64 bits as the heap was opened; payloads is NULL for a heap without.
 * Less is first; equal keys come out in the order of their payloads. When a call fails with RD_ENOMEM before it ran
 * anything, the heap is as it was. */
/* Inserts `count` keys, in any order. */
RD_API rd_status rd_heap_insert(rd_heap *heap, const void *keys, const void *payloads, uint64_t count, rd_error *err);
/* Deletes the `count` least keys, or all when there are fewer, ascending. *got: how many. keys, payloads or got may be
 * NULL: not wanted. */
RD_API rd_status rd_heap_delete(rd_heap *heap, void *keys, void *payloads, uint64_t count, uint64_t *got,
                                rd_error *err);
/* Inserts in_count keys and deletes up to out_count at the same time: each group inserts a batch, then deletes one. A
 * deletion gives the least keys at its moment; those come in the order of deletions, each batch ascending. */
RD_API rd_status rd_heap_mixed(rd_heap *heap, const void *in_keys, const void *in_payloads, uint64_t in_count,
                               void *out_keys, void *out_payloads, uint64_t out_count, uint64_t *got, rd_error *err);
/* @return keys in the heap. Exact: no call leaves work behind. */
RD_API uint64_t rd_heap_size(const rd_heap *heap);
RD_API int rd_heap_is_empty(const rd_heap *heap);
RD_API rd_status rd_heap_reserve(rd_heap *heap, uint64_t capacity, rd_error *err); /* room for so many keys in all */
RD_API rd_status rd_heap_clear(rd_heap *heap, rd_error *err);                      /* drops all keys */
RD_API rd_status rd_heap_get_info(rd_heap *heap, rd_heap_info *info, rd_error *err);
/* Reads the heap back and proves its order: nodes ascend, no child is less than its parent, no node is left locked.
 * @return RD_EWRONG with the first fault in err. */
RD_API rd_status rd_heap_check(rd_heap *heap, rd_error *err);

#ifdef __cplusplus
}
#endif
#endif
