/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readers.c - the table of readers, and which of them a file is for: the one that options name; else the one whose
 * sniff knows the first bytes; else the one whose suffix the name has (after .gz, .zst, .bz2 or .xz is taken off);
 * else, when it starts with '#' or looks like lines of numbers, an edge list.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/part/part.h"
#include "graph/read/reader.h"

#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* name, suffixes, sniff, one line */
#define READER_LIST(X)                                                                                                 \
    X(rdg, ".rdg", rd__rdg_sniff, "Raddle's own binary CSR, mapped into memory")                                       \
    X(mtx, ".mtx .mm", rd__mtx_sniff, "MatrixMarket coordinate: pattern, integer, real")                               \
    X(gr, ".gr", rd__gr_sniff, "DIMACS-9 shortest paths: 'p sp', 'a u v w'")                                           \
    X(col, ".col", rd__col_sniff, "DIMACS colouring: 'p edge', 'e u v'")                                               \
    X(adj, ".adj", rd__adj_sniff, "PBBS and Ligra: AdjacencyGraph, WeightedAdjacencyGraph")                            \
    X(metis, ".graph .metis", NULL, "METIS and DIMACS-10: the neighbours of one vertex a line")                        \
    X(snap, ".txt .snap", NULL, "SNAP edge list: '#' comments, any ids, renumbered in order")                          \
    X(ldbc, ".e .v", NULL, "LDBC Graphalytics: NAME.e, with NAME.v and NAME.properties beside it")                     \
    X(wel, ".wel", NULL, "edge list 'u v w', numbered from 0")                                                         \
    X(el, ".el", NULL, "edge list 'u v', numbered from 0")                                                             \
    X(elh, "", NULL, "edge list, 'u v' or 'u v w', after a line 'VERTICES EDGES'")                                     \
    X(sg, ".sg", NULL, "GAP benchmark suite, binary")                                                                  \
    X(wsg, ".wsg", NULL, "GAP benchmark suite, binary with weights")                                                   \
    X(egr, ".egr", NULL, "ECL suite, binary")

#define DECLARE(name, suffixes, sniff, text)                                                                           \
    rd_status rd__##name##_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err);
READER_LIST(DECLARE)
#undef DECLARE
int rd__rdg_sniff(const char *head, size_t bytes);
int rd__mtx_sniff(const char *head, size_t bytes);
int rd__gr_sniff(const char *head, size_t bytes);
int rd__adj_sniff(const char *head, size_t bytes);
int rd__col_sniff(const char *head, size_t bytes);
int rd__snap_sniff(const char *head, size_t bytes);
int rd__el_sniff(const char *head, size_t bytes);

#define ROW(name, suffixes, sniff, text) {#name, text, suffixes, sniff, rd__##name##_read},
const rd__reader rd__reader_table[] = {
    READER_LIST(ROW){NULL, NULL, NULL, NULL, NULL},
};
#undef ROW

const rd_name_text *rd_readers(void)
{
#define ROW(name, suffixes, sniff, text) {#name, text},
    static const rd_name_text table[] = {
        READER_LIST(ROW){NULL, NULL},
    };
#undef ROW
    return table;
}

static void list_names(char *out, size_t room)
{
    size_t used = 0;
    out[0] = 0;
    for (const rd__reader *reader = rd__reader_table; reader->name && used < room; reader++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "", reader->name);
}

static int has_suffix(const char *name, size_t length, const char *suffixes)
{
    while (*suffixes) {
        size_t bytes = strcspn(suffixes, " ");
        if (length > bytes && strncasecmp(name + length - bytes, suffixes, bytes) == 0)
            return 1;
        suffixes += bytes + (suffixes[bytes] == ' ');
    }
    return 0;
}

size_t rd__packed_suffix(const char *name, size_t length)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (has_suffix(name, length, packed[i]))
            return strlen(packed[i]);
    return 0;
}

static const rd__reader *find_by_name(const char *name)
{
    size_t length = strlen(name);
    length -= rd__packed_suffix(name, length);
    for (const rd__reader *reader = rd__reader_table; reader->name; reader++)
        if (reader->suffixes && has_suffix(name, length, reader->suffixes))
            return reader;
    return NULL;
}

static const rd__reader *find_by_format(const char *format)
{
    for (const rd__reader *reader = rd__reader_table; reader->name; reader++)
        if (strcmp(reader->name, format) == 0)
            return reader;
    return NULL;
}

/* Files that people will try and that we do not read: better told by name than as bad numbers. Binary formats without a
 * magic number are left out when the name claims a format of ours. */
