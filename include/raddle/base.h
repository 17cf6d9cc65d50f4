/* SPDX-License-Identifier: Apache-2.0 */
/* base.h - status codes, errors, messages, memory: what every part of the C API uses. raddle.h has the rules. */
#ifndef RADDLE_BASE_H
#define RADDLE_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RD_API __attribute__((visibility("default")))
#else
#define RD_API
#endif

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

/* An entry of a table of what this library knows; such tables end with an entry whose name is NULL. */
typedef struct rd_name_text {
    const char *name;
    const char *text; /* one line */
} rd_name_text;

#ifdef __cplusplus
}
#endif

#endif
