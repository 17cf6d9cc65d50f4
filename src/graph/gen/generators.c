/* SPDX-License-Identifier: Apache-2.0 */
/* generators.c - the table of generators and how their parameters are read. */
#include "graph/gen/gen.h"

#include "raddle/ranks.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* name, syntax after the name, one line */
#define GENERATOR_LIST(X)                                                                                              \
    X(kron, ":SCALE[:DEGREE]", "Kronecker: 2^SCALE vertices, DEGREE (16) edges a vertex")                              \
    X(urand, ":SCALE[:DEGREE]", "uniform random: the same sizes")                                                      \
    X(road, ":WxH[:P]", "W x H grid, edges kept with probability P (0.65)")                                            \
    X(grid3d, ":N[:P]", "N x N x N grid, or AxBxC; edges kept with P (1)")                                             \
    X(rgg, ":SCALE[:RADIUS]", "random geometric: 2^SCALE points in the unit square")                                   \
    X(web, ":SCALE[:DEGREE[:DEPTH]]", "web crawl: hosts of copied links, hubs, chains of at most DEPTH (64)")          \
    X(affiliation, ":SCALE[:GROUPS]", "overlapping cliques, as film casts: GROUPS (2) a vertex")                       \
    X(attach, ":SCALE[:DEGREE]", "preferential attachment: DEGREE (8) edges a new vertex")                             \
    X(smallworld, ":SCALE[:DEGREE[:P]]", "ring, DEGREE (4) edges a vertex, a part P (0.1) of them anywhere")           \
    X(mesh, ":WxH", "W x H points, triangulated, diagonals at random")                                                 \
    X(lattice, ":N[:P]", "N x N x N points, or AxBxC, periodic, each with 26 neighbours (edges: P, 1)")                \
    X(caterpillar, ":LENGTH[:LEGS[:EVERY]]", "path, LEGS (8) leaves at each EVERYth (1) vertex")                       \
    X(cliques, ":COUNT:SIZE", "COUNT components, each a clique of SIZE")                                               \
    X(tree, ":FANOUT:DEPTH", "complete tree, DEPTH levels below the root, vertex 0")                                   \
    X(path, ":N", "N vertices in a line")                                                                              \
    X(cycle, ":N", "N vertices in a ring")                                                                             \
    X(star, ":N", "vertex 0 joined to N-1 others")                                                                     \
    X(complete, ":N", "N vertices, each joined to every other")

#define DECLARE(name, syntax, text)                                                                                    \
    rd_status rd__gen_##name(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err);
GENERATOR_LIST(DECLARE)
#undef DECLARE

#define ROW(name, syntax, text) {#name, #name syntax, text, rd__gen_##name},
const rd__generator rd__generator_table[] = {
    GENERATOR_LIST(ROW){NULL, NULL, NULL, NULL},
};
#undef ROW

const rd_name_text *rd_generators(void)
{
#define ROW(name, syntax, text) {#name syntax, text},
    static const rd_name_text table[] = {
        GENERATOR_LIST(ROW){NULL, NULL},
    };
#undef ROW
    return table;
}

const rd__generator *rd__generator_find(const char *spec)
{
    for (const rd__generator *generator = rd__generator_table; generator->name; generator++) {
        size_t length = strlen(generator->name);
        if (strncmp(spec, generator->name, length) == 0 && spec[length] == ':')
            return generator;
    }
    return NULL;
}

