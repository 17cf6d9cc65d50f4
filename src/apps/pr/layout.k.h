/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - PageRank: the words in which kernels tell the host how a run went, and the host them which way to go.
 * Plain numbers: both include it. */
#ifndef RD_APPS_PR_LAYOUT_H
#define RD_APPS_PR_LAYOUT_H

#define PR_ITERATIONS 0
#define PR_CHANGE     1 /* by the rule, in the last iteration; bits of a number */
#define PR_CURSOR     2 /* pushing: how many vertices were looked at (root pr_cursor) */
#define PR_NOTES      3

/* Ways, as bits: */
#define PR_IN_PLACE 1u /* all iterations are in place */
#define PR_RELAXED  2u /* leaps are relaxed iterations in place */

#endif
