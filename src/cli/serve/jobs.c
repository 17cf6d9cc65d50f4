/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs.c - see jobs.h. Each job has a thread, which makes it, starts it on the server's device (rd_job_start: jobs make
 * way for more urgent ones there) and notes how it is. Whoever else asks looks at those notes, under one mutex; so no
 * two threads touch a job of the library's. Of jobs that are done the last KEPT are remembered. A job that ended well
 * stays prepared for the next request of its kind (prepared.h): what that one pays is its run, and two threads.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/serve/jobs.h"

#include "cli/serve/graphs.h"
#include "cli/serve/prepared.h"
#include "cli/values.h"
#include "cli/vertices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEPT = 256 };

typedef struct entry {
    struct entry *next; /* in the order they came */
    serve_jobs *jobs;
    pthread_t thread;
    char *text; /* the request's own */
    serve_request request;
    serve_view view;
    double came;
    int cancel;
} entry;

struct serve_jobs {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    rd_device *device;
    serve_graphs *graphs;
    serve_prepared *prepared;
    entry *first;
    uint64_t most, busy, done, number;
    int closed; /* no more are taken */
};

/* The graphs that prepared jobs hold are no longer the server's. */
static void let_go(void *user)
{
    serve_prepared_clear(user);
}

serve_jobs *serve_jobs_new(rd_device *device, uint64_t most, uint64_t bytes)
{
    serve_jobs *jobs = calloc(1, sizeof *jobs);
    pthread_condattr_t monotonic;
    if (!jobs)
        return NULL;
    jobs->prepared = serve_prepared_new(bytes);
    jobs->graphs = jobs->prepared ? serve_graphs_new(bytes, let_go, jobs->prepared) : NULL;
    if (!jobs->graphs) {
        serve_prepared_free(jobs->prepared);
        free(jobs);
        return NULL;
    }
    jobs->device = device;
    jobs->most = most;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC); /* rd_now()'s */
    pthread_mutex_init(&jobs->mutex, NULL);
    pthread_cond_init(&jobs->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return jobs;
}

/* ---- The thread of a job ---- */

static int is_cancelled(entry *self)
{
    pthread_mutex_lock(&self->jobs->mutex);
    const int cancel = self->cancel;
    pthread_mutex_unlock(&self->jobs->mutex);
    return cancel;
}

/* While its graph is read. */
static int on_reading(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    entry *self = user;
    (void)what;
    (void)unit;
    pthread_mutex_lock(&self->jobs->mutex);
    self->view.done = done;
    self->view.total = total;
    pthread_mutex_unlock(&self->jobs->mutex);
    return is_cancelled(self);
}

static rd_graph_options options_of(entry *self, const rd_app_info *app)
{
    const int weighted = app->input == RD_INPUT_WEIGHTED;
    return (rd_graph_options){.size = sizeof(rd_graph_options),
                              .symmetrize = (uint8_t)self->request.symmetrize,
                              .weight_min = weighted,
                              .weight_max = weighted ? 255 : 0,
                              .keep_weights = 1,
                              .progress = on_reading,
                              .progress_user = self};
}

/* Of the request's options those that are vertices, which the graph knows, or the others. */
static rd_status set_options(const serve_request *request, const rd_app_info *app, int vertices,
                             const serve_ready *ready, rd_error *err)
{
    rd_status status = RD_OK;
    for (uint32_t i = 0; i < request->settings && status == RD_OK; i++)
        if (cli_takes_vertices(app, request->key[i]) == vertices)
            status = vertices ? cli_set_vertices(ready->job, ready->graph, request->key[i], request->value[i], err)
                              : rd_job_set(ready->job, request->key[i], request->value[i], err);
    return status;
}

/* A job as the request wants it, made anew. */
static rd_status make_job(entry *self, const rd_app_info *app, serve_ready *ready, rd_error *err)
{
    const serve_request *request = &self->request;
    rd_status status = rd_job_create(self->jobs->device, app->name, &ready->job, err);
    if (status == RD_OK)
        status = set_options(request, app, 0, ready, err);
    if (status != RD_OK)
        return status;
    if (!rd_app_takes_graph(app))
        return rd_job_set_input(ready->job, request->input, err);
    status =
        serve_graphs_give(self->jobs->graphs, ready->job, request->input, options_of(self, app), &ready->graph, err);
    return status == RD_OK ? set_options(request, app, 1, ready, err) : status;
}

/* Looks after a job that was started, until it is done. */
static void watch(entry *self, rd_job *job)
{
    rd_job_now now = {.state = RD_JOB_WAITING};
    double rest = 0; /* the first look is at once */
    int told = 0;
    while (now.state != RD_JOB_DONE && rd_job_poll(job, rest, &now, NULL) == RD_OK) {
        rest = 0.02;
        pthread_mutex_lock(&self->jobs->mutex);
        self->view.state = now.state == RD_JOB_WAITING ? SERVE_WAITING : SERVE_RUNNING;
        self->view.done = now.done;
        self->view.total = now.total;
        self->view.workers = now.workers;
        pthread_mutex_unlock(&self->jobs->mutex);
        if (!told && is_cancelled(self))
            told = rd_job_cancel(job, NULL) == RD_OK;
    }
}

