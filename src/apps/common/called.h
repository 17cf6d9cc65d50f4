/* SPDX-License-Identifier: Apache-2.0 */
/*
 * called.h - what the input calls a vertex, for the messages of checkers. They get arrays, and know of no graph:
 * whoever asks one says by whose names it is to speak, for this thread and as long as it asks.
 */
#ifndef RD_APPS_CALLED_H
#define RD_APPS_CALLED_H

#include "core/error.h"

struct rd_graph;

/* graph: its names, NULL: numbers. local: checkers count as the part does that the graph is (graph/part/). */
typedef struct rd__calling {
    const struct rd_graph *graph;
    int local;
} rd__calling;

/* @return what was before: to be said again afterwards. */
rd__calling rd__call_by(rd__calling names);
/* What vertex v is called; one that is not there, and where nobody has said by which names: its number. */
unsigned long long rd__called(uint32_t v);

#endif
