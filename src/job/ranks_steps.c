/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_steps.c - searches over several ranks, in steps by the host: those with weights (sssp), and what is deep of
 * those without (bfs). Windows (ranks_least.c) cost a look at all words between two runs of the engine, a launch, and
 * two sums over all ranks when all is quiet: on a road network, where a window has some hundred tasks, that was nine
 * tenths of the time. Here what waits lies on shelves, in the order of words (shelves.h), so that a step costs what is
 * in it. A step is:
 *
 *   run        all own vertices that wait below the limit, nearest first, until none is left
 *   exchange   neighbours get records of ghosts that got lower, one message each; meanwhile all ranks agree on the
 *              least word that waits anywhere, what was just sent included: the limit is that and the width
 *
 * So there is one wait in a step, and nothing is to be quiet before the limit moves. Where the device has many cores,
 * and a step had much to run, the next is run by its engine, and shelves are filled by a look at all words.
 *
 * Right. Words only fall, and each is the length of a path. An own vertex waits when its word is lower than what it had
 * when it ran last; it is on a shelf then. The least that waits, or is under way to who it is for, is never above what
 * all agree on: a rank takes part with the least on its shelves after it has run, and with the least that it sent.
 * Whoever receives finds it on its shelves before it runs again. Nothing waits anywhere: then every vertex has offered
 * its word to its neighbours, ghosts' owners among them, and it is the end.
 *
 * What is held. With weights, what is offered to a ghost is often far beyond the window, and better is offered before
 * its owner would run it. So its owner is told when the word comes near the window, and until then it is held: the
 * ghost's word here is lower than what was sent. Of each block of ghosts the least such word is known, so that a step
 * looks at blocks that have something to tell, and at no others. What is held waits here: the least of it is part of
 * what all agree on. So the window comes to it, and the next exchange has it.
 *
 * What is in vain. All that was offered below a limit has been told, and an owner has a word below it: then what is
 * held for that ghost, which is not below, is in vain. So owners tell who has one, by a bit for each ghost that they
 * have not said it of before, written short (graph/part/news.c). Of a ghost that this rank has told its owner of, both
 * know it without that. The ghost's word here becomes the greatest below the limit, as if it had been sent: no
 * path may have that length, but its owner has as low a word, and what is sent is only ever lower. They do so when what
 * is in vain costs more than the bits: what was since they did so last, and what the next exchange is going to have by
 * the distance that it goes further. A window begins as narrow as can be, for where many edges are each distance is a
 * step of its own anyway, and what is run in its order is neither run nor sent twice.
 *
 * Overwork. What a rank runs below the limit may get lower by what others send. Tasks that are not the first of their
 * vertex are counted over all ranks, and where there are many the window is made narrower.
 *
 * To levels. Where each edge counts 1 and no word is beyond the least that waits, all that waits has it: as when a
 * level begins. If that has a great part of all edges, or many, levels go on (ranks_levels.c). A step that was made for
 * a path, and comes to where most edges are, would run far ahead there: each rank ends it when it has run much more
 * than was to be expected, with the rest on its shelves, and steps of one level follow.
 *
 * Checkpoints are written when an exchange is done: no message is under way, and below the least that waits all is
 * final. So the words, and that as the limit, are all there is: as of windows. Words of ghosts that are no path's
 * length are sent by whoever goes on from there, in vain.
 */
#include "job/checkpoint.h"
#include "job/steps.h"

#include "core/memory.h"

#include <string.h>

/* Of a step for each rank: few tasks and edges; many are MUCH times as many. */
enum { LITTLE = 4096, MUCH = 64 };
/* Where tasks of a step grow by so much the width does not, or is halved. */
enum { GROWS = 2, GROWS_MUCH = 8 };
/* Shelves of a window are kept between these; of the first width that an app asks for, at first; a search begins with
 * one. */
