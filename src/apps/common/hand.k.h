/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.k.h - fork-join tasks that several ranks share (job/ranks_share.c). A rank runs for a while: after `hand_budget`
 * tasks a lane hands the tasks it would run next over to the host instead, in `hand_out`, until nothing is left; the
 * host keeps them, gives some to ranks that have none, and starts the next while from the others, which it writes to
 * `hand_in`. Since lanes go depth first, what is left at any time is little.
 *
 * A task that is handed over returns 0 to its parent, and its value is added to the result when it runs, as a root. So
 * this is for apps whose result is the sum over all tasks of what each adds: whose joins, if any, add.
 *
 * An app's parts.k.c lists the app's arguments and these, gives the app's two functions other names, includes it, and
 * then this file; HAND_SEED and HAND_TASK are those names.
 *
 * hand_out: word 0 counts, also what did not fit, which is run instead; tasks from word HAND_HEAD on.
 */
#ifndef RD_APPS_HAND_K_H
#define RD_APPS_HAND_K_H

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    if (a->hand_root) {
        HAND_SEED(a, i, t);
        return;
    }
    for (rd_u32 k = 0; k < RD_TASK_WORDS; k++)
        t->word[k] = rd_ld_const(&a->hand_in[i * RD_TASK_WORDS + k]);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    if (w->tasks >= a->hand_budget) {
        const rd_u32 at = rd_add_together(&a->hand_out[0], 1); /* partner: the same in other lanes; read by the host */
        if (at < a->hand_room) {
            for (rd_u32 k = 0; k < RD_TASK_WORDS; k++)
                a->hand_out[HAND_HEAD + at * RD_TASK_WORDS + k] = t->word[k];
            return;
        }
    }
    HAND_TASK(a, w, t);
}

#endif
