/* SPDX-License-Identifier: Apache-2.0 */
/* app_output.c - results of an app in files: -o FILE the result, -o ARRAY=FILE any array of an own app, as often as
 * wanted. */
#include "cli/app.h"

#include "cli/app_ranks.h"
#include "cli/outputs.h"
#include "cli/values.h"

#include <string.h>

/* ---- Names ---- */

/* "depth=FILE", when the app has an array of that name. @return its name, or NULL. */
static const char *find_array(const rd_app_info *app, const char *value)
{
    const size_t length = strcspn(value, "=");
    for (const char *const *array = app->arrays; array && *array && value[length]; array++)
        if (strlen(*array) == length && strncmp(*array, value, length) == 0)
            return *array;
    return NULL;
}

int app_take_output(app_run *run, const char *value)
{
    const char *array = find_array(run->app, value);
    if (!array) {
        run->output_path = cli_output_name(value);
        return 0;
    }
    if (run->outputs == APP_OUTPUTS_MAX)
        return cli_usage(run->app->name, "at most %d arrays are written", APP_OUTPUTS_MAX);
    run->output[run->outputs].array = array;
    run->output[run->outputs++].path = cli_output_name(value + strlen(array) + 1);
    return 0;
}

int app_writes_stdout(const app_run *run)
{
    int count = run->output_path && strcmp(run->output_path, "-") == 0;
    for (size_t i = 0; i < run->outputs; i++)
        count += strcmp(run->output[i].path, "-") == 0;
    return count;
}

int app_check_outputs(const app_run *run)
{
    const char *name = run->app->name;
    if (app_writes_stdout(run) && run->json)
        return cli_usage(name, "--json and --output - both want standard output; use --json-file");
    if (app_writes_stdout(run) > 1)
        return cli_usage(name, "two outputs go to '-': give one of them a file");
    int code = run->dry_run ? 0 : cli_check_outputs(name, run->output_path, run->json_path);
    for (size_t i = 0; i < run->outputs && code == 0 && !run->dry_run; i++) {
        const char *path = run->output[i].path;
        code = cli_check_outputs(name, path, run->json_path);
        code = code ? code : cli_check_outputs(name, path, run->output_path);
        for (size_t j = 0; j < i && code == 0; j++)
            code = cli_check_outputs(name, path, run->output[j].path);
    }
    return code;
}

/* ---- Writing ---- */

static int write_values(const app_run *run, const rd_result *result, const char *path)
{
    rd_error err = {.status = RD_OK};
    return cli_write_values(run->graph, result, path, &err) == RD_OK ? 0 : cli_fail(run->app->name, &err);
}

static int write_result(app_run *run)
{
    rd_result result;
    void *all;
    rd_error err = {.status = RD_OK};
    if (run->app->file_suffixes)
        return rd_job_save(run->job, run->output_path, &err) == RD_OK ? 0 : cli_fail(run->app->name, &err);
    if (rd_job_result(run->job, &result, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    const int code = app_ranks_result(run, &result, &all);
    if (code || run->is_other)
        return code;
    const int written = write_values(run, &result, run->output_path);
    rd_free(all);
    return written;
}

int app_write_results(app_run *run)
{
    int code = run->output_path ? write_result(run) : 0;
    for (size_t i = 0; i < run->outputs && code == 0; i++) {
        rd_result result;
        rd_error err = {.status = RD_OK};
        code = rd_job_read(run->job, run->output[i].array, &result, &err) == RD_OK
                   ? write_values(run, &result, run->output[i].path)
                   : cli_fail(run->app->name, &err);
    }
    return code;
}
