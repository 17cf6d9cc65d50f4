/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stored.c - a folder of parts that split.c has written, and how a rank reads its own. The text file `parts` is written
 * last and says what is there:
 *
 *   raddle parts 1
 *   parts 4
 *   vertices 9000000
 *   edges 36000000
 *   cut 12345
 *   split blocks
 *   flags symmetric weighted          or real, named; '-': none
 *   from 0
 *   graph road:3000x3000 seed=27491
 *   part 0 2250000 9000000 1500       first vertex, own ones, edges, ghosts; a line a part
 *   ...
 *   sum 0123...
 *
 * A part becomes a slice again, whose targets are numbers of the whole graph: what is done to slices (weights are
 * drawn, ghosts are listed) is then the same wherever they come from. Nothing in the files is trusted.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/part/part.h"

#include "core/sealed.h"
#include "raddle/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE = 96, HEAD = 512, DROP_EDGES = 1 << 18 };
static const char magic[] = "raddle parts ", format[] = "1";

void rd__stored_path(const char *folder, const char *name, char *path)
{
    snprintf(path, RD__STORED_PATH, "%s/%s", folder, name);
}

void rd__stored_part_path(const char *folder, uint32_t part, char *path)
{
    snprintf(path, RD__STORED_PATH, "%s/part-%u.rdg", folder, part);
}

int rd__stored_is(const char *path)
{
    char name[RD__STORED_PATH];
    struct stat info;
    if (!path || strlen(path) > RD__STORED_PATH - 64 || stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return 0;
    rd__stored_path(path, "parts", name);
    return stat(name, &info) == 0 && S_ISREG(info.st_mode);
}

void rd_parts_free(rd_parts *parts)
{
    if (!parts)
        return;
    rd__free(parts->provenance);
    rd__free(parts->part);
    *parts = (rd_parts){0};
}

/* ---- The text ---- */

rd_status rd__stored_write(const char *folder, const rd_parts *parts, rd_error *err)
{
    const size_t room = HEAD + strlen(parts->provenance) + (size_t)LINE * parts->parts;
    char path[RD__STORED_PATH], *text = rd__malloc(room);
    if (!text)
        return rd__fail_memory(err, "a list of parts", room);
    for (char *c = parts->provenance; *c; c++) /* a line is a line */
        *c = *c == '\n' ? ' ' : *c;
    size_t used = (size_t)snprintf(
        text, room, "%s%s\nparts %u\nvertices %u\nedges %llu\ncut %llu\nsplit %s\nflags%s%s%s%s -\nfrom %u\ngraph %s\n",
        magic, format, parts->parts, parts->vertices, (unsigned long long)parts->edges, (unsigned long long)parts->cut,
        parts->split, parts->symmetric ? " symmetric" : "", parts->weighted ? " weighted" : "",
        parts->real ? " real" : "", parts->named ? " named" : "", parts->from, parts->provenance);
    for (uint32_t p = 0; p < parts->parts; p++) {
        const rd_part_info *part = &parts->part[p];
        used += (size_t)snprintf(text + used, room - used, "part %u %u %llu %u\n", part->first, part->own,
                                 (unsigned long long)part->edges, part->ghosts);
    }
    rd__stored_path(folder, "parts", path);
    const rd_status status = rd__sealed_write(path, text, used, err);
    rd__free(text);
    return status;
}

static int take_number(char **at, const char *word, uint64_t most, uint64_t *number)
{
    const char *text = rd__sealed_line(at, word);
    return text && rd_parse_u64(text, number) && *number <= most;
}

/* "first own edges ghosts", which has to go on where the part before ended. */
static int take_part(char **at, uint64_t first, rd_part_info *part)
{
    uint64_t number[4];
    char *text = rd__sealed_line(at, "part "), *rest = text;
    for (int i = 0; i < 4; i++) {
        char *word = text ? strtok_r(i ? NULL : text, " ", &rest) : NULL;
        if (!word || !rd_parse_u64(word, &number[i]) || (i != 2 && number[i] > RD_VERTEX_MAX))
            return 0;
    }
    *part = (rd_part_info){(uint32_t)number[0], (uint32_t)number[1], (uint32_t)number[3], number[2]};
    return number[0] == first;
}

static int parse(char *at, size_t bytes, rd_parts *parts)
{
    uint64_t count, vertices, from, first = 0, edges = 0;
    const char *split = NULL, *flags = NULL, *graph = NULL;
    if (!take_number(&at, "parts ", bytes, &count) || !take_number(&at, "vertices ", RD_VERTEX_MAX, &vertices) ||
        !take_number(&at, "edges ", UINT64_MAX, &parts->edges) ||
        !take_number(&at, "cut ", parts->edges, &parts->cut) || !(split = rd__sealed_line(&at, "split ")) ||
        strlen(split) >= sizeof parts->split || !(flags = rd__sealed_line(&at, "flags ")) ||
        !take_number(&at, "from ", 1, &from) || !(graph = rd__sealed_line(&at, "graph ")) || count < 1)
        return 0;
    snprintf(parts->split, sizeof parts->split, "%s", split);
    parts->parts = (uint32_t)count;
    parts->vertices = (uint32_t)vertices;
    parts->from = (uint32_t)from;
    parts->symmetric = strstr(flags, "symmetric ") != NULL;
    parts->weighted = strstr(flags, "weighted ") != NULL;
    parts->real = strstr(flags, "real ") != NULL;
    parts->named = strstr(flags, "named ") != NULL;
    parts->provenance = rd__strdup(graph);
    parts->part = rd__calloc(count, sizeof *parts->part);
    for (uint64_t p = 0; parts->part && p < count; p++) {
        if (!take_part(&at, first, &parts->part[p]))
            return 0;
        first += parts->part[p].own;
        edges += parts->part[p].edges;
    }
    return !parts->part || (first == vertices && edges == parts->edges);
}

static rd_status read_text(const char *path, char **text, size_t *bytes, rd_error *err)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file)
        return rd__fail(err, RD_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(file), &info) != 0 || info.st_size < 0 || info.st_size > 1 << 30) {
        fclose(file);
        return rd__fail(err, RD_EINPUT, "%s: is no list of parts", path);
    }
    *text = rd__malloc((size_t)info.st_size + 1);
    *bytes = *text ? fread(*text, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    if (!*text)
        return rd__fail_memory(err, "a list of parts", (uint64_t)info.st_size);
    (*text)[*bytes] = 0;
    return RD_OK;
}

