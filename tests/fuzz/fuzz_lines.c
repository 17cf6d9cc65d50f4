/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_lines.c - readers of apps: FUZZ_KIND knapsack (items) or astar (maps). */
#include "fuzz.h"

#include "apps/astar/input.h"
#include "apps/knapsack/input.h"

static void check_items(const rd__knapsack_items *items)
{
    uint64_t value = 0, weight = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        value += items->value[i];
        weight += items->weight[i];
        if (items->weight[i] == 0)
            abort();
    }
    if (value != items->value_sum || weight != items->weight_sum || items->capacity >> 63)
        abort();
}

static void check_grid(const rd__astar_grid *grid)
{
    const uint64_t cells = (uint64_t)grid->width * grid->height;
    if (cells == 0 || cells > RD__ASTAR_CELLS_MAX)
        abort();
    for (uint64_t i = 0; i < cells; i++)
        if (grid->open[i] > 1)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const int astar = strcmp(fuzz_kind(), "astar") == 0;
    rd__knapsack_items items = {0};
    rd__astar_grid grid = {0};
    rd__lines lines;
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    char *copy = fuzz_copy(data, bytes, 0);
    rd_status status = rd__lines_memory(&lines, "fuzz", copy, bytes, &err);
    if (status == RD_OK)
        status = astar ? rd__astar_read(&lines, &grid, &err) : rd__knapsack_read(&lines, &items, &err);
    rd__lines_close(&lines);
    fuzz_check(status, &err);
    if (status == RD_OK) {
        if (astar)
            check_grid(&grid);
        else
            check_items(&items);
    }
    rd__astar_free(&grid);
    rd__knapsack_free(&items);
    free(copy);
    fuzz_end();
    return 0;
}
