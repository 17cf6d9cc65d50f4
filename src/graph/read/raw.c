/* SPDX-License-Identifier: Apache-2.0 */
/* raw.c - see raw.h. */
#include "graph/read/raw.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 20,    /* bytes */
    MOST = 30,          /* bytes that an edge may take: three words of 64 bits */
    TURN = 1 << 14,     /* edges whose ends travel at a time */
    LATELY = 1 << 14,   /* ids that were sent lately are not sent again */
    SAMPLES = 64,       /* of each rank */
    CHUNKS_A_LOOK = 64, /* how often to ask whether there is memory left */
};

rd_status rd__raw_create(rd__raw *raw, rd_ranks *ranks, unsigned lanes, int weighted, rd_error *err)
{
    *raw = (rd__raw){.ranks = ranks, .lanes = lanes, .weighted = weighted};
    raw->lane = rd__calloc(lanes, sizeof *raw->lane);
    return raw->lane ? RD_OK : rd__fail_memory(err, "the edge list", lanes * sizeof *raw->lane);
}

void rd__raw_destroy(rd__raw *raw)
{
    for (unsigned i = 0; raw->lane && i < raw->lanes; i++)
        for (rd__raw_chunk *chunk = raw->lane[i], *next; chunk; chunk = next) {
            next = chunk->next;
            rd__array_free(chunk);
        }
    rd__free(raw->lane);
    rd__ids_free(&raw->ids);
    rd__array_free(raw->name);
    rd__free(raw->split);
    rd__free(raw->start);
    *raw = (rd__raw){0};
}

static rd__raw_chunk *new_chunk(const rd__raw *raw, unsigned lane)
{
    uint32_t before = 0; /* of many, so that small lists ask nothing */
    for (const rd__raw_chunk *chunk = raw->lane[lane]; chunk && before < CHUNKS_A_LOOK; chunk = chunk->next)
        before++;
    if (before == CHUNKS_A_LOOK && rd__memory_expect((uint64_t)CHUNKS_A_LOOK * CHUNK, "", NULL) != RD_OK)
        return NULL; /* better to stop in time than to be killed by the system */
    rd__raw_chunk *chunk = rd__array_alloc(CHUNK);
    if (!chunk)
        return NULL;
    *chunk = (rd__raw_chunk){.next = raw->lane[lane]};
    return raw->lane[lane] = chunk;
}

static unsigned char *put(unsigned char *to, uint64_t word)
{
    for (; word >= 128; word >>= 7)
        *to++ = (unsigned char)(word | 128);
    *to++ = (unsigned char)word;
    return to;
}

static const unsigned char *get(const unsigned char *from, uint64_t *word)
{
    unsigned shift = 0;
    for (*word = 0; *from & 128; shift += 7)
        *word |= (uint64_t)(*from++ & 127) << shift;
    *word |= (uint64_t)*from++ << shift;
    return from;
}

/* Steps down are odd, so that small ones have few bits too. */
static uint64_t fold(uint64_t step)
{
    return step << 1 ^ (step >> 63 ? UINT64_MAX : 0);
}

static uint64_t unfold(uint64_t word)
{
    return word >> 1 ^ (word & 1 ? UINT64_MAX : 0);
}

int rd__raw_add(rd__raw *raw, unsigned lane, uint64_t source, uint64_t target, int32_t weight)
{
    rd__raw_chunk *chunk = raw->lane[lane];
    if (!chunk || chunk->bytes + MOST > CHUNK - sizeof *chunk)
        chunk = new_chunk(raw, lane);
    if (!chunk)
        return 0;
    unsigned char *first = (unsigned char *)(chunk + 1), *to = first + chunk->bytes;
    to = put(to, fold(source - chunk->last[0]));
    to = put(to, fold(target - chunk->last[1]));
    if (raw->weighted)
        to = put(to, fold((uint64_t)weight));
    chunk->last[0] = source;
    chunk->last[1] = target;
    chunk->bytes = (uint32_t)(to - first);
    chunk->edges++;
    return 1;
}

