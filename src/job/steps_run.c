/* SPDX-License-Identifier: Apache-2.0 */
/* steps_run.c - the running of a step of a search over several ranks: ranks_steps.c. */
#include "job/steps.h"

#include <string.h>

/* Tasks between two looks at the time. */
enum { TASKS_A_LOOK = 1 << 14 };

/* Vertex v, with its word as it is now. */
static inline void runs(rd__steps *s, uint32_t v)
{
    s->fresh += rd__bit_at(s->once, v) ? 0 : 1 + s->csr.row[v + 1] - s->csr.row[v];
    rd__bit_set(s->once, v);
    s->waits[v / 64] &= ~(1ull << v % 64);
}

static inline void touch(rd__steps *s, uint32_t ghost)
{
    const rd__part *part = s->run->part;
    uint32_t low = 0, high = rd_ranks_count(s->run->ranks);
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (part->ghost_from[middle] <= ghost)
            low = middle;
        else
            high = middle;
    }
    s->touched[part->ghost_from[low] + s->touches[low]++] = ghost;
}

static inline void lower_ghost(rd__steps *s, uint32_t v, uint32_t old, uint32_t word)
{
    const uint32_t ghost = v - s->run->part->own, sent = s->run->sent[ghost];
    s->run->value[v] = word;
    if (word < sent && old >= sent)
        touch(s, ghost);
}

/* Likewise, but that its owner is told later: ranks_steps.c. What was sent is not below the old word. */
static inline void hold_ghost(rd__steps *s, uint32_t v, uint32_t word)
{
    uint32_t *const least = &s->held[(v - s->run->part->own) / RD__HELD_BLOCK];
    s->run->value[v] = word;
    *least = word < *least ? word : *least;
}

/* What a rank is told: each ghost's number, less that of the one before, and how far its word is below the limit of all
 * that is told now. Both are small, and are written in as few groups of 7 bits as they need, the lowest first. */
typedef struct telling {
    uint64_t before; /* the ghost that was told last, and 1 */
    unsigned char *at;
    uint32_t below, records;
    uint32_t least, left; /* of what is told; of what is held, of the block at hand */
} telling;

static inline unsigned char *put_number(unsigned char *at, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (unsigned char)(number | 128);
    *at++ = (unsigned char)number;
    return at;
}

/* Some ghosts of one block. Whether one is told is as good as random, so nothing branches on it: bits first. */
static void tell_some(rd__steps *s, telling *t, uint64_t from, uint64_t to)
{
    const uint32_t *const value = s->run->value + s->run->part->own, below = t->below;
    uint32_t *const sent = s->run->sent;
    uint32_t told = 0, left = t->left;
    for (uint64_t g = from; g < to; g++) {
        const uint32_t word = value[g], is_old = word >= sent[g], is_told = !is_old & (word < below);
        const uint32_t other = word | (0 - (is_old | is_told)); /* RD_NONE of what is not held */
        told |= is_told << (g - from);
        left = other < left ? other : left;
    }
    t->left = left;
    t->records += (uint32_t)__builtin_popcount(told);
    rd__news_sent(&s->news, from, told);
    for (; told; told &= told - 1) {
        const uint64_t g = from + (uint64_t)__builtin_ctz(told);
        const uint32_t word = value[g];
        sent[g] = word;
        t->at = put_number(put_number(t->at, g - t->before), below - 1 - word);
        t->before = g + 1;
        t->least = word < t->least ? word : t->least;
    }
}

