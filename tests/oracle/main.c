/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - options of raddle-oracle, and the loop over configurations and cases. */
#define _POSIX_C_SOURCE 200809L
#include "oracle.h"

#include <raddle/tool.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "raddle-oracle [OPTION...] - random inputs, apps, schedulers and options against serial answers\n"
    "  --device D         where to run; may be repeated (default: cpu and cpu:2x4)\n"
    "  --seconds T        for how long (default 30)\n"
    "  --seed S           of everything that is drawn (default 1)\n"
    "  --case N, N-M      only this case, or these\n"
    "  --apps A,B         only these apps            --scheds A,B   only these schedulers\n"
    "  --stops PERCENT    of cases that are stopped on their way (default 10)\n"
    "  --hang SECONDS     for one step of a case on an idle machine before the watchdog ends it all (default 60)\n"
    "  --max-failures N   ends after so many (default 10)\n"
    "  --json             a line of JSON at the end  --verbose      a line for each case\n"
    "  --spoil            change answers before they are judged: shows that it can fail\n"
    "Exit status: 0 all right, 1 failures, 2 usage, 3 the watchdog, 4 a device or memory is missing.\n";

static const char *program;

static int usage(const char *what, const char *argument)
{
    fprintf(stderr, "raddle-oracle: %s '%s'; --help explains\n", what, argument);
    return 2;
}

static int parse_cases(const char *text, settings *s)
{
    char first[32];
    const char *dash = strchr(text, '-');
    snprintf(first, sizeof first, "%.*s", dash ? (int)(dash - text) : 31, text);
    s->one_range = 1;
    if (!rd_parse_u64(first, &s->first_case) || (dash && !rd_parse_u64(dash + 1, &s->last_case)))
        return 0;
    if (!dash)
        s->last_case = s->first_case;
    return s->first_case <= s->last_case;
}

static int parse_number(const char *text, uint64_t most, uint32_t *value)
{
    uint64_t number;
    if (!rd_parse_u64(text, &number) || number > most)
        return 0;
    *value = (uint32_t)number;
    return 1;
}

/* @return -1: go on; else the exit status. */
static int parse(int argc, char **argv, settings *s)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        int good = 1, takes = 1;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            fputs(help, stdout);
            return 0;
        } else if (strcmp(option, "--json") == 0 || strcmp(option, "--verbose") == 0 ||
                   strcmp(option, "--spoil") == 0) {
            *(option[2] == 'j' ? &s->json : option[2] == 'v' ? &s->verbose : &s->spoil) = 1;
            takes = 0;
        } else if (strcmp(option, "--device") == 0 && s->devices < DEVICES_MOST)
            s->device[s->devices++] = value;
        else if (strcmp(option, "--apps") == 0)
            s->apps = value;
        else if (strcmp(option, "--scheds") == 0)
            s->scheds = value;
        else if (strcmp(option, "--seed") == 0)
            good = rd_parse_u64(value, &s->seed);
        else if (strcmp(option, "--case") == 0)
            good = parse_cases(value, s);
        else if (strcmp(option, "--seconds") == 0)
            good = rd_parse_double(value, &s->seconds) && s->seconds >= 0;
        else if (strcmp(option, "--hang") == 0)
            good = rd_parse_double(value, &s->hang_seconds) && s->hang_seconds > 0;
        else if (strcmp(option, "--stops") == 0)
            good = parse_number(value, 100, &s->stops);
        else if (strcmp(option, "--max-failures") == 0)
            good = parse_number(value, UINT32_MAX, &s->max_failures);
        else
            return usage("there is no option", option);
        if (takes && i + 1 == argc)
            return usage("a value is missing after", option);
        if (!good)
            return usage(option, value);
        i += takes;
    }
    if (s->devices == 0) {
        s->device[s->devices++] = "cpu";
        s->device[s->devices++] = "cpu:2x4";
    }
    return -1;
}

/* A misspelt name would make a run that tests nothing. */
static int names_exist(const char *list, int schedulers)
{
    char name[64];
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int found = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        for (const rd_app_info *app = rd_apps(); !schedulers && app->name; app++)
            found |= strcmp(app->name, name) == 0;
        for (const rd_name_text *sched = rd_schedulers(); schedulers && sched->name; sched++)
            found |= strcmp(sched->name, name) == 0;
        if (!found)
            return 0;
    }
    return 1;
}

void replay_text(const settings *s, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%s --seed %" PRIu64 " --stops %u", program, s->seed, s->stops);
    for (size_t i = 0; i < s->devices && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, " --device %s", s->device[i]);
    if (s->apps && used < bytes)
        used += (size_t)snprintf(text + used, bytes - used, " --apps %s", s->apps);
    if (s->scheds && used < bytes)
        snprintf(text + used, bytes - used, " --scheds %s", s->scheds);
}

