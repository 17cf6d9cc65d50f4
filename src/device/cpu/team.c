/* SPDX-License-Identifier: Apache-2.0 */
/*
 * team.c - the lanes of a group on the CPU, for tests of group code without a GPU.
 *
 * One thread runs all lanes of a group in turn: each has a stack of its own, and runs until it comes to a barrier,
 * waits or ends. When all are at the barrier they go on, now from the last lane to the first, after the next barrier
 * again from the first to the last: code that lacks a barrier and works in one order fails in the other, every time,
 * where threads would have to meet in a bad moment. And a barrier costs a switch of stacks for each lane, where threads
 * that share a processor take a turn through the system for each, which is most of the time of such a run.
 *
 * A lane that waits for a word (rd_pause, rd_idle, rd_wait) lets the others run, for one of them may write it. One that
 * is alone, because the others are at the barrier, waits as lone lanes do; and so does one in as many, for when all
 * lanes wait it is for another group, which may need the processor.
 *
 * With a sanitizer lanes are threads with a barrier: ThreadSanitizer is to see group code as a GPU would run it, and
 * AddressSanitizer is to know the stacks. So it is with C libraries that have no contexts.
 */
#define _GNU_SOURCE
#include "device/cpu/team.h"

#include "core/memory.h"

#include <stdio.h> /* __GLIBC__ */

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define LANES_ARE_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define LANES_ARE_THREADS 1
#endif
#endif

enum { TEAM_BYTES = 1 << 20 };

#ifdef LANES_ARE_THREADS

#include <pthread.h>

struct rd__cpu_team {
    char *memory;
    uint32_t width, has_barrier;
    pthread_barrier_t barrier;
};

uint32_t rd__cpu_team_threads(uint32_t width)
{
    return width;
}

static rd_status open_lanes(rd__cpu_team *team, rd_error *err)
{
    if (pthread_barrier_init(&team->barrier, NULL, team->width) != 0)
        return rd__fail(err, RD_EDEVICE, "cpu: the system refused a barrier for %u lanes", team->width);
    team->has_barrier = 1;
    return RD_OK;
}

static void close_lanes(rd__cpu_team *team)
{
    if (team->has_barrier)
        pthread_barrier_destroy(&team->barrier);
}

void rd__cpu_group_barrier(rd__cpu_lane *self)
{
    pthread_barrier_wait(&self->team->barrier);
}

void rd__cpu_team_run(rd__cpu_team *team, uint32_t thread, const rd__cpu_lane *lane,
                      void (*entry)(rd__cpu_lane *self, void *const *argv), void *const *argv)
{
    rd__cpu_lane own = *lane;
    own.lane = thread;
    own.team = team;
    rd__cpu_self = &own;
    entry(&own, argv);
    rd__cpu_group_barrier(&own); /* no lane takes the memory for the next group before all are done */
}

int rd__cpu_team_turn(rd__cpu_team *team)
{
    (void)team;
    return 0;
}

#else

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { LANE_STACK_BYTES = 512 << 10 };
enum { LANE_RUNS, LANE_WAITS, LANE_ENDED }; /* LANE_WAITS: at the barrier */

typedef struct {
    ucontext_t context;
    rd__cpu_lane lane;
    char *memory, *stack; /* the stack is a part of it */
    uint32_t state;
} fiber;

struct rd__cpu_team {
    char *memory;
    fiber *fiber;
    uint32_t width, running; /* lanes that can run */
    uint32_t backwards;      /* from the last lane to the first */
    uint32_t turns;          /* of lanes that wait */
    ucontext_t caller;
    void (*entry)(rd__cpu_lane *self, void *const *argv);
    void *const *argv;
};

uint32_t rd__cpu_team_threads(uint32_t width)
{
    (void)width;
    return 1;
}

/* A page below it that nobody may touch: a stack that is used up is a fault there, not another lane's memory. */
static rd_status open_stack(fiber *f, rd_error *err)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    RD_TRY(rd__array_new(&f->memory, "stacks of lanes", LANE_STACK_BYTES + 2 * page, 1, err));
    char *const stack = f->memory + 2 * page - (uintptr_t)f->memory % page;
    if (mprotect(stack - page, page, PROT_NONE) != 0)
        return rd__fail(err, RD_EDEVICE, "cpu: the end of a lane's stack cannot be guarded: %s", strerror(errno));
    f->stack = stack;
    return RD_OK;
}

static void close_stack(fiber *f)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (f->stack)
        (void)mprotect(f->stack - page, page, PROT_READ | PROT_WRITE);
    rd__array_free(f->memory);
}

