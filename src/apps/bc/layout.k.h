/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that both sides of betweenness centrality share. Plain numbers: both include it. */
#ifndef RD_APPS_BC_LAYOUT_H
#define RD_APPS_BC_LAYOUT_H

/* What a stage does. */
#define BC_SEARCH 0 /* depths; in rounds ways are counted too */
#define BC_TALLY  1 /* how many edges bring each vertex what the wave that follows needs */
#define BC_OUT    2 /* a wave: ways, from the source on */
#define BC_BACK   3 /* a wave: what passes through each vertex, from those behind which nobody is */
#define BC_PULL   4 /* the same for one level, from the level after it */
#define BC_FINISH 5 /* adds it up, and makes room for the next source */

/* Numbers that ways are counted in: bc_wide. */
#define BC_FLOATS  0
#define BC_DOUBLES 1 /* of bc/levels.k.c; where a device has none, pairs already */
#define BC_PAIRS   2 /* those of bc/number.k.h */

/* Notes. */
#define BC_DEEPEST    0 /* the last level */
#define BC_MANY       1 /* 1: more ways than these numbers should count; 2: than anything here can */
#define BC_TAIL       2 /* of bc/levels.k.c: places of the order that are taken */
#define BC_REACHED    3 /* likewise: vertices that have a level */
#define BC_NOTE_WORDS 4

/* Of bc/levels.k.c: a core's list of vertices that it found, for levels of so many edges and fewer; and its words, with
 * a count, and so that two cores' have no line of memory in common. */
#define BC_LIST       8192
#define BC_LIST_WORDS (BC_LIST + 32)

#endif
