/* SPDX-License-Identifier: Apache-2.0 */
/*
 * adj.c - adjacency graphs of the Problem Based Benchmark Suite, which Ligra and its kin read: a line "AdjacencyGraph"
 * or "WeightedAdjacencyGraph", then one whole number a line:
 *     vertices, edges; for each vertex where its edges begin; the target of each edge; with weights, that of each edge
 *
 * Which number is what follows from its line, so blocks are parsed by several threads. A header that promises more
 * than the file can hold, at two bytes for a number and the end of its line, is refused at once.
 *
 * Of several ranks each goes through all lines: first the offsets, one by one, of which it keeps its own, then in
 * blocks what belongs to its own rows; other numbers are their owners' to look at.
 */
#include "graph/read/binary_csr.h"
#include "graph/read/token.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

static const char plain[] = "AdjacencyGraph", weighted[] = "WeightedAdjacencyGraph";

struct adj {
    uint64_t vertices, edges, numbers; /* numbers: how many follow the sizes */
    uint64_t before;                   /* of these, how many were read before there are blocks */
    uint64_t from, count;              /* the edges that are kept */
    uint64_t *row;
    rd__own_rows own; /* instead, with ranks */
    uint32_t *col;
    int32_t *weight; /* NULL: there are none */
    rd__weight_use weights;
    atomic_ullong seen;
};

int rd__adj_sniff(const char *head, size_t bytes)
{
    return (bytes > sizeof plain - 1 && memcmp(head, plain, sizeof plain - 1) == 0 &&
            rd__is_break(head[sizeof plain - 1])) ||
           (bytes > sizeof weighted - 1 && memcmp(head, weighted, sizeof weighted - 1) == 0 &&
            rd__is_break(head[sizeof weighted - 1]));
}

/* Of a block, whose lines end in '\n' and nothing else. */
static int is_number(const char *line)
{
    return *rd__skip_blanks(line) != '\n';
}

static int parse_number(struct adj *adj, uint64_t at, const char **place, rd__fault *fault)
{
    uint64_t number = 0;
    const char *start = *place;
    if (at < adj->vertices) {
        if (rd__take_u64(place, &number) != 1 || number > adj->edges)
            return rd__expected(fault, start, "where the edges of vertex %" PRIu64 " begin, from 0 to %" PRIu64, at,
                                adj->edges);
        adj->row[at] = number;
        return 1;
    }
    at -= adj->vertices;
    const uint64_t edge = (at < adj->edges ? at : at - adj->edges) - adj->from;
    if (edge >= adj->count) { /* of another rank's row */
        *place += strcspn(start, " \t\r\n");
        return 1;
    }
    if (at < adj->edges)
        return rd__take_vertex(place, 0, adj->vertices - 1, &adj->col[edge], fault);
    int32_t ignored;
    return rd__take_weight(place, adj->weights, adj->weight ? &adj->weight[edge] : &ignored, fault);
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct adj *adj = user;
    uint64_t number = adj->before + block->first_row, seen = 0;
    (void)thread;
    for (const char *at = block->text; at < block->end; at++) {
        at = rd__skip_blanks(at);
        if (*at == '\n')
            continue;
        if (number >= adj->numbers)
            return rd__wrong(fault, at, "there are more numbers than the sizes promise");
        if (!parse_number(adj, number, &at, fault))
            return 0;
        at = rd__skip_blanks(at);
        if (*at != '\n')
            return rd__expected(fault, at, "the end of the line: one number stands on each");
        number++;
        seen++;
    }
    atomic_fetch_add(&adj->seen, seen);
    return 1;
}

/* The next line that has something, or NULL. */
static rd_status next_line(rd__text *text, char **line, rd_error *err)
{
    do {
        RD_TRY(rd__text_line(text, line, err));
    } while (*line && *rd__skip_blanks(*line) == 0);
    return RD_OK;
}

/* One of the two sizes. */
static rd_status read_size(rd__text *text, const char *what, uint64_t most, uint64_t *size, rd_error *err)
{
    char *line;
    RD_TRY(next_line(text, &line, err));
    if (!line)
        return rd__fail(err, RD_EINPUT, "%s: the file ends before the number of %s", text->source->name, what);
    const char *at = line;
    rd__fault fault = {0};
    if (rd__take_u64(&at, size) != 1 || *size > most)
        rd__expected(&fault, at, "the number of %s, from 0 to %" PRIu64, what, most);
    else if (!rd__at_line_end(&at))
        rd__expected(&fault, at, "the end of the line");
    return fault.at ? rd__text_fail(text, line, &fault, err) : RD_OK;
}

static rd_status ends_early(const rd__text *text, uint64_t seen, const struct adj *adj, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s:%" PRIu64 ":1: the file ends after %" PRIu64 " of %" PRIu64 " numbers: it is truncated",
                    text->source->name, text->line, seen, adj->numbers);
}

