/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cases.c - runs one case. The job is kept from case to case with another input, or made anew; it may be stopped on its
 * way and run again, be given nonsense first, or have company: the same input on a second device, or a second thread
 * with a device and a job of its own.
 */
#define _POSIX_C_SOURCE 200809L
#include "problems.h"

#include <raddle/tool.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Work ---- */

void *need(void *memory)
{
    if (memory)
        return memory;
    fputs("raddle-oracle: no memory, or no room for a temporary file\n", stderr);
    exit(4);
}

void *room(size_t count, size_t bytes)
{
    return need(malloc(count ? count * bytes : 1));
}

void work_set(work *w, const char *key, const char *format, ...)
{
    va_list args;
    if (w->count == SETTINGS_MOST)
        return;
    snprintf(w->key[w->count], sizeof w->key[0], "%s", key);
    va_start(args, format);
    vsnprintf(w->value[w->count++], sizeof w->value[0], format, args);
    va_end(args);
}

FILE *problem_file(work *w)
{
    const char *folder = getenv("TMPDIR");
    snprintf(w->file, sizeof w->file, "%.80s/raddle-oracle-XXXXXX", folder ? folder : "/tmp");
    const int descriptor = mkstemp(w->file);
    if (descriptor < 0) {
        w->file[0] = '\0';
        need(NULL);
    }
    memcpy(w->input, w->file, sizeof w->input);
    return need(fdopen(descriptor, "w"));
}

void work_draw(work *w, const config *c, rng *r, const char *device)
{
    *w = (work){.config = c, .cheap = device_is_cheap(device), .large = !strchr(device, 'x'), .expect = RD_OK};
    if (rd_app_takes_graph(c->app))
        graph_draw(w, r);
    else
        text_draw(w, r);
}

void work_free(work *w)
{
    if (w->file[0])
        unlink(w->file);
    rd_graph_destroy(w->graph);
    edges_free(&w->edges);
    rows_free(&w->rows);
    free(w->answer);
    *w = (work){0};
}

/* The graph as the library has it, which must have the edges it was given. */
static int make_graph(work *w, rng *r, char *why)
{
    const edges *e = &w->edges;
    const rows *g = &w->rows;
    rd_error err = {0};
    const int weighted = w->config->app->input == RD_INPUT_WEIGHTED || rng_chance(r, 30);
    const rd_graph_options options = {
        .size = sizeof options, .threads = rng_chance(r, 50) ? 1 : 3, .real_weights = (uint8_t)e->real};
    const rd_csr csr = {g->vertices, g->edges, g->row, g->col, weighted ? g->weight : NULL};
    const rd_status status = rng_chance(r, 50)
                                 ? rd_graph_from_csr(&csr, &options, &w->graph, &err)
                                 : rd_graph_from_edges(e->vertices, e->count, e->source, e->target,
                                                       weighted ? e->weight : NULL, &options, &w->graph, &err);
    if (status != RD_OK) {
        snprintf(why, WHY_MOST, "no graph: %s: %.500s", rd_status_name(status), err.text);
        return 0;
    }
    const rd_csr made = rd_graph_csr(w->graph);
    if (!rows_same(g, &made, why))
        return 0;
    const int symmetric = rd_graph_is_symmetric(w->graph);
    static const char *const both_ways[] = {"mis", "color", "kcore", "tc", "mst"};
    for (size_t i = 0; !symmetric && i < sizeof both_ways / sizeof both_ways[0]; i++)
        if (strcmp(w->config->app->name, both_ways[i]) == 0)
            w->expect = RD_EARG;
    if (weighted && symmetric != rows_symmetric(g)) {
        snprintf(why, WHY_MOST, "the graph is called %ssymmetric", symmetric ? "" : "not ");
        return 0;
    }
    return 1;
}

/* A copy of the result that is wrong, for --spoil: values each in its neighbour's place, or one too few. */
static void *spoil(rd_result *result, int drop_one)
{
    const size_t bytes = result->kind == RD_RESULT_U64 || result->kind == RD_RESULT_F64 ? 8 : 4;
    char *copy = room(result->count, bytes);
    for (uint64_t i = 0; i < result->count; i++)
        memcpy(copy + i * bytes, (const char *)result->word + (i + 1) % result->count * bytes, bytes);
    if (result->kind == RD_RESULT_U64 && result->count)
        ++*(uint64_t *)(void *)copy;
    result->word = (const uint32_t *)(const void *)copy;
    result->count -= drop_one && result->count;
    return copy;
}