/* A number of 7 bits more stands for 128 ghosts that are not told, so that all fits into the room for plain records. */
uint32_t rd__steps_tell(rd__steps *s, uint32_t below)
{
    enum { FETCHED = 16 }; /* blocks ahead */
    const rd__part *part = s->run->part;
    telling t = {.below = below, .least = RD_NONE, .left = RD_NONE};
    for (uint32_t r = 0; r < rd_ranks_count(s->run->ranks); r++) {
        const uint64_t from = part->ghost_from[r], to = part->ghost_from[r + 1];
        unsigned char *const out = (unsigned char *)(s->run->out + from);
        t.before = from;
        t.at = out;
        for (uint64_t b = from / RD__HELD_BLOCK; b * RD__HELD_BLOCK < to; b++) {
            const uint64_t begins = b * RD__HELD_BLOCK, ends = begins + RD__HELD_BLOCK;
            if (b + FETCHED < s->blocks && s->held[b + FETCHED] < below) {
                __builtin_prefetch(&s->run->value[part->own + begins + FETCHED * RD__HELD_BLOCK]);
                __builtin_prefetch(&s->run->sent[begins + FETCHED * RD__HELD_BLOCK]);
            }
            if (s->held[b] >= below)
                continue;
            t.left = begins < from ? t.left : RD_NONE; /* of a block of two ranks, what the first has left */
            tell_some(s, &t, begins < from ? from : begins, ends < to ? ends : to);
            if (ends <= to || to == part->ghosts)
                s->held[b] = t.left;
        }
        s->deal[r] = (rd__deal){out, (uint64_t)(t.at - out)};
    }
    s->run->records += t.records;
    return t.least;
}

/* @return behind the number; NULL: there is none of up to 32 bits. */
static inline const unsigned char *get_number(const unsigned char *at, const unsigned char *end, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; at < end && shift < 35; shift += 7) {
        *number |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128)
            return *number <= UINT32_MAX ? at : NULL;
    }
    return NULL;
}

/* Some records, as they were written. @return behind them; NULL: they are none. */
enum { HEARD = 32 };
typedef struct heard {
    const uint32_t *vertex; /* where its number here stands */
    uint32_t word;
} heard;

static const unsigned char *read_some(const unsigned char *at, const unsigned char *end, const uint32_t **next,
                                      const uint32_t *last, uint32_t below, heard *some, uint32_t *count)
{
    uint64_t gap, less;
    for (*count = 0; *count < HEARD && at && at < end; (*count)++) {
        at = get_number(at, end, &gap);
        at = at ? get_number(at, end, &less) : NULL;
        if (!at || gap >= (uint64_t)(last - *next) || less >= below)
            return NULL;
        *next += gap;
        __builtin_prefetch(*next);
        some[*count] = (heard){(*next)++, below - 1 - (uint32_t)less};
    }
    return at;
}

/* Vertices lie anywhere in memory: several are on their way at a time. */
rd_status rd__steps_hear(rd__steps *s, uint32_t r, const rd__deal *deal, uint32_t below, rd_error *err)
{
    static const uint32_t none = 0;
    const rd__part *part = s->run->part;
    const uint64_t lent = part->lent_count[r];
    const uint32_t *next = lent ? part->lent[r] : &none, *const last = next + lent;
    heard some[HEARD];
    uint32_t count;
    if (!deal->bytes)
        return RD_OK;
    const unsigned char *at = deal->data, *const end = at + deal->bytes;
    while (at < end) {
        at = read_some(at, end, &next, last, below, some, &count);
        if (!at)
            return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no records", r,
                            (unsigned long long)deal->bytes);
        for (uint32_t i = 0; i < count; i++)
            __builtin_prefetch(&s->run->value[*some[i].vertex]);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t v = *some[i].vertex, old = s->run->value[v];
            rd__news_received(&s->news, r, (uint64_t)(some[i].vertex - part->lent[r]));
            if (some[i].word < old)
                RD_TRY(rd__steps_lower(s, v, old, some[i].word, err));
            else
                s->vain++;
        }
    }
    return RD_OK;
}

/* ---- A window by the host ---- */

/* rd__least_over, of edges with weights. */
static inline uint64_t way_over(const rd__steps *s, int real, uint32_t from, uint64_t e)
{
    return real ? (uint32_t)rd_weight_word(rd_weight_real((int32_t)from) + rd_weight_real(s->csr.weight[e]))
                : from + (uint64_t)(uint32_t)s->csr.weight[e];
}

