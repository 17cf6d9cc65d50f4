/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c - see pack.h. */
#include "apps/pr/pack.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <string.h>

enum {
    SKEW = 32,        /* the highest degree is so many times the mean: there may be hubs */
    WORTH = 2,        /* one edge in so many leads to a hub, */
    SECTOR = 8,       /* and of the words that a GPU loads together */
    APART = 3,        /* so many are hubs at most, in the mean: else they lie side by side as it is */
    MOST = 1 << 28,   /* edges: to copy more takes seconds, which nobody expects of a run */
    BINS = 1 << 16,   /* degrees that are told apart */
    PIECE = 16 << 20, /* edges that are copied at a time, about */
    SHORT = 48,       /* numbers that are sorted one by one */
};

int rd__pr_may_pack(const rd_device *device, const rd_graph *graph, uint32_t option)
{
    const rd_csr csr = rd_graph_csr(graph);
    if (csr.vertices >= 1u << 31) /* hubs have numbers behind theirs */
        return 0;
    if (option != RD__PR_PACK_AUTO || !device)
        return option == RD__PR_PACK_ON && csr.edges;
    const uint64_t memory = device->info.memory_free ? device->info.memory_free : device->info.memory;
    return device->info.is_gpu && csr.vertices >= 2 * RD__PR_HUBS && csr.edges <= MOST &&
           rd_graph_max_degree(graph) / SKEW >= csr.edges / csr.vertices + 1 &&
           csr.edges < memory / 12; /* beside the graph, and as much again for others */
}

void rd__pr_pack_plan(const rd_csr *csr, rd_plan *plan)
{
    rd__plan_add(plan, "numbers of hubs", 4ull * csr->vertices, 0, 0);
    rd__plan_add(plan, "edges of hubs", 4ull * csr->edges, 0, 0);
}

static uint64_t bin_of(const rd_csr *csr, uint32_t v)
{
    const uint64_t degree = csr->row[v + 1] - csr->row[v];
    return degree < BINS ? degree : BINS - 1; /* of the last bin are all that have more */
}

static uint64_t sectors_of(const rd_csr *out, uint64_t degree)
{
    uint64_t sectors = 0, last = UINT64_MAX;
    for (uint32_t v = 0; v < out->vertices; v++)
        if (bin_of(out, v) >= degree && v / SECTOR != last) {
            last = v / SECTOR;
            sectors++;
        }
    return sectors;
}

/* The degree that makes a hub; 0: there are none, or they are not worth it. Makes bin[d] the number that the first
 * vertex of degree d gets. */
static uint64_t number_bins(const rd_csr *out, uint32_t option, uint32_t *bin)
{
    uint64_t hubs = 0, edges = 0, least = BINS;
    memset(bin, 0, BINS * sizeof *bin);
    for (uint32_t v = 0; v < out->vertices; v++)
        bin[bin_of(out, v)]++;
    while (least > 2 && hubs + bin[least - 1] <= RD__PR_HUBS) { /* 0 is 1 to the kernel */
        const uint32_t count = bin[--least];
        bin[least] = (uint32_t)hubs;
        hubs += count;
        edges += least * count;
    }
    const int worth =
        option == RD__PR_PACK_ON || (edges >= out->edges / WORTH && APART * sectors_of(out, least) >= hubs);
    return hubs && worth ? least : 0;
}

/* Sorts numbers below 2^16; spare has as much room. */
static void sort_places(uint32_t *place, uint32_t count, uint32_t *spare)
{
    if (count <= SHORT) {
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t x = place[i];
            uint32_t k = i;
            for (; k && place[k - 1] > x; k--)
                place[k] = place[k - 1];
            place[k] = x;
        }
        return;
    }
    for (uint32_t shift = 0; shift < 16; shift += 8) {
        uint32_t at[256] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            at[place[i] >> shift & 255]++;
        for (uint32_t d = 0; d < 256; d++) {
            const uint32_t here = at[d];
            at[d] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++)
            spare[at[place[i] >> shift & 255]++] = place[i];
        uint32_t *const other = place;
        place = spare;
        spare = other;
    } /* twice: they are where they were */
}

/* Some rows. */
struct piece {
    const rd_csr *walked;
    const uint32_t *place;
    uint32_t *to, *spare; /* of the edges from first on */
    uint64_t first;
    uint32_t from, until; /* vertices */
};

/* The hubs of a row come first, the greatest of them before the others: then lanes side by side read words that are
 * side by side. */
