/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c - a job that is one of several: what the kinds of apps have in common, and the report of all ranks. */
#include "job/ranks.h"

#include "core/memory.h"
#include "core/text.h"
#include "job/checkpoint.h"
#include "raddle/tool.h"

#include <string.h>

rd_status rd_job_set_ranks(rd_job *job, rd_ranks *ranks, uint32_t window, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_set_ranks", err));
    if (ranks && rd__ranks_many(ranks) && !job->app->ranks)
        return rd__fail(err, RD_EARG, "%s does not run on several ranks", job->app->info.name);
    rd__job_release(job); /* another kernel runs */
    if (!ranks)
        rd__checkpoint_free(job);
    job->ranks = ranks;
    job->window = window;
    return RD_OK;
}

int rd_app_takes_ranks(const char *name)
{
    const rd__app *app = name ? rd__app_find(name) : NULL;
    return app && app->ranks;
}

rd_rank_stats rd_job_rank_stats(const rd_job *job)
{
    const rd__part *part = job ? rd__graph_part(job->graph) : NULL;
    if (!job)
        return (rd_rank_stats){0};
    return (rd_rank_stats){.tasks = job->part.tasks,
                           .messages = job->part.messages,
                           .bytes = job->part.bytes,
                           .idle_s = job->part.idle_s,
                           .own = part ? part->own : 0,
                           .ghosts = part ? part->ghosts : 0,
                           .needed = job->part.needed,
                           .records = job->part.records,
                           .remote = part ? part->remote : 0,
                           .batches = job->part.batches};
}

rd_status rd__job_ready_parts(const rd_job *job, rd_error *err)
{
    if (!rd__job_in_parts(job)) {
        if (job->graph && job->graph->part && rd__ranks_many(job->graph->part->ranks))
            return rd__fail(err, RD_EARG, "the graph is a part of one: call rd_job_set_ranks with its ranks");
        return RD_OK;
    }
    if (rd_app_takes_graph(&job->app->info) && (!job->graph->part || job->graph->part->ranks != job->ranks))
        return rd__fail(err, RD_EARG, "%s on several ranks needs its part of the graph, of rd_graph_open_part",
                        job->app->info.name);
    const int search = job->app->ranks->kind == RD__RANKS_LEAST;
    if ((search && rd__job_in_rounds(job)) || !rd__engine_runs(job->engine, job->app->ranks->root))
        return rd__fail(err, RD_EARG, "%s on several ranks does not run under scheduler %s", job->app->info.name,
                        job->engine->policy->name);
    return RD_OK;
}

/* Adds up over all ranks what each did; times are this rank's own, and all end together. */
static rd_status add_up(rd_job *job, rd_report *report, const rd_ranks_traffic *before, rd_error *err)
{
    const rd_ranks_traffic now = rd_ranks_get_traffic(job->ranks);
    uint64_t *const field[] = {&report->tasks,  &report->edges,        &report->launches,     &report->reached,
                               &report->pulled, &report->tasks_needed, &report->reservations, &report->empty_polls};
    enum { FIELDS = sizeof field / sizeof field[0] };
    rd__tally mine = {{0}, {0}}, all;
    for (int i = 0; i < FIELDS; i++)
        mine.sum[i] = *field[i];
    mine.sum[FIELDS] = now.messages - before->messages;
    mine.sum[FIELDS + 1] = now.bytes - before->bytes;
    mine.sum[FIELDS + 2] = (uint64_t)((now.idle_s - before->idle_s) * 1e9);
    job->part.tasks = report->tasks;
    job->part.needed = report->tasks_needed;
    job->part.messages = mine.sum[FIELDS];
    job->part.bytes = mine.sum[FIELDS + 1];
    job->part.idle_s = now.idle_s - before->idle_s;
    mine.most[0] = report->tasks;
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    for (int i = 0; i < FIELDS; i++)
        *field[i] = all.sum[i];
    const double ranks = rd_ranks_count(job->ranks);
    rd__measure(report, "ranks", ranks);
    rd__measure(report, "messages", (double)all.sum[FIELDS]);
    rd__measure(report, "bytes_sent", (double)all.sum[FIELDS + 1]);
    rd__measure(report, "idle_s", (double)all.sum[FIELDS + 2] / 1e9 / ranks);
    if (report->tasks)
        rd__measure(report, "imbalance", (double)all.most[0] * ranks / (double)report->tasks);
    return RD_OK;
}