static uint32_t keeper_of(const rd__raw *raw, uint64_t id)
{
    return (uint32_t)(rd__mix64(id + RD_GOLDEN) % rd_ranks_count(raw->ranks));
}

int rd__raw_add_vertex(rd__raw *raw, uint64_t id)
{
    return keeper_of(raw, id) != rd_ranks_rank(raw->ranks) || rd__ids_number(&raw->ids, id) != RD_NONE;
}

/* ---- Turns: some edges of each rank at a time ---- */

typedef struct turns {
    rd__raw *raw;
    int last; /* edges are read for the last time */
    unsigned lane;
    rd__raw_chunk *chunk;
    const unsigned char *at; /* in the chunk, whose next edge is `edge`, and the one before had these ends */
    uint32_t edge;
    uint64_t end[2];
    uint64_t left;  /* turns */
    rd__deal *deal; /* twice as many as ranks */
    uint64_t *out;  /* ids for others: two an edge of a turn */
} turns;

static void open_chunk(turns *turn, rd__raw_chunk *chunk)
{
    if (turn->chunk && turn->last)
        rd__pages_release(turn->chunk + 1, CHUNK - sizeof *turn->chunk);
    turn->chunk = chunk;
    turn->at = chunk ? (const unsigned char *)(chunk + 1) : NULL;
    turn->edge = 0;
    turn->end[0] = turn->end[1] = 0;
}

static rd_status begin_turns(turns *turn, rd__raw *raw, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    rd__tally mine = {{0}, {0}}, all;
    uint64_t edges = 0;
    for (unsigned i = 0; i < raw->lanes; i++)
        for (const rd__raw_chunk *chunk = raw->lane[i]; chunk; chunk = chunk->next)
            edges += chunk->edges;
    mine.most[0] = (edges + TURN - 1) / TURN;
    RD_TRY(rd__ranks_tally(raw->ranks, &mine, &all, err));
    *turn = (turns){.raw = raw, .left = all.most[0]};
    open_chunk(turn, raw->lane[0]);
    turn->deal = rd__calloc(2ull * ranks, sizeof *turn->deal);
    if (!turn->deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *turn->deal);
    return rd__array_new(&turn->out, "names for other ranks", 2 * TURN, sizeof *turn->out, err);
}

static void end_turns(turns *turn)
{
    rd__free(turn->deal);
    rd__array_free(turn->out);
}

/* The next edge: its ends are turn->end. @return 0: there is none. */
static int next_edge(turns *turn, int32_t *weight)
{
    const rd__raw *raw = turn->raw;
    uint64_t step;
    while (!turn->chunk || turn->edge == turn->chunk->edges) {
        const int has_next = turn->chunk && turn->chunk->next;
        if (!has_next && turn->lane + 1 >= raw->lanes)
            return 0; /* and again, when it is asked again */
        open_chunk(turn, has_next ? turn->chunk->next : raw->lane[++turn->lane]);
    }
    for (int side = 0; side < 2; side++) {
        turn->at = get(turn->at, &step);
        turn->end[side] += unfold(step);
    }
    *weight = 0;
    if (raw->weighted) {
        turn->at = get(turn->at, &step);
        *weight = (int32_t)unfold(step);
    }
    turn->edge++;
    return 1;
}

/* ---- Which ids there are ---- */

