/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edge_list.c - lines of "u v" or "u v w": the readers el and wel (GAP benchmark suite: vertices are numbered from 0
 * and keep their numbers) and snap (numbers are names: they may be sparse and large, and are renumbered by their
 * order).
 *
 * Lines that start with '#' or '%' are comments. The first edge decides whether there are weights; later lines must
 * agree. The number of vertices is only known at the end, so edges wait in a bag that is then poured into a builder.
 *
 * Many lists begin with a line "n m", the numbers of vertices and edges. It looks like an edge, so it is put aside and
 * judged at the end: when m lines followed and no number is above n it is a header, and the log says so; else it is an
 * edge like others. Where n is a vertex, the numbers under a header are 1 to n, unless there is a 0: then it is none. A
 * format that was asked for by name is taken at its word: el, wel and snap have no header, elh has.
 *
 * snap: each thread gives the ids it meets numbers of its own (ids.h) and keeps edges in these numbers; at the end all
 * ids are merged and sorted, and pouring translates. So an edge costs 8 bytes here too, however large the ids.
 * Ranks that share the list keep ids in their edges until all together know the numbers (raw.h).
 */
#include "graph/read/edge_list.h"
#include "graph/read/raw.h"
#include "graph/read/token.h"

#include "core/log.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

struct edge_list {
    rd__bag bag;
    int named;    /* numbers are names: */
    rd__ids *ids; /* one a thread, or NULL: */
    rd__raw raw;  /* of ranks that share the list */
    int weighted;
    rd__weight_use weights;
    atomic_ullong most; /* highest vertex number */
    atomic_ullong edges;
    atomic_int zero;   /* some vertex is called 0 */
    int has_first;     /* the first line was put aside: */
    uint64_t first[2]; /* its numbers */
    uint64_t first_line;
    uint64_t promised; /* vertices, when it turned out to be a header */
    int from_one;      /* and they are 1 to n */
};

/* An id that was met lately, and this thread's number for it: lists tend to give all edges of a vertex in one go. */
struct recent {
    uint64_t id;
    uint32_t number;
    int known;
};

/* An id of any size. */
static int take_id(const char **at, uint64_t *id, uint64_t *most, rd__fault *fault)
{
    if (rd__take_u64(at, id) != 1)
        return rd__expected(fault, *at, "a vertex number below 10000000000000000000");
    *most = *id > *most ? *id : *most;
    return 1;
}

/* To this thread's number for it. */
static int take_name(const char **at, rd__ids *ids, struct recent *recent, uint32_t *number, uint64_t *most,
                     rd__fault *fault)
{
    uint64_t id = 0;
    if (!take_id(at, &id, most, fault))
        return 0;
    if (!recent->known || recent->id != id)
        *recent = (struct recent){id, rd__ids_number(ids, id), 1};
    *number = recent->number;
    return *number != RD_NONE; /* otherwise no memory: the fault stays empty */
}

static int parse_block(void *user, unsigned thread, const rd__block *block, rd__fault *fault)
{
    struct edge_list *list = user;
    rd__bag_lane *lane = list->raw.lane ? NULL : &list->bag.lane[thread];
    struct recent source = {0}, target = {0};
    uint64_t edges = 0, most = 0;
    int zero = 0;
    for (const char *at = block->text; at < block->end;) {
        uint32_t u = 0, v = 0;
        uint64_t end[2] = {0, 0};
        int32_t weight = 0;
        at = rd__skip_blanks(at);
        if (*at == '\n' || *at == '#' || *at == '%') {
            at = rd__next_line(at);
            continue;
        }
        if (list->ids) {
            if (!take_name(&at, &list->ids[thread], &source, &u, &most, fault) ||
                !take_name(&at, &list->ids[thread], &target, &v, &most, fault))
                return 0;
        } else if (list->named) {
            if (!take_id(&at, &end[0], &most, fault) || !take_id(&at, &end[1], &most, fault))
                return 0;
        } else {
            if (!rd__take_vertex(&at, 0, RD_VERTEX_MAX - 1, &u, fault) ||
                !rd__take_vertex(&at, 0, RD_VERTEX_MAX - 1, &v, fault))
                return 0;
            most = u > most ? u : most;
            most = v > most ? v : most;
            zero |= u == 0 || v == 0;
        }
        if (list->weighted && !rd__take_weight(&at, list->weights, &weight, fault))
            return 0;
        if (*at != '\n' && !rd__at_line_end(&at))
            return rd__expected(fault, at, "the end of the line (the first edge has %s)",
                                list->weighted ? "a weight" : "no weight");
        at++;
        edges++;
        if (!(list->raw.lane ? rd__raw_add(&list->raw, thread, end[0], end[1], weight)
                             : rd__bag_add(&list->bag, lane, u, v, weight)))
            return 0;
    }
    unsigned long long seen = atomic_load(&list->most);
    while (seen < most && !atomic_compare_exchange_weak(&list->most, &seen, most))
        ;
    atomic_fetch_add(&list->edges, edges);
    if (zero)
        atomic_store_explicit(&list->zero, 1, memory_order_relaxed); /* who joins the threads reads it */
    return 1;
}

