/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/common/called.h"

#include "graph/graph.h"
#include "graph/part/part.h"

static _Thread_local rd__calling by;

rd__calling rd__call_by(rd__calling names)
{
    const rd__calling before = by;
    by = names;
    return before;
}

unsigned long long rd__called(uint32_t v)
{
    const rd__part *part = by.graph && by.local ? by.graph->part : NULL;
    if (part && v >= part->own + part->ghosts)
        return v;
    const uint64_t name = rd_graph_name(by.graph, part ? rd__part_number(part, v) : v);
    return name == UINT64_MAX ? v : name; /* there is none */
}