enum { MOST_SHELVES = 256, MOST_OF_HOPS = 64, FEWER = 16, FINER = 64 };
/* Owners are told what lies before the end of the window and so many windows more: half of all shelves at most. */
enum { AHEAD = 1 };
/* Owners tell who has a word when more than FEW_VAIN offers were in vain, and one for so many ghosts that nothing is
 * known of. These bits take as much as one record for a hundred ghosts, or less; but what is told early is not told
 * again, so that to tell more often costs little more. */
enum { IN_VAIN = 1024, FEW_VAIN = 1024 };
/* Edges of a step, beside as many as there are words, after which the next is left to an engine with many cores. */
enum { MANY_EDGES = 1 << 16, FEW_CORES = 3 };
/* Without weights: levels go on with more than such a part of all edges; after a step with less than such a part nobody
 * asks. A step of many levels that has met a great part of the edges, or STOP of them, is ended where it is. */
enum { GREAT_PART = 14, LOOK_AFTER = 256, STOP = MUCH * LITTLE / 4 };
/* Tasks a vertex. Where a step is small it is its waits that cost, and some more tasks do not matter; where it is not,
 * each task does. A window is made narrower above these, and a small one wider below the last. */
static const double most_if_small = 1.25, most_else = 1.08, some_if_small = 1.12, trusted = 1.01;

int rd__steps_can(const rd__least *run)
{
    const rd__app_ranks *app = run->job->app->ranks;
    return rd__ranks_many(run->ranks) && !run->is_copy && !run->job->window && (app->too_long || !app->weighted);
}

static uint32_t due_word(const void *user, uint32_t v)
{
    const rd__steps *s = user;
    return rd__bit_at(s->waits, v) ? s->run->value[v] : RD_NONE;
}

/* ---- Steps ---- */

/* Without weights: records of what was touched. @return the least of their words. */
static uint32_t list_touched(rd__steps *s)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    uint32_t least = RD_NONE;
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const uint32_t from = part->ghost_from[r], count = s->touches[r];
        for (uint32_t i = from; i < from + count; i++) {
            const uint32_t g = s->touched[i], word = run->value[part->own + g];
            run->sent[g] = word;
            run->out[i] = (rd__record){part->ghost[g] - part->start[r], word};
            least = word < least ? word : least;
        }
        s->deal[r] = (rd__deal){run->out + from, count * sizeof *run->out};
        s->touches[r] = 0;
        run->records += count;
    }
    return least;
}

/* The least that is held. */
static uint64_t least_held(const rd__steps *s)
{
    uint32_t least = RD_NONE;
    for (uint64_t b = 0; b < s->blocks; b++)
        least = s->held[b] < least ? s->held[b] : least;
    return least == RD_NONE ? RD__SHELF_NONE : rd__shelf_of(s->shelves, least);
}

static rd_status take(rd__steps *s, uint32_t r, const rd__deal *deal, rd_error *err)
{
    const rd__record *list = deal->data;
    if (deal->bytes % sizeof *list)
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no records", r,
                        (unsigned long long)deal->bytes);
    for (uint64_t i = 0; i < deal->bytes / sizeof *list; i++) {
        const uint32_t v = list[i].vertex;
        if (v >= s->run->part->own)
            return rd__fail(err, RD_EDEVICE, "rank %u sent a record for vertex %u, which is not here", r, v);
        const uint32_t old = s->run->value[v];
        if (list[i].value < old)
            RD_TRY(rd__steps_lower(s, v, old, list[i].value, err));
        else
            s->vain++;
    }
    return RD_OK;
}

/* Edges of what waits first, and about as many of what was sent; not after a step with few, which cannot matter. */
static uint64_t edges_of(const rd__steps *s, uint64_t number)
{
    const rd__part *part = s->run->part;
    uint64_t edges = 0, records = 0;
    if (!s->may_leave || s->edges < s->csr.edges / LOOK_AFTER)
        return 0;
    for (uint32_t r = 0; r < rd_ranks_count(s->run->ranks); r++)
        records += s->deal[r].bytes / sizeof(rd__record);
    if (number - s->shelves->base < RD__SHELVES) {
        const rd__shelf *shelf = &s->shelves->near[number % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++)
            edges += s->csr.row[shelf->vertex[i] + 1] - s->csr.row[shelf->vertex[i]];
    }
    return edges + records * part->edges / part->vertices; /* there are some */
}

