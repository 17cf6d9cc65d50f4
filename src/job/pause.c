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

#include <errno.h>
#include <string.h>

static const char magic[16] = "raddle frozen 1";
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
    if (job->app->next || job->app->alloc)
        return rd__fail(err, RD_EARG, "%s cannot be paused to a file: it keeps more than its arrays",
                        job->app->info.name);
    return RD_OK;
}

/* In both directions. */
static rd_status move_all(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof mark);
    RD_TRY(rd__freeze_bytes(freeze, mark, sizeof mark, err));
    if (memcmp(mark, magic, sizeof mark) != 0)
        return rd__fail(err, RD_EINPUT, "%s is no checkpoint of a job", freeze->path);
    RD_TRY(rd__freeze_same(freeze, "the app", text_hash(job->app->info.name), err));
    RD_TRY(rd__freeze_same(freeze, "the scheduler", text_hash(job->engine->tag), err));
    RD_TRY(rd__freeze_same(freeze, "the launch", text_hash(job->launch), err));
    RD_TRY(rd__freeze_same(freeze, "the input", input_hash(job), err));
    RD_TRY(rd__arrays_freeze(job, freeze, err));
    RD_TRY(job->engine->freeze(job->sched_state, freeze, err));
    return rd__freeze_end(freeze, err);
}

rd_status rd__job_freeze(rd_job *job, const char *path, rd_error *err)
{
    rd__sink sink;
    RD_TRY(can_be_frozen(job, err));
    RD_TRY(rd__sink_open(&sink, path, RD__SINK_REPLACE, err));
    rd__freeze freeze = {.path = path, .sink = &sink};
    return rd__sink_close(&sink, move_all(job, &freeze, err), err);
}

rd_status rd__job_thaw(rd_job *job, const char *path, rd_error *err)
{
    RD_TRY(can_be_frozen(job, err));
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (!file)
        return rd__fail(err, RD_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    rd__freeze freeze = {.path = path, .file = file, .left = size > 0 ? (uint64_t)size : 0};
    const rd_status status = move_all(job, &freeze, err);
    fclose(file);
    return status;
}
