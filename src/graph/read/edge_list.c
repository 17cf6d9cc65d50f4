/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edge_list.c - lines of "u v" or "u v w": the readers el and wel (GAP benchmark suite: vertices are numbered from 0
 * and keep their numbers) and snap (numbers are names: they may be sparse and large, and are renumbered by their
 * order).
 *
 * Lines that start with '#' or '%' are comments. The first edge decides whether there are weights; later lines must
 * agree. The number of vertices is only known at the end, so edges wait in a bag that is then poured into a builder.
 *
 * snap: each thread gives the ids it meets numbers of its own (ids.h) and keeps edges in these numbers; at the end all
 * ids are merged and sorted, and pouring translates. So an edge costs 8 bytes here too, however large the ids.
 */
#include "graph/read/ids.h"
#include "graph/read/reader.h"
#include "graph/read/token.h"

#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

struct edge_list {
    rd__bag bag;
    rd__ids *ids; /* one a thread for snap, else NULL */
    int weighted;
    rd__weight_use weights;
    atomic_uint most; /* highest vertex number */
    atomic_ullong edges;
};

/* An id that was met lately, and this thread's number for it: lists tend to give all edges of a vertex in one go. */
struct recent {
    uint64_t id;
    uint32_t number;
    int known;
};

/* An id of any size, to this thread's number for it. */
static int take_name(const char **at, rd__ids *ids, struct recent *recent, uint32_t *number, rd__fault *fault)
{
    uint64_t id = 0;
    if (rd__take_u64(at, &id) != 1)
        return rd__expected(fault, *at, "a vertex number below 10000000000000000000");
    if (!recent->known || recent->id != id)
        *recent = (struct recent){id, rd__ids_number(ids, id), 1};
    *number = recent->number;
    return *number != RD_NONE; /* otherwise no memory: the fault stays empty */
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct edge_list *list = user;
    rd__bag_lane *lane = &list->bag.lane[thread];
    struct recent source = {0}, target = {0};
    uint64_t edges = 0;
    uint32_t most = 0;
    for (const char *at = block->text; at < block->end;) {
        uint32_t u = 0, v = 0;
        int32_t weight = 0;
        at = rd__skip_blanks(at);
        if (*at == '\n' || *at == '#' || *at == '%') {
            at = rd__next_line(at);
            continue;
        }
        if (list->ids) {
            if (!take_name(&at, &list->ids[thread], &source, &u, fault) ||
                !take_name(&at, &list->ids[thread], &target, &v, fault))
                return 0;
        } else {
            if (!rd__take_vertex(&at, 0, RD_VERTEX_MAX - 1, &u, fault) ||
                !rd__take_vertex(&at, 0, RD_VERTEX_MAX - 1, &v, fault))
                return 0;
            most = u > most ? u : most;
            most = v > most ? v : most;
        }
        if (list->weighted && !rd__take_weight(&at, list->weights, &weight, fault))
            return 0;
        if (*at != '\n' && !rd__at_line_end(&at))
            return rd__expected(fault, at, "the end of the line (the first edge has %s)",
                                list->weighted ? "a weight" : "no weight");
        at++;
        edges++;
        if (!rd__bag_add(&list->bag, lane, u, v, weight))
            return 0;
    }
    unsigned seen = atomic_load(&list->most);
    while (seen < most && !atomic_compare_exchange_weak(&list->most, &seen, most))
        ;
    atomic_fetch_add(&list->edges, edges);
    return 1;
}

/* Looks ahead for the first edge. @return how many words it has, or 0 when there is none. */
static int first_columns(const char *head, size_t bytes)
{
    const char *end = head + bytes;
    while (head < end) {
        const char *stop = memchr(head, '\n', (size_t)(end - head));
        stop = stop ? stop : end;
        while (head < stop && (*head == ' ' || *head == '\t' || *head == '\r'))
            head++;
        if (head < stop && *head != '#' && *head != '%') {
            int words = 0, inside = 0;
            for (; head < stop; head++) {
                int blank = *head == ' ' || *head == '\t' || *head == '\r';
                words += !blank && !inside;
                inside = !blank;
            }
            return words;
        }
        head = stop + 1;
    }
    return 0;
}

/* Whether the first line that is not a comment is two or three words and starts with a digit. */
int rd__el_sniff(const char *head, size_t bytes)
{
    const char *end = head + bytes;
    int columns = first_columns(head, bytes);
    while (head < end &&
           (*head == '#' || *head == '%' || *head == '\n' || *head == '\r' || *head == ' ' || *head == '\t')) {
        if (*head == '#' || *head == '%') {
            const char *stop = memchr(head, '\n', (size_t)(end - head));
            if (!stop)
                return 0;
            head = stop;
        }
        head++;
    }
    return head < end && *head >= '0' && *head <= '9' && (columns == 2 || columns == 3);
}