/* The ids of a turn, each to its keeper, and those of this rank to its own table. list: room for those of a turn. */
static int sort_out(turns *turn, uint64_t *lately, uint64_t *list)
{
    rd__raw *raw = turn->raw;
    const uint32_t ranks = rd_ranks_count(raw->ranks), own = rd_ranks_rank(raw->ranks);
    uint32_t count = 0;
    int32_t ignored;
    for (uint32_t edges = 0; edges < TURN && next_edge(turn, &ignored); edges++)
        for (int side = 0; side < 2; side++) {
            const uint64_t id = turn->end[side];
            uint64_t *seen = &lately[rd__mix64(id) % LATELY];
            if (*seen == id + 1) /* ids are below 10^19 */
                continue;
            *seen = id + 1;
            const uint32_t keeper = keeper_of(raw, id);
            if (keeper != own) {
                list[count++] = id;
                turn->deal[keeper].bytes += sizeof id;
            } else if (rd__ids_number(&raw->ids, id) == RD_NONE) {
                return 0;
            }
        }
    uint64_t *out = turn->out;
    for (uint32_t r = 0; r < ranks; r++) {
        turn->deal[r].data = out;
        out += turn->deal[r].bytes / sizeof *out;
        turn->deal[r].bytes = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        rd__deal *to = &turn->deal[keeper_of(raw, list[i])];
        ((uint64_t *)to->data)[to->bytes / sizeof *list] = list[i];
        to->bytes += sizeof *list;
    }
    return 1;
}

static rd_status one_turn_of_ids(turns *turn, uint64_t *lately, uint64_t *list, rd_error *err)
{
    rd__raw *raw = turn->raw;
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    int room = sort_out(turn, lately, list);
    if (room) {
        const rd_status status = rd__ranks_deal(raw->ranks, turn->deal, turn->deal + ranks, err);
        for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
            for (uint64_t i = 0; room && i < turn->deal[ranks + r].bytes / sizeof(uint64_t); i++)
                room = rd__ids_number(&raw->ids, ((const uint64_t *)turn->deal[ranks + r].data)[i]) != RD_NONE;
        rd__deals_free(turn->deal + ranks, ranks);
        RD_TRY(status);
    }
    memset(turn->deal, 0, ranks * sizeof *turn->deal);
    return room ? RD_OK : rd__fail_memory(err, "vertex names", 16 * raw->ids.count);
}

static rd_status collect(rd__raw *raw, rd_error *err)
{
    turns turn = {0};
    uint64_t *lately = NULL;
    rd_status status = begin_turns(&turn, raw, err);
    if (status == RD_OK)
        status = rd__array_new(&lately, "vertex names", LATELY + 2 * TURN, sizeof *lately, err);
    if (status == RD_OK)
        memset(lately, 0, LATELY * sizeof *lately);
    for (; turn.left && status == RD_OK; turn.left--)
        status = one_turn_of_ids(&turn, lately, lately + LATELY, err);
    rd__array_free(lately);
    end_turns(&turn);
    return status;
}

/* ---- Their order ---- */

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* How many of them are below the id. */
static uint64_t below(const uint64_t *ids, uint64_t count, uint64_t id)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All ranks: sends what is dealt. *all: what came, one rank's after another's; rd__array_free. */
static rd_status deal_words(rd_ranks *ranks, rd__deal *deal, uint64_t **all, uint64_t *count, rd_error *err)
{
    const uint32_t many = rd_ranks_count(ranks);
    rd_status status = rd__ranks_deal(ranks, deal, deal + many, err);
    uint64_t bytes = 0, at = 0;
    for (uint32_t r = 0; r < many; r++)
        bytes += deal[many + r].bytes;
    if (status == RD_OK)
        status = rd__array_new(all, "vertex names", bytes, 1, err);
    for (uint32_t r = 0; r < many && status == RD_OK; at += deal[many + r++].bytes)
        if (deal[many + r].bytes)
            memcpy((char *)*all + at, deal[many + r].data, (size_t)deal[many + r].bytes);
    rd__deals_free(deal + many, many);
    *count = bytes / sizeof **all;
    return status;
}

/* All ranks: what each says to all. */
static rd_status tell_all(rd_ranks *ranks, const uint64_t *word, uint64_t count, rd__deal *deal, uint64_t **all,
                          uint64_t *all_count, rd_error *err)
{
    const uint32_t many = rd_ranks_count(ranks);
    for (uint32_t r = 0; r < many; r++)
        deal[r] = (rd__deal){(void *)(uintptr_t)word, count * sizeof *word}; /* only read */
    return deal_words(ranks, deal, all, all_count, err);
}

