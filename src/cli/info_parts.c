/* SPDX-License-Identifier: Apache-2.0 */
/* info_parts.c - see info_parts.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/info_parts.h"

#include "cli/cli.h"

#include "raddle/ranks.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LINES = 64 };

/* Edges and vertices of the largest part, over the mean. */
static double imbalance(const rd_parts *parts)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < parts->parts; p++) {
        const uint64_t work = parts->part[p].edges + parts->part[p].own;
        most = work > most ? work : most;
    }
    const double mean = ((double)parts->edges + parts->vertices) / parts->parts;
    return mean > 0 ? (double)most / mean : 1;
}

static void print_text(const char *folder, const rd_parts *parts)
{
    printf("graph        %s, in %u part%s (%s)\n", folder, parts->parts, parts->parts == 1 ? "" : "s", parts->split);
    printf("provenance   %s\n", parts->provenance);
    printf("vertices     %u%s\n", parts->vertices, parts->named ? " (renumbered)" : "");
    printf("edges        %llu directed, %s%s\n", (unsigned long long)parts->edges,
           parts->symmetric ? "symmetric" : "not symmetric",
           parts->real       ? ", real weights"
           : parts->weighted ? ", weighted"
                             : "");
    printf("cut          %llu edges lead to another part (%.2f%%)\n", (unsigned long long)parts->cut,
           parts->edges ? 100.0 * (double)parts->cut / (double)parts->edges : 0.0);
    printf("imbalance    %.3f (edges and vertices of the largest part over the mean)\n", imbalance(parts));
    printf("%-12s %10s %10s %12s %10s\n", "parts", "first", "vertices", "edges", "ghosts");
    for (uint32_t p = 0; p < parts->parts && p < MOST_LINES; p++)
        printf("%12u %10u %10u %12llu %10u\n", p, parts->part[p].first, parts->part[p].own,
               (unsigned long long)parts->part[p].edges, parts->part[p].ghosts);
    if (parts->parts > MOST_LINES)
        printf("%12s and %u more\n", "", parts->parts - MOST_LINES);
}

static int print_json(const char *folder, const rd_parts *parts)
{
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_text(&json, "graph", folder);
    rd_json_text(&json, "provenance", parts->provenance);
    rd_json_text(&json, "split", parts->split);
    rd_json_u64(&json, "vertices", parts->vertices);
    rd_json_u64(&json, "edges", parts->edges);
    rd_json_bool(&json, "symmetric", parts->symmetric);
    rd_json_bool(&json, "weighted", parts->weighted);
    rd_json_bool(&json, "renumbered", parts->named);
    rd_json_u64(&json, "cut", parts->cut);
    rd_json_double(&json, "imbalance", imbalance(parts));
    rd_json_array(&json, "parts");
    for (uint32_t p = 0; p < parts->parts; p++) {
        rd_json_object(&json, NULL);
        rd_json_u64(&json, "first", parts->part[p].first);
        rd_json_u64(&json, "vertices", parts->part[p].own);
        rd_json_u64(&json, "edges", parts->part[p].edges);
        rd_json_u64(&json, "ghosts", parts->part[p].ghosts);
        rd_json_close_object(&json);
    }
    rd_json_close_array(&json);
    return rd_json_end(&json) == 0 ? 0 : CLI_BAD_INPUT;
}

int info_parts(const char *folder, int json)
{
    char path[4200];
    struct stat info;
    rd_parts parts;
    rd_error err = {.status = RD_OK};
    int code = 0;
    if (!folder || strlen(folder) > 4096 || stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return -1;
    snprintf(path, sizeof path, "%s/parts", folder);
    if (stat(path, &info) != 0)
        return -1;
    if (rd_parts_read(folder, &parts, &err) != RD_OK)
        return cli_fail("info", &err);
    if (json)
        code = print_json(folder, &parts);
    else
        print_text(folder, &parts);
    rd_parts_free(&parts);
    return code ? code : fflush(stdout) == 0 ? 0 : CLI_BAD_INPUT;
}