static void copy_row(const struct piece *p, uint32_t v)
{
    const uint64_t begin = p->walked->row[v], count = p->walked->row[v + 1] - begin;
    const uint32_t *const from = p->walked->col + begin;
    uint32_t *const to = p->to + (begin - p->first), *const spare = p->spare + (begin - p->first);
    uint32_t hubs = 0;
    uint64_t others = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t place = p->place[from[i]];
        to[hubs] = place; /* never beyond i */
        hubs += place != RD_NONE;
        spare[others] = from[i];
        others += place == RD_NONE;
    }
    memcpy(to + hubs, spare, others * sizeof *to);
    sort_places(to, hubs, spare);
    for (uint32_t i = 0; i < hubs; i++)
        to[i] += p->walked->vertices;
}

/* The first vertex of the piece whose edges begin at `edge` or later. */
static uint32_t row_from(const struct piece *p, uint64_t edge)
{
    uint32_t low = p->from, high = p->until;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->walked->row[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void copy_share(void *arg, unsigned index, unsigned threads)
{
    const struct piece *p = arg;
    uint64_t begin, end;
    rd__share(p->walked->row[p->until] - p->first, index, threads, &begin, &end);
    const uint32_t last = index + 1 == threads ? p->until : row_from(p, p->first + end);
    for (uint32_t v = row_from(p, p->first + begin); v < last; v++)
        copy_row(p, v);
}

static uint64_t longest_row(const rd_csr *csr)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        most = csr->row[v + 1] - csr->row[v] > most ? csr->row[v + 1] - csr->row[v] : most;
    return most;
}

static rd_status copy_edges(const rd_csr *walked, const uint32_t *place, rd__buffer *col, rd_error *err)
{
    const uint64_t longest = longest_row(walked), least = longest > PIECE ? longest : PIECE;
    const uint64_t room = walked->edges < least ? walked->edges : least;
    struct piece p = {.walked = walked, .place = place};
    rd_status status = rd__array_new(&p.to, "edges of hubs", room, sizeof *p.to, err);
    if (status == RD_OK)
        status = rd__array_new(&p.spare, "edges of hubs", room, sizeof *p.spare, err);
    while (p.until < walked->vertices && status == RD_OK) {
        p.from = p.until;
        p.first = walked->row[p.from];
        while (p.until < walked->vertices && walked->row[p.until + 1] - p.first <= room)
            p.until++;
        const uint64_t count = walked->row[p.until] - p.first;
        rd__parallel(count < PIECE / 16 ? 1 : rd__thread_count(0), copy_share, &p);
        status = count ? rd__buffer_write(col, 4 * p.first, 4 * count, p.to, err) : RD_OK;
    }
    rd__array_free(p.to);
    rd__array_free(p.spare);
    return status;
}

/* With the numbers of the bins, number[v] becomes that of vertex v, on the device too, and the edges follow. */
static rd_status pack(rd_device *device, const rd_csr *out, const rd_csr *walked, uint32_t *bin, uint32_t *number,
                      rd__pr_packed *packed, rd_error *err)
{
    const uint64_t bytes = 4ull * out->vertices;
    for (uint32_t v = 0; v < out->vertices; v++)
        number[v] = bin_of(out, v) >= packed->degree ? bin[bin_of(out, v)]++ : RD_NONE;
    RD_TRY(rd__buffer_alloc(device, &packed->place, "numbers of hubs", bytes, err));
    RD_TRY(rd__buffer_write(&packed->place, 0, bytes, number, err));
    RD_TRY(rd__buffer_alloc(device, &packed->col, "edges of hubs", 4 * walked->edges, err));
    return copy_edges(walked, number, &packed->col, err);
}

rd_status rd__pr_pack(rd_device *device, const rd_csr *out, const rd_csr *walked, uint32_t option,
                      rd__pr_packed *packed, rd_error *err)
{
    const uint32_t when = option == RD__PR_PACK_AUTO; /* who runs it twice may run it often */
    uint32_t *bin = NULL, *number = NULL;
    if (!packed->room || packed->runs++ != when)
        return RD_OK;
    rd_status status = rd__array_new(&bin, "degrees", BINS, sizeof *bin, err);
    if (status == RD_OK)
        packed->degree = number_bins(out, option, bin);
    if (packed->degree) {
        status = rd__array_new(&number, "numbers of hubs", out->vertices, sizeof *number, err);
        if (status == RD_OK)
            status = pack(device, out, walked, bin, number, packed, err);
    }
    rd__array_free(bin);
    rd__array_free(number);
    if (status != RD_OK)
        rd__pr_packed_free(packed);
    return status == RD_ENOMEM && option == RD__PR_PACK_AUTO ? RD_OK : status; /* it goes without */
}

void rd__pr_packed_free(rd__pr_packed *packed)
{
    rd__buffer_free(&packed->place);
    rd__buffer_free(&packed->col);
    *packed = (rd__pr_packed){0};
}