static rd_status open_lanes(rd__cpu_team *team, rd_error *err)
{
    team->fiber = rd__calloc(team->width, sizeof *team->fiber);
    if (!team->fiber)
        return rd__fail_memory(err, "lanes", team->width * sizeof *team->fiber);
    for (uint32_t i = 0; i < team->width; i++)
        RD_TRY(open_stack(&team->fiber[i], err));
    return RD_OK;
}

static void close_lanes(rd__cpu_team *team)
{
    for (uint32_t i = 0; team->fiber && i < team->width; i++)
        close_stack(&team->fiber[i]);
    rd__free(team->fiber);
}

/* The next lane that can run, after `from` or before it; there is one. */
static uint32_t next_of(const rd__cpu_team *team, uint32_t from)
{
    do
        from = (from + (team->backwards ? team->width - 1 : 1)) % team->width;
    while (team->fiber[from].state != LANE_RUNS);
    return from;
}

static fiber *turn_to(rd__cpu_team *team, uint32_t lane)
{
    rd__cpu_self = &team->fiber[lane].lane;
    return &team->fiber[lane];
}

/* All lanes are at the barrier: opens it. @return who goes first. */
static uint32_t open_barrier(rd__cpu_team *team)
{
    team->backwards = !team->backwards;
    for (uint32_t i = 0; i < team->width; i++)
        if (team->fiber[i].state == LANE_WAITS) {
            team->fiber[i].state = LANE_RUNS;
            team->running++;
        }
    return next_of(team, team->backwards ? 0 : team->width - 1);
}

void rd__cpu_group_barrier(rd__cpu_lane *self)
{
    rd__cpu_team *team = self->team;
    fiber *me = &team->fiber[self->lane];
    me->state = LANE_WAITS;
    const uint32_t next = --team->running ? next_of(team, self->lane) : open_barrier(team);
    if (next != self->lane)
        (void)swapcontext(&me->context,
                          &turn_to(team, next)->context); /* fails only without memory for its own stack */
}

int rd__cpu_team_turn(rd__cpu_team *team)
{
    fiber *me = &team->fiber[rd__cpu_self->lane];
    if (team->running == 1 || ++team->turns % team->running == 0)
        return 0;
    (void)swapcontext(&me->context, &turn_to(team, next_of(team, me->lane.lane))->context);
    return 1;
}

static int any_waits(const rd__cpu_team *team)
{
    for (uint32_t i = 0; i < team->width; i++)
        if (team->fiber[i].state == LANE_WAITS)
            return 1;
    return 0;
}

/* What a lane does. When it has ended another one goes on, at last the caller. */
static void run_lane(void)
{
    rd__cpu_team *team = rd__cpu_self->team;
    const uint32_t lane = rd__cpu_self->lane;
    team->entry(rd__cpu_self, team->argv);
    team->fiber[lane].state = LANE_ENDED;
    team->running--;
    if (team->running)
        (void)setcontext(&turn_to(team, next_of(team, lane))->context);
    else if (any_waits(team))
        (void)setcontext(&turn_to(team, open_barrier(team))->context);
    (void)setcontext(&team->caller);
}

void rd__cpu_team_run(rd__cpu_team *team, uint32_t thread, const rd__cpu_lane *lane,
                      void (*entry)(rd__cpu_lane *self, void *const *argv), void *const *argv)
{
    (void)thread;
    team->entry = entry;
    team->argv = argv;
    team->running = team->width;
    team->backwards = 0;
    for (uint32_t i = 0; i < team->width; i++) {
        fiber *f = &team->fiber[i];
        f->lane = *lane;
        f->lane.lane = i;
        f->lane.team = team;
        f->state = LANE_RUNS;
        (void)getcontext(&f->context); /* cannot fail */
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = LANE_STACK_BYTES;
        f->context.uc_link = NULL;
        makecontext(&f->context, run_lane, 0);
    }
    (void)swapcontext(&team->caller, &turn_to(team, 0)->context);
}

#endif

/* Each lane counts for itself, and all ask for the same in the same order. */
void *rd__cpu_group_memory(rd__cpu_lane *self, size_t bytes)
{
    void *memory = self->team->memory + self->memory_used;
    self->memory_used += (bytes + 63) / 64 * 64;
    return memory;
}

rd_status rd__cpu_team_new(uint32_t width, rd__cpu_team **out, rd_error *err)
{
    rd__cpu_team *team = rd__calloc(1, sizeof *team);
    *out = team;
    if (!team)
        return rd__fail_memory(err, "a group of lanes", sizeof *team);
    team->width = width;
    RD_TRY(rd__array_new(&team->memory, "group memory", TEAM_BYTES, 1, err));
    return open_lanes(team, err);
}

void rd__cpu_team_free(rd__cpu_team *team)
{
    if (!team)
        return;
    close_lanes(team);
    rd__array_free(team->memory);
    rd__free(team);
}
