/* SPDX-License-Identifier: Apache-2.0 */
/*
 * micro.c - the microbenchmarks of raddle/micro.h. A run launches one kernel of micro/barrier.k.c and times it.
 * From the time of barriers that of a launch without any is taken off, which leaves neither launch nor discovery. They
 * are then proved by a shorter launch that checks each of them, so that the check does not show in the time. Discovery
 * proves itself by what it leaves behind.
 */
#include "micro/dag.h"
#include "micro/deque.h"
#include "micro/embree.h"
#include "micro/explain.h"
#include "micro/grid.h"
#include "micro/openmp.h"
#include "micro/tokens.h"

#include "core/memory.h"

#include <string.h>

enum { CHECKED_ROUNDS = 200, LAUNCHES = 1000, DISCOVER_MORE = 4, EMBREE_SIDE = 1024, SEARCH_MOST = 1 << 16, FIB = 25 };

static const rd_name_text micros[] = {
    {"barrier/flags", "global barrier: a master watches a flag a group"},
    {"barrier/counter", "global barrier: an arrival word and a generation word"},
    {"barrier/word", "global barrier: one word, as CUDA's grid sync"},
    {"barrier/tree", "global barrier: as word, but groups gather on branches first"},
    {"barrier/resizing", "global barrier of groups that may die and join, while none does"},
    {"launch", "launches of an empty kernel, back to back"},
    {"discovery/tickets", "occupancy discovery with a ticket mutex"},
    {"discovery/spin", "occupancy discovery with a spin mutex"},
    {"discovery/destruct", "occupancy discovery with a mutex that destroys itself"},
    {"discovery/counter", "occupancy discovery without mutex"},
    {"occupancy/search", "how many groups meet without discovery before some wait for ever: found by trying"},
    {"queue/retry-free", "tokens through the shared queue: one fetch-add reserves any number of places"},
    {"queue/an", "the same with a compare-and-swap that may fail, for any number of places"},
    {"queue/cas", "the same with a compare-and-swap for each place"},
    {"deque/lockfree/pop", "lock-free deques: owners pop what is there"},
    {"deque/lockfree/steal", "lock-free deques: half of the workers push, the others steal"},
    {"deque/lockfree/filled", "lock-free deques: owners pop what is there, and all steal"},
    {"deque/lockfree/mixed", "lock-free deques: all workers push, pop and steal"},
    {"deque/lock/pop", "deques with a lock: owners pop what is there"},
    {"deque/lock/steal", "deques with a lock: half of the workers push, the others steal"},
    {"deque/lock/filled", "deques with a lock: owners pop what is there, and all steal"},
    {"deque/lock/mixed", "deques with a lock: all workers push, pop and steal"},
    {"dag/fifo/chain", "task graph: a chain of tasks, each handed over through the shared queue"},
    {"dag/fifo/own", "the same, each run by the worker that made it ready"},
    {"dag/fifo/wide", "task graph: rows of tasks, each waits for two, shared by one queue"},
    {"dag/steal/chain", "task graph: a chain of tasks, each through the worker's deque"},
    {"dag/steal/own", "the same, each run by the worker that made it ready"},
    {"dag/steal/wide", "task graph: rows of tasks, each waits for two, shared by stealing"},
    {"utilisation/20us", "launches of 20 us of work, each followed by a copy of a word: work over time"},
    {"utilisation/200us", "the same with launches of 200 us"},
    {"combine/lane", "atomic additions to one word, one for each lane"},
    {"combine/warp", "the same, one for each warp; where there are none, for each group"},
    {"stride/free", "each lane reads words of its own that follow one another"},
    {"stride/barrier", "the same, and all lanes of a group meet after each word"},
    {NULL, NULL},
};