/* Runs a job to its end; text: the answer. */
static rd_status run_job(entry *self, rd_job *job, rd_report *report, char *text, size_t room, rd_error *err)
{
    const rd_start start = {.size = sizeof start,
                            .priority = self->request.priority,
                            .deadline = self->request.deadline,
                            .workers = self->request.workers};
    const char *answer = "";
    rd_status status = rd_job_start(job, &start, err);
    if (status != RD_OK)
        return status;
    watch(self, job);
    status = rd_job_wait(job, report, err);
    if (status == RD_OK)
        status = rd_job_answer(job, &answer, err);
    snprintf(text, room, "%s", answer);
    if (status == RD_OK && self->request.verify)
        status = rd_job_check(job, err);
    return status;
}

static rd_status write_result(const entry *self, const rd_app_info *app, const serve_ready *ready, rd_error *err)
{
    const char *path = self->request.output;
    rd_result result;
    if (!path)
        return RD_OK;
    if (app->file_suffixes)
        return rd_job_save(ready->job, path, err);
    const rd_status status = rd_job_result(ready->job, &result, err);
    return status == RD_OK ? cli_write_values(ready->graph, &result, path, err) : status;
}

/* From a request to its end, with a job that is prepared, or else made, and kept if all went well. */
static rd_status serve_entry(entry *self, const rd_app_info *app, rd_report *report, char *text, size_t room,
                             rd_error *err)
{
    serve_prepared *prepared = self->jobs->prepared;
    const rd_graph_options options = options_of(self, app);
    char *input = serve_input_key(self->request.input, &options);
    char *key = input ? serve_prepared_key(&self->request, input) : NULL;
    free(input);
    if (!key) {
        err->status = RD_ENOMEM;
        snprintf(err->text, sizeof err->text, "out of host memory: a job");
        return RD_ENOMEM;
    }
    rd_status status = RD_ENOMEM;
    for (int again = 0; status == RD_ENOMEM && again < 2; again++) {
        serve_ready ready = {NULL, NULL};
        if (again) /* what is kept for others may be what lacks */
            serve_prepared_clear(prepared);
        *err = (rd_error){.status = RD_OK};
        status = serve_prepared_take(prepared, key, &ready) ? RD_OK : make_job(self, app, &ready, err);
        if (status == RD_OK)
            status = run_job(self, ready.job, report, text, room, err);
        if (status == RD_OK)
            status = write_result(self, app, &ready, err);
        if (status == RD_OK)
            serve_prepared_put(prepared, key, ready, report->bytes_allocated);
        else
            rd_job_destroy(ready.job);
    }
    free(key);
    return status;
}

static void *run_entry(void *pointer)
{
    entry *self = pointer;
    serve_jobs *jobs = self->jobs;
    rd_error err = {.status = RD_OK};
    rd_report report = {0};
    char text[SERVE_LINE] = "";
    const rd_app_info *app = cli_find_app(self->request.app);
    const rd_status status = serve_entry(self, app, &report, text, sizeof text, &err);
    pthread_mutex_lock(&jobs->mutex);
    self->view.status = rd_status_exit_code(status);
    self->view.ran = report.run_s;
    for (uint32_t i = 0; i < report.measures; i++)
        if (strcmp(report.measure[i].name, "waited_s") == 0)
            self->view.waited = report.measure[i].value;
    self->view.seconds = rd_now() - self->came;
    snprintf(self->view.text, sizeof self->view.text, "%.*s", SERVE_LINE - 1, status == RD_OK ? text : err.text);
    for (char *at = self->view.text; *at; at++)
        *at = *at == '\n' ? ' ' : *at;
    self->view.state = SERVE_DONE;
    self->view.workers = 0;
    jobs->busy--;
    jobs->done++;
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->mutex);
    return NULL;
}

/* ---- The table ---- */

static void free_entry(entry *self)
{
    pthread_join(self->thread, NULL);
    free(self->text);
    free(self);
}

/* With the mutex: forgets the oldest that are done. */
static void forget(serve_jobs *jobs, uint64_t kept)
{
    for (entry **at = &jobs->first; *at && jobs->done > kept;) {
        entry *self = *at;
        if (self->view.state == SERVE_DONE) {
            *at = self->next;
            jobs->done--;
            free_entry(self); /* its thread has given the mutex back, or is waiting for nothing */
        } else {
            at = &self->next;
        }
    }
}

void serve_jobs_free(serve_jobs *jobs)
{
    if (!jobs)
        return;
    pthread_mutex_lock(&jobs->mutex);
    for (entry *at = jobs->first; at; at = at->next)
        at->cancel = 1;
    while (jobs->busy)
        pthread_cond_wait(&jobs->changed, &jobs->mutex);
    entry *all = jobs->first;
    pthread_mutex_unlock(&jobs->mutex);
    for (entry *next; all; all = next) {
        next = all->next;
        free_entry(all);
    }
    serve_prepared_free(jobs->prepared);
    serve_graphs_free(jobs->graphs);
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->mutex);
    free(jobs);
}

