/* SPDX-License-Identifier: Apache-2.0 */
/* open.c - rd_graph_open: a generator or a file. */
#include "graph/gen/gen.h"
#include "graph/part/part.h"
#include "graph/read/reader.h"

#include "core/log.h"

#include <string.h>

/* The numbers that vertices have here are the only ones. */
static void forget_names(rd_graph *graph)
{
    rd__graph_free_array(graph, graph->ids);
    graph->ids = NULL;
    graph->first = 0;
    if (graph->part)
        rd__part_forget_names(graph->part);
}

/* *fraction: it failed at a fractional weight, and the file is one that can be opened again. */
static rd_status read_file(const char *spec, const rd_graph_options *options, int *fraction, rd_graph **graph,
                           rd_error *err)
{
    const rd__watch watch = {options->progress, options->progress_user};
    rd__source source;
    RD_TRY(rd__source_open(&source, spec, &watch, err));
    const rd_status status = rd__graph_read(&source, strcmp(spec, "-") == 0 ? NULL : spec, options, graph, err);
    *fraction = source.fraction && source.own_fd && !source.may_block;
    rd__source_close(&source);
    return status;
}

rd_status rd_graph_open(const char *spec, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd_graph_options full;
    if (!graph)
        return rd__fail(err, RD_EARG, "rd_graph_open needs a place to put the graph");
    *graph = NULL;
    if (!spec || !*spec)
        return rd__fail(err, RD_EARG,
                        "no graph was named: give a file, '-' for standard input, or a generator such as kron:20");
    RD_TRY(rd__graph_options(options, &full, err));
    const rd__generator *generator = rd__generator_find(spec);
    const rd__reader *reader = NULL;
    if (full.format) /* a name that is none is wrong, also where no file is read */
        RD_TRY(rd__reader_named(full.format, &reader, err));
    if (generator)
        return rd__generate(generator, spec, &full, graph, err);
    if (rd__stored_is(spec))
        return rd__fail(err, RD_EARG, "%s is a graph in parts: it takes as many ranks; 'raddle info' says how many",
                        spec);
    int fraction = 0;
    rd_status status = read_file(spec, &full, &fraction, graph, err);
    if (status == RD_EINPUT && fraction) { /* and it can be read once more */
        rd__log(RD_LOG_INFO, "%s: has weights that are fractions, and is read again with real ones", spec);
        full.real_weights = 1;
        status = read_file(spec, &full, &fraction, graph, err);
    }
    if (status == RD_OK && full.own_numbers)
        forget_names(*graph);
    return status;
}
