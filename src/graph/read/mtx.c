/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mtx.c - MatrixMarket coordinate files: entry (i, j) is the edge i -> j, numbered from 1.
 *
 *   %%MatrixMarket matrix coordinate FIELD SYMMETRY
 *   % comments
 *   ROWS COLUMNS ENTRIES
 *   i j [value]           one a line; blank lines and comments may stand between them
 *
 * FIELD is pattern, integer or real; SYMMETRY is general, symmetric or skew-symmetric.
 * A symmetric file stores the lower triangle, and each entry stands for both directions; in a skew-symmetric one the
 * reverse has the opposite weight. Dense ("array"), complex and hermitian files are not graphs we can hold and are
 * refused by name.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/part/part.h"
#include "graph/read/reader.h"
#include "graph/read/token.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>

enum symmetry { GENERAL, SYMMETRIC, SKEW };

struct mtx {
    rd__builder builder;
    uint32_t vertices;
    uint64_t promised;
    int weighted;
    enum symmetry symmetry;
    rd__weight_use weights;
    atomic_ullong entries;
};

static const char banner[] = "%%MatrixMarket";

int rd__mtx_sniff(const char *head, size_t bytes)
{
    return bytes >= sizeof banner - 1 && strncasecmp(head, banner, sizeof banner - 1) == 0;
}

static int take_word(char **at, char **word)
{
    char *start = *at;
    while (*start == ' ' || *start == '\t')
        start++;
    char *end = start;
    while (*end && *end != ' ' && *end != '\t')
        end++;
    *word = start;
    *at = *end ? end + 1 : end;
    *end = 0;
    return start != end;
}

static rd_status parse_banner(const rd__text *text, char *line, struct mtx *mtx, rd_error *err)
{
    const char *name = text->source->name;
    char *at = line, *word[5];
    for (int i = 0; i < 5; i++)
        if (!take_word(&at, &word[i]) || (i == 0 && strcasecmp(word[0], banner) != 0))
            return rd__fail(err, RD_EINPUT,
                            "%s:1:1: the first line is not a MatrixMarket banner; expected '%%%%MatrixMarket matrix "
                            "coordinate FIELD "
                            "SYMMETRY'",
                            name);
    const char *field = word[3], *symmetry = word[4];
    if (strcasecmp(word[1], "matrix") != 0)
        return rd__fail(err, RD_EINPUT, "%s:1:%d: expected a MatrixMarket matrix, found '%.40s'", name,
                        (int)(word[1] - line) + 1, word[1]);
    if (strcasecmp(word[2], "coordinate") != 0)
        return rd__fail(err, RD_EINPUT, "%s:1:%d: '%.40s' matrices are not graphs; only 'coordinate' files are read",
                        name, (int)(word[2] - line) + 1, word[2]);
    if (strcasecmp(field, "pattern") == 0)
        mtx->weighted = 0;
    else if (strcasecmp(field, "integer") == 0 || strcasecmp(field, "real") == 0)
        mtx->weighted = 1;
    else
        return rd__fail(err, RD_EINPUT,
                        "%s:1:%d: weights that are '%.40s' are not supported; only pattern, integer and real are", name,
                        (int)(field - line) + 1, field);
    if (strcasecmp(symmetry, "general") == 0)
        mtx->symmetry = GENERAL;
    else if (strcasecmp(symmetry, "symmetric") == 0)
        mtx->symmetry = SYMMETRIC;
    else if (strcasecmp(symmetry, "skew-symmetric") == 0)
        mtx->symmetry = SKEW;
    else
        return rd__fail(
            err, RD_EINPUT,
            "%s:1:%d: matrices that are '%.40s' are not supported; only general, symmetric and skew-symmetric are",
            name, (int)(symmetry - line) + 1, symmetry);
    if (mtx->symmetry == SKEW && !mtx->weighted)
        return rd__fail(err, RD_EINPUT, "%s:1:%d: a pattern matrix has no values and cannot be skew-symmetric", name,
                        (int)(symmetry - line) + 1);
    return RD_OK;
}

