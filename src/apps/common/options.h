/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the options of an app as a table: which field of its state an option sets, to what kind of value, and
 * what has to be made anew when it changes. Help and default are in info.options, by the same key; the default is set
 * when a job is made. An option that is like none of the kinds is RD__OPTION_OWN: the app's `set` reads it.
 */
#ifndef RD_APPS_OPTIONS_H
#define RD_APPS_OPTIONS_H

#include "apps/app.h"

#include <stddef.h>

typedef enum rd__option_kind {
    RD__OPTION_OWN,
    RD__OPTION_FLAG,   /* uint32_t: 0 or 1 */
    RD__OPTION_CHOICE, /* uint32_t: which of the words of info.options, "a|b|c", counted from 0 */
    RD__OPTION_U32,    /* uint32_t from least to most */
    RD__OPTION_U64,    /* uint64_t, likewise */
    RD__OPTION_REAL,   /* double from low to high */
    RD__OPTION_SOURCE, /* uint32_t: a vertex of the graph; RD_NONE, as it is at first: the one of highest degree */
} rd__option_kind;

struct rd__app_option {
    const char *key;
    rd__option_kind kind;
    size_t at; /* offsetof the field in the app's state */
    union {
        struct {
            uint64_t least, most;
        };
        struct {
            double low, high;
        };
    };
    const char *of;      /* what is counted, for messages: "rows"; NULL: just numbers */
    uint8_t of_rounds;   /* of 32 bits: other values than 0 mean something in rounds alone; said where there are none */
    size_t was_set;      /* offsetof a uint32_t that becomes 1 when the user sets it; 0: nobody asks */
    rd__changes changes; /* what a new value makes useless */
};

/* The defaults, into the zeroed state of a new job. */
void rd__options_init(rd_job *job);
/* Sets one of info.options. *changes: what the job has to make anew. The field stays as it was on failure. */
rd_status rd__options_set(rd_job *job, const char *key, const char *value, rd__changes *changes, rd_error *err);
/* Do they fit the graph? Asked when there is one. */
rd_status rd__options_check(const rd_job *job, rd_error *err);
/* Says which of them do nothing under the engine that was chosen. */
void rd__options_say_unused(const rd_job *job);

#endif
