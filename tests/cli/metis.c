/* SPDX-License-Identifier: Apache-2.0 */
/* metis.c - what partition.t takes for METIS where there is none: looks at what it is given, and deals vertices out in
 * turn. IDX: int32_t or int64_t, as METIS may be built. */
#include <stddef.h>
#include <stdint.h>

enum { OK = 1, WRONG = -2, OPTIONS = 40 };

int METIS_SetDefaultOptions(IDX *options);
int METIS_PartGraphKway(IDX *vertices, IDX *constraints, IDX *row, IDX *col, IDX *vertex_weight, IDX *vertex_size,
                        IDX *edge_weight, IDX *parts, void *part_weight, void *imbalance, IDX *options, IDX *cut,
                        IDX *part_of);

int METIS_SetDefaultOptions(IDX *options)
{
    for (int i = 0; i < OPTIONS; i++)
        options[i] = -1;
    return OK;
}

int METIS_PartGraphKway(IDX *vertices, IDX *constraints, IDX *row, IDX *col, IDX *vertex_weight, IDX *vertex_size,
                        IDX *edge_weight, IDX *parts, void *part_weight, void *imbalance, IDX *options, IDX *cut,
                        IDX *part_of)
{
    if (*constraints != 1 || vertex_size || edge_weight || part_weight || imbalance || options || row[0] != 0)
        return WRONG;
    *cut = 0;
    for (IDX v = 0; v < *vertices; v++) {
        if (row[v + 1] < row[v] || vertex_weight[v] < row[v + 1] - row[v] + 1)
            return WRONG;
        for (IDX e = row[v]; e < row[v + 1]; e++) { /* no loops, and each edge has its reverse */
            IDX back = row[col[e]];
            while (back < row[col[e] + 1] && col[back] != v)
                back++;
            if (col[e] == v || back == row[col[e] + 1])
                return WRONG;
        }
        part_of[v] = v % *parts;
    }
    return OK;
}
