/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that both sides of betweenness centrality share. Plain numbers: both include it. */
#ifndef RD_APPS_BC_LAYOUT_H
#define RD_APPS_BC_LAYOUT_H

/* What a stage does. */
#define BC_SEARCH 0 /* depths; in rounds ways are counted too */
#define BC_COUNT  1 /* without rounds: ways, from one level to the next */
#define BC_PULL   2 /* what passes through each vertex of a level, from the level after it */
#define BC_FINISH 3 /* adds it up, and makes room for the next source */

/* Notes. */
#define BC_DEEPEST    0 /* in rounds: the last level */
#define BC_MANY       1 /* 1: more ways than a float should count; 2: than anything here can */
#define BC_NOTE_WORDS 2

#endif
