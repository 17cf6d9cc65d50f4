/* SPDX-License-Identifier: Apache-2.0 */
/* hubs_layout.k.h - the words of the board of hubs (edges/hubs.k.h), and which vertices are hubs. Plain numbers: host
 * and kernel include it. All zero is an empty board. */
#ifndef RD_SCHED_HUBS_LAYOUT_H
#define RD_SCHED_HUBS_LAYOUT_H

#include "sched/edges/spread_layout.k.h"

#define HUBS_SLOTS   32
#define HUBS_OPEN    0               /* bit i: slot i may have spans that nobody took */
#define HUBS_SLOT(i) (32 + 16 * (i)) /* its words: */
#define HUBS_LEFT    0               /* spans of it that nobody took; 0 or, as a signed number, less: none */
#define HUBS_USED    1               /* spans whose takers have not read the rest yet; 0: the slot is free */
#define HUBS_VERTEX  2
#define HUBS_VALUE   3 /* what the app's open said */
#define HUBS_DEGREE  4
#define HUBS_FROM    6 /* 64 bits: its first edge */
#define HUBS_WORDS   HUBS_SLOT(HUBS_SLOTS)

/* Edges of a span: two tiles, beside which taking it is little. */
#define HUBS_SPAN_OF(lanes) (2u * SPREAD_BATCH_OF(lanes) * (lanes))
/* A vertex of so many spans is a hub. */
#define HUBS_LEAST 2

#endif
