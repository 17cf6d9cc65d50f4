/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - counts of cases by app, scheduler, launch and device; the summary, and the same as a line of JSON. */
#include "oracle.h"

#include <raddle/tool.h>

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

enum { LINES = 1024, HOLE_PERCENT = 60, HOLE_LEAST = 20 };

struct line {
    const char *app, *sched, *launch;
    size_t device;
    uint64_t right, refused, failed;
};
static struct line lines[LINES];
static size_t used;
static uint64_t cases, stops_asked, stops_made, with_second_device, with_second_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

void tally_case(const config *c, const rd_report *ran, outcome result)
{
    const char *sched = ran->sched ? ran->sched : c->sched ? c->sched : "(any)";
    const char *launch = ran->launch ? ran->launch : c->launch ? c->launch : "(any)";
    size_t i = 0;
    pthread_mutex_lock(&lock);
    while (i < used && !(same(lines[i].app, c->app->name) && same(lines[i].sched, sched) &&
                         same(lines[i].launch, launch) && lines[i].device == c->device))
        i++;
    if (i == used && used < LINES)
        lines[used++] = (struct line){c->app->name, sched, launch, c->device, 0, 0, 0};
    if (i < LINES) {
        lines[i].right += result == CASE_RIGHT;
        lines[i].refused += result == CASE_REFUSED;
        lines[i].failed += result == CASE_FAILED;
    }
    cases++;
    pthread_mutex_unlock(&lock);
}

void tally_stop(int stopped_early)
{
    pthread_mutex_lock(&lock);
    stops_asked++;
    stops_made += stopped_early != 0;
    pthread_mutex_unlock(&lock);
}

void tally_extra(const char *what)
{
    pthread_mutex_lock(&lock);
    if (same(what, "second_device"))
        with_second_device++;
    else
        with_second_thread++;
    pthread_mutex_unlock(&lock);
}

uint64_t tally_cases(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t now = cases;
    pthread_mutex_unlock(&lock);
    return now;
}

/* A pair of app and scheduler that is mostly refused is not tested: a hole that nobody would see. */
static size_t holes(const settings *s)
{
    size_t found = 0;
    for (size_t i = 0; i < used; i++) {
        uint64_t all = 0, refused = 0;
        size_t first = i;
        for (size_t k = 0; k < used; k++)
            if (same(lines[k].app, lines[i].app) && same(lines[k].sched, lines[i].sched) &&
                lines[k].device == lines[i].device) {
                all += lines[k].right + lines[k].refused + lines[k].failed;
                refused += lines[k].refused;
                first = k < first ? k : first;
            }
        if (first == i && all >= HOLE_LEAST && 100 * refused > HOLE_PERCENT * all) {
            printf("hole: %s under %s on %s was refused %" PRIu64 " times of %" PRIu64 "\n", lines[i].app,
                   lines[i].sched, s->device[lines[i].device], refused, all);
            found++;
        }
    }
    return found;
}

void tally_print(const settings *s, double seconds, uint64_t failures)
{
    uint64_t refused = 0;
    printf("%-9s %-13s %-11s %-11s %8s %8s %7s\n", "app", "scheduler", "launch", "device", "right", "refused",
           "failed");
    for (size_t i = 0; i < used; i++) {
        const struct line *l = &lines[i];
        printf("%-9s %-13s %-11s %-11s %8" PRIu64 " %8" PRIu64 " %7" PRIu64 "\n", l->app, l->sched, l->launch,
               s->device[l->device], l->right, l->refused, l->failed);
        refused += l->refused;
    }
    holes(s);
    printf("seed %" PRIu64 ": %" PRIu64 " cases in %.0f s, %" PRIu64 " refused; %" PRIu64
           " were to be stopped, %" PRIu64 " were; %" PRIu64 " on a second device too, %" PRIu64
           " beside a second thread; %" PRIu64 " failures\n",
           s->seed, cases, seconds, refused, stops_asked, stops_made, with_second_device, with_second_thread, failures);
}

void tally_json(const settings *s, double seconds, uint64_t failures)
{
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_text(&json, "record", "oracle");
    rd_json_u64(&json, "seed", s->seed);
    rd_json_double(&json, "seconds", seconds);
    rd_json_u64(&json, "cases", cases);
    rd_json_u64(&json, "failures", failures);
    rd_json_u64(&json, "stops_asked", stops_asked);
    rd_json_u64(&json, "stops_made", stops_made);
    rd_json_array(&json, "runs");
    for (size_t i = 0; i < used; i++) {
        rd_json_object(&json, NULL);
        rd_json_text(&json, "app", lines[i].app);
        rd_json_text(&json, "sched", lines[i].sched);
        rd_json_text(&json, "launch", lines[i].launch);
        rd_json_text(&json, "device", s->device[lines[i].device]);
        rd_json_u64(&json, "right", lines[i].right);
        rd_json_u64(&json, "refused", lines[i].refused);
        rd_json_u64(&json, "failed", lines[i].failed);
        rd_json_close_object(&json);
    }
    rd_json_close_array(&json);
    rd_json_end(&json);
}