static inline rd_status run_vertex(rd__steps *s, uint32_t v, int real, rd_error *err)
{
    const uint32_t from = s->run->value[v], own = s->run->part->own, none = real ? 0x7f800000u : RD_NONE;
    const uint32_t *col = s->csr.col, *value = s->run->value;
    const uint64_t end = s->csr.row[v + 1];
    uint64_t e = s->csr.row[v];
    s->tasks++;
    s->edges += end - e;
    runs(s, v);
    for (; e < end && col[e] < own; e++) { /* which come before ghosts */
        const uint64_t way = way_over(s, real, from, e);
        const uint32_t old = value[col[e]];
        if (way < old && way < none)
            RD_TRY(rd__steps_lower(s, col[e], old, (uint32_t)way, err));
        s->too_long |= way >= none;
    }
    for (; e < end; e++) {
        const uint64_t way = way_over(s, real, from, e);
        const uint32_t old = value[col[e]];
        if (way < old && way < none)
            hold_ghost(s, col[e], (uint32_t)way);
        s->too_long |= way >= none;
    }
    return RD_OK;
}

/* What comes next lies anywhere in memory: it is on its way while what is before is looked at. */
static inline void fetch_ahead(const rd__steps *s, int weighted, const rd__shelf *shelf, uint64_t i)
{
    enum { ROWS = 16, EDGES = 6, LINE = 16 };
    if (i + ROWS < shelf->count) {
        __builtin_prefetch(&s->csr.row[shelf->vertex[i + ROWS]]);
        __builtin_prefetch(&s->run->value[shelf->vertex[i + ROWS]]);
    }
    if (i + EDGES < shelf->count) {
        const uint32_t v = shelf->vertex[i + EDGES];
        const uint64_t e = s->csr.row[v], end = s->csr.row[v + 1];
        __builtin_prefetch(&s->csr.col[e]);
        if (end - e > LINE)
            __builtin_prefetch(&s->csr.col[e + LINE]);
        if (weighted)
            __builtin_prefetch(&s->csr.weight[e]);
        if (weighted && end - e > LINE)
            __builtin_prefetch(&s->csr.weight[e + LINE]);
    }
}

static rd_status run_shelves(rd__steps *s, const rd_report *report, rd_error *err)
{
    rd__shelves *shelves = s->shelves;
    uint64_t looked = 0;
    for (; shelves->first < s->until; shelves->first++) {
        rd__shelf *shelf = &shelves->near[shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) { /* which may grow */
            const uint32_t v = shelf->vertex[i];
            fetch_ahead(s, 1, shelf, i);
            if (rd__bit_at(s->waits, v))
                RD_TRY(s->run->real ? run_vertex(s, v, 1, err) : run_vertex(s, v, 0, err));
            if (s->tasks - looked >= TASKS_A_LOOK) {
                looked = s->tasks;
                RD_TRY(rd__ranks_may_go_on(s->run->ranks, "searching", report->tasks + looked, "tasks", err));
            }
        }
        shelf->count = 0;
    }
    return RD_OK;
}

/* A vertex whose edges count 1 each. Its neighbours go to one shelf, this one or the next; whether one is better is as
 * good as random, so nothing branches on it: each is written behind the last, and counted if it is. One that gets
 * better twice is there twice, and runs once. */
static inline rd_status run_hop(rd__steps *s, uint32_t v, unsigned shift, rd_error *err)
{
    const uint32_t *const col = s->csr.col;
    uint32_t *const value = s->run->value;
    const uint32_t word = value[v] + 1, own = s->run->part->own;
    const uint64_t end = s->csr.row[v + 1];
    uint64_t e = s->csr.row[v];
    s->highest = word > s->highest ? word : s->highest;
    rd__shelf *to = &s->shelves->near[(word >> shift) % RD__SHELVES];
    if (to->room - to->count < end - e)
        RD_TRY(rd__shelf_reserve(to, end - e, err));
    uint32_t *const list = to->vertex;
    uint64_t count = to->count;
    s->tasks++;
    s->edges += end - e;
    runs(s, v);
    for (; e < end && col[e] < own; e++) { /* which come before ghosts */
        const uint32_t old = value[col[e]];
        list[count] = col[e];
        count += word < old;
        s->waits[col[e] / 64] |= (uint64_t)(word < old) << col[e] % 64;
        value[col[e]] = word < old ? word : old;
    }
    to->count = count;
    for (; e < end; e++)
        if (word < value[col[e]])
            lower_ghost(s, col[e], value[col[e]], word);
    return RD_OK;
}

