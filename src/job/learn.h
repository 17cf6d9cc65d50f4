/* SPDX-License-Identifier: Apache-2.0 */
/*
 * learn.h - what a job makes of the times of its runs: the rule alone, without devices and clocks. Configurations are
 * numbers here; remember.c knows what they are. docs/defaults.md has the rule in words.
 */
#ifndef RD_JOB_LEARN_H
#define RD_JOB_LEARN_H

#include "raddle.h"

enum { RD__LEARN_MOST = 12, RD__LEARN_RECENT = 5 };

typedef enum rd__learn_mode {
    RD__LEARN_OFF,
    RD__LEARN_ON,
    RD__LEARN_EAGER, /* whatever making ready takes, and without waiting until runs have paid for it */
} rd__learn_mode;

/* What was seen of one configuration. */
typedef struct rd__tried {
    uint32_t runs;                   /* whose seconds count */
    double recent[RD__LEARN_RECENT]; /* of the last of them */
    uint8_t warm;                    /* it has run at all */
    uint8_t out;                     /* it was not faster: it is not tried again */
    uint8_t hinted;                  /* what runs have counted speaks for it */
    uint8_t asked_back;              /* it was left, and got a second chance */
} rd__tried;

typedef struct rd__learned {
    uint32_t count;        /* of configurations; 0: nothing is known */
    uint32_t used, tested; /* the one that is used, and the one on trial: `used` where none is */
    double seconds, spent; /* of all runs; and what trying took of them that `used` would not have taken */
    double make_s;         /* making another one ready, as far as that is known */
    rd__tried tried[RD__LEARN_MOST];
} rd__learned;

typedef struct rd__learn_step {
    uint32_t which; /* to run next */
    double budget;  /* seconds after which it cannot be better; 0: it is the one that is used */
} rd__learn_step;

typedef enum rd__learn_event {
    RD__LEARN_SAME,  /* nothing changed */
    RD__LEARN_TRIES, /* a trial began, and goes on */
    RD__LEARN_TAKES, /* the one on trial is used from now on */
    RD__LEARN_DROPS, /* it is not, and not tried again */
} rd__learn_event;

/* What the counters of a run speak for: engines without rounds, with them, or nothing (0). */
typedef enum rd__learn_hint { RD__HINT_NONE, RD__HINT_NO_ROUNDS, RD__HINT_ROUNDS } rd__learn_hint;
rd__learn_hint rd__learn_hint_of(const rd_report *report, int in_rounds);

rd__learn_step rd__learn_next(const rd__learned *known, rd__learn_mode mode);
/* A run of `which` took so many seconds; or it was ended by its budget after so many (finished 0). */
rd__learn_event rd__learn_note(rd__learned *known, uint32_t which, double seconds, int finished);
/* Of the others than the one that is used: how many have run. */
uint32_t rd__learn_count_tried(const rd__learned *known);
/* Seconds that a run usually takes: the median of the recent ones; 0: none is known. */
double rd__learn_usual(const rd__tried *tried);

#endif
