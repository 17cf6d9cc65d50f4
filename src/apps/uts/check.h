/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - trees of UTS by their definition, and the checker: a serial count that shares no code with the kernels.
 */
#ifndef RD_APPS_UTS_CHECK_H
#define RD_APPS_UTS_CHECK_H

#include "core/error.h"

typedef enum uts_kind { UTS_BINOMIAL, UTS_GEOMETRIC } uts_kind;
/* How the expected number of children of a geometric tree changes with depth, by UTS's numbers. */
typedef enum uts_form { UTS_LINEAR, UTS_EXPDEC, UTS_CYCLIC, UTS_FIXED } uts_form;

typedef struct uts_tree {
    uts_kind kind;
    uts_form form;  /* geometric */
    double b0;      /* children of the root; geometric: expected */
    uint32_t depth; /* geometric: of the tree, or of its cycle */
    double q;       /* binomial: how probable it is that a node has children, */
    uint32_t m;     /* and how many it then has */
    uint32_t seed;
    uint64_t published; /* nodes, where known; else 0 */
} uts_tree;

enum { UTS_MOST_CHILDREN = 100 }; /* of any node but a binomial root */

/* Children of a node at this depth (not of a binomial root) whose hash value is h, 31 bits. */
uint32_t rd__uts_children(const uts_tree *tree, uint32_t depth, uint32_t h);
/* Counts the nodes; RD_EWRONG when there are not `nodes` of them. Gives up at `nodes` + 1. */
rd_status rd__uts_check(const uts_tree *tree, uint64_t nodes, rd_error *err);

#endif
