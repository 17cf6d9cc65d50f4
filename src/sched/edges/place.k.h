/* SPDX-License-Identifier: Apache-2.0 */
/* place.k.h - where a task that an edge gave goes to: the answers of an engine to edges/visit.k.h. */
#ifndef RD_SCHED_EDGES_PLACE_K_H
#define RD_SCHED_EDGES_PLACE_K_H

#define EDGES_NOWHERE 0 /* nothing was given, or someone else has it already */
#define EDGES_NEXT    1 /* it may run as soon as anyone takes it */
#define EDGES_LATER   2 /* it waits for a later phase */

#endif
