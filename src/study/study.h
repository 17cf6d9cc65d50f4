/* SPDX-License-Identifier: Apache-2.0 */
/* study.h - the points of a study as the files of this room see them. */
#ifndef RD_STUDY_H
#define RD_STUDY_H

#include "core/error.h"
#include "raddle/study.h"

/* One configuration of a test. */
typedef struct rd__study_entry {
    uint32_t on;
    double *seconds; /* count of them; NULL: it could not be measured */
    size_t count, room;
} rd__study_entry;

typedef struct rd__study_test {
    size_t device, app, input; /* places in the lists of names */
    rd__study_entry *entry;
    size_t entries, room;
} rd__study_test;

typedef struct rd__study_names {
    char **name;
    size_t count, room;
} rd__study_names;

typedef struct rd__study_fact {
    size_t device, name;
    double value;
} rd__study_fact;

struct rd_study {
    /* Device i is of model i, and called label i: its name, with a number where several models have it. */
    rd__study_names devices, models, labels, apps, inputs, switches, facts_of;
    rd__study_names primitives; /* of app i: the app that it is a variant of */
    rd__study_test *test;
    size_t tests, room;
    rd__study_fact *fact;
    size_t facts, facts_room;
};

#define RD__STUDY_DEFAULTS UINT32_MAX /* the `on` of RD_STUDY_DEFAULTS: more switches than there are */

/* The set of the switches of "a,b,c", all of which are known. @return 0: one is not. */
int rd__study_bits(const rd_study *study, const char *config, uint32_t *on);

/* Adds the points of a text of JSON Lines, which it cuts into pieces; text[bytes] is a zero byte. path: for messages.
 */
rd_status rd__study_parse(rd_study *study, char *text, size_t bytes, rd_study_lines *lines, const char *path,
                          rd_error *err);

#endif
