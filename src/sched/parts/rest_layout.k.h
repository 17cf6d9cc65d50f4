/* SPDX-License-Identifier: Apache-2.0 */
/* rest_layout.k.h - the words of what is left of a round; parts/rest.k.h. Plain numbers: host and kernel include it. */
#ifndef RD_SCHED_REST_LAYOUT_H
#define RD_SCHED_REST_LAYOUT_H

/* The head. Written by groups that leave within a round: */
#define REST_AT     0 /* the round's number + 1; 0: none was left */
#define REST_COUNT  1 /* groups of the launch */
#define REST_SIZE   2 /* places of a claim */
#define REST_UNITS  3 /* places from the first on that are claims of one */
#define REST_CLAIMS 4 /* claims that there were */
#define REST_OWNED  5 /* 1: claims were not numbered; the scheduler knows which are left */
/* By the host, for the launch that goes on: */
#define REST_STEP  32 /* the number + 1 of the round that the following is of */
#define REST_LEFT  33 /* pieces in the list, which come first */
#define REST_FROM  34 /* places from here on were nobody's */
#define REST_NEVER 35 /* 0: a word for those who are not to look at the stop word */
#define REST_HEAD  64 /* words */

/* The entries: what each group put back, two pieces of two words, first and end; then the list of pieces. */
#define REST_MOST  1024 /* groups; launches of more leave at the end of a round */
#define REST_BACK  0
#define REST_LIST  (4 * REST_MOST)
#define REST_WORDS (REST_LIST + 2 * 3 * REST_MOST)

#endif