/* A run begins when all ranks are there, with arrays that are filled, which does not count on one device either. The
 * second sum is for those who were long before, and are asleep when the last one comes: it ends when they are awake. */
static rd_status meet(rd_job *job, rd_error *err)
{
    const rd__tally mine = {{0}, {0}};
    rd__tally all;
    RD_TRY(rd__device_wait(job->device, NULL, err));
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    return rd__ranks_tally(job->ranks, &mine, &all, err);
}

static rd_status run_kind(rd_job *job, rd_report *report, rd_error *err)
{
    switch (job->app->ranks->kind) {
    case RD__RANKS_LEAST: return rd__run_least(job, report, err);
    case RD__RANKS_LABELS: return rd__run_labels(job, report, err);
    case RD__RANKS_OWN: return job->app->ranks->run(job, rd__job_slice, report, err);
    case RD__RANKS_SHARE: return rd__run_share(job, report, err);
    case RD__RANKS_BOUND: return rd__run_bound(job, report, err);
    }
    return RD_OK;
}

rd_status rd__job_run_parts(rd_job *job, rd_report *report, rd_error *err)
{
    const rd__watch watch = job->ranks->watch;
    if (job->progress)
        job->ranks->watch = rd__job_watch(job);
    job->ranks->deadline = job->timeout > 0 ? rd_now() + job->timeout : 0;
    rd_status status = meet(job, err);
    const rd_ranks_traffic before = rd_ranks_get_traffic(job->ranks);
    const double began = rd_now();
    job->part.records = job->part.batches = 0;
    if (status == RD_OK)
        status = run_kind(job, report, err);
    report->kernel_s = rd_now() - began; /* waiting for others is part of it */
    if (status == RD_OK)
        status = add_up(job, report, &before, err);
    if (status == RD_OK)
        rd__checkpoint_end(job, report);
    job->ranks->watch = watch;
    job->ranks->deadline = 0;
    return status;
}

/* Of tasks, rank 0 has the whole result as all have it; the others wait for its word. */
static rd_status check_at_first(rd_job *job, const rd_result *result, rd_error *err)
{
    return rd_ranks_rank(job->ranks) == 0 ? job->app->check(job, result, err) : RD_OK;
}

rd_status rd__job_check_parts(rd_job *job, const rd_result *result, rd_error *err)
{
    uint64_t wrong;
    rd_status status = RD_OK;
    switch (job->app->ranks->kind) {
    case RD__RANKS_LEAST:
        status = (job->app->ranks->check ? job->app->ranks->check : rd__check_least)(job, result, err);
        break;
    case RD__RANKS_LABELS: status = rd__check_labels(job, result->word, err); break;
    case RD__RANKS_OWN: status = job->app->ranks->check(job, result, err); break;
    case RD__RANKS_BOUND:
    case RD__RANKS_SHARE: status = check_at_first(job, result, err); break;
    }
    if (status != RD_OK && status != RD_EWRONG)
        return status;
    wrong = status == RD_EWRONG;
    RD_TRY(rd_ranks_sum(job->ranks, &wrong, 1, err));
    if (wrong && status == RD_OK)
        return rd__fail(err, RD_EWRONG, "%s: " RD_RANKS_ELSEWHERE, job->app->info.name);
    return status;
}

int rd__job_answer_parts(const rd_job *job, char *text, size_t room)
{
    const rd__ranks_run *part = &job->part;
    if (!rd__job_in_parts(job) || job->app->ranks->kind != RD__RANKS_LEAST)
        return 0;
    const rd__app_ranks *app = job->app->ranks;
    const int length = rd__snprintf(text, room, "%llu of %llu vertices reached", (unsigned long long)part->reached,
                                    (unsigned long long)part->vertices);
    if (!part->reached || part->parents || length < 0 || (size_t)length >= room)
        return 1;
    rd__snprintf(text + length, room - (size_t)length, ", the farthest at %s %.10g", app->far,
                 app->real && app->real(job) ? (double)rd_weight_real((int32_t)part->farthest) : part->farthest);
    return 1;
}
