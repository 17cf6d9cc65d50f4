/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metis.c - METIS .graph (DIMACS-10): "VERTICES EDGES [FMT [NCON]]", then one line a vertex with its neighbours,
 * numbered from 1.
 *
 * FMT is up to three digits: hundreds, vertex sizes are given; tens, NCON vertex weights are; ones, each neighbour is
 * followed by the weight of the edge. Sizes and vertex weights are checked and dropped. A blank line is a vertex
 * without neighbours; lines that start with % are comments. The graph is undirected, and each edge stands on the lines
 * of both its ends: that is checked too.
 */
#include "graph/part/part.h"
#include "graph/read/reader.h"
#include "graph/read/token.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

struct metis {
    rd__builder builder;
    uint32_t vertices;
    uint64_t edges; /* as promised: each once */
    unsigned skip;  /* numbers before the first neighbour */
    int weighted;
    rd__weight_use weights;
    atomic_ullong listed; /* neighbours found */
    atomic_ullong rows;   /* lines of vertices found */
};

static int is_row(const char *line)
{
    return *line != '%';
}

static rd_status parse_format(const rd__text *text, const char *line, const char *at, uint64_t *ncon,
                              struct metis *metis, rd_error *err)
{
    rd__fault fault;
    const char *format = at = rd__skip_blanks(at);
    unsigned digits = 0, value = 0;
    for (; *at == '0' || *at == '1'; at++, digits++)
        value = value << 1 | (*at == '1');
    if (digits == 0 || digits > 3 || !rd__is_break(*at)) {
        rd__expected(&fault, format, "a METIS format of up to three digits 0 or 1");
        return rd__text_fail(text, line, &fault, err);
    }
    *ncon = value & 2 ? 1 : 0;
    if (!rd__at_line_end(&at)) {
        const char *place = at;
        if (rd__take_u64(&at, ncon) != 1 || *ncon > 1000 || (value & 2 && *ncon == 0) || !rd__at_line_end(&at)) {
            rd__expected(&fault, place, "the number of weights a vertex has, from 1 to 1000, and the end of the line");
            return rd__text_fail(text, line, &fault, err);
        }
    }
    metis->weighted = (value & 1) != 0;
    metis->skip = (value & 4 ? 1 : 0) + (value & 2 ? (unsigned)*ncon : 0);
    return RD_OK;
}

static rd_status parse_header(rd__text *text, struct metis *metis, rd_error *err)
{
    char *line;
    const char *at;
    uint64_t size[2], ncon = 0;
    rd__fault fault;
    do {
        RD_TRY(rd__text_line(text, &line, err));
        if (!line)
            return rd__fail(err, RD_EINPUT,
                            "%s:%" PRIu64 ":1: the file ends before its first line 'VERTICES EDGES [FMT [NCON]]'",
                            text->source->name, text->line + 1);
        at = rd__skip_blanks(line);
    } while (*line == '%' || *at == 0);
    for (int i = 0; i < 2; i++) {
        if (rd__take_u64(&at, &size[i]) != 1) {
            rd__expected(&fault, at, "the number of %s", i ? "edges" : "vertices");
            return rd__text_fail(text, line, &fault, err);
        }
    }
    if (size[0] > RD_VERTEX_MAX) {
        rd__wrong(&fault, line, "%" PRIu64 " vertices are more than the %u that 32-bit numbers allow", size[0],
                  RD_VERTEX_MAX);
        return rd__text_fail(text, line, &fault, err);
    }
    if (text->source->size && !text->source->compressed &&
        (size[1] > text->source->size / 4 || size[0] > text->source->size)) {
        rd__wrong(&fault, line,
                  "%" PRIu64 " vertices and %" PRIu64 " edges are promised, but the file has only %" PRIu64
                  " bytes: it is truncated",
                  size[0], size[1], text->source->size);
        return rd__text_fail(text, line, &fault, err);
    }
    if (size[1] > UINT64_MAX / 2) { /* each stands on two lines */
        rd__wrong(&fault, line, "%" PRIu64 " edges are more than the %" PRIu64 " that can be counted twice", size[1],
                  UINT64_MAX / 2);
        return rd__text_fail(text, line, &fault, err);
    }
    metis->vertices = (uint32_t)size[0];
    metis->edges = size[1];
    if (!rd__at_line_end(&at))
        return parse_format(text, line, at, &ncon, metis, err);
    return RD_OK;
}

