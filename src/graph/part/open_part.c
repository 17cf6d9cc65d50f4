/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_part.c - rd_graph_open_part: a rank's part of a graph. Generators make only the part where they can: of drawn
 * graphs (kron, urand) each rank draws a share of the edges and they travel once; of grids and the like each rank makes
 * its own rows. Of a text each rank parses some blocks, and their edges travel likewise (read/text.h); an .rdg is
 * mapped, and the part is cut out of it; of a folder of parts each rank reads its own.
 */
#include "graph/part/part.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What each rank would have to read, and only one can: each would get some of it. */
static int is_stream(const char *spec)
{
    struct stat info;
    return strcmp(spec, "-") == 0 || (stat(spec, &info) == 0 && S_ISFIFO(info.st_mode));
}

rd_status rd_graph_open_part(const char *spec, const rd_graph_options *options, rd_ranks *ranks, rd_graph **graph,
                             rd_error *err)
{
    rd_graph_options full;
    if (!ranks || !graph)
        return rd__fail(err, RD_EARG, "rd_graph_open_part needs ranks and a place to put the graph");
    *graph = NULL;
    RD_TRY(rd__graph_options(options, &full, err));
    const int stored = rd__stored_is(spec);
    if (!stored && !rd__ranks_many(ranks)) {
        RD_TRY(rd_graph_open(spec, &full, graph, err));
        const rd_status status = rd__part_whole(*graph, ranks, err);
        if (status != RD_OK) {
            rd_graph_destroy(*graph);
            *graph = NULL;
        }
        return status;
    }
    if (spec && is_stream(spec))
        return rd__fail(err, RD_EARG, "%s can be read once, and here are %u ranks: give a file",
                        strcmp(spec, "-") == 0 ? "standard input" : spec, rd_ranks_count(ranks));
    full.ranks = ranks;
    RD_TRY(stored ? rd__stored_open(spec, &full, ranks, graph, err) : rd_graph_open(spec, &full, graph, err));
    if (!(*graph)->part)
        RD_TRY(rd__part_cut(graph, ranks, err));
    else
        (*graph)->part->symmetric = (*graph)->symmetric;
    return rd__part_close(graph, err);
}

rd_graph_part rd_graph_get_part(const rd_graph *graph)
{
    const rd__part *part = rd__graph_part(graph);
    if (!part) {
        const rd_csr csr = rd_graph_csr(graph);
        return (rd_graph_part){.vertices = csr.vertices,
                               .edges = csr.edges,
                               .own = csr.vertices,
                               .hub = rd_graph_hub(graph),
                               .symmetric = (uint8_t)rd_graph_is_symmetric(graph),
                               .named = rd_graph_ids(graph) != NULL};
    }
    return (rd_graph_part){.vertices = part->vertices,
                           .edges = part->edges,
                           .first = part->first,
                           .own = part->own,
                           .ghosts = part->ghosts,
                           .hub = part->hub,
                           .symmetric = (uint8_t)part->symmetric,
                           .named = (uint8_t)(part->named || rd_graph_ids(graph))};
}
