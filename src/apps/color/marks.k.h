/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.k.h - which colours are taken: a bit for each of a range of colours. A lane's own marks, COLOR_WORDS of
 * them (registers on GPUs, an array on the CPU, where a lane does vertices of any degree alone), and those of a group,
 * COLOR_MARKS in its memory.
 */
#ifndef RD_APPS_COLOR_MARKS_K_H
#define RD_APPS_COLOR_MARKS_K_H

#include "raddle/kernel.h"
#include "apps/color/layout.k.h"

#ifndef COLOR_MARKS
#define COLOR_MARKS RD_APP_WORDS
#endif
#if RD_LANES == 1
#define COLOR_WORDS 32
#else
#define COLOR_WORDS 2 /* enough for RD_APP_WIDE edges */
#endif

/* The lowest bit of a word that is 0; not all are 1. */
rd_fn rd_u32 color_low_zero(rd_u32 word)
{
    return rd_lowest(~word);
}

/* ---- A lane's own ---- */

/* Words that a vertex of this degree needs: one more colour than it has neighbours is enough. */
rd_fn rd_u32 color_words(rd_u32 degree)
{
    return degree / 32 + 1 < COLOR_WORDS ? degree / 32 + 1 : COLOR_WORDS;
}

rd_fn void color_clear(rd_u32 *mark, rd_u32 words)
{
#if RD_LANES == 1
    for (rd_u32 i = 0; i < words; i++)
        mark[i] = 0;
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++)
        mark[i] = 0;
#endif
}

/* Marks a colour, unless it is out of the range that starts at `from`; COLOR_NONE always is. */
rd_fn void color_mark(rd_u32 *mark, rd_u32 words, rd_u32 colour, rd_u32 from)
{
    const rd_u32 at = colour - from;
#if RD_LANES == 1
    if (at / 32 < words)
        mark[at / 32] |= 1u << at % 32;
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++) /* so the marks are in registers */
        mark[i] |= at / 32 == i ? 1u << at % 32 : 0;
#endif
}

/* The least colour without a mark, COLOR_NONE when all have one. */
rd_fn rd_u32 color_least(const rd_u32 *mark, rd_u32 words, rd_u32 from)
{
    rd_u32 least = COLOR_NONE;
#if RD_LANES == 1
    for (rd_u32 i = 0; i < words && least == COLOR_NONE; i++)
        least = ~mark[i] ? from + 32 * i + color_low_zero(mark[i]) : COLOR_NONE;
#else
    RD_UNROLL
    for (rd_u32 i = 0; i < COLOR_WORDS; i++)
        if (least == COLOR_NONE && i < words && ~mark[i])
            least = from + 32 * i + color_low_zero(mark[i]);
#endif
    return least;
}

/* ---- A group's ---- */

#if RD_LANES > 1

/* Each lane clears its share. */
rd_fn void color_clear_local(rd_local rd_u32 *mark)
{
    for (rd_u32 i = rd_lane(); i < COLOR_MARKS; i += rd_lanes())
        mark[i] = 0;
}

rd_fn void color_mark_local(rd_local rd_u32 *mark, rd_u32 colour, rd_u32 from)
{
    const rd_u32 at = colour - from;
    if (at < 32 * COLOR_MARKS)
        rd_or_local(&mark[at / 32], 1u << at % 32);
}

/* The least colour without a mark in the lane's share. */
rd_fn rd_u32 color_least_local(const rd_local rd_u32 *mark, rd_u32 from)
{
    rd_u32 least = COLOR_NONE;
    for (rd_u32 i = rd_lane(); i < COLOR_MARKS; i += rd_lanes())
        if (least == COLOR_NONE && ~mark[i])
            least = from + 32 * i + color_low_zero(mark[i]);
    return least;
}

#endif

#endif
