/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multitask.c - the suite `bench multitask`: a long job beside urgent ones that come at fixed times, as T. Sorensen
 * (PhD thesis, 2018, 5.6) did with what graphics ask for: every 70 or 40 ms something that takes 3 or 10 ms of the
 * whole device (light 70/3, medium 40/3, heavy 40/10), with one worker, a quarter, half of them, or all but one.
 *   long jobs   rounds: PageRank in one launch with a barrier between rounds; steal: Fibonacci numbers by work stealing
 *   stream      urgent jobs of the whole device, given to it in a stream of their own while the long job runs on and
 *               makes no way: what CUDA, OpenCL and the system do by themselves
 *   process     likewise, while the long job runs in another process: time slicing
 *   nobody      the long job by itself, started, over one that was run, one after the other: what it costs that others
 *               could ask
 *   thousand    as many short urgent jobs of one worker, one after the other, while the long job runs: none is lost
 * Where the device lends workers, urgent jobs run beside the long one; elsewhere, in turn with it.
 *   submit      what a request to a server costs beside its run: submit.c
 * The note of a case tells how long urgent jobs waited for the device (median, 99th percentile), and of those that ran
 * beside the long one where that time went (until the holder had noticed, told its launches, they had left, it had
 * seen how far they were, the other one was awake; then until its first launch was given: medians), how many were done
 * within their period, and how much longer the long job took than alone, beside what a preemptive device would come to
 * in theory: P/(P-D), where D is what the urgent job took with its workers.
 */
#include "cli/bench/long.h"
#include "cli/bench/process.h"
#include "cli/bench/submit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4096 };
static const double free_seconds = 2e-6; /* who waits no longer found nobody there */

enum { ID_LONG = 2, ID_APP, ID_SET };
static double long_seconds; /* as the user says; 0: the usual */
static const cli_option options[] = {
    {"quick", 0, NULL, "small inputs, short jobs", 1},
    {"long", 0, "SECONDS", "how long the long job is to take by itself, about [1; quick: 0.1]", ID_LONG},
    {"app", 0, "APP[=INPUT]", "the long job, begun anew for so long; FILE[=INPUT]: an own app. Several times", ID_APP},
    {"set", 0, "KEY=VALUE", "an option of the long job, such as sched=bsp; several times for several", ID_SET},
    {NULL, 0, NULL, NULL, 0},
};

static int take(int id, const char *value)
{
    if (id == ID_APP)
        return bench_long_take_app(value);
    if (id == ID_SET)
        return bench_long_take_set(value);
    if (id != ID_LONG)
        return bench_take_quick(id, value);
    if (rd_parse_double(value, &long_seconds) && long_seconds >= 0.01 && long_seconds <= 3600)
        return 0;
    return cli_usage("bench", "--long is a number of seconds from 0.01 to 3600, not '%s'", value);
}

typedef struct demand {
    const char *name;
    double period, takes; /* seconds; takes: of the whole device. Period 0: one after the other */
    uint32_t jobs;        /* so many, however often the long job has to begin anew, and at moments that are drawn, half
                             a period apart on average; 0: as long as it runs, a period apart */
} demand;
static const demand loads[] = {{"nobody", 0, 0, 0},           {"light", 0.070, 0.003, 0},
                               {"medium", 0.040, 0.003, 0},   {"heavy", 0.040, 0.010, 0},
                               {"thousand", 0, 0.0001, 1000}, {"drawn", 0.004, 0.0001, 1000}};
static const char *const shares[] = {"one", "quarter", "half", "all-but-one", "stream", "process"};
enum { LOADS = sizeof loads / sizeof loads[0], STREAM = 4, PROCESS, SHARES };
static const char *const parts[] = {"gather_noticed_s", "gather_told_s",  "gather_left_s",
                                    "gather_seen_s",    "gather_taken_s", "gather_began_s"};
enum { PARTS = sizeof parts / sizeof parts[0] };