static rd_status run_hops(rd__steps *s, const rd_report *report, rd_error *err)
{
    rd__shelves *shelves = s->shelves;
    uint64_t looked = 0;
    unsigned shift = 0;
    while (shelves->per * (double)(1ull << shift) < 1) /* which is 1, or a fourth of a fourth */
        shift++;
    for (; shelves->first < s->until; shelves->first++) {
        rd__shelf *shelf = &shelves->near[shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) { /* which may grow */
            const uint32_t v = shelf->vertex[i];
            fetch_ahead(s, 0, shelf, i);
            if (s->edges > s->stop_at) {
                shelf->count -= i;
                memmove(shelf->vertex, shelf->vertex + i, shelf->count * sizeof *shelf->vertex);
                return RD_OK;
            }
            if (rd__bit_at(s->waits, v))
                RD_TRY(run_hop(s, v, shift, err));
            if (s->tasks - looked >= TASKS_A_LOOK) {
                looked = s->tasks;
                RD_TRY(rd__ranks_may_go_on(s->run->ranks, "searching", report->tasks + looked, "tasks", err));
            }
        }
        shelf->count = 0;
    }
    return RD_OK;
}

rd_status rd__steps_run(rd__steps *s, rd_report *report, rd_error *err)
{
    RD_TRY(s->run->job->app->ranks->weighted ? run_shelves(s, report, err) : run_hops(s, report, err));
    report->tasks += s->tasks;
    report->edges += s->edges;
    return RD_OK;
}

/* ---- The same by the engine ---- */

void rd__steps_hold(rd__steps *s, uint64_t block)
{
    const rd__least *run = s->run;
    const uint32_t *const value = run->value + run->part->own;
    const uint64_t from = block * RD__HELD_BLOCK, left = run->part->ghosts - from;
    uint32_t least = RD_NONE;
    for (uint64_t g = from; g < from + (left < RD__HELD_BLOCK ? left : RD__HELD_BLOCK); g++) {
        const uint32_t word = value[g] | (0 - (uint32_t)(value[g] >= run->sent[g])); /* RD_NONE of what was told */
        least = word < least ? word : least;
    }
    s->held[block] = least;
}

rd_status rd__steps_fill(rd__steps *s, uint32_t limit, rd_error *err)
{
    const rd__least *run = s->run;
    rd__shelves_clear(s->shelves);
    for (uint32_t v = 0; v < run->part->own; v++) {
        if (run->value[v] < limit) {
            runs(s, v);
        } else if (run->value[v] != RD_NONE) {
            rd__bit_set(s->waits, v);
            RD_TRY(rd__shelf_add(&s->shelves->far, v, err));
        }
    }
    s->shelves->far_first = s->shelves->far.count ? 0 : RD__SHELF_NONE; /* looked at before it is used */
    for (uint64_t b = 0; b < s->blocks; b++)
        rd__steps_hold(s, b);
    return RD_OK;
}

rd_status rd__steps_run_engine(rd__steps *s, rd_report *report, rd_error *err)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    const uint64_t tasks = report->tasks, edges = report->edges;
    run->job->part.limit = rd__shelf_word(s->shelves, s->until);
    run->seeds = 0;
    for (; s->shelves->first < s->until; s->shelves->first++) {
        const rd__shelf *shelf = &s->shelves->near[s->shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) {
            const uint32_t v = shelf->vertex[i];
            if (!rd__bit_at(s->waits, v))
                continue;
            run->seed[run->seeds++] = v;
            runs(s, v); /* once */
        }
    }
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = run->seeds, .vertex = run->seed};
    run->seeds = 0;
    if (seeds.count)
        RD_TRY(rd__job_slice(run->job, &seeds, report, err));
    RD_TRY(rd__buffer_settle(run->values, err));
    s->tasks = report->tasks - tasks;
    s->edges = report->edges - edges;
    for (uint32_t g = 0; !s->held && g < part->ghosts; g++)
        if (run->value[part->own + g] < run->sent[g])
            touch(s, g);
    s->highest = run->job->part.limit > s->highest ? run->job->part.limit : s->highest;
    return rd__steps_fill(s, run->job->part.limit, err);
}
