/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - see launch.h. */
#include "sched/parts/launch.h"

#include "raddle/tool.h"

#include <string.h>

rd_status rd__launch_pack(rd__launch *launch, const rd__arg *own, uint32_t own_count, rd_error *err)
{
    const rd__sched_job *job = launch->job;
    if (job->arg_count > RD__MAX_ARGS - own_count)
        return rd__fail(err, RD_EARG,
                        "app %s has %u kernel arguments and scheduler %s has %u of its own; a kernel takes at most %d: "
                        "put some of the app's numbers into a buffer",
                        job->app, job->arg_count, job->engine->policy->name, own_count, RD__MAX_ARGS);
    memcpy(launch->arg, own, own_count * sizeof *own);
    if (job->arg_count)
        memcpy(launch->arg + own_count, job->args, job->arg_count * sizeof *own);
    launch->count = own_count + job->arg_count;
    return RD_OK;
}

/* Of an eighth of the units, a quarter of what is left, and seven times what was lent: the least. */
enum { SPREAD = 8, OWN = 4 };

uint32_t rd__launch_room(uint32_t all, uint32_t lent)
{
    const uint32_t most = all / SPREAD < (all - lent) / OWN ? all / SPREAD : (all - lent) / OWN;
    return (SPREAD - 1) * (uint64_t)lent < most ? (SPREAD - 1) * lent : most;
}

/* With the workers that are left. */
static rd_status launch_rest(rd__launch *launch, rd_error *err)
{
    const rd__sched_job *job = launch->job;
    rd__turn *turn = job->turn;
    const uint32_t all = job->device->info.compute_units;
    const int placed = launch->cooperative && !job->device->caps.shares_host;
    const uint32_t workers = all - turn->lent - (placed ? rd__launch_room(all, turn->lent) : 0);
    const uint32_t share = (uint32_t)((uint64_t)launch->groups * workers / all); /* a GPU's units have several */
    const uint32_t groups = launch->groups > all ? share : launch->groups < workers ? launch->groups : workers;
    if (launch->lends == RD__LENDS_FEWER)
        return rd__kernel_launch(job->device, launch->kernel, groups, launch->cooperative, launch->arg, launch->count,
                                 err);
    launch->some = groups < launch->groups;
    turn->place = launch->some ? (turn->place + groups) % launch->groups : 0;
    return rd__kernel_launch_some(job->device, launch->kernel, launch->groups, turn->place, groups, launch->arg,
                                  launch->count, err);
}

rd_status rd__launch_once(rd__launch *launch, uint32_t step, rd_error *err)
{
    if (launch->step != RD__NO_STEP)
        launch->arg[launch->step].as.u32 = step;
    rd__turn *turn = launch->job->turn;
    launch->some = 0;
    if (turn && !turn->beside)
        launch->job->device->hears = launch->job->persistent;
    if (launch->lends != RD__LENDS_NONE && rd__sched_lends(launch->job)) /* else groups come one after another */
        RD_TRY(launch_rest(launch, err));
    else
        RD_TRY(rd__kernel_launch(launch->job->device, launch->kernel, launch->groups, launch->cooperative, launch->arg,
                                 launch->count, err));
    if (turn)
        rd__turn_began(turn);
    return RD_OK;
}

/* Places are run at a time, all of them, as long as nobody asks for workers; more than that are launched otherwise. */
static void tell_lending(const rd__launch *launch)
{
    const rd__sched_job *job = launch->job;
    const uint32_t all = job->device->info.compute_units;
    const int fits = launch->groups <= all || !job->device->caps.shares_host; /* a GPU's units have several */
    const int can = launch->lends == RD__LENDS_FEWER || (launch->lends == RD__LENDS_PLACES && launch->keeps && fits);
    if (job->turn && job->device->caps.lends)
        rd__turn_lends(job->turn, can ? all - 1 : 0);
}

/* To leave and to be back takes a hundredth of that: on GPUs 0.25 to 0.6 ms. */
double rd__trace_slice(const rd__sched_job *job)
{
    return job->device->info.is_gpu ? 0.04 : 0.01;
}