typedef struct bench {
    const bench_long *kind;
    rd_graph *graph;
    char size[BENCH_LONG_SIZE]; /* of the long job: iterations, or which number */
    rd_job *job, *urgent;
    rd_device *stream;   /* of `stream`: the device, opened once more */
    bench_process other; /* of `process`, and what it is asked for, and answers */
    char request[160], answer[1024];
    rd_job *plain; /* of `nobody`: the long job again, which is never started */
    double ratio[SAMPLES];
    uint32_t ratios;
    double alone_s;  /* the long job, run by itself */
    double urgent_s; /* the urgent one, with its workers, likewise */
    uint32_t workers;
    rd_report report;
    double waited[SAMPLES];      /* of urgent jobs, for the device */
    double part[PARTS][SAMPLES]; /* of those that ran beside: where that time went */
    uint32_t parts;
    uint32_t count, met, beside; /* urgent jobs, those within their period, those that ran beside the long one */
    uint32_t waits; /* those that had to wait: a long job that begins anew leaves the device now and then */
    uint32_t runs;  /* of the long job, and what they took; since when, and how long were they checked? */
    double runs_s, began, checked_s;
    uint64_t random;
    double slowdown;
} bench;

static rd_status open_plain(bench_case *self, bench *b, rd_device *device, rd_error *err)
{
    BENCH_TRY(bench_long_make(b->kind, device, self->threads, b->size, &b->graph, &b->plain, err));
    return rd_job_run(b->plain, NULL, err);
}

static rd_status open_long(bench_case *self, bench *b, rd_device *device, rd_error *err)
{
    static struct {
        char device[64], size[BENCH_LONG_SIZE];
    } known[2]; /* cases that follow each other need not look for the size again */
    const char *name = rd_device_get_info(device)->name;
    const double seconds = bench_long_seconds(long_seconds);
    const int rounds = b->kind->rounds, is_known = strcmp(known[rounds].device, name) == 0;
    BENCH_TRY(
        bench_long_make(b->kind, device, self->threads, is_known ? known[rounds].size : NULL, &b->graph, &b->job, err));
    if (is_known && !b->kind->anew) {
        memcpy(b->size, known[rounds].size, sizeof b->size);
    } else if (!b->kind->anew) {
        BENCH_TRY(bench_long_fit(b->kind, b->job, seconds, b->size, err));
        memcpy(known[rounds].size, b->size, sizeof b->size);
        snprintf(known[rounds].device, sizeof known[rounds].device, "%s", name);
    }
    BENCH_TRY(rd_job_run(b->job, NULL, err));
    return bench_long_time(b->job, 3, &b->alone_s, err);
}

/* Only devices that lend say how often they did. */
static int device_lends(const rd_report *report)
{
    uint32_t i = 0;
    while (i < report->measures && strcmp(report->measure[i].name, "lent") != 0)
        i++;
    return i < report->measures;
}

/* Workers are compute units where the device lends some; else the job is of so many groups, and has its turn. */
static rd_status share_out(bench *b, uint64_t share, rd_device *device, rd_error *err)
{
    static const rd_start alone = {.size = sizeof alone};
    rd_report report;
    char text[24];
    BENCH_TRY(rd_job_start(b->urgent, &alone, err));
    BENCH_TRY(rd_job_wait(b->urgent, &report, err));
    const int lends = device_lends(&report);
    const uint32_t all = lends ? rd_device_get_info(device)->compute_units : report.groups;
    const uint32_t part[STREAM] = {1, all / 4, all / 2, all - 1};
    b->workers = part[share] ? part[share] : 1;
    snprintf(text, sizeof text, "%u", b->workers);
    return lends ? RD_OK : rd_job_set(b->urgent, "groups", text, err);
}

/* Waits for the long job of another process. */
static rd_status wait_other(bench *b, rd_error *err)
{
    int done = b->other.fd < 0;
    while (!done)
        BENCH_TRY(bench_process_wait(&b->other, 1, &done, err));
    if (strcmp(b->other.answer, b->answer) == 0)
        return RD_OK;
    err->status = RD_EWRONG;
    snprintf(err->text, sizeof err->text, "the answer was '%.200s', and is '%.200s'", b->answer, b->other.answer);
    return RD_EWRONG;
}

/* The long job once more, in another process: proved the first time. */
static rd_status open_other(bench_case *self, bench *b, const rd_device *device, rd_error *err)
{
    char proved[sizeof b->request + 16];
    double took[3];
    rd_stats stats;
    bench_long_request(b->kind, b->size, b->request, sizeof b->request);
    snprintf(proved, sizeof proved, "%sverify 1\n", b->request);
    BENCH_TRY(bench_process_open(&b->other, rd_device_get_info(device)->name, self->threads, err));
    for (int i = -1, done = 0; i < 3; i++, done = 0) {
        BENCH_TRY(bench_process_start(&b->other, i < 0 ? proved : b->request, err));
        while (!done)
            BENCH_TRY(bench_process_wait(&b->other, 1, &done, err));
        if (i < 0)
            memcpy(b->answer, b->other.answer, sizeof b->answer);
        else
            took[i] = b->other.ran;
    }
    rd_stats_of(took, 3, &stats);
    b->alone_s = stats.median;
    return RD_OK;
}