/* All ranks: tells neighbours, and hears from them; *all: what all have to say. */
static rd_status exchange(rd__steps *s, rd__tally *all, rd_error *err)
{
    rd__least *run = s->run;
    const uint32_t ranks = rd_ranks_count(run->ranks);
    rd__tally mine = {{0}, {0}};
    const uint32_t below = rd__shelf_word(s->shelves, s->tell);
    const uint32_t sent = s->held ? rd__steps_tell(s, below) : list_touched(s);
    const uint64_t first = rd__shelves_first(s->shelves, due_word, s);
    const uint64_t held = least_held(s);
    const uint64_t told = sent == RD_NONE ? RD__SHELF_NONE : rd__shelf_of(s->shelves, sent);
    const uint64_t under_way = told < held ? told : held;
    mine.most[RD__LEAST_WAITING] = ~(first < under_way ? first : under_way);
    mine.most[RD__LEAST_HERE] = ~first;
    mine.sum[RD__LEAST_TASKS] = s->tasks;
    mine.sum[RD__LEAST_EDGES] = s->edges;
    mine.sum[RD__LEAST_SETTLED] = s->fresh;
    mine.sum[RD__LEAST_LEFT] = edges_of(s, first);
    mine.sum[RD__LEAST_STOPPED] = s->edges > s->stop_at;
    mine.most[RD__LEAST_HIGHEST] = s->highest;
    mine.sum[RD__LEAST_DUE] = rd__checkpoint_due(run->job);
    mine.sum[RD__LEAST_GHOSTS] = s->held ? rd__news_open(&s->news) : 0;
    mine.sum[RD__LEAST_VAIN] = s->vain;
    s->vain = 0;
    const rd__sum sum = {&mine, all};
    rd_status status = rd__ranks_step(run->ranks, s->deal, s->to, s->deal + ranks, s->from, &sum, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        status = s->held ? rd__steps_hear(s, r, &s->deal[ranks + r], below, err) : take(s, r, &s->deal[ranks + r], err);
    rd__deals_free(s->deal + ranks, ranks);
    return status;
}

/* All ranks: owners tell who has a word below this one, below which all was told. */
static rd_status tell_known(rd__steps *s, uint32_t below, rd_error *err)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    uint64_t bytes = 0;
    memset(s->below, 0, rd__bit_words(part->own) * sizeof *s->below);
    rd__least_bits(run, part->own, 0, below, s->below);
    RD_TRY(rd__news_tell(&s->news, s->below, s->heard, &bytes, err));
    for (uint64_t w = 0; w < rd__bit_words(part->ghosts); w++)
        for (uint64_t left = s->heard[w]; left; left &= left - 1) {
            const uint64_t ghost = 64 * w + (uint64_t)__builtin_ctzll(left), v = part->own + ghost;
            if (run->value[v] >= below)
                run->value[v] = below - 1;
            run->sent[ghost] = run->value[v];
            s->held[ghost / RD__HELD_BLOCK] = 0; /* to be looked at */
        }
    for (uint64_t b = 0; b < s->blocks; b++)
        if (!s->held[b])
            rd__steps_hold(s, b);
    run->records += bytes / sizeof(rd__record); /* as much as so many */
    s->vain_since = 0;
    s->has_told = 1;
    return RD_OK;
}

