/* SPDX-License-Identifier: Apache-2.0 */
/* dag_layout.k.h - what host and kernels share of model dag: the words in which a group says that the app is wrong.
 * Plain numbers: both include it. */
#ifndef RD_MODEL_DAG_LAYOUT_K_H
#define RD_MODEL_DAG_LAYOUT_K_H

#define DAG_FULL          0 /* 1: more new tasks than there is room for */
#define DAG_MANY          1 /* a task, counted from 1, that released more than RD_TASK_RELEASES */
#define DAG_STRANGER      2 /* a task, counted from 1, that released one that does not exist */
#define DAG_OFTEN         3 /* a task, counted from 1, that was released more often than it waits */
#define DAG_TROUBLE_WORDS 4

#endif