static int parse_row(struct metis *metis, unsigned thread, uint64_t row, const char **place, uint64_t *listed,
                     rd__fault *fault)
{
    const char *at = *place;
    uint64_t ignored;
    for (unsigned i = 0; i < metis->skip; i++)
        if (rd__take_u64(&at, &ignored) != 1)
            return rd__expected(fault, at, "a size or weight of vertex %" PRIu64, row + 1);
    while (*at != '\n' && !rd__at_line_end(&at)) {
        const char *start = at;
        uint32_t neighbour = 0;
        int32_t weight = 0;
        if (!rd__take_vertex(&at, 1, metis->vertices, &neighbour, fault))
            return 0;
        if (metis->weighted && !rd__take_weight(&at, metis->weights, &weight, fault))
            return 0;
        if (neighbour - 1 == row)
            return rd__wrong(fault, start, "vertex %u lists itself, which METIS graphs may not", neighbour);
        if (!rd__builder_add(&metis->builder, thread, (uint32_t)row, neighbour - 1, weight))
            return 0;
        ++*listed;
    }
    *place = at;
    return 1;
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct metis *metis = user;
    uint64_t row = block->first_row, listed = 0, rows = 0;
    for (const char *at = block->text; at < block->end;) {
        if (*at == '%') {
            at = rd__next_line(at);
            continue;
        }
        if (row >= metis->vertices) {
            if (!rd__at_line_end(&at))
                return rd__wrong(fault, at, "there are more lines than the %" PRIu32 " vertices", metis->vertices);
        } else {
            if (!parse_row(metis, thread, row, &at, &listed, fault))
                return 0;
            rows++;
        }
        row++;
        if (*at != '\n')
            return rd__expected(fault, at, "a vertex number or the end of the line");
        at++;
    }
    atomic_fetch_add(&metis->listed, listed);
    atomic_fetch_add(&metis->rows, rows);
    return 1;
}

static rd_status parse(rd__text *text, const rd_graph_options *options, struct metis *metis, rd_error *err)
{
    rd_graph_options wanted = *options;
    wanted.symmetrize = 0; /* it is symmetric, or else refused */
    RD_TRY(parse_header(text, metis, err));
    RD_TRY(rd__read_fits(text->source, metis->vertices, 2 * metis->edges, metis->weighted, 0,
                         rd_ranks_count(text->ranks), err));
    RD_TRY(rd__builder_create(&metis->builder, metis->vertices, metis->weighted, 0, &wanted, err));
    metis->builder.first = 1;
    rd__text_parser parser = {
        .user = metis, .block = parse_block, .counts = is_row, .long_lines = 1, .what = "reading"};
    RD_TRY(rd__text_blocks(text, &parser, err));
    uint64_t found[] = {atomic_load(&metis->rows), atomic_load(&metis->listed)};
    RD_TRY(rd__text_add_up(text, found, 2, NULL, err));
    const uint64_t rows = found[0], listed = found[1];
    /* the last vertex may have an empty line and the file no newline after it */
    if (rows + 1 < metis->vertices || (rows < metis->vertices && metis->skip))
        return rd__fail(err, RD_EINPUT,
                        "%s:%" PRIu64 ":1: the file ends after the lines of %" PRIu64 " of %" PRIu32
                        " vertices: it is truncated",
                        text->source->name, text->line, rows, metis->vertices);
    if (listed != 2 * metis->edges)
        return rd__fail(err, RD_EINPUT,
                        "%s:%" PRIu64 ":1: the header promises %" PRIu64 " edges, which makes %" PRIu64
                        " neighbours, but %" PRIu64 " are listed",
                        text->source->name, text->line, metis->edges, 2 * metis->edges, listed);
    return RD_OK;
}

/* Names the first edge without its reverse. */
static rd_status fail_one_way(const char *name, rd_graph *graph, rd_error *err)
{
    rd_csr csr = rd_graph_csr(graph), turned = csr;
    if (graph->part) /* the other line may be another rank's */
        csr.vertices = 0;
    else
        RD_TRY(rd_graph_transpose(graph, &turned, err));
    for (uint32_t v = 0; v < csr.vertices; v++) {
        for (uint64_t e = csr.row[v], t = turned.row[v]; e < csr.row[v + 1] || t < turned.row[v + 1]; e++, t++) {
            int here = e < csr.row[v + 1], there = t < turned.row[v + 1];
            if (here && there && csr.col[e] == turned.col[t] && (!csr.weight || csr.weight[e] == turned.weight[t]))
                continue;
            uint32_t other = here ? csr.col[e] : turned.col[t];
            return rd__fail(err, RD_EINPUT,
                            "%s: the lines of vertices %" PRIu64 " and %" PRIu64
                            " do not agree on the edges between them; each edge must stand on both, with one weight",
                            name, rd_graph_name(graph, v), rd_graph_name(graph, other));
        }
    }
    return rd__fail(err, RD_EINPUT, "%s: some edge does not stand on the lines of both its ends", name);
}

rd_status rd__metis_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct metis metis = {.weights = rd__weight_use_of(options)};
    rd__text text;
    rd__text_init(&text, source, options);
    rd__text_share(&text);
    rd_status status = parse(&text, options, &metis, err);
    rd__text_free(&text);
    if (status != RD_OK) {
        rd__builder_destroy(&metis.builder);
        return status;
    }
    double start = rd_now();
    rd_graph *made;
    RD_TRY(rd__part_or_whole(&metis.builder, text.ranks != NULL, &made, err));
    made->times.build_s = rd_now() - start;
    int symmetric;
    status = rd__graph_is_symmetric(made, &symmetric, err);
    if (status == RD_OK && !symmetric)
        status = fail_one_way(source->name, made, err);
    if (status != RD_OK) {
        rd_graph_destroy(made);
        return status;
    }
    made->symmetric = 1;
    *graph = made;
    return RD_OK;
}
