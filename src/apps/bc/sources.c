/* SPDX-License-Identifier: Apache-2.0 */
/* sources.c - the vertices that betweenness centrality starts from: listed, spread evenly, or the hub. */
#include "apps/bc/sources.h"

#include "apps/common/values.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "raddle/tool.h"

#include <string.h>

static rd_status set_list(rd__bc_sources *sources, const char *value, rd_error *err)
{
    uint32_t count = 1, *list = NULL;
    for (const char *c = value; *c; c++)
        count += *c == ',';
    RD_TRY(rd__array_new(&list, "sources", count, sizeof *list, err));
    rd_status status = RD_OK;
    const char *at = value;
    for (uint32_t i = 0; status == RD_OK && i < count; i++) {
        char word[24];
        const size_t length = strcspn(at, ",");
        rd__snprintf(word, sizeof word, "%.*s", (int)length, at);
        status = rd__value_vertex("source", length < sizeof word ? word : at, &list[i], err);
        at += length + (at[length] == ',');
    }
    if (status != RD_OK) {
        rd__array_free(list);
        return status;
    }
    rd__array_free(sources->listed);
    sources->listed = list;
    sources->listed_count = count;
    sources->asked = 0;
    return RD_OK;
}

rd_status rd__bc_sources_set(rd__bc_sources *sources, const char *key, const char *value, rd_error *err)
{
    uint64_t number = UINT32_MAX;
    if (strcmp(key, "source") == 0)
        return set_list(sources, value, err);
    if (strcmp(value, "all") != 0 && (!rd_parse_u64(value, &number) || number < 1 || number > UINT32_MAX))
        return rd__fail(err, RD_EARG, "option sources takes a number of vertices, at least 1, or all, not '%s'", value);
    sources->asked = (uint32_t)number;
    sources->listed_count = 0;
    return RD_OK;
}

rd_status rd__bc_sources_check(const rd__bc_sources *sources, const rd_graph *graph, rd_error *err)
{
    for (uint32_t i = 0; i < sources->listed_count; i++)
        RD_TRY(rd__vertex_check(graph, "source", sources->listed[i], err));
    return RD_OK;
}

/* asked of those that have edges, evenly. */
static uint32_t spread(const rd_csr *csr, uint32_t asked, uint32_t *source)
{
    uint32_t useful = 0, seen = 0, count = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        useful += csr->row[v + 1] > csr->row[v];
    const uint32_t wanted = asked < useful ? asked : useful;
    for (uint32_t v = 0; v < csr->vertices && count < wanted; v++) {
        if (csr->row[v + 1] > csr->row[v] && seen++ >= (uint64_t)count * useful / wanted)
            source[count++] = v;
    }
    return count;
}

rd_status rd__bc_sources_find(rd__bc_sources *sources, const rd_graph *graph, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    const uint32_t asked = sources->asked < csr.vertices ? sources->asked : csr.vertices;
    rd__array_free(sources->vertex);
    sources->vertex = NULL;
    sources->count = 0;
    RD_TRY(rd__array_new(&sources->vertex, "sources", asked ? asked : sources->listed_count + 1,
                         sizeof *sources->vertex, err));
    if (sources->asked) {
        sources->count = spread(&csr, sources->asked, sources->vertex);
    } else if (sources->listed_count) {
        memcpy(sources->vertex, sources->listed, sources->listed_count * sizeof *sources->vertex);
        sources->count = sources->listed_count;
    } else if (csr.vertices) {
        sources->vertex[0] = rd_graph_hub(graph);
        sources->count = 1;
    }
    return RD_OK;
}

void rd__bc_sources_free(rd__bc_sources *sources)
{
    rd__array_free(sources->listed);
    rd__array_free(sources->vertex);
}
