/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - own apps on several ranks.
 *
 * Fork-join: ranks give each other tasks, job/ranks_share.c. Their text gets what the library's apps have in a file
 * (src/apps/fib/parts.k.c): the arguments of apps/common/hand.k.h behind its own, its two functions under other names,
 * and that file at its end.
 *
 * A task that another rank runs returns nothing to its parent here; what it comes to is added to the sum of all. So
 * that is for apps whose result is this sum, whose joins, if any, add (the text says so: RD_TASK_ADDS), and which keep
 * nothing in arrays, of which each rank would have its own.
 *
 * Frontier: ranks own vertices, job/ranks_least.c. A rank that is told of a vertex by another hears a word and nothing
 * else, and takes the least of those that it hears, in any order. So that is for searches (the text says so:
 * RD_APP_LEAST): one word a vertex, RD_NONE at first and 0 at the source, which tasks only lower, by rd_min, and
 * whoever has lowered a vertex's word gives the vertex. Their text gets least.k.h at its end, and its arguments.
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

/* What RD_APP_LEAST promises, as far as declarations show it. */
static int can_search(const rd__own_file *file)
{
    enum { CANNOT = RD__TRAIT_VERTEX | RD__TRAIT_REPEATS | RD__TRAIT_SEEDS | RD__TRAIT_LATE };
    if (file->model != RD__MODEL_FRONTIER || (file->traits & CANNOT) || file->result < 0 || file->flag >= 0 ||
        file->seeds != OWN_SEEDS_SOURCE || file->sets != 1 || file->items + 2 >= RD__APP_MAX_ARGS)
        return 0;
    const char *source = "";
    for (uint32_t i = 0; i < file->items; i++) {
        const rd__own_kind kind = file->item[i].kind;
        if (kind == OWN_SCALAR || kind == OWN_STAGE || (kind == OWN_ARRAY && i != (uint32_t)file->result))
            return 0;
        source = kind == OWN_SOURCE ? file->item[i].name : source;
    }
    const rd__own_item *word = &file->item[file->result];
    return word->type == OWN_U32 && strcmp(word->length, "vertices") == 0 && strcmp(word->value, "RD_NONE") == 0 &&
           file->set[0].item == (uint32_t)file->result && strcmp(file->set[0].index, source) == 0 &&
           strcmp(file->set[0].value, "0") == 0;
}

rd_status rd__own_parts(rd__own_app *app, rd_error *err)
{
    static const char hand[] = "\n#undef rd_app_seed\n#undef rd_app_task\n#define HAND_SEED rd_own_seed\n"
                               "#define HAND_TASK rd_own_task\n#include \"apps/common/hand.k.h\"\n";
    static const char least[] = "\n#undef rd_app_edge\n#include \"apps/own/least.k.h\"\n";
    const char *end = app->file.least ? least : hand;
    const size_t length = strlen(app->text), more = strlen(end) + 1;
    if (app->file.least && !can_search(&app->file))
        return rd__fail(err, RD_EINPUT,
                        "%s: RD_APP_LEAST is for searches of model frontier: RD_SOURCE(s), one array, RD_ARRAY(rd_u32, "
                        "a, vertices, RD_NONE), with RD_SET(a, s, 0) and RD_RESULT(a), and no RD_SCALAR or "
                        "RD_STAGES, nor RD_APP_VERTEX, _REPEATS, _LATE or _SEEDS",
                        app->label);
    if (!app->file.least && !can_share(&app->file))
        return RD_OK;
    app->parts_text = rd__malloc(length + more);
    if (!app->parts_text)
        return rd__fail_memory(err, "the text of an app", length + more);
    memcpy(app->parts_text, app->text, length);
    memcpy(app->parts_text + length, end, more);
    app->parts_source = app->source;
    app->parts_source.text = app->parts_text;
    return rd__own_kernel_parts(app, err);
}
