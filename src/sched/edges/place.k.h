/* SPDX-License-Identifier: Apache-2.0 */
/* place.k.h - what edges/visit.k.h asks of an engine: where a task that an edge gave goes to, and what a group has in
 * its memory. */
#ifndef RD_SCHED_EDGES_PLACE_K_H
#define RD_SCHED_EDGES_PLACE_K_H

#define EDGES_NOWHERE 0 /* nothing was given, or someone else has it already */
#define EDGES_NEXT    1 /* it may run as soon as anyone takes it */
#define EDGES_LATER   2 /* it waits for a later phase */

/* Fields of a group, in its memory: the vertices whose edges it visits, one for each lane that has one. */
#define EDGES_MEMBERS                                                                                                  \
    rd_local rd_u32 *scratch; /* of collectives */                                                                     \
    rd_local rd_u32 *first;   /* of each member: edges of the members before it */                                     \
    rd_local rd_u32 *vertex;                                                                                           \
    rd_local rd_u32 *value; /* what the app's open said */                                                             \
    rd_local rd_u64 *from;  /* where its edges start */

#endif
