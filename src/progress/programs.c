/* SPDX-License-Identifier: Apache-2.0 */
/*
 * programs.c - the programs that a device is tested with: of all programs of two to five threads with at most two steps
 * a thread and four or five together (the steps of fairness/family.h), those that block, that end when everybody is
 * run, and that are not another one in disguise. The model checker says of each under which schedulers it ends;
 * programs with the same answer and as many threads are of one kind. Of each kind the smallest are taken, and some of
 * the rest by lot.
 */
#include "progress/progress.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "fairness/family.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)RD_PROGRESS_STEPS == (int)RD__FAMILY_STEPS, "programs are made of the family's lists");

enum { CHUNK = 64, KINDS = 256 };

/* Most steps in all, by threads: what ends only under hsa and obe together needs five. */
static const uint32_t most_steps[RD_PROGRESS_THREADS + 1] = {0, 0, 4, 5, 5, 4};

typedef struct list {
    rd_progress_program *item;
    size_t count, room;
} list;

/* An empty first or last thread makes it a program of fewer. What is set is looked at and
 * what is waited for is set; who takes a lock gives it back somewhere; leaving as the last step is no step. Without a
 * question for x, x and y are but names: x comes first. */
static int is_useful(const rd_progress_program *p)
{
    uint32_t seen[RD__FAMILY_KINDS] = {0}, first = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < RD_PROGRESS_STEPS && p->step[t][i]; i++) {
            const uint32_t kind = p->step[t][i];
            seen[kind]++;
            first = first || kind >= RD__FAMILY_UNLESS_X ? first : kind;
            if (kind == RD__FAMILY_UNLESS_X && (i + 1 == RD_PROGRESS_STEPS || !p->step[t][i + 1]))
                return 0;
        }
    const uint32_t looks_x = seen[RD__FAMILY_AWAIT_X] + seen[RD__FAMILY_UNLESS_X], looks_y = seen[RD__FAMILY_AWAIT_Y];
    const int is_named =
        seen[RD__FAMILY_UNLESS_X] || first == 0 || first == RD__FAMILY_SET_X || first == RD__FAMILY_AWAIT_X;
    return p->step[0][0] && p->step[p->threads - 1][0] && !looks_x == !seen[RD__FAMILY_SET_X] &&
           !looks_y == !seen[RD__FAMILY_SET_Y] && !seen[RD__FAMILY_LOCK] == !seen[RD__FAMILY_UNLOCK] &&
           (seen[RD__FAMILY_AWAIT_X] || looks_y || seen[RD__FAMILY_LOCK]) && is_named;
}

static rd_status keep(list *all, const rd_progress_program *p, rd_error *err)
{
    if (all->count == all->room) {
        const size_t room = all->room ? 2 * all->room : 1024;
        rd_progress_program *grown = rd__realloc(all->item, room * sizeof *grown);
        if (!grown)
            return rd__fail_memory(err, "programs to run", room * sizeof *grown);
        all->item = grown;
        all->room = room;
    }
    all->item[all->count++] = *p;
    return RD_OK;
}

/* Gives thread t and those after it every list of steps that `left` steps in all allow. */
static rd_status enumerate(list *all, rd_progress_program *p, uint32_t t, uint32_t left, rd_error *err)
{
    if (t == p->threads)
        return left == 0 && is_useful(p) ? keep(all, p, err) : RD_OK;
    if (left > (p->threads - t) * RD_PROGRESS_STEPS)
        return RD_OK;
    for (uint32_t a = 0; a < (left ? RD__FAMILY_KINDS : 1); a++)
        for (uint32_t b = 0; b < (a && left > 1 ? RD__FAMILY_KINDS : 1); b++) {
            p->step[t][0] = (uint8_t)a;
            p->step[t][1] = (uint8_t)b;
            RD_TRY(enumerate(all, p, t + 1, left - !!a - !!b, err));
        }
    return RD_OK;
}

/* ---- Under which schedulers they end ---- */

typedef struct checking {
    list *all;
    const rd_progress_options *options;
    _Atomic size_t next;
    _Atomic uint32_t stop;
    rd_status *status;
    rd_error *err;
} checking;

static rd_status check(rd_progress_program *p, rd_error *err)
{
    char text[600];
    rd_fairness *model;
    rd_fairness_report report;
    const rd_fairness_options options = {.size = sizeof options, .memory = 256u << 20, .threads = 1};
    rd__family_text((const uint8_t(*)[RD__FAMILY_STEPS])p->step, p->threads, 0, text, sizeof text);
    RD_TRY(rd_fairness_open("program", text, NULL, &model, err));
    const rd_status status = rd_fairness_check(model, &options, &report, err);
    rd_fairness_close(model);
    RD_TRY(status);
    for (uint32_t k = 0; k < report.verdicts; k++)
        p->ends |= (uint32_t)!report.verdict[k].starves << k;
    rd_fairness_report_free(&report);
    return RD_OK;
}

