/* SPDX-License-Identifier: Apache-2.0 */
/* long.c - see long.h. */
#include "cli/bench/long.h"

#include "cli/run.h"

#include <math.h>
#include <string.h>

enum { APPS_MAX = 16, SETS_MAX = 8, TEXT = 128 };

static const bench_long own[] = {
    {.name = "rounds", .app = "pr", .sched = "bsp", .launch = "persistent", .rounds = 1, .graph = 1},
    {.name = "steal", .app = "fib", .sched = "steal", .launch = "persistent"},
};
static bench_long said[APPS_MAX]; /* of --app */
static char names[APPS_MAX][TEXT], inputs[APPS_MAX][TEXT];
static size_t apps;
static struct {
    char key[32];
    const char *value;
} sets[SETS_MAX];
static size_t set_count;

/* "bfs=kron:18", "fib=30", "FILE.k.c=road:600x600" */
int bench_long_take_app(const char *value)
{
    const size_t length = strcspn(value, "=");
    char name[TEXT];
    if (apps == APPS_MAX || strlen(value) >= TEXT)
        return cli_usage("bench", "--app: at most %d, of at most %d characters", APPS_MAX, TEXT - 1);
    snprintf(name, sizeof name, "%.*s", (int)length, value);
    const rd_app_info *app = cli_find_app(name);
    if (!app && !strchr(name, '.'))
        return cli_usage("bench", "--app takes an app of the library, or a file with an own one, not '%s'", name);
    if (!app) {
        const int code = cli_own_app("bench multitask", name, &app);
        if (code)
            return code;
    }
    if ((app->input == RD_INPUT_NONE) != !value[length])
        return cli_usage("bench", "--app %s%s", name, value[length] ? " takes no input" : "=INPUT: which input?");
    snprintf(names[apps], TEXT, "%s", value);
    snprintf(inputs[apps], TEXT, "%s", value[length] ? value + length + 1 : "");
    said[apps] = (bench_long){.name = names[apps],
                              .app = app->name,
                              .input = inputs[apps],
                              .anew = 1,
                              .weighted = app->input == RD_INPUT_WEIGHTED,
                              .graph = rd_app_takes_graph(app)};
    apps++;
    return 0;
}

int bench_long_take_set(const char *value)
{
    const char *equals = strchr(value, '=');
    if (set_count == SETS_MAX || !equals || equals == value || (size_t)(equals - value) >= sizeof sets[0].key)
        return cli_usage("bench", "--set takes KEY=VALUE, at most %d times, not '%s'", SETS_MAX, value);
    snprintf(sets[set_count].key, sizeof sets[0].key, "%.*s", (int)(equals - value), value);
    sets[set_count++].value = equals + 1;
    return 0;
}

size_t bench_longs(const bench_long **list)
{
    *list = apps ? said : own;
    return apps ? apps : sizeof own / sizeof own[0];
}

double bench_long_seconds(double as_said)
{
    return as_said > 0 ? as_said : bench_quick ? 0.1 : 1;
}

static const char *graph_of(const bench_long *kind)
{
    return kind->input ? kind->input : bench_quick ? "kron:10" : "kron:14";
}

static rd_status give_size(const bench_long *kind, rd_job *job, const char *size, rd_error *err)
{
    return kind->rounds ? rd_job_set(job, "iterations", size, err) : rd_job_set_input(job, size, err);
}

rd_status bench_long_make(const bench_long *kind, rd_device *device, uint32_t threads, const char *size,
                          rd_graph **graph, rd_job **job, rd_error *err)
{
    BENCH_TRY(rd_job_create(device, kind->app, job, err));
    if (kind->sched)
        BENCH_TRY(rd_job_set(*job, "sched", kind->sched, err));
    if (kind->launch)
        BENCH_TRY(rd_job_set(*job, "launch", kind->launch, err));
    if (kind->anew) /* all runs of a case are of the same configuration */
        BENCH_TRY(rd_job_set(*job, "learn", "off", err));
    for (size_t i = 0; i < set_count; i++)
        BENCH_TRY(rd_job_set(*job, sets[i].key, sets[i].value, err));
    if (kind->graph && !*graph) {
        rd_graph_options options = {.size = sizeof options, .threads = threads, .symmetrize = 1};
        if (kind->weighted) {
            options.weight_min = 1;
            options.weight_max = 255;
            options.keep_weights = 1;
        }
        BENCH_TRY(rd_graph_open(graph_of(kind), &options, graph, err));
    }
    if (kind->graph)
        BENCH_TRY(rd_job_set_graph(*job, *graph, err));
    else if (kind->input && *kind->input)
        BENCH_TRY(rd_job_set_input(*job, kind->input, err));
    return size && !kind->input ? give_size(kind, *job, size, err) : RD_OK;
}

rd_status bench_long_time(rd_job *job, int times, double *seconds, rd_error *err)
{
    double took[5];
    rd_report report;
    for (int i = 0; i < times; i++) {
        BENCH_TRY(rd_job_run(job, &report, err));
        took[i] = report.run_s;
    }
    rd_stats stats;
    rd_stats_of(took, (size_t)times, &stats);
    *seconds = stats.median;
    return RD_OK;
}

rd_status bench_long_fit_fib(rd_job *job, double seconds, char size[BENCH_LONG_SIZE], rd_error *err)
{
    double took = 0;
    for (int n = 12; n <= 48 && took < seconds; n += took < seconds / 5 ? 2 : 1) {
        snprintf(size, BENCH_LONG_SIZE, "%d", n);
        BENCH_TRY(rd_job_set_input(job, size, err));
        BENCH_TRY(rd_job_run(job, NULL, err));
        BENCH_TRY(bench_long_time(job, 1, &took, err));
    }
    return RD_OK;
}

rd_status bench_long_fit(const bench_long *kind, rd_job *job, double seconds, char size[BENCH_LONG_SIZE], rd_error *err)
{
    double took = 0;
    if (!kind->rounds)
        return bench_long_fit_fib(job, seconds, size, err);
    BENCH_TRY(rd_job_set(job, "iterations", "20", err));
    BENCH_TRY(rd_job_run(job, NULL, err));
    BENCH_TRY(bench_long_time(job, 1, &took, err));
    const double more = ceil(20 * seconds / (took > 1e-6 ? took : 1e-6));
    snprintf(size, BENCH_LONG_SIZE, "%.0f", more < 20 ? 20 : more > 1e6 ? 1e6 : more);
    return rd_job_set(job, "iterations", size, err);
}

rd_status bench_long_check(rd_job *job, rd_error *err)
{
    const rd_status status = rd_job_check(job, err);
    if (status == RD_EARG)
        *err = (rd_error){.status = RD_OK};
    return status == RD_EARG ? RD_OK : status;
}

void bench_long_request(const bench_long *kind, const char *size, char *text, size_t room)
{
    snprintf(text, room, "app %s\ninput %s\nset sched=%s\nset launch=%s\n%s%s%s", kind->app,
             kind->graph ? graph_of(kind) : size, kind->sched, kind->launch,
             kind->rounds ? "symmetrize 1\nset iterations=" : "", kind->rounds ? size : "", kind->rounds ? "\n" : "");
}
