/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - own fork-join apps on several ranks, which give each other tasks: job/ranks_share.c. Their text gets what
 * the library's apps have in a file (src/apps/fib/parts.k.c): the arguments of apps/common/hand.k.h behind its own, its
 * two functions under other names, and that file at its end.
 *
 * A task that another rank runs returns nothing to its parent here; what it comes to is added to the sum of all. So
 * that is for apps whose result is this sum, whose joins, if any, add (the text says so: RD_TASK_ADDS), and which keep
 * nothing in arrays, of which each rank would have its own.
 */
#include "apps/own/own.h"

#include "apps/common/hand_args.k.h"
#include "core/memory.h"
#include "model/forkjoin_layout.k.h"

#include <stdio.h>
#include <string.h>

#define ONE(type, name) +1
enum { HAND_COUNT = 0 HAND_ARGS(ONE, ONE) };
#undef ONE

static int can_share(const rd__own_file *file)
{
    int arrays = 0;
    for (uint32_t i = 0; i < file->items; i++)
        arrays |= file->item[i].kind >= OWN_ARRAY;
    return file->model == RD__MODEL_FORKJOIN && file->result < 0 && file->sum_type != OWN_F64 && !arrays &&
           file->flag < 0 && (file->join == RD_JOIN_NONE || file->adds) && file->items + HAND_COUNT < RD__APP_MAX_ARGS;
}

rd_status rd__own_parts(rd__own_app *app, rd_error *err)
{
    static const char end[] = "\n#undef rd_app_seed\n#undef rd_app_task\n#define HAND_SEED rd_own_seed\n"
                              "#define HAND_TASK rd_own_task\n#include \"apps/common/hand.k.h\"\n";
    const size_t length = strlen(app->text);
    if (!can_share(&app->file))
        return RD_OK;
    app->parts_text = rd__malloc(length + sizeof end);
    if (!app->parts_text)
        return rd__fail_memory(err, "the text of an app", length + sizeof end);
    memcpy(app->parts_text, app->text, length);
    memcpy(app->parts_text + length, end, sizeof end);
    app->parts_source = app->source;
    app->parts_source.text = app->parts_text;
    return rd__own_kernel_parts(app, err);
}
