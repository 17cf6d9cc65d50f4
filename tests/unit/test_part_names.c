/* SPDX-License-Identifier: Apache-2.0 */
/* test_part_names.c - what vertices of a graph in parts are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "ranks_util.h"

/* What vertices are called, when they were permuted: each rank knows its own, all together find any, rank 0 learns all.
 */
static void compare_names(crew *self)
{
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .permute = 1};
    rd_graph *whole = NULL, *mine = NULL;
    WANT(rd_graph_open(self->arg, &options, &whole, NULL) == RD_OK);
    WANT(rd_graph_open_part(self->arg, &options, self->ranks, &mine, NULL) == RD_OK);
    const rd_graph_part info = rd_graph_get_part(mine);
    uint32_t found = 7;
    WANT(info.named);
    for (uint32_t v = info.first; v < info.first + info.own; v++) {
        WANT(rd_graph_name(mine, v) == rd_graph_name(whole, v));
        WANT(rd_graph_find(mine, rd_graph_name(whole, v)) == v);
    }
    WANT(rd_graph_part_find(mine, info.vertices, &found, NULL) == RD_OK && found == RD_NONE);
    WANT(rd_graph_part_find(mine, 0, &found, NULL) == RD_OK && found == rd_graph_find(whole, 0));
    WANT(rd_graph_name(mine, found) == 0);
    const uint32_t some[] = {0, info.vertices - 1, info.vertices / 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, info.vertices / 3};
    const uint32_t count = sizeof some / sizeof *some;
    WANT(rd_graph_part_learn(mine, some, count, NULL) == RD_OK);
    for (uint32_t i = 0; i < count; i++)
        WANT(rd_graph_name(mine, some[i]) == rd_graph_name(whole, some[i]));
    WANT(rd_graph_part_learn(mine, NULL, 0, NULL) == RD_OK);
    for (uint32_t v = 0; v < info.vertices && self->rank == 0; v++)
        WANT(rd_graph_name(mine, v) == rd_graph_name(whole, v) && rd_graph_ids(mine)[v] == rd_graph_ids(whole)[v]);
    rd_graph_destroy(whole);
    rd_graph_destroy(mine);
}

static void names_are_those_of_the_whole(void **state)
{
    static const char *const some[] = {"kron:8", "road:20x13:0.7", "star:30", "path:2", NULL};
    (void)state;
    for (const char *const *spec = some; *spec; spec++)
        for (uint32_t count = 1; count <= MOST; count += 2)
            on_ranks(count, compare_names, *spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