static rd_status open_urgent(bench_case *self, bench *b, rd_device *device, rd_error *err)
{
    const demand *load = &loads[self->number[0]];
    rd_report report;
    char text[BENCH_LONG_SIZE];
    if (load->takes == 0)
        return open_plain(self, b, device, err);
    if (self->number[1] == STREAM) {
        const rd_device_options again = {.size = sizeof again, .threads = self->threads};
        BENCH_TRY(rd_device_open(rd_device_get_info(device)->name, &again, &b->stream, err));
        device = b->stream;
    }
    if (self->number[1] == PROCESS)
        BENCH_TRY(open_other(self, b, device, err));
    BENCH_TRY(rd_job_create(device, "fib", &b->urgent, err));
    BENCH_TRY(bench_long_fit_fib(b->urgent, load->takes, text, err));
    if (self->number[1] < STREAM)
        BENCH_TRY(share_out(b, self->number[1], device, err));
    const rd_start start = {.size = sizeof start, .workers = b->workers};
    for (int i = 0; i < 4; i++) { /* the first makes what a job that shares its device needs */
        BENCH_TRY(rd_job_start(b->urgent, &start, err));
        BENCH_TRY(rd_job_wait(b->urgent, &report, err));
        b->urgent_s = i > 0 && (i == 1 || report.run_s < b->urgent_s) ? report.run_s : b->urgent_s;
    }
    return RD_OK;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    bench *b = calloc(1, sizeof *b);
    self->data = b;
    if (!b)
        return bench_no_memory(err, "a benchmark");
    const bench_long *list;
    b->kind = (bench_longs(&list), &list[self->number[2]]);
    BENCH_TRY(open_long(self, b, device, err));
    BENCH_TRY(open_urgent(self, b, device, err));
    self->workers = b->workers;
    BENCH_TRY(rd_job_start(b->job, NULL, err));
    return rd_job_wait(b->job, &b->report, err);
}

/* The long job is done: how long it took. */
static rd_status end_run(bench *b, rd_error *err)
{
    BENCH_TRY(rd_job_wait(b->job, &b->report, err));
    b->runs++;
    b->runs_s += b->report.run_s;
    return RD_OK;
}

/* From 0 to 1 (xorshift, G. Marsaglia 2003). */
static double draw(bench *b)
{
    uint64_t x = b->random ? b->random : 88172645463325252ull;
    x ^= x << 13;
    x ^= x >> 7;
    b->random = x ^= x << 17;
    return (double)(x >> 11) * 0x1p-53;
}

/* Waits until the next one is due. The long job, when it is done too early, begins anew, and where that took long the
 * next one comes at a moment that is drawn: else it would find the first things that a run does each time.
 * @return in *over whether no more is to be asked. */
static rd_status go_on(const bench_case *self, bench *b, double *due, int *over, rd_error *err)
{
    const demand *load = &loads[self->number[0]];
    *over = 0;
    do {
        rd_job_now now = {.state = RD_JOB_WAITING};
        const double rest = *due > rd_now() ? *due - rd_now() : 0;
        if (b->other.id)
            return bench_process_wait(&b->other, rest, over, err);
        BENCH_TRY(rd_job_poll(b->job, rest, &now, err));
        if (now.state != RD_JOB_DONE) {
            if (now.state == RD_JOB_WAITING) /* for its first turn */
                *due = rd_now() + load->period * draw(b);
            continue;
        }
        *over = !load->jobs && (!b->kind->anew || rd_now() - b->began > bench_long_seconds(long_seconds));
        if (*over)
            return RD_OK;
        BENCH_TRY(end_run(b, err));
        const double checks = rd_now();
        if (2 * b->checked_s <= checks - b->began) {
            BENCH_TRY(bench_long_check(b->job, err));
            b->checked_s += rd_now() - checks;
        }
        BENCH_TRY(rd_job_start(b->job, NULL, err));
        *due = rd_now() > *due ? rd_now() + load->period * draw(b) : *due;
    } while (rd_now() < *due);
    return RD_OK;
}

