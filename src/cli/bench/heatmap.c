/* SPDX-License-Identifier: Apache-2.0 */
/* heatmap.c - see heatmap.h. */
#include "cli/bench/heatmap.h"

#include "cli/options.h"

#include <string.h>

enum { WORKERS = 5, FETCHES = 6, CELLS = WORKERS * FETCHES, MAPS = 32, SQUARE = 24 };

static const char *const workers[WORKERS] = {"32", "64", "128", "256", "512"};
static const char *const fetches[FETCHES] = {"1", "4", "16", "64", "256", "512"};

#define ROW(worker)                                                                                                    \
    "worker=" worker " fetch=1", "worker=" worker " fetch=4", "worker=" worker " fetch=16",                            \
        "worker=" worker " fetch=64", "worker=" worker " fetch=256", "worker=" worker " fetch=512"
const char *const bench_heatmap_cell[CELLS] = {ROW("32"), ROW("64"), ROW("128"), ROW("256"), ROW("512")};
const size_t bench_heatmap_cells = CELLS;

/* Of the command that runs. */
static struct map {
    const char *app, *graph;
    double seconds[CELLS]; /* 0: not measured */
} maps[MAPS];

void bench_heatmap_add(const char *app, const char *graph, const char *settings, double seconds)
{
    size_t m = 0, c = 0;
    while (m < MAPS && maps[m].app && (strcmp(maps[m].app, app) != 0 || strcmp(maps[m].graph, graph) != 0))
        m++;
    while (c < CELLS && strcmp(bench_heatmap_cell[c], settings) != 0)
        c++;
    if (m == MAPS || c == CELLS)
        return;
    maps[m].app = app;
    maps[m].graph = graph;
    if (maps[m].seconds[c] <= 0 || seconds < maps[m].seconds[c])
        maps[m].seconds[c] = seconds;
}

void bench_heatmap_print(FILE *out)
{
    for (const struct map *map = maps; map < maps + MAPS && map->app; map++) {
        fprintf(out, "\n%s on %s, least ms; rows: lanes of a worker, columns: tasks it takes at once\n%8s", map->app,
                map->graph, "");
        for (size_t f = 0; f < FETCHES; f++)
            fprintf(out, " %9s", fetches[f]);
        fputc('\n', out);
        for (size_t c = 0; c < CELLS; c++) {
            if (c % FETCHES == 0)
                fprintf(out, "%8s", workers[c / FETCHES]);
            if (map->seconds[c] > 0)
                fprintf(out, " %9.3f", 1e3 * map->seconds[c]);
            else
                fprintf(out, " %9s", "-");
            if (c % FETCHES == FETCHES - 1)
                fputc('\n', out);
        }
    }
}

static double least_of(const struct map *map)
{
    double least = 0;
    for (size_t c = 0; c < CELLS; c++)
        if (map->seconds[c] > 0 && (least <= 0 || map->seconds[c] < least))
            least = map->seconds[c];
    return least;
}

/* From green over yellow to red; grey where nothing was measured. */
static void colour_of(const struct map *map, size_t cell, double least, unsigned char rgb[3])
{
    const double over = least > 0 ? map->seconds[cell] / least - 1 : 0, heat = over < 0 ? 0 : over > 1 ? 1 : over;
    const int known = map->seconds[cell] > 0;
    rgb[0] = (unsigned char)(known ? (heat < 0.5 ? 510 * heat : 255) : 128);
    rgb[1] = (unsigned char)(known ? (heat < 0.5 ? 200 : 400 * (1 - heat)) : 128);
    rgb[2] = (unsigned char)(known ? 40 : 128);
}

void bench_heatmap_picture(const char *path)
{
    rd_output *output;
    rd_error err;
    size_t count = 0;
    while (count < MAPS && maps[count].app)
        count++;
    if (rd_output_open(path, RD_OUTPUT_REPLACE, &output, &err) != RD_OK) {
        (void)cli_fail("bench", &err);
        return;
    }
    FILE *file = rd_output_stream(output);
    fprintf(file, "P6\n%d %zu\n255\n", FETCHES * SQUARE, count * (WORKERS + 1) * SQUARE);
    for (size_t m = 0; m < count; m++)
        for (size_t y = 0; y < (WORKERS + 1) * SQUARE; y++)
            for (size_t x = 0; x < FETCHES * SQUARE; x++) {
                unsigned char rgb[3] = {255, 255, 255}; /* a white strip below each map */
                if (y / SQUARE < WORKERS)
                    colour_of(&maps[m], y / SQUARE * FETCHES + x / SQUARE, least_of(&maps[m]), rgb);
                (void)fwrite(rgb, 1, sizeof rgb, file); /* closing tells what went wrong */
            }
    if (rd_output_close(output, RD_OK, &err) != RD_OK)
        (void)cli_fail("bench", &err);
}
