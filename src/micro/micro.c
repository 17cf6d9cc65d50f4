/* SPDX-License-Identifier: Apache-2.0 */
/*
 * micro.c - the microbenchmarks of raddle.h, section 6. A run launches one kernel of selftest/barrier.k.c and times it.
 * From the time of barriers that of a launch without any is taken off, which leaves neither launch nor discovery. They
 * are then proved by a shorter launch that checks each of them, so that the check does not show in the time. Discovery
 * proves itself by what it leaves behind.
 */
#include "micro/embree.h"
#include "micro/grid.h"

#include "core/memory.h"

#include <string.h>

enum { CHECKED_ROUNDS = 200, LAUNCHES = 1000, DISCOVER_MORE = 4, EMBREE_SIDE = 1024 };

static const rd_name_text micros[] = {
    {"barrier/flags", "global barrier: a master watches a flag a group"},
    {"barrier/counter", "global barrier: an arrival word and a generation word"},
    {"barrier/word", "global barrier: one word, as CUDA's grid sync"},
    {"barrier/tree", "global barrier: as word, but groups gather on branches first"},
    {"launch", "launches of an empty kernel, back to back"},
    {"discovery/tickets", "occupancy discovery with a ticket mutex"},
    {"discovery/spin", "occupancy discovery with a spin mutex"},
    {"discovery/destruct", "occupancy discovery with a mutex that destroys itself"},
    {"discovery/counter", "occupancy discovery without mutex"},
    {NULL, NULL},
};
/* No parts of this library, so not in the list. */
static const rd_name_text peers[] = {
    {"embree/single", "a peer of ray: Embree's primary rays, one by one"},
    {"embree/packets", "a peer of ray: Embree's primary rays, in packets"},
    {NULL, NULL},
};

static const struct {
    const char *name;
    uint32_t kind;
} kinds[] = {{"tickets", RD_DISCOVERY_TICKETS},
             {"spin", RD_DISCOVERY_SPIN},
             {"destruct", RD_DISCOVERY_DESTRUCT},
             {"counter", RD_DISCOVERY_COUNTER}};

struct rd_micro {
    rd__grid grid;
    rd__embree *embree; /* NULL: not this one */
    const char *name;
    rd_micro_options options;
};

const rd_name_text *rd_micros(void)
{
    return micros;
}

/* What follows prefix in the name, or NULL. */
static const char *after(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

rd_status rd_micro_open(rd_device *device, const char *name, const rd_micro_options *options, rd_micro **out,
                        rd_error *err)
{
    static const rd_micro_options defaults = {.size = sizeof defaults};
    const rd_name_text *entry = micros;
    *out = NULL;
    options = options ? options : &defaults;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_micro_options.size is %zu, this library's is %zu", options->size,
                        sizeof *options);
    while (entry->name && name && strcmp(entry->name, name) != 0)
        entry++;
    for (const rd_name_text *peer = peers; !entry->name && name && peer->name; peer++)
        entry = strcmp(peer->name, name) == 0 ? peer : entry;
    if (!device || !name || !entry->name)
        return rd__fail(err, RD_EARG, "there is no microbenchmark '%s'; rd_micros() has them", name ? name : "(null)");
    rd_micro *micro = rd__calloc(1, sizeof *micro);
    if (!micro)
        return rd__fail_memory(err, "a microbenchmark", sizeof *micro);
    micro->name = entry->name;
    micro->options = *options;
    const char *peer = after(micro->name, "embree/");
    rd_status status = peer ? rd__embree_open(device, options->input ? options->input : "flake:3",
                                              options->count ? options->count : EMBREE_SIDE,
                                              strcmp(peer, "packets") == 0, &micro->embree, err)
                            : rd__grid_load(&micro->grid, device, options->lanes, err);
    if (status != RD_OK) {
        rd_micro_close(micro);
        return status;
    }
    *out = micro;
    return RD_OK;
}

