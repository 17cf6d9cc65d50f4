/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - rd_fairness_check: one search serves all schedulers, since what they promise does not change what can
 * happen in finitely many steps. It also says that safety does not depend on them. What is to be shown is looked for
 * again without reductions, so that it is short, real, and a second opinion.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/memory_left.h"
#include "core/parallel.h"
#include "fairness/witness.h"
#include "raddle/tool.h"

#include <string.h>
#include <time.h>

/* Seconds of all threads of the process. */
static double processor_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct check {
    const rd_fairness *m;
    const rd_fairness_options *options;
    rd_fairness_report *report;
    fair_criterion *criterion;
    uint32_t criteria;
    uint64_t memory;
    unsigned threads;
} check;

static rd_status read_criteria(check *c, rd_error *err)
{
    const char *const *wanted = c->options->scheduler;
    const rd_name_text *names = rd_fairness_schedulers();
    const int all = !wanted[0];
    if (c->options->safety_only)
        return RD_OK;
    for (uint32_t k = 0; k < RD_FAIRNESS_SCHEDULERS && (all ? names[k].name : wanted[k]); k++) {
        RD_TRY(rd__fair_criterion(&c->criterion[k], all ? names[k].name : wanted[k], err));
        c->report->verdict[k].scheduler = c->criterion[k].text;
        c->criteria++;
    }
    c->report->verdicts = c->criteria;
    return RD_OK;
}

static fair_search new_search(const check *c, int reduced)
{
    fair_search search = {.m = c->m,
                          .partial_order = reduced && !c->options->no_partial_order,
                          .symmetry = reduced && !c->options->no_symmetry && c->m->is_symmetric,
                          .threads = c->threads,
                          .watch = {c->options->progress, c->options->user}};
    for (uint32_t k = 0; k < c->criteria; k++)
        search.symmetry = search.symmetry && !c->criterion[k].uses_order;
    return search;
}

static void add_bytes(check *c, const fair_search *search)
{
    c->report->bytes = search->store.most > c->report->bytes ? search->store.most : c->report->bytes;
}

/* What a search found that is to be shown. It had no reductions. */
static rd_status show(check *c, fair_search *search, fair_scc *scc, rd_error *err)
{
    if (search->fault.kind != FAIR_FINE)
        return rd__fair_way(search, &c->report->run, err);
    for (uint32_t k = 0; scc && k < c->criteria; k++)
        if (scc->entry[k] != FAIR_NONE && c->options->witness)
            RD_TRY(rd__fair_circle(scc, k, &c->report->verdict[k].run, err));
    return RD_OK;
}

/* Writes the verdicts, or compares with those of the first search. */
static rd_status judge(check *c, const fair_search *search, const fair_scc *scc, int again, rd_error *err)
{
    rd_fairness_report *report = c->report;
    const int unsafe = search->fault.kind != FAIR_FINE;
    int differs = again && report->unsafe != unsafe;
    for (uint32_t k = 0; !unsafe && k < c->criteria; k++) {
        const int starves = scc->entry[k] != FAIR_NONE;
        differs |= again && report->verdict[k].starves != starves;
        report->verdict[k].starves = (uint8_t)starves;
    }
    report->unsafe = (uint8_t)unsafe;
    if (unsafe) /* the shortest way, when this is the second search */
        rd__fair_describe(c->m, &search->fault, report->fault, sizeof report->fault);
    return differs ? rd__fail(err, RD_EWRONG, "internal error: searches with and without reductions differ") : RD_OK;
}

/* One search and what it says. @return *more: something is to be shown, and this search cannot. */
static rd_status once(check *c, int reduced, int *more, rd_error *err)
{
    fair_search search = new_search(c, reduced);
    const int is_plain = !search.symmetry && !search.partial_order;
    fair_scc scc = {.search = &search, .criterion = c->criterion, .criteria = c->criteria};
    int any = 0;
    rd_status status = rd__fair_explore(&search, c->memory, err);
    if (status == RD_OK && search.fault.kind == FAIR_FINE && c->criteria)
        status = rd__fair_scc(&scc, err);
    if (reduced) {
        c->report->states = search.states;
        c->report->transitions = search.transitions;
        c->report->used_symmetry = search.symmetry != 0;
        c->report->used_partial_order = search.partial_order != 0;
    }
    if (status == RD_OK)
        status = judge(c, &search, &scc, !reduced, err);
    for (uint32_t k = 0; status == RD_OK && k < c->criteria; k++)
        any |= c->report->verdict[k].starves && c->options->witness;
    any |= c->report->unsafe;
    *more = any && !is_plain;
    if (status == RD_OK && any && is_plain) {
        rd_error inner = {RD_OK, ""};
        status = show(c, &search, &scc, &inner);
        if (status == RD_ENOMEM) /* the verdict stands, and is not shown */
            status = RD_OK;
        else if (status != RD_OK)
            rd__fail(err, status, "%s", inner.text);
    }
    add_bytes(c, &search);
    rd__fair_scc_close(&scc);
    rd__fair_store_close(&search.store);
    return status;
}

static rd_status run(check *c, rd_error *err)
{
    int more;
    RD_TRY(read_criteria(c, err));
    RD_TRY(once(c, 1, &more, err));
    if (!more)
        return RD_OK;
    rd_error inner = {RD_OK, ""};
    const rd_status status = once(c, 0, &more, &inner);
    if (status == RD_OK || status == RD_ENOMEM) /* likewise, see once() */
        return RD_OK;
    return rd__fail(err, status, "%s", inner.text);
}

rd_status rd_fairness_check(const rd_fairness *model, const rd_fairness_options *options, rd_fairness_report *report,
                            rd_error *err)
{
    const rd_fairness_options none = {.size = sizeof none};
    const double start = rd_now(), processor_start = processor_now();
    uint64_t total, left;
    if (!model || !report)
        return rd__fail(err, RD_EARG, "rd_fairness_check: model and report are needed");
    options = options ? options : &none;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_fairness_check: options.size is not sizeof options");
    if (options->threads > RD__MAX_THREADS)
        return rd__fail(err, RD_EARG, "%u threads are too many: at most %d", options->threads, RD__MAX_THREADS);
    *report = (rd_fairness_report){0};
    check c = {.m = model, .options = options, .report = report, .memory = options->memory};
    if (!c.memory) {
        rd__memory_ask("", &total, &left);
        c.memory = left / 2;
    }
    c.threads = rd__thread_count(options->threads);
    report->threads = c.threads;
    report->model_threads = model->threads;
    c.criterion = rd__calloc(RD_FAIRNESS_SCHEDULERS, sizeof *c.criterion);
    rd_status status = c.criterion ? run(&c, err) : rd__fail_memory(err, "schedulers", sizeof *c.criterion);
    rd__free(c.criterion);
    report->seconds = rd_now() - start;
    report->processor_seconds = processor_now() - processor_start;
    if (status != RD_OK) {
        rd__fair_run_free(&report->run);
        for (uint32_t k = 0; k < report->verdicts; k++)
            rd__fair_run_free(&report->verdict[k].run);
    }
    return status;
}

void rd_fairness_report_free(rd_fairness_report *report)
{
    if (!report)
        return;
    rd__fair_run_free(&report->run);
    for (uint32_t k = 0; k < report->verdicts; k++)
        rd__fair_run_free(&report->verdict[k].run);
    *report = (rd_fairness_report){0};
}