int rd__snap_sniff(const char *head, size_t bytes)
{
    return bytes && *head == '#';
}

/* What the edges will take, judged by the length of the first lines. */
static rd_status expect(const rd__source *source, int weighted, int mirrored, rd_error *err)
{
    size_t bytes;
    const char *head = rd__source_peek(source, &bytes);
    uint64_t lines = 1;
    for (size_t i = 0; i < bytes; i++)
        lines += head[i] == '\n';
    if (!source->size || source->compressed || !bytes)
        return RD_OK;
    return rd__read_fits(source, 0, source->size / (bytes / lines + 1), weighted, mirrored, err);
}

static rd_status parse(rd__text *text, const rd_graph_options *options, int columns, struct edge_list *list,
                       rd_error *err)
{
    size_t bytes;
    const char *head = rd__source_peek(text->source, &bytes);
    int found = first_columns(head, bytes);
    if (bytes == 0)
        return rd__fail(err, RD_EINPUT, "%s: is empty", text->source->name);
    list->weighted = columns ? columns == 3 : found == 3;
    RD_TRY(expect(text->source, list->weighted, options->symmetrize, err));
    RD_TRY(rd__bag_create(&list->bag, 0, list->weighted && (options->weight_max <= 0 || options->keep_weights),
                          options->threads, err));
    RD_TRY(rd__text_blocks(text, &(rd__text_parser){.user = list, .block = parse_block, .what = "reading"}, err));
    if (atomic_load(&list->edges) == 0)
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: the file ends without a single edge", text->source->name,
                        text->line);
    return RD_OK;
}

/* Merges the threads' ids: *map[i] translates the numbers of thread i, *ids are the ids in order. */
static rd_status build_named(struct edge_list *list, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t *names = NULL, vertices = 0;
    uint32_t **map = NULL;
    rd__builder builder = {0};
    rd_status status = rd__ids_merge(list->ids, options->threads, &names, &vertices, &map, err);
    if (status == RD_OK)
        status = rd__builder_create(&builder, (uint32_t)vertices, list->weighted, 0, options, err);
    if (status == RD_OK)
        status = rd__builder_pour(&builder, &list->bag, map, err);
    rd__ids_map_free(map, options->threads);
    if (status == RD_OK)
        return rd__builder_finish(&builder, names, graph, err);
    rd__builder_destroy(&builder);
    rd__array_free(names);
    return status;
}

static rd_status build_plain(struct edge_list *list, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    rd__builder builder;
    uint32_t vertices = atomic_load(&list->most) + 1;
    rd_status status = rd__builder_create(&builder, vertices, list->weighted, 0, options, err);
    if (status == RD_OK)
        status = rd__builder_pour(&builder, &list->bag, NULL, err);
    if (status == RD_OK)
        return rd__builder_finish(&builder, NULL, graph, err);
    rd__builder_destroy(&builder);
    return status;
}

/* columns: 2 or 3, or 0 to go by the first edge. */
static rd_status read_list(rd__source *source, const rd_graph_options *options, int columns, int named,
                           rd_graph **graph, rd_error *err)
{
    struct edge_list list = {.weights = rd__weight_use_of(options)};
    rd__text text;
    if (named) {
        list.ids = rd__calloc(options->threads, sizeof *list.ids);
        if (!list.ids)
            return rd__fail_memory(err, "vertex names", options->threads * sizeof *list.ids);
    }
    rd__text_init(&text, source, options);
    rd_status status = parse(&text, options, columns, &list, err);
    rd__text_free(&text);
    double start = rd_now();
    if (status == RD_OK)
        status = named ? build_named(&list, options, graph, err) : build_plain(&list, options, graph, err);
    if (status == RD_OK)
        (*graph)->times.build_s = rd_now() - start;
    rd__bag_destroy(&list.bag);
    for (unsigned i = 0; list.ids && i < options->threads; i++)
        rd__ids_free(&list.ids[i]);
    rd__free(list.ids);
    return status;
}

rd_status rd__el_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    /* a file that is called .el and has weights is taken as it is, unless el was asked for by name */
    return read_list(source, options, options->format ? 2 : 0, 0, graph, err);
}

rd_status rd__wel_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_list(source, options, 3, 0, graph, err);
}

rd_status rd__snap_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return read_list(source, options, 0, 1, graph, err);
}
