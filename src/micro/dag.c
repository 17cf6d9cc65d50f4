/* SPDX-License-Identifier: Apache-2.0 */
/* dag.c - see dag.h. */
#include "micro/dag.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { CHAIN = 1 << 16, SLOW_CHAIN = 1 << 12, ROWS = 256, CPU_WIDTH = 4000, GPU_WIDTH = 130000, SLOW_WIDTH = 60 };

static const rd__engine *find_engine(const char *kind)
{
    for (const rd__engine *const *engine = rd__engines; *engine; engine++) {
        const size_t length = strlen((*engine)->policy->name);
        if ((*engine)->model == RD__MODEL_DAG && strncmp((*engine)->policy->name, kind, length) == 0 &&
            kind[length] == '/')
            return *engine;
    }
    return NULL;
}

/* Lanes that are threads take their time. Widths are no powers of two: tasks one below the other would share few lines
 * of a cache. */
static void shape(rd__dags *dags, int wide, uint32_t count)
{
    const rd_device *device = dags->device;
    const int slow = device->caps.fixed_width && !device->caps.cores;
    dags->width = !wide ? 1 : slow ? SLOW_WIDTH : device->info.is_gpu ? GPU_WIDTH : CPU_WIDTH;
    dags->rows = count ? (count - 1) / dags->width + 1 : wide ? ROWS : slow ? SLOW_CHAIN : CHAIN;
}

rd_status rd__dags_open(rd__dags *dags, rd_device *device, const char *kind, const rd_micro_options *options,
                        rd_error *err)
{
    const char *form = strchr(kind, '/') + 1;
    *dags = (rd__dags){.device = device};
    shape(dags, strcmp(form, "wide") == 0, options->count);
    const uint32_t tasks = dags->width * dags->rows;
    RD_TRY(rd__buffer_alloc(device, &dags->depth, "depth", 4ull * tasks, err));
    dags->arg[0] = RD__BUFFER(&dags->depth);
    dags->arg[1] = RD__U32(dags->width);
    dags->arg[2] = RD__U32(tasks - dags->width);
    dags->arg[3] = RD__U32(1);
    dags->settings.count = 1;
    dags->settings.item[0].key = "next";
    snprintf(dags->settings.item[0].value, RD__SETTING_TEXT, "%s", strcmp(form, "chain") == 0 ? "queue" : "own");
    dags->job = (rd__sched_job){.device = device,
                                .app = "bench dag",
                                .program = "micro_dag",
                                .engine = find_engine(kind),
                                .settings = &dags->settings,
                                .launch = "persistent",
                                .persistent = 1,
                                .worker = device->caps.fixed_width ? 0 : options->lanes,
                                .groups = options->per_unit * device->info.compute_units,
                                .args = dags->arg,
                                .arg_count = 4,
                                .dag = {.known = tasks, .most = tasks}};
    if (!dags->job.engine)
        return rd__fail(err, RD_EBUILD, "no engine runs task graphs as '%s'", kind);
    return dags->job.engine->create(&dags->job, &dags->state, err);
}

void rd__dags_close(rd__dags *dags)
{
    if (dags->state)
        dags->job.engine->destroy(dags->state);
    rd__buffer_free(&dags->depth);
    *dags = (rd__dags){0};
}

/* Each task of the last row is as deep as there are rows: none ran before what it waits for. */
static rd_status verdict(rd__dags *dags, const rd_report *run, rd_error *err)
{
    const uint64_t tasks = (uint64_t)dags->width * dags->rows;
    uint32_t *depth = NULL;
    if (run->tasks != tasks)
        return rd__fail(err, RD_EWRONG, "%llu tasks were run, not %llu", (unsigned long long)run->tasks,
                        (unsigned long long)tasks);
    RD_TRY(rd__array_new(&depth, "depths of tasks", dags->width, sizeof *depth, err));
    rd_status status = rd__buffer_read(&dags->depth, 4 * (tasks - dags->width), 4ull * dags->width, depth, err);
    for (uint32_t i = 0; status == RD_OK && i < dags->width; i++)
        if (depth[i] != dags->rows)
            status =
                rd__fail(err, RD_EWRONG, "the last task of column %u has %u above it, not %u", i, depth[i], dags->rows);
    rd__array_free(depth);
    return status;
}

static rd_status run_once(rd__dags *dags, uint32_t times, rd_report *run, double *total_s, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST};
    dags->arg[3] = RD__U32(times);
    RD_TRY(rd__buffer_fill(&dags->depth, 0, err));
    const double began = rd_now();
    RD_TRY(dags->job.engine->run(dags->state, &dags->job, &seeds, run, err));
    *total_s = rd_now() - began;
    return verdict(dags, run, err);
}

rd_status rd__dags_run(rd__dags *dags, rd_micro_report *report, rd_error *err)
{
    rd_report run = {0}, twice = {0};
    double twice_s = 0;
    RD_TRY(run_once(dags, 1, &run, &report->total_s, err));
    if (dags->width == 1)
        RD_TRY(run_once(dags, 2, &twice, &twice_s, err));
    report->kernel_s = run.kernel_s;
    report->work_s = twice.kernel_s > run.kernel_s ? twice.kernel_s - run.kernel_s : 0;
    report->count = run.tasks;
    report->groups = run.groups;
    report->lanes = run.lanes;
    return RD_OK;
}
