/* SPDX-License-Identifier: Apache-2.0 */
/* app.c - runs any app of the library: device, graph, trials, checker. See app.h. */
#include "cli/app.h"

#include "cli/app_ranks.h"
#include "cli/machine.h"
#include "cli/nearest.h"
#include "cli/resume.h"
#include "cli/teps.h"
#include "cli/vertices.h"

#include <stdlib.h>
#include <string.h>

static const double EVERY_S = 60; /* between two checkpoints */

static int explain(app_run *run)
{
    rd_error err = {.status = RD_OK};
    const char *text;
    if (rd_job_explain(run->job, &text, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    FILE *out = run->text ? run->text : stderr;
    for (const char *line = text, *label = "choice:"; *line; label = "") {
        const int length = (int)strcspn(line, "\n");
        fprintf(out, "%-10s %.*s\n", label, length, line);
        line += length + (line[length] == '\n');
    }
    return 0;
}

static rd_status set_checkpoint(app_run *run, rd_error *err)
{
    const rd_checkpoint_options options = {.size = sizeof options,
                                           .folder = run->checkpoint,
                                           .every = run->every,
                                           .resume = run->resumes,
                                           .note = run->note};
    return rd_job_set_checkpoint(run->job, &options, err);
}

/* Device, job and options first: what is wrong with them is said before a large graph is read. */
static int open_all(app_run *run)
{
    const char *name = run->app->name;
    rd_error err = {.status = RD_OK};
    int code = run->device ? 0 : cli_device_choice_open(&run->choice, name, &run->device);
    if (code)
        return code;
    if (rd_job_create(run->device, name, &run->job, &err) != RD_OK)
        return cli_fail(name, &err);
    for (size_t i = 0; i < run->settings; i++)
        if (!cli_takes_vertices(run->app, run->setting[i].key) &&
            rd_job_set(run->job, run->setting[i].key, run->setting[i].value, &err) != RD_OK)
            return cli_fail(name, &err);
    if (run->timeout > 0) {
        char seconds[40];
        snprintf(seconds, sizeof seconds, "%.17g", run->timeout);
        cli_set_timeout(run->timeout);
        /* A watchdog inside the library, where it has one, also stops a kernel that no callback can reach. */
        for (const rd_option_info *option = rd_common_options(); option->key; option++)
            if (strcmp(option->key, "timeout") == 0 && rd_job_set(run->job, "timeout", seconds, &err) != RD_OK)
                return cli_fail(name, &err);
    }
    run->input.progress.enabled &= !run->quiet;
    rd_job_set_progress(run->job, rd_progress_line_fn, &run->input.progress);
    if (run->ranks && rd_job_set_ranks(run->job, run->ranks, (uint32_t)run->window, &err) != RD_OK)
        return cli_fail(name, &err);
    if (run->checkpoint && set_checkpoint(run, &err) != RD_OK)
        return cli_fail(name, &err);
    if (run->app->input == RD_INPUT_TEXT && rd_job_set_input(run->job, run->spec, &err) != RD_OK) {
        const size_t used = strlen(err.text);
        if (err.status == RD_EIO)
            snprintf(err.text + used, sizeof err.text - used, "%s", cli_nearest_generator(run->spec, run->app));
        return cli_fail(name, &err);
    }
    if (rd_app_takes_graph(run->app)) {
        cli_input_want_weights(&run->input, run->app->input == RD_INPUT_WEIGHTED);
        code = cli_input_open_part(&run->input, name, run->spec, run->ranks, &run->graph);
        if (code == 0)
            code = run->app->has_source ? app_choose_sources(run) : 0;
        if (code == 0)
            code = app_learn_names(run);
        if (code)
            return code;
        for (size_t i = 0; i < run->settings; i++) /* the graph knows what its file calls them */
            if (cli_takes_vertices(run->app, run->setting[i].key) &&
                cli_set_vertices(run->job, run->graph, run->setting[i].key, run->setting[i].value, &err) != RD_OK)
                return cli_fail(name, &err);
        if (rd_job_set_graph(run->job, run->graph, &err) != RD_OK)
            return cli_fail(name, &err);
    }
    if (rd_job_plan(run->job, &run->plan, &err) != RD_OK)
        return cli_fail(name, &err);
    return run->explain && !run->is_other ? explain(run) : 0;
}

/* The memory plan, and whether it fits: exit status 4 when it does not. One rank prints, each looks at its own. */
static int dry_run(app_run *run)
{
    const rd_device_info *info = rd_device_get_info(run->device);
    uint64_t need = run->plan.alloc_bytes, largest = 0;
    uint64_t have = info->memory_free ? info->memory_free : info->memory;
    char text[2][32];
    if (run->json)
        app_json_plan(run, stdout);
    else if (!run->is_other)
        app_print_plan(run, stdout);
    if (run->json_file)
        app_json_plan(run, run->json_file);
    for (size_t i = 0; i < run->plan.count; i++)
        if (!run->plan.item[i].is_shared && run->plan.item[i].bytes > largest)
            largest = run->plan.item[i].bytes;
    if (have && need > have)
        return cli_message(run->app->name, CLI_BAD_DEVICE, "it would not fit: %s wanted, %s there on %s",
                           rd_format_bytes(need, text[0], 32), rd_format_bytes(have, text[1], 32), info->name);
    if (info->memory_max_alloc && largest > info->memory_max_alloc)
        return cli_message(run->app->name, CLI_BAD_DEVICE, "it would not fit: a buffer of %s, %s allows %s",
                           rd_format_bytes(largest, text[0], 32), info->name,
                           rd_format_bytes(info->memory_max_alloc, text[1], 32));
    return 0;
}

static uint64_t greatest_depth(const rd_result *result)
{
    uint32_t depth = 0;
    for (uint64_t i = 0; i < result->count; i++)
        if (result->word[i] != RD_NONE && result->word[i] > depth)
            depth = result->word[i];
    return depth;
}

/* @return 0, or an exit code; a wrong result is noted in the trial and is not an error here. */
static int run_trial(app_run *run, app_trial *trial)
{
    const char *name = run->app->name;
    rd_error err = {.status = RD_OK};
    rd_result result;
    trial->source = RD_NONE;
    if (run->app->has_source && run->source_count) {
        char vertex[16];
        trial->source = run->source[run->done % run->source_count];
        snprintf(vertex, sizeof vertex, "%u", trial->source);
        if (rd_job_set(run->job, "source", vertex, &err) != RD_OK)
            return cli_fail(name, &err);
    } else if (run->app->has_source && run->graph) {
        trial->source = rd_graph_get_part(run->graph).hub;
    }
    double started = rd_now();
    rd_status status = rd_job_run(run->job, &trial->report, &err);
    /* Stopped early: some apps have a result all the same. */
    if (status == RD_ETIMEOUT || status == RD_ECANCELLED)
        trial->stopped = rd_job_result(run->job, &result, NULL) == RD_OK;
    else if (status == RD_OK)
        status = rd_job_result(run->job, &result, &err);
    trial->total_s = rd_now() - started;
    rd_progress_line_clear(&run->input.progress);
    if (status != RD_OK && !trial->stopped)
        return cli_fail(name, &err);
    const char *answer = "";
    if (rd_job_measure(run->job, &trial->report, &err) != RD_OK || rd_job_answer(run->job, &answer, &err) != RD_OK)
        return cli_fail(name, &err);
    snprintf(trial->answer, sizeof trial->answer, "%s", answer);
    trial->edges_reached = run->graph ? cli_edges_reached(run->graph, &result) : 0;
    trial->download_s = result.download_s;
    trial->depth = strcmp(result.name, "depth") == 0 && result.kind == RD_RESULT_U32 ? greatest_depth(&result)
                                                                                     : trial->report.rounds;
    const int joined = app_ranks_trial(run, trial);
    if (joined)
        return joined;
    if (run->verify && !trial->stopped) {
        started = rd_now();
        err = (rd_error){.status = RD_OK};
        status = rd_job_check(run->job, &err);
        trial->verify_s = rd_now() - started;
        trial->checked = 1;
        trial->right = status == RD_OK;
        if (status == RD_OK)
            snprintf(trial->note, sizeof trial->note, "%.*s", (int)sizeof trial->note - 1, err.text);
        if (status == RD_EWRONG && !strstr(err.text, RD_RANKS_ELSEWHERE)) /* who found it says what it is */
            cli_message(name, 0, "trial %zu is wrong: %s", run->done + 1, err.text);
        else if (status != RD_OK && status != RD_EWRONG)
            return cli_fail(name, &err);
    }
    return trial->stopped ? cli_fail(name, &err) : 0;
}

static int run_trials(app_run *run)
{
    const char *name = run->app->name;
    size_t trials = run->trials ? (size_t)run->trials : run->source_count ? run->source_count : 1;
    int code = 0, wrong = 0, stopped = 0;
    run->trial = calloc(trials, sizeof *run->trial);
    if (!run->trial)
        return cli_message(name, CLI_BAD_DEVICE, "out of host memory: records of %zu trials", trials);
    while (run->done < trials) {
        if (__atomic_load_n(&cli_stop, __ATOMIC_RELAXED)) { /* partner: the handlers in signals.c */
            rd_error err = {.status = RD_ECANCELLED};
            snprintf(err.text, sizeof err.text, "%zu of %zu trials were done", run->done, trials);
            code = cli_fail(name, &err);
            break;
        }
        code = run_trial(run, &run->trial[run->done]);
        const app_trial *trial = &run->trial[run->done];
        stopped = trial->stopped;
        if (code && !stopped)
            break;
        run->done++;
        wrong |= trial->checked && !trial->right;
        if (run->text)
            app_print_trial(run, run->done - 1, trials);
        if (run->explain && !run->is_other)
            app_print_switches(run, run->done - 1, run->text ? run->text : stderr);
        if (run->json)
            app_json_trial(run, run->done - 1, stdout);
        if (run->json_file)
            app_json_trial(run, run->done - 1, run->json_file);
        if (stopped)
            break;
    }
    if (run->done) {
        if (run->text)
            app_print_summary(run);
        if (run->json)
            app_json_summary(run, stdout);
        if (run->json_file)
            app_json_summary(run, run->json_file);
    }
    if (code == 0 || stopped) {
        const int written = app_write_results(run);
        code = code ? code : written;
    }
    return wrong ? CLI_WRONG : code;
}

/* All that a rank does, or the only one there is, after the command line was read. */
static int run_whole(app_run *run)
{
    const rd_app_info *app = run->app;
    int code = 0;
    if (run->json_path) {
        code = cli_open_json(app->name, run->json_path, &run->records);
        run->json_file = code == 0 ? rd_output_stream(run->records) : NULL;
    }
    if (code == 0) {
        /* Values on stdout (-o -) drive the report to stderr. */
        run->text = run->quiet || run->json ? NULL : app_writes_stdout(run) ? stderr : stdout;
        code = open_all(run);
    }
    if (code == 0)
        code = !run->dry_run ? run_trials(run) : dry_run(run);
    int closed = cli_close_json(app->name, run->records);
    rd_progress_line_clear(&run->input.progress);
    rd_job_destroy(run->job);
    rd_graph_destroy(run->graph);
    rd_device_close(run->device);
    run->device = NULL;
    rd_free(run->rank_stats);
    free(run->trial);
    free(run->source);
    free(run->named);
    run->named = NULL; /* whoever had it before does not free it again */
    return code ? code : closed;
}

int cli_app_resume(const rd_app_info *app, int argc, char **argv, const char *folder)
{
    app_run run = {.app = app, .started = rd_now(), .every = EVERY_S};
    run.note = resume_note(argc, argv); /* parsing puts words in another order */
    if (!run.note)
        return cli_message(app->name, CLI_BAD_DEVICE, "out of host memory: the command line");
    int code = app_parse(&run, argc, argv);
    run.resumes = folder != NULL;
    run.checkpoint = folder ? folder : run.checkpoint;
    code = code ? code : app_on_ranks(&run, run_whole);
    free(run.named);
    free(run.note);
    return code;
}

int cli_app_run(const rd_app_info *app, int argc, char **argv)
{
    return cli_app_resume(app, argc, argv, NULL);
}
