/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - runs kernel roots of src/selftest/models/ under every engine of their model; see models.h. */
#include "selftest/models.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

rd_status rd__models_words(rd__models_run *run, int i, uint64_t count, uint32_t word, rd_error *err)
{
    if (!run->buffer[i].device)
        RD_TRY(rd__buffer_alloc(run->test->device, &run->buffer[i], "selftest", 4 * (count ? count : 1), err));
    return rd__buffer_fill(&run->buffer[i], word, err);
}

void rd__models_free(rd__models_run *run)
{
    for (int i = 0; i < RD__MODELS_BUFFERS; i++)
        rd__buffer_free(&run->buffer[i]);
}

rd_status rd__models_expect(rd__models_run *run, int i, uint64_t count, const uint32_t *low, const uint32_t *high,
                            const char *what, rd_error *err)
{
    uint32_t *word = NULL;
    RD_TRY(rd__array_new(&word, "counts on the host", count, sizeof *word, err));
    rd_status status = rd__buffer_read(&run->buffer[i], 0, 4 * count, word, err);
    for (uint64_t k = 0; status == RD_OK && k < count; k++)
        if (word[k] < low[k] || word[k] > high[k])
            status = rd__fail(err, RD_EWRONG, "%s %llu: %u, not %u to %u", what, (unsigned long long)k, word[k], low[k],
                              high[k]);
    rd__array_free(word);
    return status;
}

rd_status rd__models_nothing_wrong(rd__models_run *run, int i, rd_error *err)
{
    uint32_t wrong = 0;
    RD_TRY(rd__buffer_read(&run->buffer[i], 0, sizeof wrong, &wrong, err));
    return wrong ? rd__fail(err, RD_EWRONG, "the kernel found %u things wrong", wrong) : RD_OK;
}

/* Twice: what a run leaves behind must not matter to the next. */
static rd_status run_twice(rd__models_run *run, rd_error *err)
{
    rd__sched_state *state = NULL;
    rd_status status = run->job.engine->create(&run->job, &state, err);
    for (int i = 0; status == RD_OK && i < 2; i++) {
        rd_report report = {0};
        status = run->start(run, err);
        const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = run->seeds, .vertex = run->seed};
        if (status == RD_OK)
            status = run->job.engine->run(state, &run->job, &seeds, &report, err);
        if (status == RD_OK)
            status = run->check(run, &report, err);
        run->runs++;
    }
    if (state)
        run->job.engine->destroy(state);
    return status;
}

static rd_status run_here(rd__models_run *run, const char *launch, uint32_t worker, uint32_t groups, const char *key,
                          rd_error *err)
{
    rd_error why = {.status = RD_OK};
    rd__settings settings = {.count = key != NULL, .item = {{.key = key, .value = "1"}}};
    rd__sched_job *job = &run->job;
    job->settings = &settings;
    job->launch = launch;
    job->persistent = strcmp(launch, "persistent") == 0;
    job->looped = strcmp(launch, "graph") == 0;
    job->worker = worker;
    job->groups = groups;
    run->in_rounds = rd__engine_in_rounds(job);
    rd_status status = RD_OK;
    for (uint32_t i = 0; status == RD_OK && (run->input ? run->input(run, i) : i == 0); i++) {
        rd__models_free(run); /* their sizes are the input's */
        status = run_twice(run, &why);
    }
    job->settings = NULL;
    if (status == RD_OK)
        return RD_OK;
    return rd__fail(err, status, "%s --sched %s --launch %s --worker %u --groups %u%s%s: %.800s", run->root,
                    job->engine->policy->name, launch, worker, groups, key ? " --" : "", key ? key : "", why.text);
}

static rd_status every_width(rd__models_run *run, const char *launch, const char *key, rd_error *err)
{
    size_t count;
    const uint32_t *width = rd__test_widths(run->test->device, &count);
    RD_TRY(run_here(run, launch, 0, 0, key, err));
    if (!run->test->device->caps.slow_wide_compile)
        RD_TRY(run_here(run, launch, 0, 1, key, err));
    /* Compiling takes seconds on a CPU behind OpenCL, and some engines take no wide groups there. */
    for (size_t i = 0; run->test->device->info.is_gpu && i < count; i++)
        if (!rd__test_is_watched(run->test) || width[i] == 33) /* a warp and a lane of the next */
            RD_TRY(run_here(run, launch, width[i], 0, key, err));
    return RD_OK;
}

rd_status rd__models_everywhere(rd__models_run *run, rd_error *err)
{
    const rd__root *root = rd__root_find(run->root);
    char gate[64];
    if (!root)
        return rd__fail(err, RD_EBUILD, "there is no kernel root '%s'", run->root);
    snprintf(gate, sizeof gate, "%s_gate", run->root);
    run->job.device = run->test->device;
    run->job.app = run->job.program = run->root;
    run->job.frontier.repeats = (root->traits & RD__TRAIT_REPEATS) != 0;
    run->job.frontier.urgent = (root->traits & RD__TRAIT_URGENT) != 0;
    run->job.frontier.pulls = (root->traits & RD__TRAIT_PULLS) != 0;
    for (const rd__engine *const *engine = rd__engines; *engine; engine++) {
        if (!rd__engine_runs(*engine, run->root))
            continue;
        run->job.engine = *engine;
        for (const char *const *launch = (*engine)->policy->launches; *launch; launch++)
            if (rd__test_has_launch(run->test, *launch))
                RD_TRY(every_width(run, *launch, NULL, err));
        if (root->model == RD__MODEL_FRONTIER && strcmp((*engine)->tag, "fifo") == 0 && rd__program_exists(gate))
            RD_TRY(every_width(run, "persistent", "gate", err));
    }
    return run->runs ? RD_OK : rd__fail(err, RD_EBUILD, "no engine runs '%s'", run->root);
}
