/* SPDX-License-Identifier: Apache-2.0 */
/*
 * family.c - the order of schedulers, on every program of a family: three threads, each a list of up to two steps of
 * seven kinds, over two flags and a lock. It is small and has what tells schedulers apart: waiting for a flag, holding
 * a lock, and leaving when somebody else has not begun. The order is a theorem of the thesis (criterion.c names it);
 * here it is a test of the checker, and gives the smallest programs that separate its members.
 */
#include "fairness/family.h"

#include "core/parallel.h"
#include "fairness/model.h"
#include "raddle/tool.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const steps[RD__FAMILY_KINDS] = {
    "",         "x = 1", "y = 1", "await x == 1", "await y == 1", "if x == 0; stop; end", "await swap(lock, 1) == 0",
    "lock = 0",
};
enum { STEPS = RD__FAMILY_KINDS - 1, THREADS = 3, CHUNK = 64 };

/* Places in rd_fairness_schedulers. */
enum { OPENCL, HSA, OBE, HSA_OBE, LOBE, FAIR, SCHEDULERS };
static const struct {
    uint8_t weaker, stronger, incomparable;
} pairs[] = {{OPENCL, HSA, 0},  {OPENCL, OBE, 0},   {HSA, OBE, 1},  {HSA, HSA_OBE, 0},
             {OBE, HSA_OBE, 0}, {HSA_OBE, LOBE, 0}, {LOBE, FAIR, 0}};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

typedef struct counts {
    uint64_t ending, states;
    uint64_t seen[PAIRS][4];  /* by whether it ends under the weaker (1) and the stronger one (2) */
    uint32_t first[PAIRS][4]; /* the first program of each kind */
    rd_status status;
    rd_error err;
} counts;

typedef struct family {
    uint32_t each, programs; /* lists of steps a thread may have; cubed */
    const rd_fairness_options *options;
    _Atomic uint32_t next, stop;
    counts *worker;
} family;

const char *rd__family_step(uint32_t kind)
{
    return kind < RD__FAMILY_KINDS ? steps[kind] : "";
}

void rd__family_text(const uint8_t (*step)[RD__FAMILY_STEPS], uint32_t threads, int for_people, char *text,
                     size_t bytes)
{
    int used =
        for_people ? snprintf(text, bytes, "%s", "") : snprintf(text, bytes, "threads %u\nword x, y, lock\n", threads);
    for (uint32_t t = 0; t < threads && (size_t)used < bytes; t++) {
        used += snprintf(text + used, bytes - (size_t)used, for_people ? "%s%u: " : "%sthread %u\n",
                         for_people && t ? " | " : "", t);
        for (int i = 0; i < RD__FAMILY_STEPS && step[t][i] && (size_t)used < bytes; i++)
            used += snprintf(text + used, bytes - (size_t)used, "%s%s", i ? (for_people ? "; " : "\n") : "",
                             steps[step[t][i]]);
        if ((size_t)used < bytes)
            used += snprintf(text + used, bytes - (size_t)used, "%s", for_people ? "" : "\nend\n");
    }
}

/* A list of steps has a number: 0 is none, then those of one step, then those of two. A program has those of its
 * threads as digits. */
static void program_text(const family *f, uint32_t program, int for_people, char *text, size_t bytes)
{
    uint8_t step[THREADS][RD__FAMILY_STEPS] = {{0}};
    for (int t = 0; t < THREADS; t++, program /= f->each) {
        const uint32_t list = program % f->each;
        if (list > STEPS) {
            step[t][0] = (uint8_t)(1 + (list - STEPS - 1) / STEPS);
            step[t][1] = (uint8_t)(1 + (list - STEPS - 1) % STEPS);
        } else {
            step[t][0] = (uint8_t)list;
        }
    }
    rd__family_text((const uint8_t(*)[RD__FAMILY_STEPS])step, THREADS, for_people, text, bytes);
}

static rd_status one(const family *f, uint32_t program, counts *c)
{
    char text[600];
    rd_fairness *model;
    rd_fairness_report report;
    rd_fairness_options options = {.size = sizeof options, .memory = 256u << 20, .threads = 1};
    options.no_symmetry = f->options->no_symmetry;
    options.no_partial_order = f->options->no_partial_order;
    program_text(f, program, 0, text, sizeof text);
    RD_TRY(rd_fairness_open("family", text, NULL, &model, &c->err));
    const rd_status status = rd_fairness_check(model, &options, &report, &c->err);
    rd_fairness_close(model);
    RD_TRY(status);
    c->states += report.states;
    if (!report.verdict[FAIR].starves) {
        c->ending++;
        for (int i = 0; i < PAIRS; i++) {
            const int kind = !report.verdict[pairs[i].weaker].starves + 2 * !report.verdict[pairs[i].stronger].starves;
            c->seen[i][kind]++;
            c->first[i][kind] = program < c->first[i][kind] ? program : c->first[i][kind];
        }
    }
    rd_fairness_report_free(&report);
    return RD_OK;
}

