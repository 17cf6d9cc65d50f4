/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.c - who is to have a device next.
 *
 * All that is shared lies under one mutex: the list of those who wait, and who holds the device. `waiting` is the
 * length of the list, kept outside of it too, so that a holder whom nobody asks pays one relaxed load; who reads an old
 * value looks again at its next safe point, or when it is roused.
 *
 * Order: turns_order.c.
 *
 * Rousing. A holder that waits for a kernel is asleep. Who comes and goes before it sets the device's `nudged` and
 * wakes it (rd__device_nudge); it looks at the list (device/wait.c) and asks its launches to leave. Between the look at
 * the list and falling asleep nothing is lost: `nudged` stays set until it was seen. To be woken takes a thread longer
 * than all else here, so who comes asks the holder's launches itself (rd__device_ask), while the holder waits for them
 * and has said that they may be; the holder, which would do the same, learns of it when it wakes, or they have left.
 *
 * Beside. Who wants some of the workers only, and goes before a holder that can do without them, gets them from the
 * holder itself, between two of its launches (lend): so the launch that used them has ended by then, and the next one
 * is given fewer. `beside` is who has them, one at a time; others who want some wait for it. When it is done the
 * holder is roused, finds that it lends more than `beside` has, and has its next launch use all again. A holder that
 * passes the device on, or ends, leaves `beside` alone: whoever holds the device next lends it what it has.
 *   Where launches are this process's threads, one of them lends in the place of the holder when all have left a launch
 * that was asked to (rd__turn_serve): the holder sleeps, and to be woken would take longer than all of them take to
 * leave. It is the one on whose processor the other one fell asleep, if there is one: to wake a thread on another
 * processor means to interrupt that, which takes 7 to 14 us where processors are virtual; on the same one, 2 to 3. The
 * holder may wake by itself; it then waits until that is done (the way, wait.c), so it changes nothing meanwhile, and
 * nothing is under way. Who was lent workers wakes the holder when it has given its first launch: two that wake at a
 * time would want the same core. The back end does so too, before long, whatever the other one is about.
 *
 * Placing. A CPU's workers are threads, and each has its pool. Elsewhere the device places the groups of two launches
 * as it finds room, first come first served, and a launch that came first and stays (a persistent one) could keep the
 * urgent one out: two kernels that each fill their share of a multiprocessor need not fit one. So the holder, having
 * lent, waits until the other one's first launch was given (settle): it is placed on an empty device, whatever its
 * groups are like, and the holder's groups have what is left. That is a matter of the microseconds in which the other
 * one begins; after settle_seconds the holder goes on in any case. Later launches of the other one may find no room:
 * then the holder's next leaving, within its slice (sched/parts/launch.c), makes some, for they were given earlier than
 * what it launches then. Groups never wait for those of another job, and groups that wait for each other are launched
 * together or not at all (cooperatively), so whatever is placed comes to its end.
 *
 * Calls that do not take turns (rd_job_run) find the device busy, or take it between two turns: then whoever has the
 * turn waits until they are done.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_condattr_setclock */
#include "device/turns_order.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <sched.h>
#include <time.h>

static const double look_seconds = 0.02; /* a sleeper looks up at least as often */
static const double busy_seconds = 0.0005;
static const double settle_seconds = 0.002;
static const double spin_seconds = 0.0003;  /* for which who is soon to be served does not sleep */
static const double yield_seconds = 0.0002; /* as long as it yields its core, if that goes well */
enum { YIELDS = 64, SLEEPY_LEAST = 16, SLEEPY_MOST = 256 };

static struct rd__turns *make_turns(void)
{
    pthread_condattr_t monotonic;
    struct rd__turns *turns = rd__calloc(1, sizeof *turns);
    if (!turns)
        return NULL;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC); /* rd_now()'s */
    pthread_mutex_init(&turns->mutex, NULL);
    pthread_mutex_init(&turns->nap_mutex, NULL);
    pthread_cond_init(&turns->changed, &monotonic);
    pthread_cond_init(&turns->nap_ends, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return turns;
}

void rd__turns_free(struct rd__turns *turns)
{
    if (!turns)
        return;
    pthread_cond_destroy(&turns->nap_ends);
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->nap_mutex);
    pthread_mutex_destroy(&turns->mutex);
    rd__free(turns);
}