/* No parts of this library, so not in the list. */
static const rd_name_text peers[] = {
    {"barrier/gridsync", "a peer of the global barrier: cooperative groups' own, on CUDA"},
    {"embree/single", "a peer of ray: Embree's primary rays, one by one"},
    {"embree/packets", "a peer of ray: Embree's primary rays, in packets"},
    {"openmp/fib", "a peer of fork-join: a task of OpenMP for each call"},
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
    rd_device *device; /* held */
    rd__grid grid;
    rd__tokens tokens;   /* queue/...: in place of the grid */
    rd__deques deques;   /* deque/...: likewise */
    rd__dags dags;       /* dag/...: likewise */
    rd__embree *embree;  /* embree/...: likewise */
    rd__openmp *openmp;  /* openmp/...: likewise */
    rd__explain explain; /* utilisation/..., combine/..., stride/...: likewise */
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

static int explains(const char *name)
{
    return after(name, "utilisation/") || after(name, "combine/") || after(name, "stride/");
}

static rd_status open_peer(rd_micro *micro, const rd_device *device, const char *form, rd_error *err)
{
    const rd_micro_options *options = &micro->options;
    if (after(micro->name, "openmp/"))
        return rd__openmp_open(device, options->count ? options->count : FIB, &micro->openmp, err);
    return rd__embree_open(device, options->input ? options->input : "flake:3",
                           options->count ? options->count : EMBREE_SIDE, strcmp(form, "packets") == 0, &micro->embree,
                           err);
}

rd_status rd_micro_open(rd_device *device, const char *name, const rd_micro_options *options, rd_micro **out,
                        rd_error *err)
{
    static const rd_micro_options defaults = {.size = sizeof defaults};
    const rd_name_text *entry = micros;
    if (!out)
        return rd__fail(err, RD_EARG, "rd_micro_open needs a place to put the microbenchmark");
    *out = NULL;
    options = options ? options : &defaults;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_micro_options.size is %zu, this library's is %zu", options->size,
                        sizeof *options);
    while (entry->name && name && strcmp(entry->name, name) != 0)
        entry++;
    for (const rd_name_text *peer = peers; !entry->name && name && peer->name; peer++)
        entry = strcmp(peer->name, name) == 0 ? peer : entry;
    if (!device)
        return rd__fail(err, RD_EARG, "rd_micro_open needs a device");
    if (!name || !entry->name)
        return rd__fail(err, RD_EARG, "there is no microbenchmark '%s'; rd_micros() has them", name ? name : "(null)");
    RD_TRY(rd__device_enter(device, err));
    rd_micro *micro = rd__calloc(1, sizeof *micro);
    if (!micro)
        return rd__device_leave(device, rd__fail_memory(err, "a microbenchmark", sizeof *micro));
    micro->device = device;
    rd__device_hold(device);
    micro->name = entry->name;
    micro->options = *options;
    const char *queue = after(entry->name, "queue/"), *deque = after(entry->name, "deque/");
    const char *peer = after(entry->name, strstr(entry->name, "openmp/") ? "openmp/" : "embree/"),
               *dag = after(entry->name, "dag/");
    const int gridsync = strcmp(entry->name, "barrier/gridsync") == 0;
    rd_status status = queue                   ? rd__tokens_open(&micro->tokens, device, queue, options, err)
                       : deque                 ? rd__deques_load(&micro->deques, device, options->lanes, err)
                       : dag                   ? rd__dags_open(&micro->dags, device, dag, options, err)
                       : peer                  ? open_peer(micro, device, peer, err)
                       : explains(entry->name) ? rd__explain_open(&micro->explain, device, entry->name, options, err)
                       : gridsync              ? rd__grid_load_cuda(&micro->grid, device, options->lanes, err)
                                               : rd__grid_load(&micro->grid, device, options->lanes, err);
    (void)rd__device_leave(device, status);
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
    rd__grid_close(&micro->grid);
    rd__tokens_close(&micro->tokens);
    rd__deques_close(&micro->deques);
    rd__dags_close(&micro->dags);
    rd__embree_close(micro->embree);
    rd__openmp_close(micro->openmp);
    rd__explain_close(&micro->explain);
    rd__device_drop(micro->device);
    rd__free(micro);
}

/* ---- Running ---- */

static uint32_t wanted_groups(const rd_micro *micro)
{
    return micro->options.per_unit * micro->grid.device->info.compute_units;
}

/* What the barriers took: the run less one without any. On a noisy machine, or of a few barriers, that may be nothing
 * or less, and then the whole run is told, which is too much but not absurd. */
static double less(double with, double without)
{
    return with > without ? with - without : with;
}

