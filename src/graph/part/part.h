/* SPDX-License-Identifier: Apache-2.0 */
/*
 * part.h - a graph in parts, one a rank. Rank r owns the vertices start[r] .. start[r + 1] - 1 of the whole graph and
 * all edges that leave them. How the blocks are cut: blocks.c.
 *
 * The rank's rd_graph is a graph by itself, so that every engine runs it as it is: vertices 0 .. own - 1 are the
 * rank's own, in order; those behind are ghosts: the ends, owned elsewhere, of edges that leave the rank's vertices, in
 * ascending order, without edges of their own. What a run finds out about a ghost is a message to its owner. Since
 * blocks are consecutive, the ghosts of one owner are too.
 *
 * On the way there it is a slice: rows of the own vertices only, whose targets are numbers of the whole graph.
 */
#ifndef RD_GRAPH_PART_H
#define RD_GRAPH_PART_H

#include "graph/build.h"
#include "ranks/ranks.h"

typedef struct rd__part {
    rd_ranks *ranks;
    /* of the whole graph */
    uint32_t vertices;
    uint64_t edges, max_degree;
    uint32_t hub; /* RD_NONE: it has no vertex */
    int symmetric;
    uint32_t *start; /* ranks + 1 */
    /* of this part */
    uint32_t first, own, ghosts; /* first: start[rank] */
    uint64_t remote;             /* edges that lead to ghosts */
    uint32_t *ghost;             /* their numbers in the whole graph */
    uint32_t *ghost_from;        /* ranks + 1: those of rank r are ghost_from[r] .. ghost_from[r + 1] - 1 */
    uint32_t **lent;             /* of rank r: which of the own vertices are ghosts there, by their numbers here; */
    uint64_t *lent_count;        /* how many. NULL until rd__part_lend */
    uint64_t **lent_mask;        /* the same as bits of the own vertices, or NULL; NULL until rd__part_lend_bits */
    uint64_t *with_edges;        /* a bit for each own vertex that has some; NULL until a search by levels */
    rd_graph *names;             /* whose ids are the graph's: what all vertices were called; or NULL */
    int named;                   /* or vertices are called any numbers, and ranks have some of them each (names.c): */
    uint64_t *name;              /* those of the own vertices, */
    uint32_t known_count;        /* and of some that were asked for: */
    uint32_t *known;             /* which, by their numbers in the whole graph, */
    uint64_t *known_name;        /* and their names */
} rd__part;

/* The part that a graph is, or NULL: it is a whole one. */
const rd__part *rd__graph_part(const rd_graph *graph);
void rd__part_free(rd__part *part);

