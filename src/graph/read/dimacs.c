/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dimacs.c - two formats of the DIMACS challenges, vertices numbered from 1:
 *
 *   gr   c comment / p sp VERTICES ARCS / a FROM TO WEIGHT          shortest paths (9th): directed, weighted
 *   col  c comment / p edge VERTICES EDGES / e U V                  colouring (2nd): undirected
 *
 * Colouring files list an edge once or in both directions, and their header may count it either way; so duplicates are
 * dropped, and the number of lines may be the promised one, half of it or twice. Descriptor lines of colouring files
 * (n, d, v, x) carry no edges and are skipped.
 */
#include "graph/part/part.h"
#include "graph/read/reader.h"
#include "graph/read/token.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

struct dimacs {
    rd__builder builder;
    int colouring;
    uint32_t vertices;
    uint64_t promised;
    rd__weight_use weights;
    atomic_ullong lines;
};

/* The first line that is not blank or a comment starts with "p KIND". */
static int sniff(const char *head, size_t bytes, const char *kind, const char *other)
{
    const char *end = head + bytes;
    while (head < end) {
        if (*head == 'p' && end - head > 2 && (head[1] == ' ' || head[1] == '\t')) {
            for (head++; head < end && (*head == ' ' || *head == '\t'); head++)
                ;
            size_t left = (size_t)(end - head);
            return (left > strlen(kind) && strncmp(head, kind, strlen(kind)) == 0) ||
                   (left > strlen(other) && strncmp(head, other, strlen(other)) == 0);
        }
        if (*head != 'c' && *head != '\n' && *head != '\r')
            return 0;
        /* a comment is "c" alone or "c " and text; a word that starts with c is something else */
        if (*head == 'c' && end - head > 1 && !rd__is_break(head[1]))
            return 0;
        const char *stop = memchr(head, '\n', (size_t)(end - head));
        if (!stop)
            return 0;
        head = stop + 1;
    }
    return 0;
}

int rd__gr_sniff(const char *head, size_t bytes)
{
    return sniff(head, bytes, "sp ", "sp\t");
}

int rd__col_sniff(const char *head, size_t bytes)
{
    return sniff(head, bytes, "edge", "col ");
}

static rd_status parse_sizes(rd__text *text, char *line, const char *at, struct dimacs *dimacs, rd_error *err)
{
    rd__fault fault;
    uint64_t size[2];
    for (int i = 0; i < 2; i++) {
        if (rd__take_u64(&at, &size[i]) != 1) {
            rd__expected(&fault, at, "the number of %s", i ? dimacs->colouring ? "edges" : "arcs" : "vertices");
            return rd__text_fail(text, line, &fault, err);
        }
    }
    if (!rd__at_line_end(&at))
        rd__expected(&fault, at, "the end of the line");
    else if (size[0] > RD_VERTEX_MAX)
        rd__wrong(&fault, line, "%" PRIu64 " vertices are more than the %u that 32-bit numbers allow", size[0],
                  RD_VERTEX_MAX);
    else if (text->source->size && !text->source->compressed && size[1] > text->source->size / 3)
        rd__wrong(&fault, line,
                  "%" PRIu64 " edges are promised, but the file has only %" PRIu64 " bytes: it is truncated", size[1],
                  text->source->size);
    else {
        dimacs->vertices = (uint32_t)size[0];
        dimacs->promised = size[1];
        return RD_OK;
    }
    return rd__text_fail(text, line, &fault, err);
}

