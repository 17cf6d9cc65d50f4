/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ldbc.c - graphs of LDBC's Graphalytics: NAME.e has the edges, "u v" or "u v w", with names of vertices that are any
 * numbers; NAME.v, beside it, all vertices, one a line; NAME.properties, beside it, says whether they are directed.
 * Where the latter is not there edges are directed; where NAME.v is not, vertices without edges are not known.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/read/edge_list.h"
#include "graph/read/token.h"

#include "core/log.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file whose name has another ending than that of the edges, packed alike or not at all. @return 0: there is none.
 */
static int beside(const rd__source *source, const char *ending, char *path, size_t room)
{
    const size_t length = strlen(source->name), packed = rd__packed_suffix(source->name, length);
    size_t stem = length - packed;
    if (source->fd < 0 || !source->own_fd)
        return 0; /* memory, or standard input */
    if (stem > 2 && (memcmp(source->name + stem - 2, ".e", 2) == 0 || memcmp(source->name + stem - 2, ".E", 2) == 0))
        stem -= 2;
    for (int plain = packed == 0; plain < 2; plain++) {
        const int bytes = snprintf(path, room, "%.*s%s%s", (int)stem, source->name, ending,
                                   plain ? "" : source->name + length - packed);
        if (bytes > 0 && (size_t)bytes < room && access(path, R_OK) == 0)
            return 1;
    }
    return 0;
}

static rd_status read_names(rd__text *text, rd__name_fn *take, void *user, rd_error *err)
{
    char *line;
    for (;;) {
        uint64_t id = 0;
        RD_TRY(rd__text_line(text, &line, err));
        if (!line)
            return RD_OK;
        const char *at = rd__skip_blanks(line);
        rd__fault fault = {0};
        if (*at == 0 || *at == '#')
            continue;
        if (rd__take_u64(&at, &id) != 1 || !rd__at_line_end(&at)) {
            rd__expected(&fault, at, "one vertex number below 10000000000000000000");
            return rd__text_fail(text, line, &fault, err);
        }
        if (!take(user, id))
            return rd__fail_memory(err, "vertex names", 16);
    }
}

static rd_status add_vertices(const rd__source *source, const rd_graph_options *options, rd__name_fn *take, void *user,
                              rd_error *err)
{
    char path[PATH_MAX];
    rd__source file;
    rd__text text;
    if (!beside(source, ".v", path, sizeof path)) {
        rd__log(RD_LOG_WARN, "%s: there is no file of its vertices (.v) beside it: those without edges are not known",
                source->name);
        return RD_OK;
    }
    RD_TRY(rd__source_open(&file, path, &source->watch, err));
    rd__text_init(&text, &file, options);
    const rd_status status = read_names(&text, take, user, err);
    rd__text_free(&text);
    rd__source_close(&file);
    return status;
}

/* "graph.NAME.directed = false" in the properties. */
static rd_status read_properties(const rd__source *source, const rd_graph_options *options, int *undirected,
                                 rd_error *err)
{
    static const char key[] = ".directed";
    char path[PATH_MAX], *line = NULL;
    rd__source file;
    rd__text text;
    *undirected = 0;
    if (!beside(source, ".properties", path, sizeof path))
        return RD_OK;
    RD_TRY(rd__source_open(&file, path, &source->watch, err));
    rd__text_init(&text, &file, options);
    rd_status status;
    while ((status = rd__text_line(&text, &line, err)) == RD_OK && line) {
        const char *at = strstr(line, key), *value = at ? strchr(at, '=') : NULL;
        if (value && rd__skip_blanks(at + sizeof key - 1) == value)
            *undirected = strncmp(rd__skip_blanks(value + 1), "false", 5) == 0;
    }
    rd__text_free(&text);
    rd__source_close(&file);
    return status;
}

rd_status rd__ldbc_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    const size_t length = strlen(source->name), stem = length - rd__packed_suffix(source->name, length);
    rd__list_form form = {.named = 1, .header = RD__HEADER_NO, .more_names = add_vertices};
    if (!options->format && stem > 2 && memcmp(source->name + stem - 2, ".v", 2) == 0)
        return rd__fail(err, RD_EINPUT,
                        "%s: has the vertices of an LDBC graph; name the file of its edges, which ends "
                        "in .e",
                        source->name);
    RD_TRY(read_properties(source, options, &form.undirected, err));
    return rd__edge_list_read(source, options, &form, graph, err);
}