void rd_micro_close(rd_micro *micro)
{
    if (!micro)
        return;
    if (micro->grid.device)
        rd__grid_close(&micro->grid);
    rd__embree_close(micro->embree);
    rd__free(micro);
}

/* ---- Running ---- */

static uint32_t wanted_groups(const rd_micro *micro)
{
    return micro->options.per_unit * micro->grid.device->info.compute_units;
}

static rd_status run_barrier(rd_micro *micro, const char *form, rd_micro_report *report, rd_error *err)
{
    uint32_t out[BARRIER_OUT];
    rd__grid_times times, without;
    const rd_device *device = micro->grid.device;
    const uint32_t usual = rd__grid_slow(device) || (micro->grid.lanes > 1 && !device->info.is_gpu) ? 1000 : 10000;
    const uint32_t rounds = micro->options.count ? micro->options.count : usual;
    RD_TRY(rd__grid_rounds(&micro->grid, form, wanted_groups(micro), rounds, 0, out, &times, err));
    RD_TRY(rd__grid_verdict(&micro->grid, form, out, err));
    report->count = rounds;
    report->groups = out[BARRIER_COUNT];
    RD_TRY(rd__grid_rounds(&micro->grid, form, wanted_groups(micro), 0, 0, out, &without, err));
    report->kernel_s = times.kernel_s > without.kernel_s ? times.kernel_s - without.kernel_s : 0;
    report->total_s = times.total_s > without.total_s ? times.total_s - without.total_s : 0;
    RD_TRY(rd__grid_rounds(&micro->grid, form, wanted_groups(micro), CHECKED_ROUNDS, 1, out, &without, err));
    return rd__grid_verdict(&micro->grid, form, out, err);
}

static rd_status run_launches(rd_micro *micro, rd_micro_report *report, rd_error *err)
{
    rd__grid_times times;
    report->count = micro->options.count ? micro->options.count : LAUNCHES;
    RD_TRY(
        rd__grid_launches(&micro->grid, wanted_groups(micro), (uint32_t)report->count, &report->groups, &times, err));
    report->kernel_s = times.kernel_s;
    report->total_s = times.total_s;
    return RD_OK;
}

/* Launches several times more groups than fit. */
static rd_status run_discovery(rd_micro *micro, const char *how, rd_micro_report *report, rd_error *err)
{
    rd__grid_times times;
    const rd_device_info *info = &micro->grid.device->info;
    rd__grid_poll poll = {.kernel = micro->options.large_local ? "discover_large" : "discover", .meetings = 1};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, how) == 0)
            poll.kind = kinds[i].kind;
    poll.delay = rd__grid_delay(micro->grid.device, poll.kind);
    RD_TRY(rd__grid_bound(&micro->grid, poll.kernel, &report->bound, err));
    const uint32_t fit = report->bound ? report->bound : info->compute_units * (2048 / micro->grid.lanes);
    poll.groups = DISCOVER_MORE * (fit ? fit : 1);
    RD_TRY(rd__grid_discover(&micro->grid, &poll, &report->groups, &times, err));
    if (report->bound && report->groups > report->bound)
        return rd__fail(err, RD_EWRONG, "discovery found %u groups, of which %u fit", report->groups, report->bound);
    report->kernel_s = times.kernel_s;
    report->total_s = times.total_s;
    report->count = report->groups;
    return RD_OK;
}

rd_status rd_micro_run(rd_micro *micro, rd_micro_report *report, rd_error *err)
{
    const char *form = after(micro->name, "barrier/"), *how = after(micro->name, "discovery/");
    *report = (rd_micro_report){.lanes = micro->grid.lanes};
    if (micro->embree) {
        RD_TRY(rd__embree_run(micro->embree, &report->kernel_s, &report->count, err));
        report->total_s = report->kernel_s;
        return RD_OK;
    }
    if (form)
        return run_barrier(micro, form, report, err);
    if (how)
        return run_discovery(micro, how, report, err);
    return run_launches(micro, report, err);
}