static inline uint32_t rd__part_owner(const rd__part *part, uint32_t vertex)
{
    uint32_t low = 0, high = rd_ranks_count(part->ranks);
    while (high - low > 1) { /* empty blocks: the last that starts at or before */
        const uint32_t middle = low + (high - low) / 2;
        if (part->start[middle] <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The number in the whole graph of vertex v of the part. */
static inline uint32_t rd__part_number(const rd__part *part, uint32_t v)
{
    return v < part->own ? part->first + v : part->ghost[v - part->own];
}

/* ---- Blocks ---- */

/* All ranks: blocks of about as many vertices and edges each. work[b] is what the rank knows of bin b, of `bins` bins
 * of 2^shift vertices; all add up. *part is new, with start and first. */
rd_status rd__blocks_of_bins(rd_ranks *ranks, uint32_t vertices, const uint64_t *work, uint32_t bins, unsigned shift,
                             rd__part **part, rd_error *err);
/* How fine: bins of 2^shift vertices, a few thousand of them. @return how many. */
uint32_t rd__blocks_bins(const rd_ranks *ranks, uint32_t vertices, unsigned *shift);
/* The same from the row offsets of the whole graph, which this rank has. */
rd_status rd__blocks_of_rows(rd_ranks *ranks, const rd_csr *csr, rd__part **part, rd_error *err);
/* Only where they are cut: start[0 .. count]. ranks: whose shares count; NULL: all alike. */
void rd__blocks_cut(const rd_csr *csr, const rd_ranks *ranks, uint32_t count, uint32_t *start);
/* And the vertices of this rank: *first .. *last - 1. */
rd_status rd__blocks_own(const rd_csr *csr, rd_ranks *ranks, uint32_t *first, uint32_t *last, rd_error *err);
/* Blocks that somebody has cut before. */
rd_status rd__blocks_given(rd_ranks *ranks, uint32_t vertices, const uint32_t *start, rd__part **part, rd_error *err);

/* ---- Rows as a file has them: own_rows.c ---- */

typedef struct rd__own_rows {
    rd_ranks *ranks;
    const char *name; /* of the file, for messages */
    uint32_t vertices, own;
    uint64_t edges;
    uint64_t from, count; /* the edges of this rank's vertices, once all offsets have come */
    uint64_t *row;        /* own + 1 of them then, from `from` on */
    /* on the way */
    uint64_t kept, room, seen, last;
    uint32_t *start, next; /* next: the first rank whose block has not begun */
} rd__own_rows;

rd_status rd__own_rows_begin(rd__own_rows *rows, rd_ranks *ranks, const char *name, uint32_t vertices, uint64_t edges,
                             rd_error *err);
/* vertices + 1 times: the next offset. Checks it. */
rd_status rd__own_rows_add(rd__own_rows *rows, uint64_t offset, rd_error *err);
/* Then once: `from`, `count` and `own` are known. */
rd_status rd__own_rows_end(rd__own_rows *rows, rd_error *err);
/* The slice of these rows and of arrays of `count` targets and weights (or NULL), which it takes over, also on failure.
 * Checks the targets; rows stay as they are. */
rd_status rd__own_rows_slice(rd__own_rows *rows, uint32_t *col, int32_t *weight, unsigned threads, rd_graph **graph,
                             rd_error *err);
void rd__own_rows_free(rd__own_rows *rows);

/* ---- Names: names.c ---- */

/* What a rank knows of them: the vertices from .. from + count - 1, before permuting. */
typedef struct rd__naming {
    uint32_t from, count;
    uint32_t first;                     /* vertex 0 is called so, and others follow, where there is no list: */
    const uint64_t *name;               /* count of them, or NULL */
    const rd__permutation *permutation; /* gives vertices their numbers; NULL: they have them */
} rd__naming;

/* All ranks: names go to the owners of their vertices. */
rd_status rd__part_call(rd__part *part, const rd__naming *names, rd_error *err);
void rd__part_forget_names(rd__part *part);
/* All ranks, the same vertices: rd__part_called knows them from then on. */
rd_status rd__part_learn(rd__part *part, const uint32_t *vertex, uint32_t count, rd_error *err);
/* Of a part that is named. UINT64_MAX: this rank does not know. */
uint64_t rd__part_called(const rd__part *part, uint32_t vertex);
/* The own vertex of that name, by its number in the whole graph, or RD_NONE. */
uint32_t rd__part_find_own(const rd__part *part, uint64_t name);

/* ---- Slices ---- */

/* All ranks: each has some edges of the whole graph in its builder, whose options have the ranks; its slice is made of
 * the edges of its own rows, whoever had them. names: those that this rank knows, before permuting; NULL: vertices are
 * called by their numbers. The builder is empty afterwards, whatever happens. */
rd_status rd__part_build(rd__builder *builder, const rd__naming *names, rd_graph **graph, rd_error *err);
/* Likewise, or, where ranks do not share the builder's edges, the whole graph. */
rd_status rd__part_or_whole(rd__builder *builder, int shared, rd_graph **graph, rd_error *err);
/* The own rows of a whole graph, which is destroyed, also on failure. */
rd_status rd__part_cut(rd_graph **graph, rd_ranks *ranks, rd_error *err);
/* One rank: its part is the whole graph, as it is. */
rd_status rd__part_whole(rd_graph *graph, rd_ranks *ranks, rd_error *err);
/* All ranks: a slice, with weights and all, becomes a graph with ghosts. On failure it is destroyed, and *graph NULL.
 */
rd_status rd__part_close(rd_graph **graph, rd_error *err);
/* All ranks: the edges that lead to this rank's vertices, as a part of the graph turned round, without weights. */
rd_status rd__part_turn(const rd_graph *graph, rd_graph **turned, rd_error *err);

/* ---- Parts in a folder: stored.c ---- */

/* Is it a folder that rd_graph_partition has written? */
int rd__stored_is(const char *path);
/* All ranks: the slice of this one. */
rd_status rd__stored_open(const char *folder, const rd_graph_options *options, rd_ranks *ranks, rd_graph **graph,
                          rd_error *err);
/* The two files of which a slice is made, when they are in memory. The list: path is for messages, text[bytes] is 0;
 * it is changed. A part: of a file that was read as any graph is. */
rd_status rd__stored_parse(char *text, size_t bytes, const char *path, rd_parts *parts, rd_error *err);
rd_status rd__stored_slice(const rd_graph *file, const char *folder, const rd_parts *parts, uint32_t rank,
                           rd_graph **slice, rd_error *err);
/* What is in such a folder, and how it is called there. */
enum { RD__STORED_PATH = 4096 };
void rd__stored_path(const char *folder, const char *name, char *path);
void rd__stored_part_path(const char *folder, uint32_t part, char *path);
rd_status rd__stored_write(const char *folder, const rd_parts *parts, rd_error *err);

/* ---- Ghosts ---- */

/* All ranks, once: each learns which of its vertices are ghosts where. */
rd_status rd__part_lend(rd__part *part, rd_error *err);
/* All ranks, after rd__part_lend: values of ghosts from their owners. value has `size` bytes a vertex, own ones first;
 * the ghosts' are written. */
rd_status rd__part_refresh(const rd__part *part, void *value, size_t size, rd_error *err);
/* The same, and meanwhile all ranks add up. */
rd_status rd__part_refresh_and_sum(const rd__part *part, void *value, size_t size, const rd__sum *sum, rd_error *err);

/* ---- A bit a vertex: bits.c ---- */

/* All ranks, once, before the two below; does rd__part_lend too. */
rd_status rd__part_lend_bits(rd__part *part, rd_error *err);
/* All ranks: `own` has a bit for each own vertex, `all` one for each, ghosts behind. Those of ghosts are set in `all`
 * whose owner has set them in `own`; none is cleared. *bytes grows by what was sent. */
rd_status rd__part_tell_bits(const rd__part *part, const uint64_t *own, uint64_t *all, uint64_t *bytes, rd_error *err);
/* All ranks, the other way: those of own vertices are set in `own` that somebody has set in `all` as a ghost. */
rd_status rd__part_offer_bits(const rd__part *part, const uint64_t *all, uint64_t *own, uint64_t *bytes, rd_error *err);
/* Those bits of own vertices that rank r has as ghosts, in their order, into whole words. */
void rd__part_pick(const rd__part *part, uint32_t r, const uint64_t *own, uint64_t *out);

/* ---- The same in several goes, of bits that are never taken back: news.c ---- */

typedef struct rd__news {
    const rd__part *part;
    uint64_t **open; /* of rank r: a bit for each own vertex that it has as a ghost, in their order, */
    uint64_t *ghost; /* and one for each ghost: nothing is known of it */
    uint64_t *room, words;
} rd__news;

/* All ranks. On failure too it is to be freed. */
rd_status rd__news_new(rd__news *news, rd__part *part, rd_error *err);
void rd__news_free(rd__news *news);
/* Ghosts that nothing is known of. */
uint64_t rd__news_open(const rd__news *news);
/* All ranks: own bits are told to those who do not know of them; heard: a bit for each ghost, whose owner has told just
 * now. *bytes grows by what was sent. */
rd_status rd__news_tell(rd__news *news, const uint64_t *own, uint64_t *heard, uint64_t *bytes, rd_error *err);

/* Before the next go this rank has sent, and rank r receives, by which both know that the bit is set: of up to 64
 * ghosts from this one on; of a place among what is lent to rank r. Both have to say so. */
static inline void rd__news_sent(rd__news *news, uint64_t ghost, uint64_t bits)
{
    news->ghost[ghost / 64] &= ~(bits << ghost % 64);
    if (ghost % 64 && bits >> (64 - ghost % 64))
        news->ghost[ghost / 64 + 1] &= ~(bits >> (64 - ghost % 64));
}

static inline void rd__news_received(rd__news *news, uint32_t r, uint64_t place)
{
    news->open[r][place / 64] &= ~(1ull << place % 64);
}

#endif