/* split[r] is the least id of rank r, from samples of all. */
static rd_status choose_splitters(rd__raw *raw, rd__deal *deal, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    uint64_t sample[SAMPLES], *all = NULL, count = 0;
    const uint64_t some = raw->ids.count < SAMPLES ? raw->ids.count : SAMPLES;
    for (uint64_t i = 0; i < some; i++)
        sample[i] = raw->ids.id[i * raw->ids.count / some];
    const rd_status status = tell_all(raw->ranks, sample, some, deal, &all, &count, err);
    if (status == RD_OK)
        qsort(all, (size_t)count, sizeof *all, compare);
    for (uint32_t r = 1; r < ranks && status == RD_OK; r++)
        raw->split[r] = count ? all[(uint64_t)r * count / ranks] : UINT64_MAX;
    raw->split[0] = 0;
    rd__array_free(all);
    return status;
}

/* Sorted ids go to the ranks whose they are; there they are sorted together. */
static rd_status exchange(rd__raw *raw, rd__deal *deal, uint64_t *count, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    uint64_t from = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t to = r + 1 < ranks ? below(raw->ids.id, raw->ids.count, raw->split[r + 1]) : raw->ids.count;
        deal[r] = (rd__deal){to > from ? raw->ids.id + from : NULL, (to - from) * sizeof *raw->name};
        from = to;
    }
    const rd_status status = deal_words(raw->ranks, deal, &raw->name, count, err);
    rd__ids_free(&raw->ids);
    if (status == RD_OK)
        qsort(raw->name, (size_t)*count, sizeof *raw->name, compare);
    return status;
}

static rd_status order(rd__raw *raw, rd__deal *deal, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    uint64_t own = 0, *counts = NULL, many;
    if (raw->ids.count)
        qsort(raw->ids.id, (size_t)raw->ids.count, sizeof *raw->ids.id, compare);
    RD_TRY(choose_splitters(raw, deal, err));
    RD_TRY(exchange(raw, deal, &own, err));
    RD_TRY(tell_all(raw->ranks, &own, 1, deal, &counts, &many, err));
    for (uint32_t r = 0; r < ranks; r++)
        raw->start[r + 1] = raw->start[r] + counts[r];
    rd__array_free(counts);
    if (raw->start[ranks] > RD_VERTEX_MAX)
        return rd__fail(err, RD_EINPUT, "there are more than %u different vertices", RD_VERTEX_MAX);
    raw->vertices = (uint32_t)raw->start[ranks];
    return RD_OK;
}

rd_status rd__raw_number(rd__raw *raw, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(raw->ranks);
    RD_TRY(collect(raw, err));
    raw->split = rd__calloc(ranks, sizeof *raw->split);
    raw->start = rd__calloc(ranks + 1ull, sizeof *raw->start);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    rd_status status = RD_OK;
    if (!raw->split || !raw->start || !deal)
        status = rd__fail_memory(err, "notes on other ranks", 6ull * ranks * sizeof *deal);
    else
        status = order(raw, deal, err);
    rd__free(deal);
    return status;
}

/* ---- Ends of edges, by their numbers ---- */

typedef struct pouring {
    turns turn;
    rd__builder *builder;
    rd__ids asked;    /* the ids of a turn, each once */
    uint32_t *local;  /* two an edge: which of these it is */
    int32_t *weight;  /* of each edge */
    uint32_t *place;  /* of each that is asked for, where in the answers */
    uint32_t *number; /* the answers, one rank's after another's */
    uint32_t edges;
} pouring;

