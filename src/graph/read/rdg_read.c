/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdg_read.c - .rdg (rdg.h): mapped when it is a plain file, read when it comes through a pipe or a decompressor.
 * Nothing in the file is trusted: sizes and places are checked against the header's sum and the file's size, offsets
 * and targets in full.
 */
#define _DEFAULT_SOURCE
#include "graph/part/part.h"
#include "graph/rdg.h"
#include "graph/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

int rd__rdg_sniff(const char *head, size_t bytes)
{
    return bytes >= 8 && memcmp(head, RD_RDG_MAGIC, 8) == 0;
}

/* size 0: not known. */
static rd_status check_header(const rd__rdg_header *header, const char *name, uint64_t size, rd_error *err)
{
    if (memcmp(header->magic, RD_RDG_MAGIC, sizeof header->magic) != 0)
        return rd__fail(err, RD_EINPUT, "%s: is not an .rdg file: it does not start with its magic number", name);
    if (header->order == 0x04030201u)
        return rd__fail(err, RD_EINPUT,
                        "%s: was written on a machine of the other byte order; convert it there to .mtx", name);
    if (header->order != RD_RDG_ORDER)
        return rd__fail(err, RD_EINPUT, "%s: the header of this .rdg file is damaged (byte order mark %08" PRIx32 ")",
                        name, header->order);
    if (header->version != RD_RDG_VERSION)
        return rd__fail(err, RD_EINPUT, "%s: is .rdg version %" PRIu32 ", and this raddle reads version %u", name,
                        header->version, RD_RDG_VERSION);
    if (header->header_sum != rd__rdg_header_sum(header))
        return rd__fail(err, RD_EINPUT, "%s: the header of this .rdg file is damaged: its checksum does not match",
                        name);
    /* A right checksum proves that somebody wrote this, not that it makes sense. */
    rd__rdg_header placed = *header;
    if (header->flags & ~RD_RDG_FLAGS || header->vertices > RD_VERTEX_MAX || header->edges > UINT64_MAX / 64 ||
        header->text_bytes > 1 << 20)
        return rd__fail(err, RD_EINPUT,
                        "%s: the header of this .rdg file makes no sense (flags %" PRIx32 ", %" PRIu32
                        " vertices, %" PRIu64 " edges)",
                        name, header->flags, header->vertices, header->edges);
    rd__rdg_place(&placed);
    if (memcmp(&placed, header, sizeof placed) != 0)
        return rd__fail(err, RD_EINPUT,
                        "%s: the header of this .rdg file makes no sense: its sections are not where they must be",
                        name);
    if (size && size < header->file_bytes)
        return rd__fail(err, RD_EINPUT,
                        "%s: has %" PRIu64 " bytes of the %" PRIu64 " that its header tells: it is truncated", name,
                        size, header->file_bytes);
    return RD_OK;
}

static rd_status verify(const rd_graph *graph, const rd__rdg_header *header, const char *name, rd_error *err)
{
    if (rd__rdg_content_sum(graph) != header->content_sum)
        return rd__fail(err, RD_EINPUT, "%s: the content of this .rdg file is damaged: its checksum does not match",
                        name);
    rd_csr csr = rd_graph_csr(graph);
    if (graph->symmetric && !rd__csr_is_symmetric(&csr, graph->threads))
        return rd__fail(err, RD_EINPUT, "%s: says that it is symmetric, but some edge has no reverse", name);
    return RD_OK;
}

/* Of ranks that make a graph each looks at what is its own. */
static rd_status check_arrays(const rd_graph *graph, const char *name, const rd_graph_options *options, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    uint32_t first = 0, last = csr.vertices;
    RD_TRY(rd__csr_check_rows(&csr, graph->threads, name, err));
    if (rd__options_share(options))
        RD_TRY(rd__blocks_own(&csr, options->ranks, &first, &last, err));
    return rd__csr_check_targets(&csr, first, last, 1, graph->threads, name, err);
}

/* The graph's arrays are in place: checks them, applies the options. */
static rd_status complete(rd_graph **graph, const rd__rdg_header *header, const char *text, const char *name,
                          const rd_graph_options *options, rd_error *err)
{
    rd_graph *made = *graph;
    made->symmetric = (header->flags & RD_RDG_SYMMETRIC) != 0;
    made->real = (header->flags & RD_RDG_REAL) != 0;
    made->first = header->flags & RD_RDG_IDS ? 0 : (header->flags & RD_RDG_FROM_ONE) != 0;
    char *provenance = rd__malloc((size_t)header->text_bytes + 1);
    if (!provenance)
        return rd__fail_memory(err, "the provenance of a graph", header->text_bytes + 1);
    memcpy(provenance, text, (size_t)header->text_bytes);
    provenance[header->text_bytes] = 0;
    rd_status status = check_arrays(made, name, options, err);
    if (status == RD_OK && options->verify)
        status = verify(made, header, name, err);
    if (status == RD_OK)
        status = rd__graph_rebuild(graph, options, err);
    if (status == RD_OK)
        (*graph)->provenance = provenance;
    else
        rd__free(provenance);
    return status;
}