/* The stop flag and the counter carry nothing but themselves: relaxed, partners are the same lines in other workers. */
static void work(void *arg, unsigned number, unsigned threads)
{
    family *f = arg;
    counts *c = &f->worker[number];
    (void)threads;
    while (c->status == RD_OK && !atomic_load_explicit(&f->stop, memory_order_relaxed)) {
        const uint32_t from = atomic_fetch_add_explicit(&f->next, CHUNK, memory_order_relaxed);
        if (from >= f->programs)
            return;
        for (uint32_t i = from; i < from + CHUNK && i < f->programs && c->status == RD_OK; i++)
            c->status = one(f, i, c);
        if (number == 0 && f->options->progress &&
            f->options->progress(f->options->user, "checking programs", from, f->programs, "programs"))
            c->status = rd__fail(&c->err, RD_ECANCELLED, "%u of %u programs were checked", from, f->programs);
        if (c->status != RD_OK)
            atomic_store_explicit(&f->stop, 1, memory_order_relaxed);
    }
}

static void add_up(const family *f, unsigned threads, rd_fairness_order_report *report)
{
    const rd_name_text *names = rd_fairness_schedulers();
    report->pairs = PAIRS;
    for (int i = 0; i < PAIRS; i++) {
        rd_fairness_pair *pair = &report->pair[i];
        uint64_t seen[4] = {0};
        uint32_t first[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
        for (unsigned w = 0; w < threads; w++)
            for (int kind = 0; kind < 4; kind++) {
                seen[kind] += f->worker[w].seen[i][kind];
                first[kind] = f->worker[w].first[i][kind] < first[kind] ? f->worker[w].first[i][kind] : first[kind];
            }
        *pair = (rd_fairness_pair){.weaker = names[pairs[i].weaker].name,
                                   .stronger = names[pairs[i].stronger].name,
                                   .incomparable = pairs[i].incomparable,
                                   .both = seen[3],
                                   .only_stronger = seen[2],
                                   .only_weaker = seen[1]};
        pair->holds = seen[2] && (pairs[i].incomparable ? seen[1] != 0 : seen[1] == 0);
        for (int kind = 1; kind < 3; kind++)
            if (seen[kind])
                program_text(f, first[kind], 1, pair->example[2 - kind], sizeof pair->example[0]);
    }
    for (unsigned w = 0; w < threads; w++) {
        report->ending += f->worker[w].ending;
        report->states += f->worker[w].states;
    }
}

rd_status rd_fairness_order(uint32_t length, const rd_fairness_options *options, rd_fairness_order_report *report,
                            rd_error *err)
{
    const rd_fairness_options none = {.size = sizeof none};
    const double start = rd_now();
    options = options ? options : &none;
    if (!report || length < 1 || length > 2 || options->size != sizeof *options || options->threads > RD__MAX_THREADS)
        return rd__fail(err, RD_EARG, "rd_fairness_order: length 1 or 2, options.size and a report are needed");
    const unsigned threads = rd__thread_count(options->threads);
    family f = {.each = 1 + STEPS + (length == 2 ? STEPS * STEPS : 0), .options = options};
    f.programs = f.each * f.each * f.each;
    f.worker = rd__calloc(threads, sizeof *f.worker);
    if (!f.worker)
        return rd__fail_memory(err, "workers of a search", threads * sizeof *f.worker);
    for (unsigned w = 0; w < threads; w++)
        memset(f.worker[w].first, 0xff, sizeof f.worker[w].first);
    atomic_init(&f.next, 0);
    atomic_init(&f.stop, 0);
    rd__parallel(threads, work, &f);
    rd_status status = RD_OK;
    for (unsigned w = 0; w < threads; w++)
        if (status == RD_OK && f.worker[w].status != RD_OK)
            status = rd__fail(err, f.worker[w].status, "%s", f.worker[w].err.text);
    *report = (rd_fairness_order_report){.programs = f.programs};
    if (status == RD_OK)
        add_up(&f, threads, report);
    report->seconds = rd_now() - start;
    rd__free(f.worker);
    return status;
}
