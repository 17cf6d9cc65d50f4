/* SPDX-License-Identifier: Apache-2.0 */
/* marks.c - room for marks, and dropping those that nobody follows any more. */
#include "apps/knapsack/marks.h"

#include "core/memory.h"
#include "graph/graph.h"

#include <string.h>

static void follow(const rd__knapsack_marks *marks, uint32_t at, uint8_t *alive)
{
    while (at != RD__NO_MARK && !alive[at]) {
        alive[at] = 1;
        at = marks->mark[at].before;
    }
}

/* A mark comes after the one it names. */
static rd_status collect(rd__knapsack_marks *marks, rd__knapsack_state *list, uint64_t states, uint32_t *kept,
                         rd_error *err)
{
    uint8_t *alive;
    uint32_t *place = NULL;
    RD_TRY(rd__array_new(&alive, "marks in use", marks->count, 1, err));
    rd_status status = rd__array_new(&place, "places of marks", marks->count, sizeof *place, err);
    if (status == RD_OK) {
        memset(alive, 0, marks->count);
        follow(marks, *kept, alive);
        for (uint64_t i = 0; i < states; i++)
            follow(marks, list[i].mark, alive);
        uint32_t left = 0;
        for (uint64_t i = 0; i < marks->count; i++)
            if (alive[i]) {
                const rd__knapsack_mark old = marks->mark[i];
                place[i] = left;
                marks->mark[left++] =
                    (rd__knapsack_mark){old.before == RD__NO_MARK ? RD__NO_MARK : place[old.before], old.what};
            }
        for (uint64_t i = 0; i < states; i++)
            if (list[i].mark != RD__NO_MARK)
                list[i].mark = place[list[i].mark];
        if (*kept != RD__NO_MARK)
            *kept = place[*kept];
        marks->count = left;
    }
    rd__array_free(alive);
    rd__array_free(place);
    return status;
}

rd_status rd__knapsack_marks_room(rd__knapsack_marks *marks, rd__knapsack_state *list, uint64_t states, uint32_t *kept,
                                  rd_error *err)
{
    if (marks->count + states + 1 <= marks->room)
        return RD_OK;
    if (marks->count)
        RD_TRY(collect(marks, list, states, kept, err));
    const uint64_t least = marks->count + states + 1, wanted = 4 * least;
    if (2 * least <= marks->room)
        return RD_OK;
    if (wanted >= RD__NO_MARK)
        return rd__fail(err, RD_ENOMEM, "more paths of states than can be numbered");
    RD_TRY(rd__memory_expect(wanted * sizeof *marks->mark, "paths of states", err));
    RD_TRY(rd__array_grow(&marks->mark, "paths of states", marks->count, wanted, sizeof *marks->mark, err));
    marks->room = wanted;
    return RD_OK;
}
