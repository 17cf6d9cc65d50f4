/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool.h - what a command-line tool that measures needs and should not write again: statistics, a JSON writer, strict
 * number parsing, a progress line, output files that are complete or not there. The raddle command is written with
 * raddle.h and this header alone; so can your own benchmark be.
 */
#ifndef RADDLE_TOOL_H
#define RADDLE_TOOL_H

#include "../raddle.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Time and numbers ---- */

/* @return seconds on a clock that never goes back. */
RD_API double rd_now(void);
/* Parse the whole of text, or fail: no spaces, no sign for u64, no overflow. "K" "M" "G" suffixes (powers of 1024)
 * are taken by rd_parse_u64. @return 1 when it was a number. */
RD_API int rd_parse_u64(const char *text, uint64_t *value);
RD_API int rd_parse_double(const char *text, double *value);
/* Writes bytes as "1.5 GiB", counts as "31.4 M", seconds as "1.23 ms". @return buf, also when it is NULL. */
RD_API char *rd_format_bytes(uint64_t bytes, char *buf, size_t n);
RD_API char *rd_format_count(uint64_t count, char *buf, size_t n);
RD_API char *rd_format_seconds(double seconds, char *buf, size_t n);

/* ---- Statistics of a sample ---- */

typedef struct rd_stats {
    size_t count;
    double median, min, max, mean, stddev; /* sample standard deviation */
    double q1, q3;                         /* quartiles, linear interpolation */
    double ci95_low, ci95_high;            /* 95 % confidence interval of the median, from order statistics;
                                              min and max when the sample is too small for 95 % (n < 6) */
} rd_stats;
/* Sorts value in place. count 0 gives all zeros. */
RD_API void rd_stats_of(double *value, size_t count, rd_stats *out);

/* ---- JSON Lines ---- */

/* Writes one JSON value to a stream, with commas and escapes in the right places. NaN and infinities become null.
 * Keys are NULL inside arrays. Depth is at most 16; misuse sets `bad`. */
typedef struct rd_json {
    FILE *out;
    int depth;
    int bad;
    unsigned char used[16];
} rd_json;
RD_API void rd_json_begin(rd_json *json, FILE *out);        /* opens the outermost object */
RD_API int rd_json_end(rd_json *json);                      /* closes it, newline, flush; 0 when all was well */
RD_API void rd_json_object(rd_json *json, const char *key); /* opens a nested object */
RD_API void rd_json_array(rd_json *json, const char *key);  /* opens a nested array */
RD_API void rd_json_close_object(rd_json *json);
RD_API void rd_json_close_array(rd_json *json);
RD_API void rd_json_text(rd_json *json, const char *key, const char *value); /* NULL: null */
RD_API void rd_json_u64(rd_json *json, const char *key, uint64_t value);
RD_API void rd_json_i64(rd_json *json, const char *key, int64_t value);
RD_API void rd_json_double(rd_json *json, const char *key, double value);
RD_API void rd_json_bool(rd_json *json, const char *key, int value);

/* ---- Output files ---- */

typedef enum rd_output_mode {
    RD_OUTPUT_REPLACE, /* the file appears, or takes the place of the old one, when it is closed: whole or not at all */
    RD_OUTPUT_LINES,   /* whole lines are added to its end, each by one write: several processes may add to one file */
    RD_OUTPUT_LIVE,    /* from its beginning, in place: a log to be watched while it grows */
} rd_output_mode;

/* Before long work: finds what would keep the file from being opened (a folder that is not there, no permission, no
 * room for a new file). Leaves nothing: where a file would be made, an empty one is, under another name, and removed.
 */
RD_API rd_status rd_output_check(const char *path, rd_output_mode mode, rd_error *err);

typedef struct rd_output rd_output;
/* Opens a file for writing. Links are followed; a file that is replaced keeps its mode and, where the process may, its
 * owner and group; what is not a regular file (a pipe, a device, /dev/stdout) is written to as it is. "-": standard
 * output. */
RD_API rd_status rd_output_open(const char *path, rd_output_mode mode, rd_output **output, rd_error *err);
/* @return the stream to write to; for "-" it is stdout. Errors of writing need no test: closing reports the first. */
RD_API FILE *rd_output_stream(rd_output *output);
/* Closes the file, and gives it its name when status is RD_OK and all was written; else the old file stays. stdout is
 * neither closed nor flushed: it is the program's own. Takes NULL. @return status, or what went wrong. */
RD_API rd_status rd_output_close(rd_output *output, rd_status status, rd_error *err);

/* ---- Temporary files and signals ---- */

/* A program that is ended by a signal should leave no temporary files. Call rd_temporaries_remove in its handler (it is
 * async-signal-safe) before the signal is raised again with its default action. It removes the unfinished files of
 * this library, and what rd_temporary_add lists. */
RD_API void rd_temporaries_remove(void);
/* @return 1 while an output file is being written that would not be complete now. Async-signal-safe. */
RD_API int rd_temporaries_unfinished(void);
/* Lists a file, or a folder that is empty once the listed files are gone. @return a ticket; -1: no room
 * in the list, or no path. */
RD_API int rd_temporary_add(const char *path, int is_folder);
/* Takes it from the list; the file stays. Takes -1. */
RD_API void rd_temporary_forget(int ticket);

/* ---- Progress line ---- */

/* One line on a terminal, redrawn in place, that appears only when work takes longer than a second; with time left
 * when the total is known. Off when out is not a terminal. Its address is the `user` of rd_progress_line_fn. */
typedef struct rd_progress_line {
    FILE *out;
    int enabled;
    int shown;
    double started, drawn;
    char what[64];
    const volatile int *stop; /* when not NULL and set (by a signal handler), the work is cancelled */
} rd_progress_line;
RD_API void rd_progress_line_init(rd_progress_line *line, FILE *out, int enabled);
RD_API int rd_progress_line_fn(void *line, const char *what, uint64_t done, uint64_t total, const char *unit);
RD_API void rd_progress_line_clear(rd_progress_line *line);

#ifdef __cplusplus
}
#endif
#endif