/* The stop flag and the counter carry nothing but themselves: relaxed, partners are the same lines in other workers. */
static void work(void *arg, unsigned number, unsigned threads)
{
    checking *c = arg;
    (void)threads;
    while (c->status[number] == RD_OK && !atomic_load_explicit(&c->stop, memory_order_relaxed)) {
        const size_t from = atomic_fetch_add_explicit(&c->next, CHUNK, memory_order_relaxed);
        if (from >= c->all->count)
            return;
        for (size_t i = from; i < from + CHUNK && i < c->all->count && c->status[number] == RD_OK; i++)
            c->status[number] = check(&c->all->item[i], &c->err[number]);
        if (number == 0 && c->options->progress &&
            c->options->progress(c->options->user, "checking programs", from, c->all->count, "programs"))
            c->status[number] = rd__fail(&c->err[number], RD_ECANCELLED, "programs were still being checked");
        if (c->status[number] != RD_OK)
            atomic_store_explicit(&c->stop, 1, memory_order_relaxed);
    }
}

static rd_status check_all(list *all, const rd_progress_options *options, rd_error *err)
{
    const unsigned threads = rd__thread_count(options->host_threads);
    checking c = {.all = all, .options = options};
    c.status = rd__calloc(threads, sizeof *c.status);
    c.err = rd__calloc(threads, sizeof *c.err);
    rd_status status = c.status && c.err ? RD_OK : rd__fail_memory(err, "workers of a search", threads * sizeof *c.err);
    atomic_init(&c.next, 0);
    atomic_init(&c.stop, 0);
    if (status == RD_OK)
        rd__parallel(threads, work, &c);
    for (unsigned i = 0; status == RD_OK && i < threads; i++)
        if (c.status[i] != RD_OK)
            status = rd__fail(err, c.status[i], "%s", c.err[i].text);
    rd__free(c.status);
    rd__free(c.err);
    return status;
}

/* ---- Which to take ---- */

static int by_size(const void *a, const void *b)
{
    const rd_progress_program *p = a, *q = b;
    if (p->steps != q->steps)
        return p->steps < q->steps ? -1 : 1;
    if (p->threads != q->threads)
        return p->threads < q->threads ? -1 : 1;
    return memcmp(p->step, q->step, sizeof p->step);
}

/* Moves those to be taken to the front, in order. The rest of a kind is drawn by a hash: each is as likely as another,
 * and which are taken depends on the seed alone. */
static void select(list *all, const rd_progress_options *options)
{
    const uint32_t each = options->programs, fair = rd__progress_scheduler("fair");
    uint32_t seen[RD_PROGRESS_THREADS + 1][KINDS] = {{0}}, taken[RD_PROGRESS_THREADS + 1][KINDS] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        seen[all->item[i].threads][all->item[i].ends % KINDS]++;
    for (size_t i = 0; i < all->count; i++) {
        const rd_progress_program p = all->item[i];
        uint32_t *mine = &taken[p.threads][p.ends % KINDS];
        const uint32_t rest = seen[p.threads][p.ends % KINDS];
        const int small = (*mine)++ < each;
        const int drawn = rest > each && rd__mix64(options->seed + i * RD_GOLDEN) % (rest - each) < each;
        if ((p.ends >> fair & 1) && (small || drawn)) {
            all->item[count] = p;
            rd__family_text((const uint8_t(*)[RD__FAMILY_STEPS])p.step, p.threads, 1, all->item[count].text,
                            sizeof p.text);
            count++;
        }
    }
    all->count = count;
}

rd_status rd_progress_programs(const rd_progress_options *options, rd_progress_program **out, size_t *count,
                               rd_error *err)
{
    rd_progress_options set;
    list all = {0};
    rd_status status = RD_OK;
    if (!out || !count)
        return rd__fail(err, RD_EARG, "rd_progress_programs needs a place for the list and one for its length");
    *out = NULL;
    *count = 0;
    RD_TRY(rd__progress_defaults(options, &set, err));
    for (uint32_t threads = 2; status == RD_OK && threads <= set.threads; threads++)
        for (uint32_t steps = 2; status == RD_OK && steps <= most_steps[threads]; steps++) {
            rd_progress_program p = {.threads = threads, .steps = steps};
            status = enumerate(&all, &p, 0, steps, err);
        }
    if (status == RD_OK)
        status = check_all(&all, &set, err);
    if (status != RD_OK) {
        rd__free(all.item);
        return status;
    }
    qsort(all.item, all.count, sizeof *all.item, by_size);
    select(&all, &set);
    *out = all.item;
    *count = all.count;
    return RD_OK;
}
