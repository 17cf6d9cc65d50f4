/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_lines.c - readers of apps: FUZZ_KIND knapsack (items), astar (maps) or scen (scenarios on maps). */
#include "fuzz.h"

#include "apps/astar/scen.h"
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
    if (items->published > value || value != items->value_sum || weight != items->weight_sum || items->capacity >> 63)
        abort();
}

static void check_grid(const rd__astar_grid *grid)
{
    const uint64_t cells = (uint64_t)grid->width * grid->height;
    if (cells == 0 || cells > RD__ASTAR_CELLS_MAX)
        abort();
    for (uint64_t i = 0; i < cells; i++)
        if (grid->terrain[i] > RD__ASTAR_WATER)
            abort();
}

static void check_scen(rd__astar_scen *scen)
{
    static uint8_t land[64];
    char name[] = "fuzz", file[] = "fuzz.scen";
    const rd__astar_grid grid = {.width = 8, .height = 8, .terrain = land, .provenance = name};
    rd_error err = {RD_OK, ""};
    memset(land, RD__ASTAR_LAND, sizeof land);
    for (uint64_t i = 0; i < scen->count; i++)
        if (scen->item[i].map >= scen->names_used || !(scen->item[i].length >= 0))
            abort();
    scen->file = file;
    const rd_status status = rd__astar_scen_fit(scen, &grid, &err);
    fuzz_check(status, &err);
    for (uint64_t i = 0; status == RD_OK && i < scen->count; i++)
        for (int k = 0; k < 2; k++)
            if (scen->item[i].x[k] >= 8 || scen->item[i].y[k] >= 8)
                abort();
    scen->file = NULL;
}

static rd_status read_any(rd__lines *lines, rd_error *err)
{
    rd__knapsack_items items = {0};
    rd__astar_grid grid = {0};
    rd__astar_scen scen = {0};
    rd_status status;
    if (strcmp(fuzz_kind(), "astar") == 0) {
        status = rd__astar_read(lines, &grid, err);
        if (status == RD_OK)
            check_grid(&grid);
    } else if (strcmp(fuzz_kind(), "scen") == 0) {
        status = rd__astar_scen_read(lines, &scen, err);
        if (status == RD_OK)
            check_scen(&scen);
    } else {
        status = rd__knapsack_read(lines, &items, err);
        if (status == RD_OK)
            check_items(&items);
    }
    rd__astar_free(&grid);
    rd__astar_scen_free(&scen);
    rd__knapsack_free(&items);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd__lines lines;
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    char *copy = fuzz_copy(data, bytes, 0);
    rd_status status = rd__lines_memory(&lines, "fuzz", copy, bytes, &err);
    if (status == RD_OK)
        status = read_any(&lines, &err);
    rd__lines_close(&lines);
    fuzz_check(status, &err);
    free(copy);
    fuzz_end();
    return 0;
}