static rd_status run_barrier(rd_micro *micro, const char *form, rd_micro_report *report, rd_error *err)
{
    uint32_t out[BARRIER_OUT];
    rd__grid_times times, without;
    const rd_device *device = micro->grid.device;
    const uint32_t usual =
        device->caps.slow_wide_compile || (micro->grid.lanes > 1 && !device->info.is_gpu) ? 1000 : 10000;
    const uint32_t rounds = micro->options.count ? micro->options.count : usual;
    RD_TRY(rd__grid_rounds(&micro->grid, form, wanted_groups(micro), rounds, 0, out, &times, err));
    RD_TRY(rd__grid_verdict(&micro->grid, form, out, err));
    report->count = rounds;
    report->groups = out[BARRIER_COUNT];
    RD_TRY(rd__grid_rounds(&micro->grid, form, wanted_groups(micro), 0, 0, out, &without, err));
    report->kernel_s = less(times.kernel_s, without.kernel_s);
    report->total_s = less(times.total_s, without.total_s);
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
    poll.delay = micro->options.delay ? micro->options.delay - 1 : rd__grid_delay(micro->grid.device, poll.kind);
    poll.native = micro->options.native;
    if (poll.native && !micro->grid.device->caps.coresident && !info->is_gpu)
        return rd__fail(err, RD_EARG, "%s does not start lower groups first, as native numbers need",
                        micro->grid.device->info.name);
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

/* The most groups that meet when nobody finds out first who is there, as programs do that assume an occupancy: twice as
 * many again and again until some do not come, then the bound between. Groups that wait in vain are told to leave. */
static rd_status run_search(rd_micro *micro, rd_micro_report *report, rd_error *err)
{
    const rd__grid *grid = &micro->grid;
    const double patience = grid->device->info.is_gpu ? 0.1 : 0.3;
    uint32_t low = 1, high = grid->device->info.compute_units;
    int met = 1;
    rd__grid_times times = {0, 0};
    RD_TRY(rd__grid_bound(&micro->grid, "discover", &report->bound, err));
    while (met && high < SEARCH_MOST) {
        RD_TRY(rd__grid_meet(&micro->grid, high, patience, &met, &times, err));
        report->count++;
        low = met ? high : low;
        high = met ? 2 * high : high;
    }
    while (!met && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        int all;
        RD_TRY(rd__grid_meet(&micro->grid, middle, patience, &all, &times, err));
        report->count++;
        low = all ? middle : low;
        high = all ? high : middle;
    }
    report->groups = low;
    report->total_s = times.total_s;
    return RD_OK;
}

/* Items are numbers; a deque has room for a fixed number of them, and no operation moves more than there are lanes. */
static rd_status run_deque(rd_micro *micro, const char *kind, rd_micro_report *report, rd_error *err)
{
    enum { SHIFT = 10, CPU_ITEMS = 1 << 17, GPU_ITEMS = 1 << 14, FILLED_SHIFT = 16 };
    const rd_device_info *info = &micro->deques.device->info;
    const char *act = strchr(kind, '/') + 1;
    const int steal = strcmp(act, "steal") == 0, filled = strcmp(act, "filled") == 0;
    const int pop = filled || strcmp(act, "pop") == 0; /* nobody pushes */
    const uint32_t burst = micro->options.burst;
    rd__deque_numbers numbers = {0};
    rd__deque_case shape = {.name = act,
                            .shift = pop ? FILLED_SHIFT : SHIFT,
                            .each = micro->options.count ? micro->options.count
                                    : info->is_gpu       ? GPU_ITEMS
                                                         : CPU_ITEMS,
                            .burst = burst          ? burst
                                     : info->is_gpu ? micro->deques.lanes
                                                    : 1,
                            .acts = filled  ? DEQUE_ACT_POP | DEQUE_ACT_STEAL
                                    : pop   ? DEQUE_ACT_POP
                                    : steal ? DEQUE_ACT_PUSH | DEQUE_ACT_STEAL
                                            : DEQUE_ACT_PUSH | DEQUE_ACT_POP | DEQUE_ACT_STEAL,
                            .kind = strncmp(kind, "lock/", 5) == 0 ? DEQUE_BLOCKING : DEQUE_LOCK_FREE};
    shape.groups = micro->options.per_unit * info->compute_units;
    if (micro->options.share > 1)
        shape.groups =
            micro->deques.resident / micro->options.share ? micro->deques.resident / micro->options.share : 1;
    shape.each = pop && shape.each > 1u << FILLED_SHIFT ? 1u << FILLED_SHIFT : shape.each;
    if (steal && micro->deques.resident == 1)
        shape.acts |= DEQUE_ACT_POP; /* one worker: nobody else could take anything */
    if (steal) {
        const uint32_t groups =
            shape.groups && shape.groups < micro->deques.resident ? shape.groups : micro->deques.resident;
        shape.thieves = groups / 2;
    }
    RD_TRY(rd__deques_run(&micro->deques, &shape, &numbers, err));
    const uint32_t tried = numbers.won + numbers.failed + numbers.empty;
    report->kernel_s = numbers.kernel_s;
    report->total_s = numbers.total_s;
    report->count = numbers.tokens;
    report->groups = numbers.groups;
    report->bound = micro->deques.resident;
    report->success = tried ? (double)numbers.won / tried : -1;
    report->share = numbers.share;
    return RD_OK;
}

static rd_status run(rd_micro *micro, rd_micro_report *report, rd_error *err)
{
    const char *form = after(micro->name, "barrier/"), *how = after(micro->name, "discovery/");
    const char *deque = after(micro->name, "deque/");
    *report = (rd_micro_report){.lanes = deque ? micro->deques.lanes : micro->grid.lanes};
    if (deque)
        return run_deque(micro, deque, report, err);
    if (explains(micro->name))
        return rd__explain_run(&micro->explain, micro->options.count, report, err);
    if (after(micro->name, "dag/"))
        return rd__dags_run(&micro->dags, report, err);
    if (micro->embree || micro->openmp) {
        RD_TRY(micro->embree ? rd__embree_run(micro->embree, &report->kernel_s, &report->count, err)
                             : rd__openmp_run(micro->openmp, &report->kernel_s, &report->count, err));
        report->total_s = report->kernel_s;
        return RD_OK;
    }
    if (after(micro->name, "queue/"))
        return rd__tokens_run(&micro->tokens, micro->options.count, report, err);
    if (form)
        return run_barrier(micro, form, report, err);
    if (how)
        return run_discovery(micro, how, report, err);
    if (after(micro->name, "occupancy/"))
        return run_search(micro, report, err);
    return run_launches(micro, report, err);
}

rd_status rd_micro_run(rd_micro *micro, rd_micro_report *report, rd_error *err)
{
    if (!micro || !report)
        return rd__fail(err, RD_EARG, "rd_micro_run needs a microbenchmark and a place for its report");
    *report = (rd_micro_report){0};
    RD_TRY(rd__device_enter(micro->device, err));
    return rd__device_leave(micro->device, run(micro, report, err));
}