/* All ranks: where edges begin, of all vertices. */
static rd_status read_own_rows(rd__text *text, struct adj *adj, rd_error *err)
{
    const rd_graph_options *options = text->options;
    RD_TRY(rd__own_rows_begin(&adj->own, text->ranks, text->source->name, (uint32_t)adj->vertices, adj->edges, err));
    for (uint64_t v = 0; v < adj->vertices; v++) {
        uint64_t offset = 0;
        char *line;
        RD_TRY(next_line(text, &line, err));
        if (!line)
            return ends_early(text, v, adj, err);
        const char *at = line;
        rd__fault fault = {0};
        if (rd__take_u64(&at, &offset) != 1 || offset > adj->edges)
            rd__expected(&fault, line, "where the edges of vertex %" PRIu64 " begin, from 0 to %" PRIu64, v,
                         adj->edges);
        else if (!rd__at_line_end(&at))
            rd__expected(&fault, at, "the end of the line: one number stands on each");
        if (fault.at)
            return rd__text_fail(text, line, &fault, err);
        RD_TRY(rd__own_rows_add(&adj->own, offset, err));
        if (v % RD__WATCH_ITEMS == 0 && options->progress &&
            options->progress(options->progress_user, "reading", text->source->taken, text->source->size, "bytes"))
            return rd__fail(err, RD_ECANCELLED, "%s: stopped while reading", text->source->name);
    }
    RD_TRY(rd__own_rows_add(&adj->own, adj->edges, err));
    RD_TRY(rd__own_rows_end(&adj->own, err));
    adj->before = adj->vertices;
    adj->from = adj->own.from;
    adj->count = adj->own.count;
    return RD_OK;
}

static rd_status read_head(rd__text *text, struct adj *adj, rd_error *err)
{
    char *line;
    RD_TRY(rd__text_line(text, &line, err));
    const char *at = line ? line : "";
    const size_t length = strcspn(at, " \t\r");
    const int has_weights = length == sizeof weighted - 1 && memcmp(at, weighted, length) == 0;
    if (!has_weights && !(length == sizeof plain - 1 && memcmp(at, plain, length) == 0))
        return rd__fail(err, RD_EINPUT, "%s:1:1: expected '%s' or '%s'", text->source->name, plain, weighted);
    RD_TRY(read_size(text, "vertices", RD_VERTEX_MAX, &adj->vertices, err));
    RD_TRY(read_size(text, "edges", UINT64_MAX >> 8, &adj->edges, err));
    adj->numbers = adj->vertices + adj->edges * (has_weights ? 2 : 1);
    const int keep = has_weights && adj->weights != RD__WEIGHT_DROP; /* else others take their place */
    const rd__source *source = text->source;
    if (source->size && !source->compressed && adj->numbers > source->size / 2 + 1)
        return rd__fail(err, RD_EINPUT,
                        "%s: promises %" PRIu64 " numbers, which its %" PRIu64 " bytes cannot hold: it is truncated",
                        source->name, adj->numbers, source->size);
    adj->count = adj->edges;
    RD_TRY(rd__memory_expect((8 * (adj->vertices + 1) + adj->edges * (keep ? 8 : 4)) / rd_ranks_count(text->ranks),
                             "the graph", err));
    RD_TRY(text->ranks ? read_own_rows(text, adj, err)
                       : rd__array_new(&adj->row, "the row offsets of the graph", adj->vertices + 1, 8, err));
    RD_TRY(rd__array_new(&adj->col, "the edges of the graph", adj->count, 4, err));
    if (keep)
        RD_TRY(rd__array_new(&adj->weight, "the weights of the graph", adj->count, 4, err));
    return RD_OK;
}

static rd_status parse(rd__text *text, struct adj *adj, rd_error *err)
{
    RD_TRY(read_head(text, adj, err));
    const rd__text_parser parser = {
        .user = adj, .block = parse_block, .counts = is_number, .all_blocks = 1, .what = "reading"};
    RD_TRY(rd__text_blocks(text, &parser, err));
    const uint64_t seen = adj->before + atomic_load(&adj->seen);
    if (seen < adj->numbers)
        return ends_early(text, seen, adj, err);
    if (adj->row)
        adj->row[adj->vertices] = adj->edges;
    return RD_OK;
}

rd_status rd__adj_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct adj adj = {.weights = rd__weight_use_of(options)};
    rd__text text;
    rd__text_init(&text, source, options);
    rd__text_share(&text);
    const rd_status status = parse(&text, &adj, err);
    rd__text_free(&text);
    if (status != RD_OK) {
        rd__own_rows_free(&adj.own);
        rd__array_free(adj.row);
        rd__array_free(adj.col);
        rd__array_free(adj.weight);
        return status;
    }
    const int real = adj.weights == RD__WEIGHT_REAL;
    if (text.ranks)
        return rd__adopt_own(source, &adj.own, adj.col, adj.weight, real, 0, options, graph, err);
    return rd__adopt(source, (uint32_t)adj.vertices, adj.edges, adj.row, adj.col, adj.weight, real, 0, options, graph,
                     err);
}
