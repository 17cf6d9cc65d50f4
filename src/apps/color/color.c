/* SPDX-License-Identifier: Apache-2.0 */
/*
 * color.c - colouring of graphs, host side. A method is a program of its own: color/speculate.k.c guesses and repairs,
 * color/priority.k.c counts, color/watch.k.c waits; color/rounds.k.c and color/layers.k.c do the first two in rounds.
 * Passes are runs of the second in orders of color/recolor.c, moves a search on the host. See docs/color.md.
 */
#include "apps/common/answer.h"
#include "apps/color/check.h"
#include "apps/color/choose.h"
#include "apps/color/layout.k.h"
#include "apps/color/order.h"
#include "apps/color/parts.h"
#include "apps/color/recolor.h"
#include "apps/color/search.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"

#include "core/log.h"
#include "core/memory.h"
#include "gen/args/color_layers.h"
#include "gen/args/color_parts.h"
#include "gen/args/color_priority.h"
#include "gen/args/color_rounds.h"
#include "gen/args/color_speculate.h"
#include "gen/args/color_watch.h"
#include "model/args.h"
#include "raddle/ranks.h"
#include "raddle/tool.h"

#include <string.h>

enum { BY_RULE, SPECULATE, PRIORITY, WATCH, KINDS }; /* methods, as the option lists them */

typedef struct color_state {
    uint32_t asked;                 /* the method */
    uint32_t patience;              /* passes without gain before it ends; 0: one pass */
    uint64_t moves;                 /* of the search on the host, for one colour less; 0: none */
    double within;                  /* seconds that methods auto and watch have by degrees; 0: by the input */
    int gave_up;                    /* they were used up on this graph: it goes another way */
    rd__buffer state, order, count; /* see color/layout.k.h and color/order.k.c; in rounds order is a list */
    rd__buffer told, taken;         /* by priority: see color/wait.k.h. Guessing in rounds, told is another list */
    rd__buffer tail;                /* of lists */
    rd__color_order by_degree;
    /* of the last run */
    uint64_t *words;
    uint32_t *colour;
    uint32_t colours;
    int goes_on;          /* with passes or moves: */
    uint32_t *best;       /* the best colours, */
    uint32_t best_count;  /* so many of them; RD_NONE: there are none yet */
    uint32_t *next_order; /* the order of the next pass */
    uint64_t pass, gain;  /* passes done, and the last that had a gain */
    uint64_t moved;       /* moves made */
    double deadline;      /* by rd_now(); 0: none */
    rd__color_parts part; /* on several ranks */
} color_state;