/* The request with strings of its own. */
static int keep_request(entry *self, const serve_request *request)
{
    size_t room = strlen(request->app) + strlen(request->input) + 2;
    room += request->output ? strlen(request->output) + 1 : 0;
    for (uint32_t i = 0; i < request->settings; i++)
        room += strlen(request->key[i]) + strlen(request->value[i]) + 2;
    char *at = self->text = malloc(room);
    if (!at)
        return 0;
    self->request = *request;
#define KEEP(field) (self->request.field = at, at = stpcpy(at, request->field) + 1)
    KEEP(app);
    KEEP(input);
    if (request->output)
        KEEP(output);
    for (uint32_t i = 0; i < request->settings; i++) {
        KEEP(key[i]);
        KEEP(value[i]);
    }
#undef KEEP
    return 1;
}

static entry *new_entry(serve_jobs *jobs, const serve_request *request)
{
    entry *self = calloc(1, sizeof *self);
    if (!self || !keep_request(self, request)) {
        free(self);
        return NULL;
    }
    self->jobs = jobs;
    self->came = rd_now();
    self->view = (serve_view){.priority = request->priority, .state = SERVE_READING};
    snprintf(self->view.what, sizeof self->view.what, "%.32s %.120s", request->app, request->input);
    return self;
}

uint64_t serve_jobs_add(serve_jobs *jobs, const serve_request *request, char *why, size_t room)
{
    const rd_app_info *app = request->app ? cli_find_app(request->app) : NULL;
    if (!app || !request->input) {
        snprintf(why, room, !app ? "there is no app called '%.40s'" : "INPUT is missing",
                 request->app ? request->app : "");
        return 0;
    }
    entry *self = new_entry(jobs, request);
    if (!self) {
        snprintf(why, room, "out of host memory: a job");
        return 0;
    }
    pthread_mutex_lock(&jobs->mutex);
    forget(jobs, KEPT);
    int good = !jobs->closed && jobs->busy < jobs->most;
    if (jobs->closed)
        snprintf(why, room, "the server is ending");
    else if (!good)
        snprintf(why, room, "there are %llu jobs already, and no more are allowed (serve --jobs)",
                 (unsigned long long)jobs->busy);
    if (good && pthread_create(&self->thread, NULL, run_entry, self) != 0) {
        snprintf(why, room, "the system refused a thread for the job");
        good = 0;
    }
    if (good) {
        entry **last = &jobs->first;
        while (*last)
            last = &(*last)->next;
        *last = self;
        self->view.id = ++jobs->number;
        jobs->busy++;
    }
    const uint64_t id = good ? self->view.id : 0;
    pthread_mutex_unlock(&jobs->mutex);
    if (!good) {
        free(self->text);
        free(self);
    }
    return id;
}

static entry *find(const serve_jobs *jobs, uint64_t id)
{
    entry *at = jobs->first;
    while (at && at->view.id != id)
        at = at->next;
    return at;
}

static void show(const entry *self, serve_view *view)
{
    *view = self->view;
    view->seconds = view->state == SERVE_DONE ? view->seconds : rd_now() - self->came;
}

int serve_jobs_see(serve_jobs *jobs, uint64_t id, double seconds, serve_view *view)
{
    const double until = rd_now() + seconds;
    struct timespec by = {.tv_sec = (time_t)until};
    by.tv_nsec = (long)((until - (double)by.tv_sec) * 1e9);
    int waits = seconds > 0;
    pthread_mutex_lock(&jobs->mutex);
    const entry *self = find(jobs, id);
    while (self && self->view.state != SERVE_DONE && waits) {
        waits = pthread_cond_timedwait(&jobs->changed, &jobs->mutex, &by) == 0;
        self = find(jobs, id);
    }
    if (self)
        show(self, view);
    pthread_mutex_unlock(&jobs->mutex);
    return self != NULL;
}

void serve_jobs_close(serve_jobs *jobs)
{
    pthread_mutex_lock(&jobs->mutex);
    jobs->closed = 1;
    for (entry *at = jobs->first; at; at = at->next)
        at->cancel = 1;
    pthread_mutex_unlock(&jobs->mutex);
}

int serve_jobs_cancel(serve_jobs *jobs, uint64_t id)
{
    pthread_mutex_lock(&jobs->mutex);
    entry *self = find(jobs, id);
    if (self)
        self->cancel = 1;
    pthread_mutex_unlock(&jobs->mutex);
    return self != NULL;
}

int serve_jobs_next(serve_jobs *jobs, uint64_t id, serve_view *view)
{
    pthread_mutex_lock(&jobs->mutex);
    const entry *at = jobs->first;
    while (at && at->view.id <= id)
        at = at->next;
    if (at)
        show(at, view);
    pthread_mutex_unlock(&jobs->mutex);
    return at != NULL;
}