/* The window has moved; told: all below it was told before. Is it worth telling who has a word there? */
static int is_worth_telling(rd__steps *s, const rd__tally *all, uint32_t told)
{
    /* of the exchange before the last: what was told since then it does not know of */
    const double vain = s->has_told ? 0 : (double)all->sum[RD__LEAST_VAIN];
    const double span = (double)told - s->told_before, next = (double)rd__shelf_word(s->shelves, s->tell) - told;
    const double expected = s->vain_since + vain + (span > 0 ? vain * (next / span) : vain);
    s->vain_since += vain;
    s->told_before = told;
    s->has_told = 0;
    return s->vain_since > FEW_VAIN && expected * IN_VAIN > (double)all->sum[RD__LEAST_GHOSTS];
}

/* Another width for shelves, where a window has too many of them or too few. */
static rd_status fit_shelves(rd__steps *s, uint64_t *first, rd_error *err)
{
    const double shelves = s->run->width * s->shelves->per;
    double per = s->shelves->per;
    if (shelves > s->most_shelves)
        per /= 4;
    else if (shelves < s->most_shelves / FEWER && per < s->finest)
        per = per * 4 < s->finest ? per * 4 : s->finest;
    else
        return RD_OK;
    const uint32_t word = rd__shelf_word(s->shelves, *first);
    RD_TRY(rd__shelves_set(s->shelves, per, due_word, s, err));
    *first = rd__shelf_of(s->shelves, word);
    return RD_OK;
}

/* Wider where steps have little for each rank, narrower where they have much, or much that is run in vain. What a width
 * was worth is known when all that lay in its window is final. */
static void fit_width(rd__steps *s)
{
    rd__least *run = s->run;
    const double ranks = rd_ranks_count(run->ranks), work = s->all_work / s->steps;
    const double before = s->last_work > 1 ? s->last_work : 1;
    const double overwork = s->all_work / (s->all_new > 1 ? s->all_new : 1);
    const int is_small = work < LITTLE * ranks;
    if (work > MUCH * LITTLE * ranks || overwork > (is_small ? most_if_small : most_else) || work > GROWS_MUCH * before)
        run->width = run->width * s->finest > 2 ? run->width / 2 : 1 / s->finest;
    else if (is_small && overwork < some_if_small && work <= GROWS * before)
        run->width = run->width < 1e30 ? run->width * 2 : run->width;
    s->last_work = work > s->last_work / 2 ? work : s->last_work / 2; /* a step with nothing in it says nothing */
    s->overwork = overwork;
    s->all_work = s->all_new = s->steps = 0;
}

/* Edges that nobody expected, of steps like those before. */
static uint64_t much_for(const rd__steps *s)
{
    const double part = (double)s->csr.edges / GREAT_PART, grown = GROWS_MUCH * s->last_work;
    const double much = part > grown ? part : grown;
    return much < LITTLE ? LITTLE : much < STOP ? (uint64_t)much : STOP;
}

/* Some rank has ended its step: one level at a time. */
static rd_status narrow(rd__steps *s, uint64_t *first, rd_error *err)
{
    const uint32_t word = rd__shelf_word(s->shelves, *first);
    s->run->width = 1 / s->finest;
    RD_TRY(rd__shelves_set(s->shelves, s->finest, due_word, s, err));
    *first = rd__shelf_of(s->shelves, word);
    s->judged = s->until = *first;
    return RD_OK;
}

/* Without weights two ranks often find the same for a vertex at their border, and what is under way is nothing new: the
 * window begins with what waits on shelves, rather than wait once more to hear so. Not where much was done twice. */
static uint64_t begins_at(const rd__steps *s, const rd__tally *all, uint64_t first)
{
    const uint64_t here = ~all->most[RD__LEAST_HERE];
    const int is_near = here - first < RD__SHELVES / 4; /* not where none waits */
    const int is_old = s->overwork < trusted && !s->run->job->app->ranks->weighted && !all->sum[RD__LEAST_STOPPED];
    return is_old && is_near ? here : first;
}

/* All agree on what waits first: the window begins there. It does not end before the last one did, for what waits there
 * are corrections, which are run as far as they go; and not beyond it either, unless there are few. */
