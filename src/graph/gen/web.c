/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web.c - a web crawl: 2^SCALE pages in the order of their hosts, DEGREE links a page on average, by the copying model.
 *
 * Hosts. Their pages follow each other, the first is the home page. Half of the hosts have 4 to 7 pages, and each
 * doubling is half as frequent, so a few hosts have a great part of all pages; the first ones are smaller. One host in
 * CHAIN_HOSTS is a chain of 1 to DEPTH pages, each linked to the one before only, as calendars and long lists are:
 * chains hang from what their home page links to, and make a crawl deep.
 *
 * Links. A page links to its home page, which becomes a hub; its other links go out of the host (1 in 16), home, to any
 * earlier page of the host, or are copied: link s of page v is then link s of an earlier page of the host. So pages
 * share whole lists, and popular pages become more so. Links out of a host go to an earlier page, or to its home page,
 * or half of them are copied from it. None leads into a chain but to its home page.
 *
 * A copied link is followed to where it came from by the draws of that page, as in attach.c, so any thread can tell any
 * link. Only the home page of each page is kept, 4 bytes.
 */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHAIN_HOSTS = 64, LEAST_PAGES = 4, LARGEST_PART = 8 }; /* no host has more than an eighth of the pages */
#define CHAIN 0x80000000u /* of home[]: the host is a chain; so there are at most 2^31 pages */

struct web {
    uint64_t stream, slots; /* links of a page: at most so many */
    uint32_t pages;
    uint32_t *home;
};

/* A draw of page v: link s, or s at `slots` and after for what the page draws once. */
static uint64_t draw(const struct web *web, uint64_t v, uint64_t s)
{
    return rd__draw(rd__mix64(web->stream + v * RD_GOLDEN), s);
}

static uint64_t home_of(const struct web *web, uint64_t v)
{
    return web->home[v] & ~CHAIN;
}

static uint64_t links_of(const struct web *web, uint64_t v)
{
    return web->home[v] & CHAIN ? 1 : 1 + rd__below(draw(web, v, web->slots), web->slots);
}

/* Where link s of the page v leads out of its host, to an earlier one. */
static uint64_t outside(const struct web *web, uint64_t v, uint64_t s)
{
    for (;;) {
        const uint64_t first = home_of(web, v);
        if (first == 0)
            return 0;
        const uint64_t random = draw(web, v, web->slots + 1 + s);
        const uint64_t other = rd__below(random, first);
        if (random & 2)
            return random & 1 || web->home[other] & CHAIN ? home_of(web, other) : other;
        v = other;
    }
}

static uint64_t link_of(const struct web *web, uint64_t v, uint64_t s)
{
    for (;;) {
        const uint64_t first = home_of(web, v), random = draw(web, v, s), pick = random & 15;
        if (v == first)
            return outside(web, v, s);
        if (web->home[v] & CHAIN)
            return v - 1;
        if (s == 0 || (pick >= 1 && pick < 3))
            return first;
        if (pick == 0)
            return outside(web, v, s);
        const uint64_t earlier = first + rd__below(random, v - first);
        if (pick < 8)
            return earlier;
        v = earlier;
    }
}

static int draw_links(const void *arg, rd__builder *builder, unsigned lane, uint64_t from, uint64_t to)
{
    const struct web *web = arg;
    for (uint64_t i = from; i < to; i++) {
        const uint64_t v = i / web->slots, s = i % web->slots;
        if (s < links_of(web, v) && !rd__builder_add(builder, lane, (uint32_t)v, (uint32_t)link_of(web, v, s), 0))
            return 0;
    }
    return 1;
}

/* One host after another. Not shared out: a host starts where the one before it ends. */
static void place_hosts(const struct web *web, uint64_t depth)
{
    const uint64_t hosts = rd__mix64(web->stream ^ RD_GOLDEN);
    for (uint64_t host = 0, v = 0; v < web->pages; host++) {
        /* nor more than half as many as all before it, or all that follow would link to one of the first */
        const uint64_t most = LEAST_PAGES + (v / 2 < web->pages / LARGEST_PART ? v / 2 : web->pages / LARGEST_PART);
        const uint64_t random = rd__draw(hosts, host), chain = host && rd__draw(hosts, ~host) % CHAIN_HOSTS == 0;
        uint64_t octave = LEAST_PAGES, first = v;
        for (uint64_t coins = random; coins & 1 && octave < most; coins >>= 1)
            octave *= 2;
        const uint64_t pages = octave + rd__below(random, octave);
        uint64_t size = chain ? 1 + rd__below(random, depth) : pages < most ? pages : most;
        for (; size && v < web->pages; size--)
            web->home[v++] = (uint32_t)first | (chain ? CHAIN : 0);
    }
}

rd_status rd__gen_web(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t edges, depth;
    unsigned scale;
    struct web web = {.stream = rd__stream(options->seed, "web")};
    RD_TRY(rd__draw_sizes(args, "web", 8, options, &scale, &edges, err));
    RD_TRY(rd__gen_number(args, 2, "DEPTH", 1, RD_VERTEX_MAX, 64, &depth, err));
    snprintf(args->source, sizeof args->source, "web:%u:%" PRIu64 ":%" PRIu64 " seed=%" PRIu64, scale, edges >> scale,
             depth, options->seed);
    web.pages = 1u << scale;
    web.slots = 2 * (edges >> scale) - 1; /* 1 .. 2 DEGREE - 1 links, evenly: DEGREE on average */
    RD_TRY(rd__array_new(&web.home, "the hosts of the pages", web.pages, sizeof *web.home, err));
    place_hosts(&web, depth);
    const rd_status status = rd__draw_build(web.pages, web.pages * web.slots, draw_links, &web, options, graph, err);
    rd__array_free(web.home);
    return status;
}