/* Urgent jobs at their times, while the long one runs. */
static rd_status ask(const bench_case *self, bench *b, rd_error *err)
{
    const demand *load = &loads[self->number[0]];
    const rd_start start = {.size = sizeof start, .priority = 1, .deadline = load->period, .workers = b->workers};
    const uint32_t most = !load->jobs ? SAMPLES : bench_quick ? load->jobs / 10 : load->jobs;
    double due = rd_now() + load->period / 2;
    int over = 0;
    for (b->count = b->met = b->beside = b->parts = b->waits = 0; b->urgent && b->count < most; b->count++) {
        rd_report report;
        BENCH_TRY(go_on(self, b, &due, &over, err));
        if (over)
            break;
        BENCH_TRY(rd_job_start(b->urgent, &start, err));
        BENCH_TRY(rd_job_wait(b->urgent, &report, err));
        BENCH_TRY(rd_job_check(b->urgent, err));
        const double late = report.run_s - b->urgent_s; /* where nobody makes way it waits as it runs */
        const double waited = self->number[1] < STREAM ? bench_measured(&report, "waited_s") : late > 0 ? late : 0;
        if (bench_measured(&report, "beside") > 0 || waited > free_seconds)
            b->waited[b->waits++] = waited;
        b->beside += bench_measured(&report, "beside") > 0;
        for (int i = 0; i < PARTS && bench_measured(&report, "beside") > 0; i++)
            b->part[i][b->parts] = bench_measured(&report, parts[i]);
        b->parts += bench_measured(&report, "beside") > 0;
        b->met += load->period == 0 || rd_now() - due <= load->period;
        due += load->jobs ? load->period * draw(b) : load->period;
        due = rd_now() > due ? rd_now() : due;
    }
    return RD_OK;
}

static double median_of(double *values, uint32_t count)
{
    rd_stats stats;
    rd_stats_of(values, count, &stats);
    return stats.median;
}

/* What the case has to say. */
static void tell(bench_case *self, bench *b)
{
    const demand *load = &loads[self->number[0]];
    bench_sort(b->waited, b->waits);
    for (int i = 0; i < PARTS; i++)
        bench_sort(b->part[i], b->parts);
    const double middle = 1e6 * bench_at(b->waited, b->waits, 0.5), high = 1e6 * bench_at(b->waited, b->waits, 0.99);
    char where[64] = "";
    for (int i = 0, at = 0; i < PARTS && b->parts && at < (int)sizeof where; i++)
        at += snprintf(where + at, sizeof where - (size_t)at, "%s%.0f%s",
                       i == 0           ? " ("
                       : i == PARTS - 1 ? ", then "
                                        : "+",
                       1e6 * bench_at(b->part[i], b->parts, 0.5), i == PARTS - 1 ? ")" : "");
    if (load->takes == 0)
        snprintf(self->note, sizeof self->note, "%.3f of alone", b->slowdown);
    else if (load->jobs)
        snprintf(self->note, sizeof self->note, "%.0f/%.0f us%s, %u done, %u waited, %u beside, in %u runs", middle,
                 high, where, b->count, b->waits, b->beside, b->runs);
    else
        snprintf(self->note, sizeof self->note, "%.0f/%.0f us%s, %u of %u met, %.2f of alone (%.2f)", middle, high,
                 where, b->met, b->count, b->slowdown,
                 b->urgent_s < load->period ? load->period / (load->period - b->urgent_s) : INFINITY);
}

/* Starts the long job, here or in another process; or waits for it. */
static rd_status start_long(bench *b, rd_error *err)
{
    return b->other.id ? bench_process_start(&b->other, b->request, err) : rd_job_start(b->job, NULL, err);
}

static rd_status wait_long(bench *b, rd_error *err)
{
    if (!b->other.id)
        return end_run(b, err);
    BENCH_TRY(wait_other(b, err));
    b->report.run_s = b->report.kernel_s = b->runs_s = b->other.ran;
    b->runs = 1;
    return RD_OK;
}