/* How long it may stay. */
static void set_slice(rd__launch *launch)
{
    rd__turn *turn = launch->job->turn;
    double slice = launch->some ? RD__PLACES_SECONDS : launch->job->traced ? rd__trace_slice(launch->job) : 0;
    if (turn && slice == 0 && !launch->job->device->caps.shares_host && rd__turn_crowded(turn)) {
        turn->slice_s = turn->slice_s == 0 ? RD__CROWDED_SECONDS : 2 * turn->slice_s;
        if (turn->slice_s > RD__CROWDED_MOST_SECONDS)
            turn->slice_s = RD__CROWDED_MOST_SECONDS;
        slice = turn->slice_s;
    }
    launch->by = slice > 0 ? launch->began + slice : 0;
}

rd_status rd__launch_batch(rd__launch *launch, uint32_t from, uint32_t count, rd_error *err)
{
    launch->began = rd_now();
    tell_lending(launch);
    for (uint32_t i = 0; i < count; i++)
        RD_TRY(rd__launch_once(launch, from + i, err));
    set_slice(launch);
    return rd__time_mark(launch->job->device, err);
}

rd_status rd__launch_loop(rd__launch *launch, rd__kernel *tail, uint32_t count, rd_error *err)
{
    const rd__loop loop = {.kernel = launch->kernel,
                           .tail = tail,
                           .groups = launch->groups,
                           .step = launch->step,
                           .count = count,
                           .args = launch->arg,
                           .arg_count = launch->count};
    launch->began = rd_now();
    launch->some = 0;
    tell_lending(launch);
    RD_TRY(rd__kernel_loop(launch->job->device, &loop, err));
    if (launch->job->turn)
        rd__turn_began(launch->job->turn);
    set_slice(launch);
    return rd__time_mark(launch->job->device, err);
}

uint32_t rd__launch_pace(const rd__launch *launch, uint32_t batch, uint32_t most, double seconds)
{
    const int shared = launch->job->turn && !launch->keeps;
    const double took = rd_now() - launch->began;
    if (shared && took > 2 * RD__SHARED_SECONDS)
        return batch > 1 ? batch / 2 : 1;
    if (launch->job->traced && seconds > RD__TRACE_SECONDS) /* slices of a tenth of the usual cost more to end */
        seconds = seconds < RD__BATCH_SECONDS ? 10 * RD__TRACE_SECONDS : RD__TRACE_SECONDS;
    if (shared && seconds > RD__SHARED_SECONDS)
        seconds = RD__SHARED_SECONDS;
    return batch < most && took < seconds ? 2 * batch : batch;
}

/* Of launches in batches nobody knows which is the last, and there may be a hundred. */
static int reads_note(const rd__sched_job *job)
{
    return job->note.buffer && (job->persistent || job->looped);
}

rd_status rd__launch_read_begin(const rd__sched_job *job, const rd__buffer *control, uint64_t bytes, rd_error *err)
{
    RD_TRY(rd__buffer_read_begin(control, bytes, 0, err));
    return reads_note(job) ? rd__buffer_read_begin(job->note.buffer, job->note.bytes, 1, err) : RD_OK;
}

rd_status rd__launch_read_end(const rd__sched_job *job, const rd__buffer *control, void *word, uint64_t bytes,
                              rd_error *err)
{
    RD_TRY(rd__buffer_read_end(control, bytes, word, err));
    if (!reads_note(job))
        return RD_OK;
    *job->note.seen = 1;
    return rd__buffer_read_end(job->note.buffer, job->note.bytes, job->note.words, err);
}

rd_status rd__launch_read(const rd__launch *launch, rd__so_far so_far, const rd__buffer *control, void *word,
                          uint64_t bytes, rd_error *err)
{
    const rd__sched_job *job = launch->job;
    RD_TRY(rd__launch_read_begin(job, control, bytes, err));
    if (launch->keeps)
        RD_TRY(rd__sched_wait_slice(job->device, job, launch->by, so_far.done, so_far.total, so_far.unit, err));
    else
        RD_TRY(rd__sched_wait(job->device, job, so_far.done, so_far.total, so_far.unit, err));
    return rd__launch_read_end(job, control, word, bytes, err);
}
