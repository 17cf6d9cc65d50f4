/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app_sources.c - where trials start. As in the GAP benchmarks, random sources are vertices that have an edge, drawn
 * with a fixed seed, and each trial takes the next one.
 */
#include "cli/app_ranks.h"
#include "cli/vertices.h"

#include <stdlib.h>
#include <string.h>

static int append_name(app_run *run, uint64_t name)
{
    uint64_t *more = realloc(run->named, (run->named_count + 1) * sizeof *more);
    if (!more)
        return 0;
    run->named = more;
    run->named[run->named_count++] = name;
    return 1;
}

static int append(app_run *run, uint32_t vertex)
{
    uint32_t *more = realloc(run->source, (run->source_count + 1) * sizeof *more);
    if (!more)
        return 0;
    run->source = more;
    run->source[run->source_count++] = vertex;
    return 1;
}

int app_add_sources(app_run *run, const char *list)
{
    while (1) {
        char word[24];
        uint64_t vertex;
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), list);
        if (length >= sizeof word || !rd_parse_u64(word, &vertex)) {
            cli_usage(run->app->name, "--source wants a vertex or several with commas between them, not '%s'", word);
            return 0;
        }
        if (!append_name(run, vertex)) {
            cli_message(run->app->name, CLI_BAD_DEVICE, "out of host memory: list of sources");
            return 0;
        }
        if (list[length] == '\0')
            return 1;
        list += length + 1;
    }
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

int app_choose_sources(app_run *run)
{
    const char *name = run->app->name;
    const rd_graph_part part = rd_graph_get_part(run->graph);
    rd_error err = {.status = RD_OK};
    for (size_t i = 0; i < run->named_count; i++) {
        uint32_t vertex = 0;
        const rd_status status = cli_find_vertex(run->graph, run->named[i], &vertex, &err);
        if (status == RD_EARG)
            return cli_message(name, CLI_BAD_USAGE, "%s%s", err.text,
                               part.named ? " (--numbers internal counts them from 0 instead)" : "");
        if (status != RD_OK)
            return cli_fail(name, &err);
        if (!append(run, vertex))
            return cli_message(name, CLI_BAD_DEVICE, "out of host memory: list of sources");
    }
    if (run->random_sources == 0)
        return 0;
    if (part.edges == 0)
        return cli_message(name, CLI_BAD_INPUT, "no source can be drawn: no vertex of the graph has an edge");
    uint64_t state = run->input.options.seed ? run->input.options.seed : RD_SEED;
    for (uint64_t i = 0; i < run->random_sources; i++) {
        uint32_t vertex;
        int has_edges;
        /* A graph has an edge, so a vertex with one is found; modulo's bias is below 2^-32. */
        do {
            vertex = (uint32_t)(next_random(&state) % part.vertices);
            has_edges = app_ranks_has_edges(run, vertex);
        } while (has_edges == 0);
        if (has_edges < 0)
            return cli_message(name, CLI_BAD_DEVICE, "stopped while sources were drawn");
        if (!append(run, vertex))
            return cli_message(name, CLI_BAD_DEVICE, "out of host memory: list of sources");
    }
    return 0;
}

int app_learn_names(app_run *run)
{
    const rd_graph_part part = rd_graph_get_part(run->graph);
    rd_error err = {.status = RD_OK};
    rd_status status = RD_OK;
    if (!part.named)
        return 0;
    if (run->app->has_source && run->source_count)
        status = rd_graph_part_learn(run->graph, run->source, (uint32_t)run->source_count, &err);
    else if (run->app->has_source && part.vertices)
        status = rd_graph_part_learn(run->graph, &part.hub, 1, &err);
    if (status == RD_OK && (run->output_path || run->outputs))
        status = rd_graph_part_learn(run->graph, NULL, 0, &err);
    return status == RD_OK ? 0 : cli_fail(run->app->name, &err);
}
