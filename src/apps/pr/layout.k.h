/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - the words in which PageRank's kernels tell the host how a run went. Plain numbers: both include it.
 */
#ifndef RD_APPS_PR_LAYOUT_H
#define RD_APPS_PR_LAYOUT_H

#define PR_ITERATIONS 0
#define PR_CHANGE     1 /* by the rule, in the last iteration; bits of a number */
#define PR_CURSOR     2 /* pushing: how many vertices were looked at (root pr_cursor) */
#define PR_NOTES      3

#endif