int work_judge(const work *w, rd_job *job, const rd_report *report, int partial, char *why)
{
    rd_result result;
    rd_error err = {0};
    char own[WHY_MOST] = "";
    rd_status status = rd_job_result(job, &result, &err);
    if (status != RD_OK) {
        snprintf(why, WHY_MOST, "rd_job_result: %s: %.500s", rd_status_name(status), err.text);
        return 0;
    }
    void *spoilt = w->spoil ? spoil(&result, strcmp(w->config->app->name, "knapsack") == 0) : NULL;
    const int right = rd_app_takes_graph(w->config->app) ? graph_judge(w, &result, report, own)
                                                         : text_judge(w, &result, report, partial, own);
    free(spoilt);
    status = rd_job_check(job, &err);
    if (right && status == RD_OK)
        return 1;
    if (right)
        snprintf(why, WHY_MOST, "the oracle finds nothing wrong, but rd_job_check says %s: %.450s",
                 rd_status_name(status), err.text);
    else
        snprintf(why, WHY_MOST, "%.400s; rd_job_check says %s %.150s", own, rd_status_name(status),
                 status == RD_OK ? "" : err.text);
    return 0;
}

/* ---- Slots ---- */

int slot_open(slot *s, const settings *set, size_t device, char *why)
{
    rd_error err = {0};
    *s = (slot){.settings = set};
    if (rd_device_open(set->device[device], NULL, &s->device, &err) == RD_OK)
        return 1;
    snprintf(why, WHY_MOST, "%.500s", err.text);
    return 0;
}

static void drop_job(slot *s)
{
    rd_job_destroy(s->job);
    s->job = NULL;
    work_free(&s->kept);
}

void slot_close(slot *s)
{
    drop_job(s);
    rd_device_close(s->device);
    s->device = NULL;
}

/* ---- Runs ---- */

/* A progress callback that stops the run when its time has come. */
struct stopper {
    double at; /* by rd_now; 0: never */
    uint64_t calls;
};

static int stop_when_due(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    struct stopper *stopper = user;
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    return (stopper->calls && --stopper->calls == 0) || (stopper->at > 0 && rd_now() >= stopper->at);
}

static outcome give_up(char *why, const char *doing, rd_status status, const rd_error *err)
{
    snprintf(why, WHY_MOST, "%s: %s: %.500s", doing, rd_status_name(status), err->text);
    return CASE_FAILED;
}

static outcome set_all(rd_job *job, size_t count, char key[][24], char value[][TEXT_MOST], char *why)
{
    rd_error err = {0};
    for (size_t i = 0; i < count; i++) {
        const rd_status status = rd_job_set(job, key[i], value[i], &err);
        if (status != RD_OK) {
            give_up(why, key[i], status, &err);
            return status == RD_EARG ? CASE_REFUSED : CASE_FAILED;
        }
    }
    return CASE_RIGHT;
}

static outcome new_job(rd_device *device, const config *c, int shape, rd_job **job, char *why)
{
    rd_error err = {0};
    config copy = *c;
    rd_status status = rd_job_create(device, c->app->name, job, &err);
    if (status == RD_OK && c->sched)
        status = rd_job_set(*job, "sched", c->sched, &err);
    if (status == RD_OK && c->launch)
        status = rd_job_set(*job, "launch", c->launch, &err);
    if (status != RD_OK)
        return give_up(why, "a new job", status, &err);
    for (size_t i = 0; !shape && i < copy.count; i++) /* another device has other widths */
        if (strcmp(copy.key[i], "worker") == 0 || strcmp(copy.key[i], "groups") == 0)
            snprintf(copy.value[i], TEXT_MOST, "0");
    return set_all(*job, copy.count, copy.key, copy.value, why);
}

/* Values that no option of these forms takes must be refused, and leave the job as it was. */
static outcome try_nonsense(rd_job *job, const config *c, rng *r, char *why)
{
    static const char *const nonsense[] = {"",   "-1", "nonsense", "1e99", "99999999999999999999999",
                                           "0x", " 1", "|",        ".."};
    const rd_option_info *table =
        c->sched && rng_chance(r, 70) ? rd_scheduler_options(c->app->name, c->sched) : rd_common_options();
    const char *value = nonsense[rng_below(r, 9)];
    size_t count = 0;
    rd_error err = {0};
    while (table[count].key)
        count++;
    if (count == 0)
        return CASE_RIGHT;
    const rd_option_info *option = &table[rng_below(r, count)];
    if (strcmp(option->key, "timeout") == 0 || strcmp(option->key, "trace") == 0)
        return CASE_RIGHT; /* takes any number, also a large one; any name of a file */
    const rd_status status = rd_job_set(job, option->key, value, &err);
    if (status == RD_EARG && err.text[0])
        return CASE_RIGHT;
    snprintf(why, WHY_MOST, "%s='%s' gave %s instead of an RD_EARG with a message", option->key, value,
             rd_status_name(status));
    return CASE_FAILED;
}