rd_status rd__generate(const rd__generator *generator, const char *spec, const rd_graph_options *options,
                       rd_graph **graph, rd_error *err)
{
    rd__gen_args args = {.syntax = generator->syntax, .ranks = rd_ranks_count(options->ranks)};
    const char *text = spec + strlen(generator->name);
    while (*text == ':') {
        size_t length = strcspn(++text, ":");
        if (args.count == RD_GEN_PARTS || length >= sizeof args.part[0])
            return rd__fail(err, RD_EARG, "'%.80s' has too many or too long parameters; the syntax is %s", spec,
                            args.syntax);
        memcpy(args.part[args.count], text, length);
        args.part[args.count++][length] = 0;
        text += length;
    }
    unsigned most = 0;
    for (const char *c = args.syntax; *c; c++)
        most += *c == ':';
    if (args.count > most)
        return rd__fail(err, RD_EARG, "'%.80s' has too many parameters; the syntax is %s", spec, args.syntax);
    double start = rd_now();
    rd_status status = generator->make(&args, options, graph, err);
    if (status == RD_OK) {
        status = rd__graph_finish(*graph, options, args.source, 0, err);
        if (status != RD_OK) {
            rd_graph_destroy(*graph);
            *graph = NULL;
            return status;
        }
        (*graph)->times.read_s = rd_now() - start - (*graph)->times.build_s;
    }
    return status;
}

static const char *part_of(const rd__gen_args *args, unsigned index)
{
    return index < args->count && args->part[index][0] ? args->part[index] : NULL;
}

static rd_status missing(const rd__gen_args *args, const char *name, rd_error *err)
{
    return rd__fail(err, RD_EARG, "%s is missing; the syntax is %s", name, args->syntax);
}

rd_status rd__gen_number(const rd__gen_args *args, unsigned index, const char *name, uint64_t least, uint64_t most,
                         uint64_t initial, uint64_t *value, rd_error *err)
{
    const char *part = part_of(args, index);
    *value = initial;
    if (!part)
        return initial && index >= args->count ? RD_OK : missing(args, name, err);
    if (!rd_parse_u64(part, value) || *value < least || *value > most)
        return rd__fail(err, RD_EARG,
                        "%s must be a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'; the syntax is %s", name,
                        least, most, part, args->syntax);
    return RD_OK;
}

rd_status rd__gen_fraction(const rd__gen_args *args, unsigned index, const char *name, double initial, double *value,
                           rd_error *err)
{
    const char *part = part_of(args, index);
    *value = initial;
    if (!part)
        return index >= args->count ? RD_OK : missing(args, name, err);
    if (!rd_parse_double(part, value) || *value < 0 || *value > 1)
        return rd__fail(err, RD_EARG, "%s must be a number from 0 to 1, not '%s'; the syntax is %s", name, part,
                        args->syntax);
    return RD_OK;
}

rd_status rd__gen_sizes(const rd__gen_args *args, unsigned index, unsigned count, uint64_t *size, rd_error *err)
{
    const char *part = part_of(args, index);
    if (!part)
        return missing(args, "the size", err);
    const char *text = part;
    for (unsigned i = 0; i < count; i++) {
        char number[32];
        size_t length = strcspn(text, "x");
        memcpy(number, text, length);
        number[length] = 0;
        int last = text[length] == 0;
        if (!rd_parse_u64(number, &size[i]) || size[i] < 1 || size[i] > RD_VERTEX_MAX || last != (i + 1 == count))
            return rd__fail(err, RD_EARG,
                            "the size must be %u whole numbers with 'x' between them, not '%s'; the syntax is %s",
                            count, part, args->syntax);
        text += length + 1;
    }
    return RD_OK;
}

rd_status rd__gen_fits(const rd__gen_args *args, uint64_t vertices, uint64_t edges, uint64_t bytes_an_edge,
                       rd_error *err)
{
    if (vertices > RD_VERTEX_MAX)
        return rd__fail(err, RD_EARG, "that makes %" PRIu64 " vertices, and the most is %u; the syntax is %s", vertices,
                        RD_VERTEX_MAX, args->syntax);
    uint64_t rows = 8 * (vertices / args->ranks + 1), most = (UINT64_MAX - rows) / bytes_an_edge;
    edges /= args->ranks;
    return rd__memory_expect(edges < most ? rows + bytes_an_edge * edges : UINT64_MAX, "the graph", err);
}