static const rd_option_info info[] = {
    {"method", "auto|speculate|priority|watch|two-kinds", "auto",
     "guess and repair; by degrees, fewer colours; so too, waiting; guess, look", 0},
    {"passes", "N", "0", "colour again, for fewer colours, until so many passes gain nothing", 0},
    {"moves", "N", "0", "then search on the host: so many moves for each colour less", 0},
    {"within", "SECONDS", "0", "methods auto and watch: go another way when by degrees it takes longer", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static const rd__app_option options[] = {
    {.key = "method", .kind = RD__OPTION_CHOICE, .at = offsetof(color_state, asked), .changes = RD__CHANGES_PROGRAM},
    {.key = "passes", .kind = RD__OPTION_U32, .at = offsetof(color_state, patience), .most = 1u << 30},
    {.key = "moves", .kind = RD__OPTION_U64, .at = offsetof(color_state, moves), .most = 1ull << 50},
    {.key = "within", .kind = RD__OPTION_REAL, .at = offsetof(color_state, within), .low = 0, .high = 1e9},
    {0},
};

static int recolors(const rd_job *job)
{
    return ((const color_state *)job->state)->patience != 0;
}

static int goes_on(const rd_job *job)
{
    return recolors(job) || ((const color_state *)job->state)->moves != 0;
}

static int by_priority(const rd_job *job);

static int needs_told(const rd_job *job)
{
    return !rd__job_in_parts(job) && (by_priority(job) || rd__job_in_rounds(job));
}

static int needs_taken(const rd_job *job)
{
    return !rd__job_in_parts(job) && by_priority(job);
}

/* Also with looks apart from guesses. */
static int guesses(uint32_t method)
{
    return method == SPECULATE || method == KINDS;
}

static const rd__app_array arrays[] = {
    {.name = "place and colour", .at = offsetof(color_state, state), .each = 8},
    {.name = "order", .at = offsetof(color_state, order), .each = 4},
    {.name = "counts of classes", .at = offsetof(color_state, count), .more = 8 * COLOR_CLASSES},
    {.name = "edges to be told of", .at = offsetof(color_state, told), .each = 8, .wanted = needs_told},
    {.name = "colours that are taken",
     .at = offsetof(color_state, taken),
     .each = 4,
     .edge_bits = 1,
     .wanted = needs_taken},
    {.name = "ends of lists", .at = offsetof(color_state, tail), .more = 4, .wanted = needs_told},
    {.name = "words of vertices on the host", .at = offsetof(color_state, words), .each = 8, .on_host = 1},
    {.name = "colours on the host", .at = offsetof(color_state, colour), .each = 4, .on_host = 1},
    {.name = "best colours on the host", .at = offsetof(color_state, best), .each = 4, .on_host = 1, .wanted = goes_on},
    {.name = "next order on the host",
     .at = offsetof(color_state, next_order),
     .each = 4,
     .on_host = 1,
     .wanted = recolors},
    {0},
};

static uint32_t method_of(const rd_job *job)
{
    const color_state *color = job->state;
    if (recolors(job))
        return PRIORITY;
    if (color->asked == WATCH)
        return color->gave_up || rd__job_in_rounds(job) ? PRIORITY : WATCH;
    if (color->asked != BY_RULE)
        return color->asked;
    if (color->gave_up || !rd__color_is_skewed(job) || rd__job_in_rounds(job))
        return SPECULATE;
    /* color/watch.k.c says why. Wide groups that a CPU plays take turns, and would wait for who has none. With few
     * edges besides those of a hub or two there are no crowds to watch, but long chains, on which cores spend more
     * looking again than counting. */
    const int crowds = job->device && job->device->caps.cores && rd__color_mean_degree(job) > RD__COLOR_FEW_EDGES;
    return job->device && (job->device->info.is_gpu || crowds) ? WATCH : PRIORITY;
}

static int by_priority(const rd_job *job)
{
    return method_of(job) == PRIORITY;
}

/* By degrees a vertex waits for all neighbours before it. Where vertices come in cliques, as the casts of films do,
 * such a chain is hundreds of vertices long, and on a GPU all that wait are looked at again and again: minutes, for
 * what guesses do in milliseconds. No cheap look tells; so watching has some ten times as long as where it is good (on
 * cores, which may have other work, twenty), and by counting it goes on where that was asked for. */
static double color_patience(const rd_job *job)
{
    const color_state *color = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint32_t method = method_of(job), may = color->asked == BY_RULE || color->asked == WATCH;
    if (!may && color->within > 0)
        rd__say_unused("within", "with this method", "methods auto and watch go another way");
    if (!may || goes_on(job) || method == SPECULATE || (color->asked == WATCH && method != WATCH))
        return 0;
    if (color->within > 0 || method != WATCH)
        return color->within;
    return job->device->info.is_gpu ? 5e-3 + 5e-10 * (double)csr.edges + 2e-9 * csr.vertices
                                    : 0.2 + 3e-7 * (double)csr.edges;
}

static void color_give_up(rd_job *job)
{
    ((color_state *)job->state)->gave_up = 1;
}

static const char *color_root(const rd_job *job)
{
    if (rd__job_in_rounds(job))
        return by_priority(job) ? "color_layers" : "color_rounds";
    static const char *const root[] = {[SPECULATE] = "color_speculate",
                                       [PRIORITY] = "color_priority",
                                       [WATCH] = "color_watch",
                                       [KINDS] = "color_kinds"};
    return root[method_of(job)];
}

static rd_status color_validate(rd_job *job, rd_error *err)
{
    const uint32_t asked = ((const color_state *)job->state)->asked;
    if (rd__job_in_parts(job) && (goes_on(job) || guesses(asked)))
        return rd__fail(err, RD_EARG,
                        "color on several ranks goes by priority, once: leave out method, passes and moves");
    if (recolors(job) && guesses(asked))
        return rd__fail(err, RD_EARG, "passes go by the order of vertices: leave out method %s",
                        asked == KINDS ? "two-kinds" : "speculate");
    if (asked == KINDS && rd__job_in_rounds(job))
        return rd__fail(
            err, RD_EARG,
            "method two-kinds is for schedulers without rounds: leave the scheduler to the rule, or name one of those");
    if (recolors(job) && !rd__job_in_rounds(job))
        return rd__fail(err, RD_EARG, "passes run in rounds: leave the scheduler to the rule, or name one with rounds");
    return RD_OK;
}

static rd_status color_alloc(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    color->gave_up = 0;
    return rd__color_order_load(&color->by_degree, job, err);
}

static void color_free(rd_job *job)
{
    rd__color_order_free(&((color_state *)job->state)->by_degree, job);
}

RD__ARGS(rounds_args, COLOR_ROUNDS_ARGS)
RD__ARGS(layers_args, COLOR_LAYERS_ARGS)
RD__ARGS(speculate_args, COLOR_SPECULATE_ARGS) /* color_kinds is the same text */
RD__ARGS(priority_args, COLOR_PRIORITY_ARGS)
RD__ARGS(watch_args, COLOR_WATCH_ARGS)
RD__ARGS(part_args, COLOR_PARTS_ARGS)

static uint32_t color_pack(rd_job *job, rd__arg *args)
{
    const color_state *color = job->state;
    const rounds_args rounds = {.state = &color->state,
                                .list = &color->order,
                                .other = &color->told,
                                .tail = &color->tail,
                                .ordered = (uint32_t)rd__color_is_skewed(job)};
    const layers_args layers = {.state = &color->state,
                                .told = &color->told,
                                .taken = &color->taken,
                                .list = &color->order,
                                .tail = &color->tail};
    const speculate_args speculate = {.state = &color->state};
    const priority_args priority = {
        .state = &color->state, .told = &color->told, .taken = &color->taken, .graph_row = &job->row};
    const watch_args watch = {.state = &color->state, .graph_row = &job->row, .graph_col = &job->col};
    if (rd__job_in_parts(job)) {
        const rd_graph_part where = rd_graph_get_part(job->graph);
        const part_args part = {.state = &color->state,
                                .begins = color->part.begins,
                                .lowest = where.first,
                                .owned = where.own,
                                .below = color->part.below};
        return part_args_pack(&part, args);
    }
    if (rd__job_in_rounds(job))
        return by_priority(job) ? layers_args_pack(&layers, args) : rounds_args_pack(&rounds, args);
    if (method_of(job) == WATCH)
        return watch_args_pack(&watch, args);
    return by_priority(job) ? priority_args_pack(&priority, args) : speculate_args_pack(&speculate, args);
}

/* Guesses are made in the order of degrees, which brings neighbours far apart. Few cores seldom guess at neighbours at
 * the same time, and have near at hand what lies side by side: there by number, where no hub has to come first. */
static void color_bind(rd_job *job, rd__sched_job *view)
{
    color_state *color = job->state;
    const int by_number =
        guesses(method_of(job)) && job->device && job->device->caps.cores && !rd__color_is_skewed(job);
    if (rd__job_in_rounds(job) || rd__job_in_parts(job) || by_priority(job) || by_number)
        return;
    view->frontier.order = &color->order;
}

/* All vertices without colours, in the order of degrees. In rounds, which read the list at first where there are hubs,
 * its memory is then used for others, and passes change places; so what a run begins with may not be there for the
 * next. */
static rd_status put_in_order(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const rd__color_ordered to = {.state = &color->state, .order = &color->order, .count = &color->count};
    const int rounds = rd__job_in_rounds(job);
    RD_TRY(rd__color_order_put(&color->by_degree, job, &to, !rounds || rd__color_is_skewed(job), err));
    color->by_degree.listed &= !rounds;
    color->by_degree.placed &= !recolors(job) && !job->frozen;
    return rounds ? rd__buffer_fill(&color->tail, 0, err) : RD_OK;
}

static rd_status color_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    color_state *color = job->state;
    if (by_priority(job) && !rd__job_in_rounds(job))
        seeds->kind = RD__SEEDS_WHERE;
    color->goes_on = goes_on(job);
    color->pass = color->gain = color->moved = 0;
    color->best_count = RD_NONE;
    color->deadline = job->timeout > 0 ? rd_now() + job->timeout : 0;
    return put_in_order(job, err);
}

/* The colours on the device; drops what the kernel notes beside them. */
static rd_status read_colours(rd_job *job, uint32_t *colours, rd_error *err)
{
    color_state *color = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    uint32_t highest = 0;
    RD_TRY(rd__buffer_read(&color->state, 0, 8ull * vertices, color->words, err));
    for (uint32_t v = 0; v < vertices; v++) {
        color->colour[v] = (uint32_t)color->words[v];
        if (color->colour[v] != COLOR_NONE)
            color->colour[v] &= ~COLOR_SETTLED;
        if (color->colour[v] > highest && color->colour[v] < vertices)
            highest = color->colour[v];
    }
    return rd__color_count(color->colour, vertices, highest, colours, err);
}

/* Another pass: no vertex has a colour, and the order is that of the classes of the last one. */
static rd_status begin_pass(color_state *color, uint32_t vertices, uint32_t colours, rd_error *err)
{
    RD_TRY(rd__color_next_order(color->colour, vertices, colours, color->pass, color->next_order, err));
    for (uint32_t i = 0; i < vertices; i++)
        color->words[color->next_order[i]] = (uint64_t)i << 32 | COLOR_NONE;
    RD_TRY(rd__buffer_fill(&color->tail, 0, err));
    return rd__buffer_write(&color->state, 0, 8ull * vertices, color->words, err);
}

/* The search on the host, from the best colours on. */
static rd_status search(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    RD_TRY(rd__color_close_gaps(color->best, csr.vertices, err));
    rd__color_search s = {.csr = csr,
                          .colour = color->best,
                          .colours = color->best_count,
                          .patience = color->moves,
                          .deadline = color->deadline,
                          .watch = rd__job_watch(job)};
    RD_TRY(rd__color_search_run(&s, err));
    color->best_count = s.colours;
    color->moved = s.moves;
    if (s.stopped == RD_ETIMEOUT)
        return rd__fail(err, s.stopped, "color: the time allowed was used up after %llu moves; %u colours do",
                        (unsigned long long)s.moves, s.colours);
    return s.stopped == RD_OK
               ? RD_OK
               : rd__fail(err, s.stopped, "color was stopped on request after %llu moves", (unsigned long long)s.moves);
}

static rd_status color_next(rd_job *job, const rd_report *report, rd__seeds *seeds, int *more, rd_error *err)
{
    color_state *color = job->state;
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint32_t vertices = csr.vertices;
    const rd__watch watch = rd__job_watch(job);
    uint32_t colours = 0;
    (void)report;
    if (!color->goes_on || vertices == 0)
        return RD_OK;
    RD_TRY(read_colours(job, &colours, err));
    if (color->pass++ == 0)
        RD_TRY(rd__color_or_by_number(&csr, color->colour, &colours, color->best, err));
    if (colours < color->best_count) {
        color->best_count = colours;
        color->gain = color->pass;
        memcpy(color->best, color->colour, 4ull * vertices);
    }
    if (color->pass - color->gain >= color->patience || color->best_count <= 2)
        return color->moves ? search(job, err) : RD_OK;
    if (rd__watch_stops(&watch, "colouring again", color->pass, 0, "passes"))
        return rd__fail(err, RD_ECANCELLED, "color was stopped on request after %llu passes",
                        (unsigned long long)color->pass);
    seeds->kind = RD__SEEDS_ALL;
    *more = 1;
    return begin_pass(color, vertices, colours, err);
}

static rd_status color_fetch(rd_job *job, rd_error *err)
{
    color_state *color = job->state;
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (!color->goes_on || vertices == 0)
        return read_colours(job, &color->colours, err);
    memcpy(color->colour, color->best, 4ull * vertices);
    color->colours = color->best_count;
    return RD_OK;
}

/* Of a run that was stopped, what was found until then; before all vertices had a colour that is nothing. */
static rd_status color_finish(rd_job *job, rd_error *err)
{
    const color_state *color = job->state;
    if (job->stopped && (!color->goes_on || color->best_count == RD_NONE)) {
        job->stopped = 0;
        return err && err->status != RD_OK ? err->status : RD_ETIMEOUT;
    }
    return RD_OK;
}

static void color_measure(rd_job *job, const rd_result *result, rd_report *report)
{
    const color_state *color = job->state;
    (void)result; /* counted when it came to the host */
    rd__measure(report, "colours", color->colours);
    if (color->goes_on && color->patience)
        rd__measure(report, "passes", (double)color->pass);
    if (color->goes_on && color->moves)
        rd__measure(report, "moves", (double)color->moved);
}

static void color_result(const rd_job *job, rd_result *result)
{
    *result = (rd_result){.name = "colour",
                          .word = ((const color_state *)job->state)->colour,
                          .count = rd_graph_csr(job->graph).vertices,
                          .download_s = job->download_s};
}

static rd_status color_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return rd__color_check(&csr, result->word, ((const color_state *)job->state)->colours, err);
}