static rd_status move_window(rd__steps *s, const rd__tally *all, uint64_t first, rd_error *err)
{
    if (all->sum[RD__LEAST_STOPPED])
        RD_TRY(narrow(s, &first, err));
    uint64_t from = begins_at(s, all, first);
    const uint32_t word = rd__shelf_word(s->shelves, from);
    const int is_known = from >= s->judged;
    const double work = (double)(all->sum[RD__LEAST_TASKS] + all->sum[RD__LEAST_EDGES]);
    s->all_work += work;
    s->all_new += (double)all->sum[RD__LEAST_SETTLED];
    s->steps++;
    if (is_known && s->run->windows && !all->sum[RD__LEAST_STOPPED])
        fit_width(s);
    if (is_known)
        RD_TRY(fit_shelves(s, &first, err));
    from = rd__shelf_of(s->shelves, word);
    const double shelves = s->run->width * s->shelves->per;
    const double many = shelves < s->most_shelves ? shelves : s->most_shelves;
    const uint64_t until = from + (many < 1 ? 1 : (uint64_t)many);
    const int is_small = work < (double)LITTLE * rd_ranks_count(s->run->ranks);
    s->until = is_known || (is_small && until > s->until) ? until : s->until;
    s->judged = is_known ? until : s->judged;
    s->tasks = s->edges = s->fresh = 0;
    s->stop_at = s->run->job->app->ranks->weighted || s->run->width <= 1 ? UINT64_MAX : much_for(s);
    s->tell = s->until + AHEAD * (until - from);
    return rd__shelves_move(s->shelves, first, s->until, due_word, s, err);
}

/* After a step with so many edges here: with few cores the host is as good, for an engine
 * costs more for each edge, and a look at all words. */
static int is_for_engine(const rd__steps *s, uint64_t edges)
{
    const rd__part *part = s->run->part;
    return s->run->job->device->info.compute_units > FEW_CORES &&
           edges > (uint64_t)MANY_EDGES + part->own + part->ghosts;
}

/* All wait with the same word, and have a great part of all edges, or enough of them. */
static int is_for_levels(const rd__steps *s, const rd__tally *all, uint64_t first)
{
    const uint64_t edges = all->sum[RD__LEAST_LEFT], worth = rd__levels_worth(s->run);
    const int is_enough = edges > s->run->part->edges / GREAT_PART || edges > worth;
    return is_enough && all->most[RD__LEAST_HIGHEST] <= rd__shelf_word(s->shelves, first);
}

/* *done: nothing is left; else it is for levels. */
static rd_status search(rd__steps *s, rd__freeze_fn *freeze, rd_report *report, int *done, rd_error *err)
{
    rd__least *run = s->run;
    for (*done = 0;;) {
        rd__tally all;
        const uint64_t edges = s->edges;
        RD_TRY(exchange(s, &all, err));
        const uint64_t first = ~all.most[RD__LEAST_WAITING];
        *done = first == RD__SHELF_NONE;
        if (*done)
            return RD_OK;
        if (all.sum[RD__LEAST_DUE]) {
            run->limit = rd__shelf_word(s->shelves, first);
            RD_TRY(rd__checkpoint_write(run->job, freeze, run, report, err));
        }
        if (is_for_levels(s, &all, first)) {
            run->limit = rd__shelf_word(s->shelves, first);
            run->levels.back = 1;
            return RD_OK;
        }
        const uint32_t told = rd__shelf_word(s->shelves, s->tell);
        RD_TRY(move_window(s, &all, first, err));
        if (s->held && is_worth_telling(s, &all, told))
            RD_TRY(tell_known(s, told, err));
        RD_TRY(is_for_engine(s, edges) ? rd__steps_run_engine(s, report, err) : rd__steps_run(s, report, err));
        run->windows++;
    }
}

/* ---- The run ---- */