static void show_failure(const settings *s, const config *c, uint64_t number, const char *why)
{
    char text[1024], same[1024];
    replay_text(s, same, sizeof same);
    config_text(c, s, text, sizeof text);
    fprintf(stderr,
            "FAIL seed %" PRIu64 " case %" PRIu64 ": %s\n    %s\n    alone:       %s --case %" PRIu64
            "\n    in its turn: %s --case %" PRIu64 "-%" PRIu64 "\n",
            s->seed, number, text, why, same, number, same, number / CASES_EACH * CASES_EACH, number);
}

static void show_progress(const settings *s, double began, uint64_t failures)
{
    static double last;
    const double now = rd_now();
    const int terminal = isatty(STDERR_FILENO);
    if (s->verbose || now - last < (terminal ? 0.5 : 60))
        return;
    if (last > 0 || terminal)
        fprintf(stderr,
                terminal ? "\r%.0f s, %" PRIu64 " cases, %" PRIu64 " failures \033[K"
                         : "%.0f s, %" PRIu64 " cases, %" PRIu64 " failures\n",
                now - began, tally_cases(), failures);
    last = now;
}

struct loop {
    const settings *s;
    slot slot[DEVICES_MOST];
    double began;
    uint64_t failures;
};

static int over(const struct loop *l)
{
    return l->failures >= l->s->max_failures || (!l->s->one_range && rd_now() - l->began >= l->s->seconds);
}

/* The cases first to last of one configuration. */
static void run_config(struct loop *l, const config *c, uint64_t first, uint64_t last)
{
    char why[WHY_MOST] = "", text[1024];
    uint64_t tried = 0, refused = 0;
    if (l->s->verbose) {
        config_text(c, l->s, text, sizeof text);
        fprintf(stderr, "configuration %" PRIu64 ": %s\n", c->number, text);
    }
    for (uint64_t number = first; number <= last && !over(l); number++) {
        const outcome result = case_run(&l->slot[c->device], c, number, why);
        tried++;
        refused += result == CASE_REFUSED;
        if (l->s->verbose && result == CASE_REFUSED)
            fprintf(stderr, "    refused: %s\n", why);
        if (result == CASE_FAILED) {
            l->failures++;
            show_failure(l->s, c, number, why);
        }
        show_progress(l->s, l->began, l->failures);
        if (tried == 3 && refused == 3)
            return;
    }
}

static void run_configs(struct loop *l)
{
    const settings *s = l->s;
    config c;
    const uint64_t from = s->one_range ? s->first_case / CASES_EACH : 0;
    const uint64_t to = s->one_range ? s->last_case / CASES_EACH : UINT64_MAX / CASES_EACH - 1;
    for (uint64_t number = from; number <= to && !over(l); number++) {
        uint64_t first = number * CASES_EACH, last;
        config_draw(&c, s, number);
        last = s->one_range ? first + CASES_EACH - 1 : first + config_cases(&c, s) - 1;
        if (s->one_range) {
            first = first > s->first_case ? first : s->first_case;
            last = last < s->last_case ? last : s->last_case;
        }
        run_config(l, &c, first, last);
    }
}

int main(int argc, char **argv)
{
    static settings s = {.seed = 1, .seconds = 30, .hang_seconds = 60, .stops = 10, .max_failures = 10};
    static struct loop l;
    char why[WHY_MOST];
    program = argv[0];
    const int status = parse(argc, argv, &s);
    if (status >= 0)
        return status;
    config first;
    if (!names_exist(s.apps, 0))
        return usage("no such apps", s.apps);
    if (!names_exist(s.scheds, 1))
        return usage("no such schedulers", s.scheds);
    config_draw(&first, &s, 0);
    if (!first.app)
        return usage("none of the apps runs under", s.scheds);
    l.s = &s;
    for (size_t i = 0; i < s.devices; i++)
        if (!slot_open(&l.slot[i], &s, i, why)) {
            fprintf(stderr, "raddle-oracle: %s\n", why);
            return 4;
        }
    watch_start(&s);
    l.began = rd_now();
    run_configs(&l);
    watch_stop();
    for (size_t i = 0; i < s.devices; i++)
        slot_close(&l.slot[i]);
    text_close();
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    const double seconds = rd_now() - l.began;
    if (s.json)
        tally_json(&s, seconds, l.failures);
    else
        tally_print(&s, seconds, l.failures);
    return l.failures ? 1 : 0;
}