static outcome give_input(rd_job *job, work *w, char *why)
{
    rd_error err = {0};
    const rd_status status = w->graph ? rd_job_set_graph(job, w->graph, &err) : rd_job_set_input(job, w->input, &err);
    if (status == RD_OK)
        return set_all(job, w->count, w->key, w->value, why);
    return give_up(why, "the input", status, &err);
}

/* Runs it to the end and judges. */
static outcome run_judged(rd_job *job, const work *w, rd_report *report, char *why)
{
    rd_error err = {0};
    *report = (rd_report){0};
    watch_at("running");
    rd_status status = rd_job_run(job, report, &err);
    if (status == RD_OK)
        status = rd_job_measure(job, report, &err);
    if (status == RD_OK && w->expect == RD_OK) {
        watch_at("checking");
        return work_judge(w, job, report, 0, why) ? CASE_RIGHT : CASE_FAILED;
    }
    if (status != RD_OK && status == w->expect && err.text[0])
        return CASE_RIGHT;
    give_up(why, w->expect == RD_OK ? "the run" : "the run of an input that has to be refused", status, &err);
    if (status == RD_EARG || (status == RD_ENOMEM && w->config->limits_memory))
        return CASE_REFUSED;
    return CASE_FAILED;
}

/* Starts the run and stops it at some moment; whatever it has then must be right, or be no result. */
static outcome run_stopped(rd_job *job, const work *w, rng *r, char *why)
{
    rd_error err = {0};
    rd_report report = {0};
    struct stopper stopper = {0};
    char seconds[32] = "0";
    const double after = (double)rng_sized(r, 1, 20000) * 1e-6;
    const uint64_t how = rng_below(r, 3);
    if (how == 0)
        snprintf(seconds, sizeof seconds, "%.6f", after);
    else if (how == 1)
        stopper.at = rd_now() + after;
    else
        stopper.calls = rng_sized(r, 1, 50);
    rd_job_set_progress(job, stop_when_due, &stopper);
    rd_status status = rd_job_set(job, "timeout", seconds, &err);
    if (status != RD_OK)
        return give_up(why, "a time-out", status, &err);
    watch_at(how == 0 ? "running with a time-out" : "running until a callback stops it");
    status = rd_job_run(job, &report, &err);
    if (status == RD_OK)
        status = rd_job_measure(job, &report, &err);
    const int stopped = status == (how == 0 ? RD_ETIMEOUT : RD_ECANCELLED);
    tally_stop(stopped);
    outcome result = CASE_RIGHT;
    watch_at("checking what was stopped");
    rd_result found;
    if ((status == RD_OK && w->expect == RD_OK) ||
        (stopped && strcmp(w->config->app->name, "knapsack") == 0 && rd_job_result(job, &found, NULL) == RD_OK))
        result = work_judge(w, job, &report, stopped, why) ? CASE_RIGHT : CASE_FAILED;
    else if (!stopped && status != w->expect) {
        give_up(why, "a run that was to be stopped", status, &err);
        result = status == RD_EARG || (status == RD_ENOMEM && w->config->limits_memory) ? CASE_REFUSED : CASE_FAILED;
    }
    rd_job_set_progress(job, NULL, NULL);
    if (rd_job_set(job, "timeout", "0", &err) != RD_OK)
        return give_up(why, "no time-out", RD_EARG, &err);
    return result;
}

/* Where the library decides: again and again, and each time it may try something else. */
static outcome run_learning(rd_job *job, const work *w, char *why)
{
    rd_report report;
    rd_error err = {0};
    outcome result = CASE_RIGHT;
    const rd_status status = rd_job_set(job, "learn", "eager", &err);
    if (status != RD_OK)
        return give_up(why, "learn=eager", status, &err);
    for (int i = 0; i < 10 && result == CASE_RIGHT; i++)
        result = run_judged(job, w, &report, why);
    return result == CASE_REFUSED ? CASE_FAILED : result;
}

/* ---- Company ---- */

/* The same input on a second device, with the first one's job waiting. */
static outcome second_device(slot *s, work *w, char *why)
{
    rd_error err = {0};
    rd_report report;
    slot other = {.settings = s->settings};
    rd_status status = rd_device_open("cpu:3", NULL, &other.device, &err);
    if (status != RD_OK)
        return give_up(why, "a second device", status, &err);
    outcome result = new_job(other.device, w->config, 0, &other.job, why);
    if (result == CASE_RIGHT)
        result = give_input(other.job, w, why);
    if (result == CASE_RIGHT)
        result = run_judged(other.job, w, &report, why);
    slot_close(&other);
    tally_extra("second_device");
    return result == CASE_FAILED ? CASE_FAILED : CASE_RIGHT; /* a refusal there is no news */
}

struct company {
    slot slot;
    config config;
    uint64_t number;
    outcome result;
    char why[WHY_MOST];
};