static rd_status make(rd__steps *s, rd_error *err)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    const uint32_t ranks = rd_ranks_count(run->ranks);
    const uint64_t words = rd__bit_words(part->own);
    RD_TRY(rd__part_lend(run->job->graph->part, err)); /* a cache, not a change of the graph */
    RD_TRY(rd__array_new(&s->shelves, "vertices that wait", 1, sizeof *s->shelves, err));
    memset(s->shelves, 0, sizeof *s->shelves);
    if (run->job->app->ranks->weighted) {
        s->blocks = part->ghosts / RD__HELD_BLOCK + (part->ghosts % RD__HELD_BLOCK != 0);
        RD_TRY(rd__array_new(&s->held, "ghosts that wait", s->blocks, sizeof *s->held, err));
        RD_TRY(rd__news_new(&s->news, run->job->graph->part, err));
        RD_TRY(rd__array_new(&s->below, "marks of what is known", words, sizeof *s->below, err));
        RD_TRY(rd__array_new(&s->heard, "marks of what is known", rd__bit_words(part->ghosts), sizeof *s->heard, err));
    }
    RD_TRY(rd__array_new(&s->waits, "marks of those that wait", words, sizeof *s->waits, err));
    memset(s->waits, 0, words * sizeof *s->waits);
    RD_TRY(rd__array_new(&s->once, "marks of those that have run", words, sizeof *s->once, err));
    memset(s->once, 0, words * sizeof *s->once);
    RD_TRY(rd__array_new(&s->touched, "ghosts that got lower", part->ghosts, sizeof *s->touched, err));
    s->touches = rd__calloc(ranks, sizeof *s->touches);
    s->deal = rd__calloc(2ull * ranks, sizeof *s->deal);
    s->to = rd__calloc(2ull * ranks, 1);
    if (!s->touches || !s->deal || !s->to)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *s->deal);
    s->from = s->to + ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        s->to[r] = part->ghost_from[r] < part->ghost_from[r + 1];
        s->from[r] = part->lent_count[r] > 0;
    }
    return RD_OK;
}

static void unmake(rd__steps *s)
{
    if (s->shelves)
        rd__shelves_free(s->shelves);
    rd__array_free(s->shelves);
    rd__array_free(s->held);
    rd__array_free(s->waits);
    rd__array_free(s->once);
    rd__news_free(&s->news);
    rd__array_free(s->below);
    rd__array_free(s->heard);
    rd__array_free(s->touched);
    rd__free(s->touches);
    rd__free(s->deal);
    rd__free(s->to);
}

/* How fine shelves are, and how wide the first window. */
static void begin(rd__steps *s)
{
    rd__least *run = s->run;
    s->finest = run->first_width > 0 ? FINER / run->first_width : 1;
    s->finest = !run->real && s->finest > 1 ? 1 : s->finest;
    s->shelves->per = s->finest;
    s->shelves->real = run->real;
    s->may_leave = run->levels.can;
    s->most_shelves = run->job->app->ranks->weighted ? MOST_SHELVES : MOST_OF_HOPS;
    s->stop_at = UINT64_MAX;
    s->overwork = trusted; /* not known yet */
    if (!run->windows)
        run->width = 1 / s->finest;
}

rd_status rd__steps_search(rd__least *run, rd__freeze_fn *freeze, rd_report *report, int *done, rd_error *err)
{
    rd__steps s = {.run = run, .csr = rd_graph_csr(run->job->graph)};
    rd_status status = make(&s, err);
    if (status == RD_OK) {
        begin(&s);
        status = rd__steps_fill(&s, run->limit, err);
        s.fresh = 0; /* which were not run in a step */
        if (s.may_leave)
            rd__least_reached(run, &s.highest);
    }
    if (status == RD_OK)
        status = search(&s, freeze, report, done, err);
    if (status == RD_OK && s.too_long)
        status = run->job->app->ranks->too_long(run->job, err);
    report->groups = run->job->device->info.compute_units;
    report->lanes = 1;
    run->looked = 0;
    unmake(&s);
    return status;
}
