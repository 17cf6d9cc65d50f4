/* SPDX-License-Identifier: Apache-2.0 */
/* scotch.c - what partition.t takes for Scotch where there is none: looks at what it is given, and deals vertices out
 * in turn. NUM: int32_t or int64_t, as Scotch may be built. */
#include <stddef.h>
#include <stdint.h>

typedef struct graph {
    NUM vertices;
    const NUM *row, *end, *col;
} graph;

int SCOTCH_numSizeof(void);
void SCOTCH_randomReset(void);
int SCOTCH_graphInit(graph *g);
void SCOTCH_graphExit(graph *g);
int SCOTCH_stratInit(double *strategy);
void SCOTCH_stratExit(double *strategy);
int SCOTCH_graphBuild(graph *g, NUM base, NUM vertices, const NUM *row, const NUM *end, const NUM *load,
                      const NUM *label, NUM edges, const NUM *col, const NUM *edge_load);
int SCOTCH_graphPart(graph *g, NUM parts, double *strategy, NUM *part_of);

int SCOTCH_numSizeof(void)
{
    return (int)sizeof(NUM);
}

void SCOTCH_randomReset(void)
{
}

int SCOTCH_graphInit(graph *g)
{
    g->row = NULL;
    return 0;
}

void SCOTCH_graphExit(graph *g)
{
    g->row = NULL;
}

int SCOTCH_stratInit(double *strategy)
{
    *strategy = 1;
    return 0;
}

void SCOTCH_stratExit(double *strategy)
{
    *strategy = 0;
}

int SCOTCH_graphBuild(graph *g, NUM base, NUM vertices, const NUM *row, const NUM *end, const NUM *load,
                      const NUM *label, NUM edges, const NUM *col, const NUM *edge_load)
{
    if (base != 0 || label || edge_load || row[0] != 0 || row[vertices] != edges || end != row + 1)
        return 1;
    for (NUM v = 0; v < vertices; v++) {
        if (end[v] < row[v] || load[v] < end[v] - row[v] + 1)
            return 1;
        for (NUM e = row[v]; e < end[v]; e++) { /* no loops, and each edge has its reverse */
            NUM back = row[col[e]];
            while (back < end[col[e]] && col[back] != v)
                back++;
            if (col[e] == v || back == end[col[e]])
                return 1;
        }
    }
    *g = (graph){vertices, row, end, col};
    return 0;
}

int SCOTCH_graphPart(graph *g, NUM parts, double *strategy, NUM *part_of)
{
    for (NUM v = 0; v < g->vertices; v++)
        part_of[v] = v % parts;
    return !g->row || *strategy != 1;
}