/* The long job, and urgent ones meanwhile. */
static rd_status run_once(const bench_case *self, bench *b, rd_error *err)
{
    rd_report plain = {.run_s = b->alone_s};
    if (b->plain) /* in the same run, so that what else the machine does is on both sides */
        BENCH_TRY(rd_job_run(b->plain, &plain, err));
    b->checked_s = b->runs_s = b->runs = 0;
    b->began = rd_now();
    BENCH_TRY(start_long(b, err));
    rd_error own = {.status = RD_OK};
    const rd_status asked = ask(self, b, &own);
    BENCH_TRY(wait_long(b, err));
    if (asked != RD_OK) {
        *err = own;
        return asked;
    }
    b->slowdown = b->runs_s / b->runs / plain.run_s;
    if (b->plain && !self->warming && b->ratios < SAMPLES) {
        b->ratio[b->ratios++] = b->slowdown;
        b->slowdown = median_of(b->ratio, b->ratios);
    }
    return RD_OK;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    bench *b = self->data;
    const double until = rd_now() + bench_long_seconds(long_seconds);
    do
        BENCH_TRY(run_once(self, b, err));
    while (b->plain && b->kind->anew && rd_now() < until);
    sample->kernel_s = b->report.kernel_s;
    sample->total_s = rd_now() - b->began;
    sample->work = b->report.tasks;
    tell(self, b);
    return RD_OK;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    const bench *b = self->data;
    return bench_long_check(b->job, err);
}

static void describe(const bench_case *self, rd_json *json)
{
    const bench *b = self->data;
    const demand *load = &loads[self->number[0]];
    rd_json_text(json, "long", self->text[0]);
    rd_json_text(json, "load", load->name);
    rd_json_double(json, "alone_s", b->alone_s);
    rd_json_double(json, "slowdown", b->slowdown);
    if (load->takes == 0)
        return;
    rd_json_text(json, "share", shares[self->number[1]]);
    rd_json_u64(json, "workers", b->workers);
    rd_json_double(json, "period_s", load->period);
    rd_json_double(json, "urgent_s", b->urgent_s);
    rd_json_u64(json, "urgent_jobs", b->count);
    rd_json_u64(json, "periods_met", b->met);
    rd_json_u64(json, "urgent_beside", b->beside);
    rd_json_u64(json, "urgent_waited", b->waits);
    rd_json_u64(json, "long_runs", b->runs);
    rd_json_double(json, "gather_median_s", bench_at(b->waited, b->waits, 0.5));
    rd_json_double(json, "gather_p99_s", bench_at(b->waited, b->waits, 0.99));
    for (int i = 0; i < PARTS && b->parts; i++)
        rd_json_double(json, parts[i], bench_at(b->part[i], b->parts, 0.5));
}

static void close_case(bench_case *self)
{
    bench *b = self->data;
    if (b) {
        rd_job_destroy(b->job);
        rd_job_destroy(b->urgent);
        rd_job_destroy(b->plain);
        bench_process_close(&b->other);
        rd_device_close(b->stream);
        rd_graph_destroy(b->graph);
    }
    free(b);
    self->data = NULL;
}

/* Which shares of the workers a demand comes with. What the system does by itself is held against the suite's own long
 * jobs. */
static uint64_t shares_of(const bench_long *kind, const demand *load)
{
    return load->period == 0 ? 1 : kind->anew || load->jobs ? STREAM : SHARES;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    const bench_long *job;
    const size_t jobs = bench_longs(&job);
    for (uint64_t j = 0; j < jobs; j++)
        for (uint64_t l = 0; l < LOADS; l++)
            for (uint64_t s = 0; s < shares_of(&job[j], &loads[l]); s++) {
                bench_case item = {.unit = "tasks",
                                   .open = open_case,
                                   .run = run_case,
                                   .check = check_case,
                                   .describe = describe,
                                   .close = close_case,
                                   .text = {job[j].name},
                                   .number = {l, s, j}};
                snprintf(item.name, sizeof item.name, loads[l].period > 0 ? "%.90s/%s/%s" : "%.90s/%s", job[j].name,
                         loads[l].name, shares[s]);
                BENCH_TRY(bench_add(list, &item, err));
            }
    return job->anew ? RD_OK : bench_add_submit(list, err);
}

const bench_suite bench_suite_multitask = {
    .name = "multitask",
    .summary = "a long job beside urgent ones: how long they wait, periods met, what it costs",
    .trials = 3,
    .time_limit = 30,
    .options = options,
    .take = take,
    .cases = cases,
};