/* What guesses in few rounds goes so. Else, and where hubs have to come first, cores keep their own tasks: a queue for
 * all costs more than colouring a vertex. So do groups of a GPU that has lanes for all vertices of a graph: by a queue
 * they would all guess at the same time; and with hubs: what waited for one is next in a deque, and last in a queue. */
static void color_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const int small = facts->is_gpu && facts->vertices <= RD__COLOR_GPU_SMALL;
    const int uneven = facts->is_gpu && facts->skew > RD__COLOR_GPU_UNEVEN, own = facts->is_cpu || small || uneven;
    const int guess = ((const color_state *)job->state)->asked < PRIORITY;
    const int rounds = !small && guess && rd__color_suits_rounds(job, facts);
    if (recolors(job)) {
        choice->want = RD__ENGINE_ROUNDS;
        choice->reason = "in the order of classes no chain of vertices that wait is longer than there are colours";
        return;
    }
    choice->want = rounds ? RD__ENGINE_ROUNDS : 0;
    choice->avoid = rounds ? 0 : RD__ENGINE_ROUNDS | (own ? RD__ENGINE_SHARED : 0);
    choice->reason = rounds          ? "few edges a vertex make few rounds"
                     : small         ? "in deques fewer of a small graph's vertices are coloured at the same time"
                     : uneven        ? "what waited for a hub goes on at once in a deque, and last in a queue"
                     : facts->is_cpu ? "no vertex has to wait for the others of a round, and no core for a queue"
                                     : "no vertex has to wait for the others of a round";
}

