/* SPDX-License-Identifier: Apache-2.0 */
/* app.h - apps of the C API: which there are, their options and schedulers, and own ones. raddle.h has the rules. */
#ifndef RADDLE_APP_H
#define RADDLE_APP_H

#include "base.h"
#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

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
/* @return 1 when a device can be launched on in this way: some are not everywhere (`graph`: CUDA 12.4 and later). */
RD_API int rd_device_can_launch(const rd_device *device, const char *launch);
/* @return the options that a scheduler has for this app, ended by key NULL; NULL when the app does not run under it.
 * Options of the same name mean the same under every scheduler that has them. */
RD_API const rd_option_info *rd_scheduler_options(const char *app, const char *scheduler);

/* Own apps: a text in the kernel dialect whose declarations say what it needs (docs/own-tasks.md). Once registered it
 * is an app like any other, by the name that its RD_APP gives, for the life of the process; the same text again is
 * fine, another one of that name is RD_EARG. Where the library has an app of that name, the name means the registered
 * one from then on, and "raddle:NAME" the library's. What is wrong with its declarations is RD_EINPUT; its kernels are
 * compiled when a job is first run, which is RD_EBUILD when a compiler refuses them. label: what messages call it,
 * usually the file's name. info may be NULL; it is static. The text is a program: it runs with the rights of this
 * process. */
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

#ifdef __cplusplus
}
#endif

#endif