static const char *known_stranger(const char *head, size_t bytes, int named)
{
    static const struct {
        const char *start, *text;
    } stranger[] = {
        {"PK\x03\x04", "a zip archive; unpack it first"},
        {"<?xml", "XML (GraphML, GEXF); write it as .el or .mtx first"},
        {"graph [", "GML; write it as .el or .mtx first"},
        {"digraph", "Graphviz; write it as .el or .mtx first"},
        {"\x89HDF", "HDF5; write it as .el or .mtx first"},
        {"\x93NUMPY", "a NumPy array; write it as .el or .mtx first"},
    };
    for (size_t i = 0; i < sizeof stranger / sizeof *stranger; i++) {
        size_t length = strlen(stranger[i].start);
        if (bytes >= length && memcmp(head, stranger[i].start, length) == 0)
            return stranger[i].text;
    }
    /* Galois: version 1 or 2, then the size of an edge's data, as little-endian 64-bit words */
    static const char zeros[7];
    if (!named && bytes >= 32 && (head[0] == 1 || head[0] == 2) && memcmp(head + 1, zeros, 7) == 0 &&
        memcmp(head + 9, zeros, 7) == 0)
        return "a Galois binary graph (.gr); convert it with Galois' graph-convert, to an edge list for example";
    return NULL;
}

rd_status rd__reader_named(const char *format, const rd__reader **found, rd_error *err)
{
    char names[256];
    *found = find_by_format(format);
    if (*found)
        return RD_OK;
    list_names(names, sizeof names);
    return rd__fail(err, RD_EARG, "there is no format '%.40s' to read; there are: %s", format, names);
}

static rd_status find_reader(const rd__source *source, const char *format, const rd__reader **found, rd_error *err)
{
    static const char utf8_mark[] = "\xef\xbb\xbf";
    char names[256];
    size_t bytes;
    const char *head = rd__source_peek(source, &bytes);
    list_names(names, sizeof names);
    if (format)
        return rd__reader_named(format, found, err);
    if (bytes == 0)
        return rd__fail(err, RD_EINPUT, "%s: is empty", source->name);
    if (bytes > 3 && memcmp(head, utf8_mark, 3) == 0) { /* text, as it seems: what comes after the mark tells more */
        head += 3;
        bytes -= 3;
    }
    for (const rd__reader *reader = rd__reader_table; reader->name; reader++) {
        if (reader->sniff && reader->sniff(head, bytes)) {
            *found = reader;
            return RD_OK;
        }
    }
    *found = find_by_name(source->name);
    const char *stranger = known_stranger(head, bytes, *found && strcmp((*found)->name, "gr") != 0);
    if (stranger)
        return rd__fail(err, RD_EINPUT, "%s: is not a format raddle reads: it is %s", source->name, stranger);
    if (!*found && rd__snap_sniff(head, bytes))
        *found = find_by_format("snap");
    if (!*found && rd__el_sniff(head, bytes))
        *found = find_by_format("el");
    if (!*found)
        return rd__fail(err, RD_EINPUT,
                        "%s: neither its content nor its name tells what format it has; name one with --format: %s",
                        source->name, names);
    return RD_OK;
}

rd_status rd__read_fits(const rd__source *source, uint64_t vertices, uint64_t edges, int weighted, int mirrored,
                        uint32_t ranks, rd_error *err)
{
    char what[300];

    if (edges > UINT64_MAX / 64)
        edges = UINT64_MAX / 64;
    snprintf(what, sizeof what, "reading %.200s", source->name);
    vertices /= ranks;
    edges /= ranks;
    return rd__memory_expect(8 * (vertices + 1) + edges * (weighted ? 12 : 8) * (mirrored ? 2 : 1), what, err);
}

rd_status rd__graph_read(rd__source *source, const char *path, const rd_graph_options *options, rd_graph **graph,
                         rd_error *err)
{
    const rd__reader *reader;
    double start = rd_now();
    *graph = NULL;
    RD_TRY(find_reader(source, options->format, &reader, err));
    if (path && source->size && !source->compressed && strcmp(reader->name, "rdg") == 0)
        RD_TRY(rd__rdg_map(source->fd, path, source->size, options, graph, err));
    else
        RD_TRY(reader->read(source, options, graph, err));
    if (!(*graph)->part && rd__options_share(options)) /* the rest is done to the part alone */
        RD_TRY(rd__part_cut(graph, options->ranks, err));
    double read_s = rd_now() - start - (*graph)->times.build_s;
    start = rd_now();
    rd_status status;
    if ((*graph)->provenance) { /* an .rdg remembers where it came from */
        char *from = (*graph)->provenance;
        (*graph)->provenance = NULL;
        status = rd__graph_finish(*graph, options, from, 0, err);
        rd__free(from);
    } else {
        size_t room = strlen(source->name) + strlen(reader->name) + 16;
        char *from = rd__malloc(room);
        if (from) {
            snprintf(from, room, "%s (%s)", source->name, reader->name);
            status = rd__graph_finish(*graph, options, from, 1, err);
            rd__free(from);
        } else {
            status = rd__fail_memory(err, "the provenance of a graph", room);
        }
    }
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
        return status;
    }
    (*graph)->times.read_s = read_s;
    (*graph)->times.build_s += rd_now() - start;
    return RD_OK;
}