/* Made by whoever comes first. */
static struct rd__turns *turns_of(rd_device *device)
{
    struct rd__turns *none = NULL, *turns = __atomic_load_n(&device->turns, __ATOMIC_ACQUIRE); /* pairs with the swap */
    if (turns)
        return turns;
    turns = make_turns();
    /* release: what was made is there for those who find it; acquire: else what another one made */
    if (turns && !__atomic_compare_exchange_n(&device->turns, &none, turns, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        rd__turns_free(turns);
        turns = none;
    }
    return turns;
}

/* Of one that took a turn, so they are there. Atomic: another thread that came at the same time may still find that it
 * was too late to make them. */
static struct rd__turns *turns_taken(const rd__turn *turn)
{
    return __atomic_load_n(&turn->device->turns, __ATOMIC_RELAXED); /* partner: the swap in turns_of, earlier */
}

/* Under the mutex: rouses the holder, or its launches, where it would ask them to leave (rd__turn_wanted). */
static void ask_holder(const struct rd__turns *turns, rd__turn *turn)
{
    const rd__turn *best = rd__turns_best(turns);
    const double now = rd_now();
    if (!best || !rd__turns_ask(turns, best, turns->holder))
        rd__device_nudge(turn->device);
    else if (rd__device_ask(turn->device))
        turn->asks = now, turn->told = rd_now();
}

static void unlink_turn(struct rd__turns *turns, const rd__turn *turn)
{
    rd__turn **at = &turns->first;
    while (*at != turn)
        at = &(*at)->next;
    *at = turn->next;
    __atomic_sub_fetch(&turns->waiting, 1, __ATOMIC_RELAXED); /* partner: the look in rd__turn_wanted */
}

static struct timespec from_now(double seconds)
{
    const double until = rd_now() + seconds;
    struct timespec by = {.tv_sec = (time_t)until};
    by.tv_nsec = (long)((until - (double)by.tv_sec) * 1e9);
    return by;
}

static void sleep_for(struct rd__turns *turns, double seconds)
{
    const struct timespec by = from_now(seconds);
    if (turns->untold)
        pthread_cond_broadcast(&turns->changed);
    turns->untold = 0;
    (void)pthread_cond_timedwait(&turns->changed, &turns->mutex, &by);
}

/* Under the mutex: wakes all, once it is given back. */
static void tell_change(struct rd__turns *turns)
{
    __atomic_add_fetch(&turns->changes, 1, __ATOMIC_RELAXED); /* partner: spin_for, which takes the mutex then */
    turns->untold = 1;
}

/* Who is woken wants the mutex, often at once and on this processor: it would sleep again until it is given back. */
static void unlock(struct rd__turns *turns)
{
    const uint32_t tells = turns->untold;
    turns->untold = 0;
    pthread_mutex_unlock(&turns->mutex);
    if (tells)
        pthread_cond_broadcast(&turns->changed);
}

/* Under the mutex: where those who are to leave need this core, lets them have it, without falling asleep: when they
 * have left they yield it in turn (device/cpu/pool.c), which takes a fifth of what it takes to be woken. Where others
 * want the core too they get it, for milliseconds, and one who slept would have come before them: then the next ones
 * sleep.
 * @return how many changes there were. */
static uint32_t yield_for(struct rd__turns *turns, uint32_t seen)
{
    const double by = rd_now() + yield_seconds;
    uint32_t now = seen;
    if (turns->sleepy) {
        turns->sleepy--;
        return now;
    }
    unlock(turns);
    for (uint32_t i = 0; i < YIELDS && now == seen && (i == 0 || rd_now() < by); i++) {
        (void)sched_yield();
        now = __atomic_load_n(&turns->changes, __ATOMIC_RELAXED); /* partner: tell_change */
    }
    const int well = rd_now() < by;
    pthread_mutex_lock(&turns->mutex);
    turns->drowsy = well ? 0 : turns->drowsy ? 2 * turns->drowsy : SLEEPY_LEAST;
    turns->drowsy = turns->drowsy < SLEEPY_MOST ? turns->drowsy : SLEEPY_MOST;
    turns->sleepy = turns->drowsy;
    return __atomic_load_n(&turns->changes, __ATOMIC_RELAXED); /* under the mutex: else it could sleep too long */
}

/* Under the mutex: as sleep_for, and where the device's work needs no processor, awake at first: to be woken takes as
 * long as all the rest. */
static void spin_for(struct rd__turns *turns, const rd_device *device, double seconds)
{
    const uint32_t seen = __atomic_load_n(&turns->changes, __ATOMIC_RELAXED); /* under the mutex */
    const double until = rd_now() + (seconds < spin_seconds ? seconds : spin_seconds);
    uint32_t now = seen;
    if (device->info.is_gpu || device->caps.leaves_cores) {
        unlock(turns);
        while (now == seen && rd_now() < until)
            now = __atomic_load_n(&turns->changes, __ATOMIC_RELAXED); /* partner: tell_change */
        pthread_mutex_lock(&turns->mutex);
        now = __atomic_load_n(&turns->changes, __ATOMIC_RELAXED); /* under the mutex: else it could sleep too long */
    }
    if (device->caps.shares_host && !device->caps.leaves_cores)
        now = yield_for(turns, seen);
    if (now == seen)
        sleep_for(turns, seconds);
}

int rd__turn_nap(rd_device *device, double seconds)
{
    struct rd__turns *turns = __atomic_load_n(&device->turns, __ATOMIC_ACQUIRE); /* pairs with the swap in turns_of */
    if (!turns)
        return 0;
    const struct timespec by = from_now(seconds);
    pthread_mutex_lock(&turns->nap_mutex);
    if (!rd__device_is_nudged(device)) /* it is set before rd__turn_end_nap takes the mutex */
        (void)pthread_cond_timedwait(&turns->nap_ends, &turns->nap_mutex, &by);
    pthread_mutex_unlock(&turns->nap_mutex);
    return 1;
}

void rd__turn_end_nap(rd_device *device)
{
    struct rd__turns *turns = __atomic_load_n(&device->turns, __ATOMIC_ACQUIRE); /* pairs with the swap in turns_of */
    if (!turns)
        return;
    pthread_mutex_lock(&turns->nap_mutex);
    pthread_cond_broadcast(&turns->nap_ends);
    pthread_mutex_unlock(&turns->nap_mutex);
}

/* The workers that it had beside are the holder's again. */
static void give_workers_back(struct rd__turns *turns, rd__turn *turn)
{
    turns->beside = NULL;
    turn->beside = turn->began = 0;
    __atomic_store_n(&turns->crowded, 0, __ATOMIC_RELAXED);  /* partner: rd__turn_crowded, a hint */
    __atomic_store_n(&turns->unsettled, 1, __ATOMIC_RELAXED); /* partner: rd__turn_wanted; the nudge orders it */
    if (turns->holder)
        rd__device_nudge(turn->device);
    tell_change(turns);
}

static rd_status give_up(struct rd__turns *turns, rd__turn *turn, rd_error *err)
{
    if (turn->beside) /* it has not noticed yet */
        give_workers_back(turns, turn);
    return rd__fail(err, RD_ECANCELLED, "%s: the job was cancelled while it waited for the device",
                    turn->device->info.name);
}

/* Under the mutex: waits until the turn is this one's and the device is free. may_fail: it may go away when it is
 * cancelled. */
static rd_status wait_for_turn(struct rd__turns *turns, rd__turn *turn, int may_fail, rd_error *err)
{
    turn->number = ++turns->arrivals;
    turn->since = rd_now();
    turn->asks = turn->told = 0;
    turn->next = turns->first;
    turns->first = turn;
    __atomic_add_fetch(&turns->waiting, 1, __ATOMIC_RELAXED); /* partner: the look in rd__turn_wanted */
    rd_status status = RD_OK;
    int mine = 0;
    while (!mine && status == RD_OK) {
        if (may_fail && rd__turn_is_cancelled(turn))
            status = give_up(turns, turn, err);
        else if (turn->beside)
            mine = 1;
        else if (turns->holder || rd__turns_best(turns) != turn) {
            const int soon = turns->holder && rd__turns_ask(turns, turn, turns->holder);
            if (soon) {
                ask_holder(turns, turn);
                spin_for(turns, turn->device, look_seconds);
            } else
                sleep_for(turns, look_seconds);
        } else if (!(mine = rd__device_try_enter(turn->device)))
            sleep_for(turns, busy_seconds);
    }
    unlink_turn(turns, turn);
    if (mine && turn->beside)
        rd__device_enter_beside(turn->device);
    else if (mine) {
        turns->holder = turn;
        turn->device->in_turn = 1;
        turn->held = 1;
    } else
        tell_change(turns);
    rd__turn_tell_workers(turn, mine);
    const double now = rd_now();
    turn->last_s = now - turn->since;
    turn->waited_s += turn->last_s;
    turn->gather.taken =
        turn->last_s - turn->gather.noticed - turn->gather.told - turn->gather.left - turn->gather.seen;
    turn->since = now;
    return status;
}

rd_status rd__turn_take(rd__turn *turn, rd_error *err)
{
    rd_device *device = turn->device;
    RD_TRY(rd__device_is_here(device, err));
    struct rd__turns *turns = turns_of(device);
    if (!turns)
        return rd__fail_memory(err, "the turns of a device", sizeof *turns);
    pthread_mutex_lock(&turns->mutex);
    rd_status status = wait_for_turn(turns, turn, 1, err);
    unlock(turns);
    if (status == RD_OK && turn->beside) {
        status = rd__device_use(device, turn->workers, err);
        if (status != RD_OK)
            rd__turn_give(turn);
    }
    return status;
}

static void hand_over(struct rd__turns *turns, rd_device *device)
{
    rd__turn_tell_workers(turns->holder, 0);
    turns->holder = NULL;
    device->in_turn = device->hears = 0;
    (void)rd__device_leave(device, RD_OK);
    tell_change(turns);
}

/* The holder: launches from now on have all workers but so many. Whoever comes to the device finds all of them. */
static rd_status use(rd__turn *turn, uint32_t lent, rd_error *err)
{
    if (lent == turn->lent)
        return RD_OK;
    turn->lent = lent;
    rd__turn_tell_workers(turn, 1);
    return rd__device_use(turn->device, turn->device->info.compute_units - lent, err);
}

void rd__turn_give(rd__turn *turn)
{
    struct rd__turns *turns = turns_taken(turn);
    if (!turn->beside)
        (void)use(turn, 0, NULL); /* it cannot fail: its pool is there */
    pthread_mutex_lock(&turns->mutex);
    if (turn->beside) {
        rd__turn_tell_workers(turn, 0);
        rd__device_leave_beside(turn->device);
        give_workers_back(turns, turn);
    } else {
        hand_over(turns, turn->device);
    }
    unlock(turns);
}

void rd__turn_lends(rd__turn *turn, uint32_t workers)
{
    struct rd__turns *turns = turns_taken(turn);
    if (turn->beside || turn->lends == workers) /* it alone changes it */
        return;
    pthread_mutex_lock(&turns->mutex);
    turn->lends = workers;
    __atomic_store_n(&turns->unsettled, 1, __ATOMIC_RELAXED); /* it may owe some, or none any more; as above */
    unlock(turns);
}

int rd__turn_wanted(rd__turn *turn)
{
    struct rd__turns *turns = turns_taken(turn);
    const double before = turn->noticed;
    if (turn->beside) /* it keeps what it has until it is done */
        return 0;
    /* partners: those who come and go; an old value is seen through by and by */
    turn->noticed = 0;
    if (!__atomic_load_n(&turns->waiting, __ATOMIC_RELAXED) && !__atomic_load_n(&turns->unsettled, __ATOMIC_RELAXED))
        return 0;
    pthread_mutex_lock(&turns->mutex);
    const rd__turn *best = rd__turns_best(turns);
    const int wanted = (best && rd__turns_ask(turns, best, turn)) || rd__turns_owed(turns, turn) != turn->lent;
    turn->noticed = wanted ? (before == 0 ? rd_now() : before) : 0;
    if (!wanted)
        __atomic_store_n(&turns->unsettled, 0, __ATOMIC_RELAXED); /* it was seen to */
    unlock(turns);
    return wanted;
}

/* Under the mutex, by the holder: workers for those who want some. @return 1: the device itself is to be passed on. */
static int lend(struct rd__turns *turns, rd__turn *turn)
{
    rd__turn *best = rd__turns_best(turns);
    if (best && rd__turns_ask(turns, best, turn) && rd__turns_can_lend(turn, best)) {
        turns->beside = best;
        best->beside = 1;
        rd__turn_account(turn, best);
        turn->slice_s = 0;
        __atomic_store_n(&turns->crowded, 1, __ATOMIC_RELAXED); /* partner: rd__turn_crowded, a hint */
        /* Partner: rd__turn_wanted. In the holder's place: nobody may wait any more when it looks. Ordered by the mutex
         * of who lends, which has the way, and the holder, which takes that back first. */
        __atomic_store_n(&turns->unsettled, 1, __ATOMIC_RELAXED);
        turn->lendings++;
        tell_change(turns);
        best = rd__turns_best(turns);
    }
    return best && rd__turns_ask(turns, best, turn);
}

int rd__turn_serve(rd_device *device, uint32_t request)
{
    struct rd__turns *turns = __atomic_load_n(&device->turns, __ATOMIC_ACQUIRE); /* pairs with the swap in turns_of */
    int lent = 0;
    if (!turns)
        return 0;
    pthread_mutex_lock(&turns->mutex); /* which who asks has until all is said */
    if (turns->holder && rd__device_hold_way(device, request)) {
        const rd__turn *const before = turns->beside;
        device->idle_at = rd_now();
        (void)lend(turns, turns->holder);
        lent = turns->beside != before;
        if (lent)
            turns->beside->wakes = 1;
        rd__device_free_way(device);
    }
    unlock(turns);
    return lent;
}

void rd__turn_began(rd__turn *turn)
{
    struct rd__turns *turns = turns_taken(turn);
    if (!turn->beside || turn->began) /* both are its own while it has workers */
        return;
    pthread_mutex_lock(&turns->mutex);
    turn->began = 1;
    turn->gather.began = rd_now() - turn->since;
    if (turn->wakes)
        rd__device_nudge(turn->device);
    turn->wakes = 0;
    tell_change(turns);
    unlock(turns);
}

int rd__turn_crowded(const rd__turn *turn)
{
    return !turn->beside && __atomic_load_n(&turns_taken(turn)->crowded, __ATOMIC_RELAXED); /* partner: lend */
}

/* Under the mutex, by the holder that lent workers: until they are taken. */
static void settle(struct rd__turns *turns, const rd__turn *turn)
{
    const double until = rd_now() + settle_seconds;
    if (turn->device->caps.shares_host)
        return;
    while (turns->beside && !turns->beside->began && rd_now() < until && !rd__turn_is_cancelled(turn))
        spin_for(turns, turn->device, until - rd_now());
}

rd_status rd__turn_pass(rd__turn *turn, int timed, rd_error *err)
{
    struct rd__turns *turns = turns_taken(turn);
    double seconds = 0;
    if (!rd__turn_wanted(turn))
        return RD_OK;
    pthread_mutex_lock(&turns->mutex);
    const int passes = lend(turns, turn);
    unlock(turns);
    if (passes) {
        if (timed)
            RD_TRY(rd__time_end(turn->device, &seconds, err));
        turn->device_s += seconds;
        turn->passed++;
        RD_TRY(use(turn, 0, err));
        pthread_mutex_lock(&turns->mutex);
        hand_over(turns, turn->device);
        const rd_status status = wait_for_turn(turns, turn, 0, err);
        unlock(turns);
        RD_TRY(status);
    }
    pthread_mutex_lock(&turns->mutex);
    settle(turns, turn);
    const uint32_t lent = rd__turns_owed(turns, turn);
    unlock(turns);
    turn->noticed = 0;
    RD_TRY(use(turn, lent, err));
    return passes && timed ? rd__time_begin(turn->device, err) : RD_OK;
}

void rd__turn_rouse(rd_device *device)
{
    struct rd__turns *turns = __atomic_load_n(&device->turns, __ATOMIC_ACQUIRE); /* pairs with the swap in turns_of */
    rd__device_nudge(device);
    if (!turns)
        return;
    pthread_mutex_lock(&turns->mutex);
    tell_change(turns);
    unlock(turns);
}