static uint32_t holder_of(const rd__raw *raw, uint64_t id)
{
    uint32_t low = 0, high = rd_ranks_count(raw->ranks);
    while (high - low > 1) { /* the last whose least id is not above it */
        const uint32_t middle = low + (high - low) / 2;
        if (raw->split[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Takes the edges of a turn. @return 0 when there is no memory. */
static int take_edges(pouring *all)
{
    rd__ids_clear(&all->asked);
    for (all->edges = 0; all->edges < TURN && next_edge(&all->turn, &all->weight[all->edges]); all->edges++)
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t local = rd__ids_number(&all->asked, all->turn.end[side]);
            if (local == RD_NONE)
                return 0;
            all->local[2 * all->edges + side] = local;
        }
    return 1;
}

/* Asks for the numbers, and answers what others ask for. */
static rd_status ask(pouring *all, rd_error *err)
{
    const rd__raw *raw = all->turn.raw;
    const uint32_t ranks = rd_ranks_count(raw->ranks), own = rd_ranks_rank(raw->ranks);
    rd__deal *deal = all->turn.deal;
    memset(deal, 0, ranks * sizeof *deal);
    for (uint64_t i = 0; i < all->asked.count; i++)
        deal[holder_of(raw, all->asked.id[i])].bytes += sizeof(uint64_t);
    uint64_t at = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        deal[r].data = all->turn.out + at;
        at += deal[r].bytes / sizeof(uint64_t);
        deal[r].bytes = 0;
    }
    for (uint64_t i = 0; i < all->asked.count; i++) {
        rd__deal *to = &deal[holder_of(raw, all->asked.id[i])];
        uint64_t *place = (uint64_t *)to->data + to->bytes / sizeof *place;
        *place = all->asked.id[i];
        all->place[i] = (uint32_t)(place - all->turn.out);
        to->bytes += sizeof *place;
    }
    RD_TRY(rd__ranks_deal(raw->ranks, deal, deal + ranks, err));
    for (uint32_t r = 0; r < ranks; r++) { /* in place: an answer is half as long */
        const uint64_t *id = deal[ranks + r].data, count = deal[ranks + r].bytes / sizeof *id;
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t before = below(raw->name, raw->start[own + 1] - raw->start[own], id[i]);
            const uint32_t answer = (uint32_t)(raw->start[own] + before);
            memcpy((char *)deal[ranks + r].data + i * sizeof answer, &answer, sizeof answer);
        }
        deal[r] = (rd__deal){deal[ranks + r].data, count * sizeof(uint32_t)};
        deal[ranks + r] = (rd__deal){NULL, 0};
    }
    const rd_status status = rd__ranks_deal(raw->ranks, deal, deal + ranks, err);
    at = 0;
    for (uint32_t r = 0; r < ranks && status == RD_OK; at += deal[ranks + r++].bytes)
        if (deal[ranks + r].bytes)
            memcpy((char *)all->number + at, deal[ranks + r].data, (size_t)deal[ranks + r].bytes);
    rd__deals_free(deal, 2 * ranks);
    return status;
}

static rd_status one_turn_of_edges(pouring *all, rd_error *err)
{
    rd__builder *builder = all->builder;
    if (!take_edges(all))
        return rd__fail_memory(err, "vertex names", 16 * all->asked.count);
    RD_TRY(ask(all, err));
    for (uint32_t i = 0; i < all->edges; i++) {
        const uint32_t source = all->number[all->place[all->local[2 * i]]];
        const uint32_t target = all->number[all->place[all->local[2 * i + 1]]];
        if (!rd__builder_add(builder, i % builder->bag.lanes, source, target, all->weight[i]))
            return rd__fail_memory(err, "edges", 8ull * all->edges);
    }
    return RD_OK;
}

rd_status rd__raw_pour(rd__raw *raw, rd__builder *builder, rd_error *err)
{
    pouring all = {.builder = builder};
    uint32_t *words = NULL;
    rd_status status = begin_turns(&all.turn, raw, err);
    all.turn.last = 1;
    if (status == RD_OK)
        status = rd__array_new(&words, "ends of edges", 7 * TURN, sizeof *words, err);
    if (status == RD_OK) {
        all.local = words;
        all.place = words + 2 * TURN;
        all.number = words + 4 * TURN;
        all.weight = (int32_t *)(words + 6 * TURN);
    }
    for (; all.turn.left && status == RD_OK; all.turn.left--)
        status = one_turn_of_edges(&all, err);
    rd__array_free(words);
    rd__ids_free(&all.asked);
    end_turns(&all.turn);
    return status;
}