/* The banner, comments, and the line of sizes. */
static rd_status parse_header(rd__text *text, struct mtx *mtx, rd_error *err)
{
    char *line;
    uint64_t size[3];
    RD_TRY(rd__text_line(text, &line, err));
    if (!line)
        return rd__fail(err, RD_EINPUT, "%s: is empty", text->source->name);
    RD_TRY(parse_banner(text, line, mtx, err));
    const char *at;
    do {
        RD_TRY(rd__text_line(text, &line, err));
        if (!line)
            return rd__fail(err, RD_EINPUT,
                            "%s:%" PRIu64 ":1: the file ends before the line of sizes 'ROWS COLUMNS ENTRIES'",
                            text->source->name, text->line + 1);
        at = rd__skip_blanks(line);
    } while (*at == '%' || *at == 0);
    rd__fault fault;
    for (int i = 0; i < 3; i++) {
        if (rd__take_u64(&at, &size[i]) != 1) {
            rd__expected(&fault, at, "the %s of the matrix as a whole number",
                         i == 0   ? "rows"
                         : i == 1 ? "columns"
                                  : "entries");
            return rd__text_fail(text, line, &fault, err);
        }
    }
    if (!rd__at_line_end(&at)) {
        rd__expected(&fault, at, "nothing after 'ROWS COLUMNS ENTRIES'");
        return rd__text_fail(text, line, &fault, err);
    }
    if (size[0] != size[1]) {
        rd__wrong(&fault, line, "the matrix is %" PRIu64 " x %" PRIu64 "; only square ones are graphs", size[0],
                  size[1]);
        return rd__text_fail(text, line, &fault, err);
    }
    if (size[0] > RD_VERTEX_MAX) {
        rd__wrong(&fault, line, "%" PRIu64 " vertices are more than the %u that 32-bit numbers allow", size[0],
                  RD_VERTEX_MAX);
        return rd__text_fail(text, line, &fault, err);
    }
    /* "1 1" and a newline is the shortest entry; the last may lack its newline */
    if (text->source->size && !text->source->compressed && size[2] > text->source->size / 4 + 1) {
        rd__wrong(&fault, line,
                  "%" PRIu64 " entries are promised, but the file has only %" PRIu64 " bytes: it is truncated", size[2],
                  text->source->size);
        return rd__text_fail(text, line, &fault, err);
    }
    mtx->vertices = (uint32_t)size[0];
    mtx->promised = size[2];
    return RD_OK;
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct mtx *mtx = user;
    uint64_t entries = 0;
    for (const char *at = block->text; at < block->end;) {
        const char *start = at = rd__skip_blanks(at);
        uint32_t i = 0, j = 0;
        int32_t weight = 0;
        if (*at == '\n' || *at == '%') {
            at = rd__next_line(at);
            continue;
        }
        if (!rd__take_vertex(&at, 1, mtx->vertices, &i, fault) || !rd__take_vertex(&at, 1, mtx->vertices, &j, fault))
            return 0;
        if (mtx->weighted && !rd__take_weight(&at, mtx->weights, &weight, fault))
            return 0;
        if (*at != '\n' && !rd__at_line_end(&at))
            return rd__expected(fault, at, "the end of the line");
        at++;
        entries++;
        if (mtx->symmetry != GENERAL && i < j)
            return rd__wrong(fault, start,
                             "entry (%u, %u) lies above the diagonal, but a symmetric file holds the lower triangle "
                             "only; if it holds both, "
                             "its banner must say 'general'",
                             i, j);
        if (mtx->symmetry == SKEW) {
            if (i == j)
                return rd__wrong(fault, start,
                                 "entry (%u, %u) lies on the diagonal, where a skew-symmetric matrix is empty", i, j);
            const int real = mtx->weights == RD__WEIGHT_REAL;
            if (weight == INT32_MIN && !real)
                return rd__wrong(fault, start, "the opposite of weight %d does not fit in 32 bits", weight);
            if (!rd__builder_add(&mtx->builder, thread, j - 1, i - 1,
                                 real ? rd_weight_word(-rd_weight_real(weight)) : -weight))
                return 0;
        }
        if (!rd__builder_add(&mtx->builder, thread, i - 1, j - 1, weight))
            return 0;
    }
    atomic_fetch_add(&mtx->entries, entries);
    return 1;
}

static rd_status parse(rd__text *text, const rd_graph_options *options, struct mtx *mtx, rd_error *err)
{
    RD_TRY(parse_header(text, mtx, err));
    RD_TRY(rd__read_fits(text->source, mtx->vertices, mtx->promised, mtx->weighted,
                         mtx->symmetry != GENERAL || options->symmetrize, rd_ranks_count(text->ranks), err));
    RD_TRY(rd__builder_create(&mtx->builder, mtx->vertices, mtx->weighted, mtx->symmetry == SYMMETRIC, options, err));
    mtx->builder.first = 1;
    RD_TRY(rd__text_blocks(text, &(rd__text_parser){.user = mtx, .block = parse_block, .what = "reading"}, err));
    uint64_t entries = atomic_load(&mtx->entries);
    RD_TRY(rd__text_add_up(text, &entries, 1, NULL, err));
    if (entries != mtx->promised)
        return rd__fail(
            err, RD_EINPUT, "%s:%" PRIu64 ":1: the header promises %" PRIu64 " entries, but the file has %" PRIu64 "%s",
            text->source->name, text->line, mtx->promised, entries, entries < mtx->promised ? ": it is truncated" : "");
    return RD_OK;
}

rd_status rd__mtx_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct mtx mtx = {.weights = rd__weight_use_of(options)};
    rd__text text;
    rd__text_init(&text, source, options);
    rd__text_share(&text);
    rd_status status = parse(&text, options, &mtx, err);
    rd__text_free(&text);
    if (status != RD_OK) {
        rd__builder_destroy(&mtx.builder);
        return status;
    }
    double start = rd_now();
    RD_TRY(rd__part_or_whole(&mtx.builder, text.ranks != NULL, graph, err));
    (*graph)->times.build_s = rd_now() - start;
    return RD_OK;
}
