/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pause.c - what a job that runs has, as a file, from which another process may go on.
 *
 * It is written between two launches, when all that is worth keeping lies in buffers: the app's arrays and what the
 * engine lists. What the app has on the host follows from its input and options: to go on, the app is started as for a
 * first run, and then what was written takes the place of what that made.
 */
#include "job/job.h"

#include "apps/common/arrays.h"
#include "graph/graph.h"
#include "sched/freeze.h"

#include <string.h>

static const char magic[16] = "raddle frozen 5";
enum { SAMPLES = 4096 };

/* Of an input: not all of a large graph is looked at. */
static uint64_t input_hash(const rd_job *job)
{
    rd__hash hash = {{0, 0}};
    rd__hash_text(&hash, job->input ? job->input : "");
    if (job->graph) {
        const rd_csr csr = rd_graph_csr(job->graph);
        for (uint64_t v = 0; v <= csr.vertices; v += csr.vertices / SAMPLES + 1)
            rd__hash_add(&hash, &csr.row[v], sizeof csr.row[v]);
        for (uint64_t e = 0; e < csr.edges; e += csr.edges / SAMPLES + 1)
            rd__hash_add(&hash, &csr.col[e], sizeof csr.col[e]);
        rd__hash_add(&hash, &csr.edges, sizeof csr.edges);
    }
    return hash.word[0];
}

static uint64_t text_hash(const char *text)
{
    rd__hash hash = {{0, 0}};
    rd__hash_text(&hash, text);
    return hash.word[0];
}

static rd_status can_be_frozen(const rd_job *job, rd_error *err)
{
    if (!job->engine->freeze)
        return rd__fail(err, RD_EARG,
                        "%s under scheduler %s cannot be paused to a file: what it has counted so far is on the host; "
                        "under another one it may",
                        job->app->info.name, job->engine->policy->name);
    if (job->app->next || (job->app->alloc && !job->app->freeze))
        return rd__fail(err, RD_EARG, "%s cannot be paused to a file: it keeps more than its arrays",
                        job->app->info.name);
    return RD_OK;
}

rd_status rd__job_freeze_head(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof mark);
    RD_TRY(rd__freeze_bytes(freeze, mark, sizeof mark, err));
    if (memcmp(mark, magic, sizeof mark) != 0)
        return rd__fail(err, RD_EINPUT, "%s is no checkpoint of a job", freeze->path);
    RD_TRY(rd__freeze_same(freeze, "the app", text_hash(job->app->info.name), err));
    return rd__freeze_same(freeze, "the input", input_hash(job), err);
}

/* In both directions. */
static rd_status move_all(void *user, rd__freeze *freeze, rd_error *err)
{
    rd_job *job = user;
    RD_TRY(rd__job_freeze_head(job, freeze, err));
    RD_TRY(rd__freeze_same(freeze, "the scheduler", text_hash(job->engine->tag), err));
    RD_TRY(rd__freeze_same(freeze, "the launch", text_hash(job->launch), err));
    RD_TRY(rd__arrays_freeze(job, freeze, err));
    if (job->app->freeze)
        RD_TRY(job->app->freeze(job, freeze, err));
    RD_TRY(job->engine->freeze(job->sched_state, freeze, err));
    return rd__freeze_end(freeze, err);
}

rd_status rd__job_freeze(rd_job *job, const char *path, rd_error *err)
{
    RD_TRY(can_be_frozen(job, err));
    return rd__freeze_to(path, move_all, job, err);
}

rd_status rd__job_thaw(rd_job *job, const char *path, rd_error *err)
{
    RD_TRY(can_be_frozen(job, err));
    const rd_status status = rd__freeze_from(path, move_all, job, err);
    if (status != RD_OK)
        rd__job_release(job); /* what came out of half a file, sizes too, is not for the next run */
    return status;
}