rd_status rd__stored_parse(char *text, size_t bytes, const char *path, rd_parts *parts, rd_error *err)
{
    char *at = text;
    *parts = (rd_parts){0};
    if (strncmp(text, magic, sizeof magic - 1) != 0)
        return rd__fail(err, RD_EINPUT, "%s: is no list of parts", path);
    if (!rd__sealed_open(text, bytes))
        return rd__fail(err, RD_EINPUT, "%s: was changed or damaged", path);
    const char *written = rd__sealed_line(&at, magic);
    rd_status status = RD_OK;
    if (!written || strcmp(written, format) != 0)
        status = rd__fail(err, RD_EINPUT, "%s: is of another version of raddle; partition the graph again", path);
    else if (!parse(at, bytes, parts))
        status = rd__fail(err, RD_EINPUT, "%s: makes no sense", path);
    else if (!parts->provenance || !parts->part)
        status = rd__fail_memory(err, "a list of parts", bytes);
    if (status != RD_OK)
        rd_parts_free(parts);
    return status;
}

rd_status rd_parts_read(const char *folder, rd_parts *parts, rd_error *err)
{
    char path[RD__STORED_PATH], *text = NULL;
    size_t bytes = 0;
    if (!folder || !parts || strlen(folder) > RD__STORED_PATH - 64)
        return rd__fail(err, RD_EARG, "rd_parts_read needs a folder and a place for what is there");
    *parts = (rd_parts){0};
    rd__stored_path(folder, "parts", path);
    RD_TRY(read_text(path, &text, &bytes, err));
    const rd_status status = rd__stored_parse(text, bytes, path, parts, err);
    rd__free(text);
    return status;
}

/* ---- A part ---- */

/* Options that would need the whole graph. */
static rd_status check_options(const char *folder, const rd_graph_options *options, rd_error *err)
{
    if (options->symmetrize || options->drop_loops || options->drop_duplicates || options->permute ||
        options->shuffle_rows || options->order != RD_ORDER_GIVEN)
        return rd__fail(err, RD_EARG,
                        "%s is a graph in parts, whose edges stay as they are: give these options to "
                        "'raddle partition'",
                        folder);
    return RD_OK;
}

/* Does the file have what the list says? Ids: own numbers in a row, then ghosts, which ascend and are others'. */
static int is_part(const rd_graph *file, const rd_parts *parts, const rd_part_info *part)
{
    const uint64_t vertices = (uint64_t)part->own + part->ghosts;
    if (file->vertices != vertices || file->edges != part->edges || (!file->ids && vertices) ||
        (file->weight != NULL) != parts->weighted)
        return 0;
    for (uint32_t v = 0; v < part->own; v++)
        if (file->ids[v] != (uint64_t)part->first + v)
            return 0;
    for (uint64_t v = part->own; v < vertices; v++)
        if (file->ids[v] >= parts->vertices || file->ids[v] - part->first < part->own ||
            (v > part->own && file->ids[v] <= file->ids[v - 1]) || file->row[v + 1] != file->row[v])
            return 0;
    return 1;
}