/* Looks ahead for the first edge, or the one after `skip` others. @return how many words it has, or 0 when there is
 * none. */
static int first_columns(const char *head, size_t bytes, int skip)
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
            if (skip-- == 0)
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
    int columns = first_columns(head, bytes, 0);
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
static rd_status expect(const rd__source *source, int weighted, int mirrored, uint32_t ranks, rd_error *err)
{
    size_t bytes;
    const char *head = rd__source_peek(source, &bytes);
    uint64_t lines = 1;
    for (size_t i = 0; i < bytes; i++)
        lines += head[i] == '\n';
    if (!source->size || source->compressed || !bytes)
        return RD_OK;
    return rd__read_fits(source, 0, source->size / (bytes / lines + 1), weighted, mirrored, ranks, err);
}

/* Is the first line two numbers that could be an edge of the list? Then it is to be put aside. Reads nothing. */
static rd_status look_at_first(rd__text *text, rd__list_header header, struct edge_list *list, rd_error *err)
{
    size_t bytes;
    const char *head = rd__source_peek(text->source, &bytes);
    const uint64_t most = list->named ? UINT64_MAX : RD_VERTEX_MAX - 1;
    if (header == RD__HEADER_NO || (header == RD__HEADER_PERHAPS && first_columns(head, bytes, 0) != 2))
        return RD_OK;
    const char *at = head, *end = head + bytes;
    uint64_t lines = 1;
    for (;; lines++) { /* to the first line that is not a comment */
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at >= end || (*at != '\n' && *at != '#' && *at != '%'))
            break;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    char line[64];
    const char *word = line;
    int numbers = stop && (size_t)(stop - at) < sizeof line;
    if (numbers) {
        memcpy(line, at, (size_t)(stop - at));
        line[stop - at] = '\n';
        numbers = rd__take_u64(&word, &list->first[0]) == 1 && rd__take_u64(&word, &list->first[1]) == 1 &&
                  rd__at_line_end(&word) && list->first[0] <= most && list->first[1] <= most;
    }
    if (!numbers)
        return header == RD__HEADER_PERHAPS
                   ? RD_OK
                   : rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: expected the numbers of vertices and edges",
                              text->source->name, lines);
    list->has_first = 1;
    list->first_line = lines;
    return RD_OK;
}

/* The line that was put aside as an edge. @return 0 when there is no memory. */
static int add_first(struct edge_list *list)
{
    const uint64_t n = list->first[0], m = list->first[1];
    if (list->raw.lane)
        return rd__raw_add(&list->raw, 0, n, m, 0);
    const uint32_t u = list->ids ? rd__ids_number(&list->ids[0], n) : (uint32_t)n;
    const uint32_t v = list->ids ? rd__ids_number(&list->ids[0], m) : (uint32_t)m;
    return u != RD_NONE && v != RD_NONE && rd__bag_add(&list->bag, &list->bag.lane[0], u, v, 0);
}

/* Of more_names. */
static int add_vertex(void *user, uint64_t id)
{
    struct edge_list *list = user;
    return list->raw.lane ? rd__raw_add_vertex(&list->raw, id) : rd__ids_number(&list->ids[0], id) != RD_NONE;
}