static void *beside(void *arg)
{
    struct company *c = arg;
    for (uint64_t i = 0; i < 3 && c->result != CASE_FAILED; i++)
        c->result = case_run(&c->slot, &c->config, c->number + i, c->why);
    return NULL;
}

/* Another thread runs cases of its own on a device of its own, while this one runs its job again and again. */
static outcome second_thread(slot *s, const work *w, uint64_t number, char *why)
{
    struct company *c = need(calloc(1, sizeof *c));
    pthread_t thread;
    outcome result = CASE_RIGHT;
    rd_report report;
    c->number = number + ((uint64_t)1 << 40); /* other cases than those of the main thread */
    config_draw(&c->config, s->settings, number * 2654435761u % 1000003);
    c->config.device = w->config->device;
    if (!slot_open(&c->slot, s->settings, c->config.device, why)) {
        free(c);
        return CASE_FAILED;
    }
    c->slot.second = 1;
    if (pthread_create(&thread, NULL, beside, c) != 0)
        need(NULL);
    for (int i = 0; i < 3 && result == CASE_RIGHT; i++)
        result = run_judged(s->job, w, &report, why);
    pthread_join(thread, NULL);
    if (c->result == CASE_FAILED) {
        snprintf(why, WHY_MOST, "on the second thread (%s): %.500s", c->config.app->name, c->why);
        result = CASE_FAILED;
    }
    slot_close(&c->slot);
    free(c);
    tally_extra("second_thread");
    return result;
}

/* ---- A case ---- */

static outcome run_all(slot *s, work *w, uint64_t number, rng *r, rd_report *report, char *why)
{
    const config *c = w->config;
    rd_error err = {0};
    outcome result = give_input(s->job, w, why);
    if (result == CASE_FAILED && w->expect != RD_OK) /* some inputs are refused when they are opened */
        return CASE_RIGHT;
    if (result == CASE_RIGHT && rng_chance(r, 6))
        result = try_nonsense(s->job, c, r, why);
    if (result == CASE_RIGHT && rng_chance(r, 10)) {
        rd_plan plan;
        const char *text;
        const rd_status status = rd_job_plan(s->job, &plan, &err);
        if (status == RD_OK && rd_job_explain(s->job, &text, &err) != RD_OK)
            return give_up(why, "rd_job_explain", err.status, &err);
    }
    if (result == CASE_RIGHT && rng_chance(r, s->settings->stops))
        result = run_stopped(s->job, w, r, why);
    if (result == CASE_RIGHT)
        result = run_judged(s->job, w, report, why);
    if (result == CASE_RIGHT && w->expect == RD_OK && rng_chance(r, 15)) {
        result = run_judged(s->job, w, report, why);
        if (result == CASE_REFUSED)
            result = CASE_FAILED;
    }
    if (result == CASE_RIGHT && w->cheap && w->expect == RD_OK && !c->sched && rd_app_takes_graph(c->app))
        result = run_learning(s->job, w, why);
    if (result == CASE_RIGHT && w->cheap && !s->second && rng_chance(r, 4))
        result = second_device(s, w, why);
    if (result == CASE_RIGHT && w->cheap && !s->second && w->expect == RD_OK && rng_chance(r, 3))
        result = second_thread(s, w, number, why);
    return result;
}

outcome case_run(slot *s, const config *c, uint64_t number, char *why)
{
    rng random = rng_at(s->settings->seed, 2, number), *r = &random;
    rd_report report = {0};
    work *w = room(1, sizeof *w);
    outcome result = CASE_RIGHT;
    if (!s->second)
        watch_case(c, number);
    work_draw(w, c, r, s->settings->device[c->device]);
    w->spoil = s->settings->spoil;
    if (s->settings->verbose && !s->second)
        fprintf(stderr, "case %" PRIu64 ": %s\n", number, w->text);
    if (rd_app_takes_graph(c->app) && !make_graph(w, r, why))
        result = CASE_FAILED;
    const int anew = rng_chance(r, 15);
    if (result == CASE_RIGHT && (!s->job || s->config != c->number || w->fresh || anew)) {
        drop_job(s);
        s->config = c->number;
        result = new_job(s->device, c, 1, &s->job, why);
    }
    if (result == CASE_RIGHT)
        result = run_all(s, w, number, r, &report, why);
    tally_case(c, &report, result);
    if (result == CASE_FAILED) {
        char before[WHY_MOST];
        memcpy(before, why, sizeof before);
        snprintf(why, WHY_MOST, "%.160s: %.470s", w->text, before);
    }
    if (result == CASE_RIGHT) {
        work_free(&s->kept); /* the job has the new graph now */
        s->kept = *w;
    } else {
        drop_job(s);
        work_free(w);
    }
    free(w);
    return result;
}