rd_status rd__rdg_map(int fd, const char *path, uint64_t size, const rd_graph_options *options, rd_graph **graph,
                      rd_error *err)
{
    if (size < sizeof(rd__rdg_header))
        return rd__fail(err, RD_EINPUT,
                        "%s: has %" PRIu64 " bytes, fewer than the header of an .rdg file: it is truncated", path,
                        size);
    char *map = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return rd__fail(err, errno == ENOMEM ? RD_ENOMEM : RD_EIO, "%s: cannot be mapped: %s", path, strerror(errno));
    rd__rdg_header header;
    memcpy(&header, map, sizeof header);
    rd_status status = check_header(&header, path, size, err);
    if (status == RD_OK)
        status = rd__graph_new(header.vertices, header.edges, NULL, NULL, NULL, options->threads, graph, err);
    if (status != RD_OK) {
        munmap(map, (size_t)size);
        return status;
    }
    rd_graph *made = *graph;
    made->map = map;
    made->map_bytes = (size_t)size;
    made->row = (uint64_t *)(void *)(map + header.row_at);
    made->col = (uint32_t *)(void *)(map + header.col_at);
    made->weight = header.weight_at ? (int32_t *)(void *)(map + header.weight_at) : NULL;
    made->ids = header.ids_at ? (uint64_t *)(void *)(map + header.ids_at) : NULL;
    status = complete(graph, &header, map + header.text_at, path, options, err);
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}

/* Reads an array of count items, and the padding before it. */
static rd_status take(rd__source *source, uint64_t *at, uint64_t from, void *out_pointer, const char *what,
                      uint64_t count, size_t size, rd_error *err)
{
    char padding[RD_RDG_ALIGN];
    const size_t gap = (size_t)(from - *at);
    size_t skipped;
    uint64_t got = UINT64_MAX;
    RD_TRY(rd__source_read(source, padding, gap, &skipped, err));
    if (skipped == gap)
        RD_TRY(rd__source_array(source, out_pointer, what, count, size, &got, err));
    if (got != count * size)
        return rd__fail(err, RD_EINPUT,
                        "%s: ends before the byte %" PRIu64 " that its header tells of: it is truncated", source->name,
                        from + count * size);
    *at = from + count * size;
    return RD_OK;
}

static rd_status read_arrays(rd__source *source, const rd__rdg_header *header, rd_graph *graph, char **text,
                             rd_error *err)
{
    uint64_t n = header->vertices, m = header->edges, at = sizeof *header;
    RD_TRY(rd__memory_expect(header->file_bytes, "the graph", err));
    RD_TRY(take(source, &at, header->row_at, &graph->row, "the row offsets of the graph", n + 1, 8, err));
    RD_TRY(take(source, &at, header->col_at, &graph->col, "the edges of the graph", m, 4, err));
    if (header->weight_at)
        RD_TRY(take(source, &at, header->weight_at, &graph->weight, "the weights of the graph", m, 4, err));
    if (header->ids_at)
        RD_TRY(take(source, &at, header->ids_at, &graph->ids, "the original vertex numbers", n, 8, err));
    return take(source, &at, header->text_at, text, "the provenance of a graph", header->text_bytes, 1, err);
}

rd_status rd__rdg_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd__rdg_header header;
    size_t got;
    RD_TRY(rd__source_read(source, &header, sizeof header, &got, err));
    if (got < sizeof header)
        return rd__fail(err, RD_EINPUT, "%s: has %zu bytes, fewer than the header of an .rdg file: it is truncated",
                        source->name, got);
    RD_TRY(check_header(&header, source->name, source->compressed ? 0 : source->size, err));
    char *text = NULL;
    rd_status status = rd__graph_new(header.vertices, header.edges, NULL, NULL, NULL, options->threads, graph, err);
    if (status == RD_OK)
        status = read_arrays(source, &header, *graph, &text, err);
    if (status == RD_OK)
        status = complete(graph, &header, text, source->name, options, err);
    rd__array_free(text);
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}