/* Whether the line that was put aside is a header; if not it becomes an edge. */
static rd_status judge_first(const rd__text *text, rd__list_header header, struct edge_list *list, rd_error *err)
{
    const char *name = text->source->name;
    const uint64_t n = list->first[0], m = list->first[1], edges = atomic_load(&list->edges);
    const uint64_t highest = atomic_load(&list->most);
    const int zero = atomic_load_explicit(&list->zero, memory_order_relaxed); /* of parse_block, whose threads ended */
    const int fits = edges == m && m > 0 && highest <= n && !(zero && highest == n);
    if (!list->has_first)
        return RD_OK;
    if (header == RD__HEADER_YES && !fits)
        return rd__fail(err, RD_EINPUT,
                        "%s:%" PRIu64 ":1: promises %" PRIu64 " vertices and %" PRIu64 " edges; %" PRIu64
                        " edges follow, of vertices up to %" PRIu64 "%s",
                        name, list->first_line, n, m, edges, highest, zero && highest == n ? " and from 0" : "");
    if (fits) {
        if (header == RD__HEADER_PERHAPS)
            rd__log(RD_LOG_WARN,
                    "%s: the first line, '%" PRIu64 " %" PRIu64
                    "', is taken for the numbers of vertices and edges, as so many lines follow; --format %s reads it "
                    "as an edge, --format elh says that it is a header",
                    name, n, m,
                    list->named      ? "snap"
                    : list->weighted ? "wel"
                                     : "el");
        list->promised = n;
        list->from_one = !list->named && highest == n;
        if (list->from_one)
            rd__log(RD_LOG_INFO, "%s: its vertices are 1 to %" PRIu64, name, n);
        return RD_OK;
    }
    if (list->weighted)
        return rd__fail(err, RD_EINPUT,
                        "%s:%" PRIu64 ":1: has no weight, though the lines after it have, and does not fit them as a "
                        "header of vertices and edges",
                        name, list->first_line);
    if (rd_ranks_rank(text->ranks) == 0 && !add_first(list)) /* of ranks that share the text, one */
        return rd__fail_memory(err, "edges", 8);
    const uint64_t more = n > m ? n : m;
    if (more > atomic_load(&list->most))
        atomic_store(&list->most, more);
    atomic_fetch_add(&list->edges, 1);
    return RD_OK;
}

/* What all ranks have met that share the text. */
static rd_status add_up(const rd__text *text, struct edge_list *list, rd_error *err)
{
    uint64_t sum[] = {atomic_load(&list->edges),
                      (uint64_t)atomic_load_explicit(&list->zero, memory_order_relaxed)}; /* threads have ended */
    uint64_t most = atomic_load(&list->most);
    RD_TRY(rd__text_add_up(text, sum, 2, &most, err));
    atomic_store(&list->edges, sum[0]);
    atomic_store_explicit(&list->zero, sum[1] != 0, memory_order_relaxed); /* read by this thread */
    atomic_store(&list->most, most);
    return RD_OK;
}

static rd_status parse(rd__text *text, const rd_graph_options *options, const rd__list_form *form,
                       struct edge_list *list, rd_error *err)
{
    const rd__list_header header = form->header;
    size_t bytes;
    const char *head = rd__source_peek(text->source, &bytes);
    if (bytes == 0)
        return rd__fail(err, RD_EINPUT, "%s: is empty", text->source->name);
    int found = first_columns(head, bytes, 0);
    RD_TRY(look_at_first(text, header, list, err));
    if (list->has_first)
        found = first_columns(head, bytes, 1);
    list->weighted = form->columns ? form->columns == 3 : found == 3;
    RD_TRY(expect(text->source, list->weighted, options->symmetrize || form->undirected, rd_ranks_count(text->ranks),
                  err));
    const int keep = list->weighted && (options->weight_max <= 0 || options->keep_weights);
    RD_TRY(list->named && text->ranks ? rd__raw_create(&list->raw, text->ranks, options->threads, keep, err)
                                      : rd__bag_create(&list->bag, 0, keep, options->threads, err));
    char *aside;
    while (text->line < list->first_line)
        RD_TRY(rd__text_line(text, &aside, err));
    RD_TRY(rd__text_blocks(text, &(rd__text_parser){.user = list, .block = parse_block, .what = "reading"}, err));
    RD_TRY(add_up(text, list, err));
    RD_TRY(judge_first(text, header, list, err));
    if (form->more_names)
        RD_TRY(form->more_names(text->source, options, add_vertex, list, err));
    if (atomic_load(&list->edges) == 0)
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: the file ends without a single edge", text->source->name,
                        text->line);
    return RD_OK;
}

/* Merges the threads' ids: *map[i] translates the numbers of thread i, *ids are the ids in order. */
static rd_status build_named(struct edge_list *list, const rd_graph_options *options, int undirected, rd_graph **graph,
                             rd_error *err)
{
    uint64_t *names = NULL, vertices = 0;
    uint32_t **map = NULL;
    rd__builder builder = {0};
    rd_status status = rd__ids_merge(list->ids, options->threads, &names, &vertices, &map, err);
    if (status == RD_OK)
        status = rd__builder_create(&builder, (uint32_t)vertices, list->weighted, undirected, options, err);
    if (status == RD_OK)
        status = rd__builder_pour(&builder, &list->bag, map, err);
    rd__ids_map_free(map, options->threads);
    if (status == RD_OK)
        return rd__builder_finish(&builder, names, graph, err);
    rd__builder_destroy(&builder);
    rd__array_free(names);
    return status;
}