/* The rows of own vertices, with targets in numbers of the whole graph. */
static rd_status make_slice(const rd_graph *file, const rd_part_info *part, rd_graph **slice, rd_error *err)
{
    uint64_t *row = NULL;
    uint32_t *col = NULL;
    int32_t *weight = NULL;
    rd_status status = rd__array_new(&row, "the row offsets of a part", part->own + 1ull, sizeof *row, err);
    if (status == RD_OK)
        status = rd__array_new(&col, "the edges of a part", file->edges, sizeof *col, err);
    if (status == RD_OK && file->weight)
        status = rd__array_new(&weight, "the weights of a part", file->edges, sizeof *weight, err);
    if (status != RD_OK) {
        rd__array_free(row);
        rd__array_free(col);
        return status;
    }
    memcpy(row, file->row, (part->own + 1ull) * sizeof *row);
    for (uint64_t e = 0; e < file->edges; e++) {
        col[e] = (uint32_t)file->ids[file->col[e]];
        if (e % DROP_EDGES == DROP_EDGES - 1) /* a file's pages are not kept beside their copy */
            rd__graph_drop(file, file->col + (e + 1 - DROP_EDGES), DROP_EDGES * sizeof *col);
    }
    if (weight)
        memcpy(weight, file->weight, file->edges * sizeof *weight);
    return rd__graph_new(part->own, file->edges, row, col, weight, file->threads, slice, err);
}

rd_status rd__stored_slice(const rd_graph *file, const char *folder, const rd_parts *parts, uint32_t rank,
                           rd_graph **slice, rd_error *err)
{
    char path[RD__STORED_PATH];
    if (is_part(file, parts, &parts->part[rank]))
        return make_slice(file, &parts->part[rank], slice, err);
    rd__stored_part_path(folder, rank, path);
    return rd__fail(err, RD_EINPUT, "%s: is not part %u of the graph in %s", path, rank, folder);
}

static rd_status open_names(const char *folder, const rd_parts *parts, rd_graph *slice, rd_error *err)
{
    char path[RD__STORED_PATH];
    rd_graph *names = NULL;
    if (!parts->named)
        return RD_OK;
    rd__stored_path(folder, "names.rdg", path);
    RD_TRY(rd_graph_open(path, NULL, &names, err));
    if (names->vertices != parts->vertices || (!names->ids && names->vertices)) {
        rd_graph_destroy(names);
        return rd__fail(err, RD_EINPUT, "%s: does not have the names of these vertices", path);
    }
    slice->part->names = names;
    slice->ids = names->ids;
    return RD_OK;
}

static rd_status attach(const char *folder, const rd_parts *parts, rd_ranks *ranks, const rd_graph_options *options,
                        rd_graph *slice, rd_error *err)
{
    uint32_t *start = NULL;
    RD_TRY(rd__array_new(&start, "where parts begin", parts->parts, sizeof *start, err));
    for (uint32_t p = 0; p < parts->parts; p++)
        start[p] = parts->part[p].first;
    const rd_status status = rd__blocks_given(ranks, parts->vertices, start, &slice->part, err);
    rd__array_free(start);
    RD_TRY(status);
    slice->symmetric = parts->symmetric;
    slice->first = parts->from;
    slice->real = parts->real;
    if (!options->own_numbers)
        RD_TRY(open_names(folder, parts, slice, err));
    else
        slice->first = 0;
    return rd__graph_finish(slice, options, parts->provenance, 0, err);
}

static rd_status open_own(const char *folder, const rd_parts *parts, const rd_graph_options *options, rd_ranks *ranks,
                          rd_graph **graph, rd_error *err)
{
    const uint32_t rank = rd_ranks_rank(ranks);
    char path[RD__STORED_PATH];
    rd_graph_options plain = {.size = sizeof plain, .threads = options->threads, .verify = options->verify};
    rd_graph *file = NULL;
    if (parts->parts != rd_ranks_count(ranks))
        return rd__fail(err, RD_EARG, "%s is a graph in %u parts, and here are %u ranks: it takes as many", folder,
                        parts->parts, rd_ranks_count(ranks));
    rd__stored_part_path(folder, rank, path);
    RD_TRY(rd_graph_open(path, &plain, &file, err));
    rd_status status = rd__stored_slice(file, folder, parts, rank, graph, err);
    rd_graph_destroy(file);
    if (status == RD_OK)
        status = attach(folder, parts, ranks, options, *graph, err);
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}

rd_status rd__stored_open(const char *folder, const rd_graph_options *options, rd_ranks *ranks, rd_graph **graph,
                          rd_error *err)
{
    rd_parts parts;
    RD_TRY(check_options(folder, options, err));
    RD_TRY(rd_parts_read(folder, &parts, err));
    const rd_status status = open_own(folder, &parts, options, ranks, graph, err);
    rd_parts_free(&parts);
    return status;
}