static const char *const roots[] = {
    "color_rounds", "color_layers", "color_speculate", "color_kinds", "color_priority", "color_watch", NULL};

static void color_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)result;
    const uint32_t n = ((const color_state *)job->state)->colours;
    rd__snprintf(text, room, "%u colour%s%s", n, n == 1 ? "" : "s", job->stopped ? ", more time may find fewer" : "");
}

static rd_status run_in_parts(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    color_state *color = job->state;
    color->goes_on = 0;
    color->by_degree.placed = 0;
    color->part.state = &color->state;
    color->part.word = color->words;
    color->part.colour = color->colour;
    color->part.colours = &color->colours;
    return rd__color_run_parts(job, &color->part, slice, report, err);
}

static rd_status check_in_parts(rd_job *job, const rd_result *result, rd_error *err)
{
    return rd__color_check_parts(job, result->word, ((const color_state *)job->state)->colours, err);
}

static const rd__app_ranks in_parts = {
    .kind = RD__RANKS_OWN, .root = "color_parts", .run = run_in_parts, .check = check_in_parts};

const rd__app rd__app_color = {
    .info = {.name = "color",
             .text = "colouring: a number for every vertex, different at the two ends of each edge",
             .options = info,
             .input = RD_INPUT_GRAPH},
    .state_bytes = sizeof(color_state),
    .all_seeds = 1,
    .needs_symmetric = 1, /* a vertex has to know everyone who has to differ from it */
    .partial = 1,
    .options = options,
    .arrays = arrays,
    .roots = roots,
    .root = color_root,
    .ranks = &in_parts,
    .validate = color_validate,
    .alloc = color_alloc,
    .free = color_free,
    .args = color_pack,
    .bind_input = color_bind,
    .choose = color_choose,
    .patience = color_patience,
    .give_up = color_give_up,
    .start = color_start,
    .next = color_next,
    .finish = color_finish,
    .measure = color_measure,
    .fetch = color_fetch,
    .result = color_result,
    .answer = color_answer,
    .check = color_check,
};