/* All ranks: the same numbers as above, of which each rank knows some. */
static rd_status build_shared(struct edge_list *list, const rd_graph_options *options, int undirected, rd_graph **graph,
                              rd_error *err)
{
    rd__raw *raw = &list->raw;
    const uint32_t own = rd_ranks_rank(raw->ranks);
    rd__builder builder;
    RD_TRY(rd__raw_number(raw, err));
    RD_TRY(rd__builder_create(&builder, raw->vertices, list->weighted, undirected, options, err));
    const rd_status status = rd__raw_pour(raw, &builder, err);
    if (status != RD_OK) {
        rd__builder_destroy(&builder);
        return status;
    }
    const rd__naming names = {.from = (uint32_t)raw->start[own],
                              .count = (uint32_t)(raw->start[own + 1] - raw->start[own]),
                              .name = raw->name};
    return rd__part_build(&builder, &names, graph, err);
}

/* (*map)[thread][v] is v - 1, the same for all threads. */
static rd_status map_from_one(uint32_t vertices, unsigned threads, uint32_t ***map, rd_error *err)
{
    uint32_t *less;
    RD_TRY(rd__array_new(map, "vertex numbers", threads, sizeof **map, err));
    const rd_status status = rd__array_new(&less, "vertex numbers", vertices + 1ull, sizeof *less, err);
    if (status != RD_OK) {
        rd__array_free(*map);
        *map = NULL;
        return status;
    }
    for (uint64_t v = 0; v <= vertices; v++)
        less[v] = v ? (uint32_t)v - 1 : 0;
    for (unsigned i = 0; i < threads; i++)
        (*map)[i] = less;
    return RD_OK;
}

static rd_status build_plain(struct edge_list *list, const rd_graph_options *options, int shared, rd_graph **graph,
                             rd_error *err)
{
    rd__builder builder = {0};
    uint32_t vertices = (uint32_t)atomic_load(&list->most) + 1, **map = NULL;
    if (list->promised > vertices || list->from_one)
        vertices = (uint32_t)list->promised; /* the last of them have no edges */
    rd_status status = list->from_one ? map_from_one(vertices, options->threads, &map, err) : RD_OK;
    if (status == RD_OK)
        status = rd__builder_create(&builder, vertices, list->weighted, 0, options, err);
    builder.first = (uint32_t)list->from_one;
    if (status == RD_OK)
        status = rd__builder_pour(&builder, &list->bag, map, err);
    if (map)
        rd__array_free(map[0]);
    rd__array_free(map);
    if (status == RD_OK)
        return rd__part_or_whole(&builder, shared, graph, err);
    rd__builder_destroy(&builder);
    return status;
}

rd_status rd__edge_list_read(rd__source *source, const rd_graph_options *options, const rd__list_form *form,
                             rd_graph **graph, rd_error *err)
{
    struct edge_list list = {.weights = rd__weight_use_of(options), .named = form->named};
    rd__text text;
    rd__text_init(&text, source, options);
    rd__text_share(&text);
    if (form->named && !text.ranks) {
        list.ids = rd__calloc(options->threads, sizeof *list.ids);
        if (!list.ids)
            return rd__fail_memory(err, "vertex names", options->threads * sizeof *list.ids);
    }
    rd_status status = parse(&text, options, form, &list, err);
    rd__text_free(&text);
    double start = rd_now();
    if (status == RD_OK)
        status = list.raw.lane ? build_shared(&list, options, form->undirected, graph, err)
                 : form->named ? build_named(&list, options, form->undirected, graph, err)
                               : build_plain(&list, options, text.ranks != NULL, graph, err);
    if (status == RD_OK)
        (*graph)->times.build_s = rd_now() - start;
    rd__bag_destroy(&list.bag);
    rd__raw_destroy(&list.raw);
    for (unsigned i = 0; list.ids && i < options->threads; i++)
        rd__ids_free(&list.ids[i]);
    rd__free(list.ids);
    return status;
}

/* A format that was asked for by name is taken at its word. */
static rd__list_header header_of(const rd_graph_options *options)
{
    if (!options->format)
        return RD__HEADER_PERHAPS;
    return strcmp(options->format, "elh") == 0 ? RD__HEADER_YES : RD__HEADER_NO;
}

rd_status rd__el_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    /* a file that is called .el and has weights is taken as it is, unless el was asked for by name */
    const rd__list_form form = {.columns = options->format ? 2 : 0, .header = header_of(options)};
    return rd__edge_list_read(source, options, &form, graph, err);
}

rd_status rd__wel_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    const rd__list_form form = {.columns = 3, .header = header_of(options)};
    return rd__edge_list_read(source, options, &form, graph, err);
}

rd_status rd__snap_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    const rd__list_form form = {.named = 1, .header = header_of(options)};
    return rd__edge_list_read(source, options, &form, graph, err);
}

rd_status rd__elh_read(rd__source *source, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    const rd__list_form form = {.header = header_of(options)};
    return rd__edge_list_read(source, options, &form, graph, err);
}