/* Comments and the line "p KIND VERTICES EDGES". */
static rd_status parse_header(rd__text *text, struct dimacs *dimacs, rd_error *err)
{
    const char *wanted = dimacs->colouring ? "p edge VERTICES EDGES" : "p sp VERTICES ARCS", *at;
    char *line;
    do {
        RD_TRY(rd__text_line(text, &line, err));
        if (!line)
            return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: the file ends before its line '%s'", text->source->name,
                            text->line + 1, wanted);
        at = rd__skip_blanks(line);
    } while (*at == 0 || (*at == 'c' && rd__is_break(at[1])));
    rd__fault fault;
    if (*at != 'p' || !rd__is_break(at[1])) {
        rd__expected(&fault, at, "'%s'", wanted);
        return rd__text_fail(text, line, &fault, err);
    }
    at = rd__skip_blanks(at + 1);
    size_t length = strcspn(at, " \t\r");
    int right = dimacs->colouring
                    ? (length == 4 && strncmp(at, "edge", 4) == 0) || (length == 3 && strncmp(at, "col", 3) == 0) ||
                          (length == 5 && strncmp(at, "edges", 5) == 0)
                    : length == 2 && strncmp(at, "sp", 2) == 0;
    if (!right) {
        rd__expected(&fault, at, "'%s'", wanted);
        return rd__text_fail(text, line, &fault, err);
    }
    return parse_sizes(text, line, at + length, dimacs, err);
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct dimacs *dimacs = user;
    char mark = dimacs->colouring ? 'e' : 'a';
    uint64_t lines = 0;
    for (const char *at = block->text; at < block->end;) {
        uint32_t u = 0, v = 0;
        int32_t weight = 0;
        at = rd__skip_blanks(at);
        if (*at == '\n') {
            at++;
            continue;
        }
        if (*at != mark || !rd__is_break(at[1])) {
            int skipped = *at == 'c' || (dimacs->colouring && (*at == 'n' || *at == 'd' || *at == 'v' || *at == 'x'));
            if (!skipped || !rd__is_break(at[1]))
                return rd__expected(fault, at, "a line '%s' or a comment 'c'",
                                    dimacs->colouring ? "e U V" : "a FROM TO WEIGHT");
            at = rd__next_line(at);
            continue;
        }
        at++;
        if (!rd__take_vertex(&at, 1, dimacs->vertices, &u, fault) ||
            !rd__take_vertex(&at, 1, dimacs->vertices, &v, fault))
            return 0;
        if (!dimacs->colouring && !rd__take_weight(&at, dimacs->weights, &weight, fault))
            return 0;
        if (*at != '\n' && !rd__at_line_end(&at))
            return rd__expected(fault, at, "the end of the line");
        at++;
        lines++;
        if (!rd__builder_add(&dimacs->builder, thread, u - 1, v - 1, weight))
            return 0;
    }
    atomic_fetch_add(&dimacs->lines, lines);
    return 1;
}

static rd_status parse(rd__text *text, const rd_graph_options *options, struct dimacs *dimacs, rd_error *err)
{
    rd_graph_options wanted = *options;
    if (dimacs->colouring)
        wanted.drop_duplicates = 1;
    RD_TRY(parse_header(text, dimacs, err));
    RD_TRY(rd__read_fits(text->source, dimacs->vertices, dimacs->promised, !dimacs->colouring,
                         dimacs->colouring || options->symmetrize, rd_ranks_count(text->ranks), err));
    RD_TRY(rd__builder_create(&dimacs->builder, dimacs->vertices, !dimacs->colouring, dimacs->colouring, &wanted, err));
    dimacs->builder.first = 1;
    RD_TRY(rd__text_blocks(text, &(rd__text_parser){.user = dimacs, .block = parse_block, .what = "reading"}, err));
    uint64_t lines = atomic_load(&dimacs->lines), promised = dimacs->promised;
    RD_TRY(rd__text_add_up(text, &lines, 1, NULL, err));
    const int twice = lines % 2 == 0 && lines / 2 == promised, half = promised % 2 == 0 && promised / 2 == lines;
    if (lines != promised && !(dimacs->colouring && (twice || half)))
        return rd__fail(err, RD_EINPUT,
                        "%s:%" PRIu64 ":1: the header promises %" PRIu64 " %s, but the file has %" PRIu64 "%s",
                        text->source->name, text->line, promised, dimacs->colouring ? "edges" : "arcs", lines,
                        lines < promised ? ": it is truncated" : "");
    return RD_OK;
}

static rd_status read_dimacs(rd__source *source, const rd_graph_options *options, int colouring, rd_graph **graph,
                             rd_error *err)
{
    struct dimacs dimacs = {.colouring = colouring, .weights = rd__weight_use_of(options)};
    rd__text text;
    rd__text_init(&text, source, options);
    rd__text_share(&text);
    rd_status status = parse(&text, options, &dimacs, err);
    rd__text_free(&text);
    if (status != RD_OK) {
        rd__builder_destroy(&dimacs.builder);
        return status;
    }
    double start = rd_now();
    RD_TRY(rd__part_or_whole(&dimacs.builder, text.ranks != NULL, graph, err));
    (*graph)->times.build_s = rd_now() - start;
    return RD_OK;
}

rd_status rd__gr_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_dimacs(source, options, 0, graph, err);
}

rd_status rd__col_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_dimacs(source, options, 1, graph, err);
}
