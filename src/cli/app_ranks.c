/* SPDX-License-Identifier: Apache-2.0 */
/* app_ranks.c - see app_ranks.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/app_ranks.h"

#include "cli/rank_watch.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Devices ---- */

/* The cores that this process may use. */
static unsigned cores(cpu_set_t *set)
{
    CPU_ZERO(set);
    const int count = sched_getaffinity(0, sizeof *set, set) == 0 ? CPU_COUNT(set) : 0;
    return count > 0 ? (unsigned)count : 1;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3ull; /* FNV-1a */
    return hash;
}

/* A number for the machine, as long as it runs, and these cores of it: containers of one machine have one. */
static uint64_t place_of(const cpu_set_t *set)
{
    char text[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return hash_bytes(hash_bytes(0xcbf29ce484222325ull, text, length), set, sizeof *set);
}

/* All ranks that are processes: those with the same cores have to share them, be it all of a machine, those of a socket
 * that a launcher binds ranks to, or some that the launcher itself was bound to. *at: which of them this is, *of: how
 * many. */
static int find_mates(const app_run *run, const cpu_set_t *set, uint32_t *at, uint32_t *of)
{
    enum { EACH = 12 }; /* that rd_ranks_sum adds up */
    const uint32_t ranks = rd_ranks_count(run->ranks), own = rd_ranks_rank(run->ranks);
    const uint64_t place = place_of(set);
    rd_error err = {.status = RD_OK};
    *at = *of = 0;
    for (uint32_t from = 0; from < ranks; from += EACH) {
        uint64_t word[EACH] = {0};
        if (own - from < EACH)
            word[own - from] = place;
        if (rd_ranks_sum(run->ranks, word, EACH, &err) != RD_OK)
            return cli_fail(run->app->name, &err);
        for (uint32_t r = from; r < ranks && r - from < EACH; r++) {
            *of += word[r - from] == place;
            *at += word[r - from] == place && r < own;
        }
    }
    return 0;
}

/* Threads that a device called so has: "cpu:4", "cpu:4x2"; 0: not said. */
static unsigned long threads_of(const char *name)
{
    char *end;
    if (!name || !cli_names_host(name) || !name[3])
        return 0;
    const unsigned long threads = strtoul(name + 4, &end, 10);
    return *end == 'x' ? threads * strtoul(end + 1, &end, 10) : threads;
}

/* A rank keeps to its part of the processors, if its threads have room there: who computes (of some apps the rank's own
 * thread, of others its device's, never both) does not get into the way of another rank, and who is waked up finds its
 * processor free. Not pinned one by one: those two share it. */
static void keep_apart(uint32_t at, uint32_t of, unsigned long threads)
{
    cpu_set_t all, own;
    CPU_ZERO(&all);
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    const uint64_t count = (uint64_t)CPU_COUNT(&all), first = count * at / of, last = count * (at + 1) / of;
    uint64_t seen = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && seen++ >= first && seen <= last)
            CPU_SET(cpu, &own);
    if (last - first >= threads && last > first)
        (void)sched_setaffinity(0, sizeof own, &own); /* threads that this one makes get it too */
}

/* "cuda:local" is the GPU with the number that the rank has on its machine. Threads of ranks with the same cores share
 * these; pinned one by one they would all sit on the first ones. */
static int place_device(app_run *run)
{
    static const char local[] = ":local";
    uint32_t of, at = rd_ranks_on_node(run->ranks, &of);
    const uint32_t others = run->other_devices; /* each has a thread that waits for it */
    const char *name = run->choice.name;
    const size_t length = name ? strlen(name) : 0, end = sizeof local - 1;
    cpu_set_t set;
    const unsigned mine = cores(&set);
    if (length > end && strcmp(name + length - end, local) == 0) {
        snprintf(run->device_name, sizeof run->device_name, "%.*s:%u", (int)(length - end), name, at);
        run->choice.name = run->device_name;
    }
    const int code = run->is_process ? find_mates(run, &set, &at, &of) : 0;
    if (code != 0 || of < 2)
        return code;
    const int may_pin = !run->choice.options.no_pin && !others;
    run->choice.options.no_pin = 1;
    const unsigned share = of > others && mine > others ? (mine - others) / (of - others) : mine / of;
    if (!run->choice.options.threads)
        run->choice.options.threads = share ? share : 1;
    if (!run->input.options.threads)
        run->input.options.threads = run->choice.options.threads;
    const unsigned long named = threads_of(name);
    if (may_pin)
        keep_apart(at, of, named ? named : run->choice.options.threads);
    return 0;
}

/* ---- One rank ---- */

/* Ranks that do not do the same would wait for each other, or mix up their results. Devices may differ. */
static int agree(app_run *run)
{
    char text[2048], version[512];
    rd_error err = {.status = RD_OK};
    const rd_graph_options *input = &run->input.options;
    size_t used = 0;
#define ADD(...)                                                                                                       \
    do {                                                                                                               \
        if (used < sizeof text)                                                                                        \
            used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__);                                    \
    } while (0)
    ADD("%s %s, trials %" PRIu64 ", verify %d, window %" PRIu64 ", message %" PRIu64 ", sources %" PRIu64,
        run->app->name, run->spec ? run->spec : "", run->trials, run->verify, run->window, run->message,
        run->random_sources);
    for (size_t i = 0; i < run->named_count; i++)
        ADD(" %" PRIu64, run->named[i]);
    for (size_t i = 0; i < run->settings; i++)
        ADD(" %s=%s", run->setting[i].key, run->setting[i].value);
    ADD(" input %s %d%d%d%d%d%d%d %d-%d %" PRIu64, input->format ? input->format : "", input->symmetrize,
        input->drop_loops, input->drop_duplicates, input->permute, input->round_weights, input->keep_weights,
        input->own_numbers, input->weight_min, input->weight_max, input->seed);
    if (cli_own_words)
        ADD(" %s", cli_own_words);
    ADD(" shares %s", run->shares ? run->shares : "by device");
    ADD(" output %d, stats %d, checkpoint %d %d", run->output_path || run->outputs, run->stats, run->checkpoint != NULL,
        run->resumes);
#undef ADD
    snprintf(version, sizeof version, "%s, %s", rd_version(), rd_build_info()); /* a tarball has no commit */
    if (rd_ranks_agree(run->ranks, "version", version, &err) != RD_OK ||
        rd_ranks_agree(run->ranks, "options", text, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    return 0;
}

/* Of threads, the exit code of the one that failed first: others fail because of it. */
static atomic_int first_code;

static int one_rank(app_run *run, int (*whole)(app_run *run))
{
    int none = 0;
    uint32_t alone = RD_NONE;
    rd_ranks *ranks = run->ranks; /* who does all of it forgets them */
    cli_rank = (int)rd_ranks_rank(run->ranks);
    rd_ranks_set_progress(run->ranks, rd_progress_line_fn, &run->input.progress);
    rd_error err = {.status = RD_OK};
    int code = agree(run);
    if (code == 0 && rd_ranks_set_message(run->ranks, (uint32_t)run->message, &err) != RD_OK)
        code = cli_fail(run->app->name, &err);
    if (code == 0)
        code = place_device(run);
    if (code == 0)
        code = app_share(run, &alone);
    run->is_other = cli_rank != (alone == RD_NONE ? 0 : (int)alone);
    if (run->is_other) { /* rank 0 speaks for all, or who does all */
        run->quiet = 1;
        run->json = 0;
        run->json_path = NULL;
        run->input.progress.enabled = 0;
    }
    if (code == 0)
        code = alone == RD_NONE ? whole(run) : app_run_alone(run, alone, whole);
    atomic_compare_exchange_strong(&first_code, &none, code);
    /* A wrong result was found by all together; nobody waits any more. */
    if (code && code != CLI_WRONG)
        rd_ranks_stop(ranks,
                      code == CLI_TIMED_OUT   ? RD_ETIMEOUT
                      : code == CLI_BAD_USAGE ? RD_EARG
                      : code == CLI_BAD_INPUT ? RD_EINPUT
                                              : RD_EDEVICE,
                      "has failed");
    rd_device_close(run->device); /* where `whole` never began */
    run->device = NULL;
    return code;
}

static int refuse(const app_run *run)
{
    if (cli_own_name && strcmp(cli_own_name, run->app->name) == 0)
        return cli_message(
            run->app->name, CLI_BAD_USAGE,
            "it does not run on several ranks: of files, those of model forkjoin do that have no arrays, "
            "whose result is the whole sum of what tasks return, and whose joins do nothing but add "
            "(RD_JOIN_NONE, or '#define RD_TASK_ADDS 1'); and those of model frontier that are searches, whose tasks "
            "only lower one word a vertex ('#define RD_APP_LEAST 1'); use one -d");
    char names[256] = "";
    size_t used = 0;
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        if (rd_app_takes_ranks(app->name) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", app->name);
    return cli_message(run->app->name, CLI_BAD_USAGE, "it does not run on several ranks; these do: %s", names);
}

/* ---- Threads ---- */

typedef struct member {
    app_run run;
    int (*whole)(app_run *run);
    int started;
    pthread_t thread;
} member;

static void *as_thread(void *arg)
{
    member *self = arg;
    (void)one_rank(&self->run, self->whole); /* first_code has it */
    return NULL;
}

/* What the parser made belongs to the caller. */
static int copy_lists(app_run *run, const app_run *from)
{
    const size_t bytes = from->named_count * sizeof *from->named;
    run->named = from->named_count ? malloc(bytes) : NULL;
    if (!run->named && from->named_count)
        return 0;
    if (run->named)
        memcpy(run->named, from->named, bytes);
    return 1;
}

static int on_threads(app_run *run, int (*whole)(app_run *run))
{
    const uint32_t count = run->choice.count;
    const char *name = run->app->name;
    rd_ranks *ranks[CLI_DEVICES_MOST];
    rd_error err = {.status = RD_OK};
    int code = 0;
    if (rd_ranks_open_threads(count, ranks, &err) != RD_OK)
        return cli_fail(name, &err);
    member *crew = calloc(count, sizeof *crew);
    if (!crew)
        code = cli_message(name, CLI_BAD_DEVICE, "out of host memory: %u ranks", count);
    for (uint32_t r = 0; r < count; r++)
        run->other_devices += !cli_names_host(run->choice.names[r]);
    for (uint32_t r = 0; r < count && code == 0; r++) {
        crew[r].run = *run;
        crew[r].run.ranks = ranks[r];
        crew[r].run.choice.name = run->choice.names[r];
        crew[r].whole = whole;
        if (!copy_lists(&crew[r].run, run))
            code = cli_message(name, CLI_BAD_DEVICE, "out of host memory: list of sources");
    }
    for (uint32_t r = 1; r < count && code == 0; r++) {
        crew[r].started = pthread_create(&crew[r].thread, NULL, as_thread, &crew[r]) == 0;
        if (!crew[r].started) {
            code = cli_message(name, CLI_BAD_DEVICE, "no thread for rank %u", r);
            rd_ranks_stop(ranks[0], RD_EDEVICE, "a thread is missing");
        }
    }
    if (code == 0)
        code = one_rank(&crew[0].run, whole);
    for (uint32_t r = 1; crew && r < count; r++)
        if (crew[r].started)
            pthread_join(crew[r].thread, NULL);
    const int first = atomic_load(&first_code);
    code = first ? first : code;
    for (uint32_t r = 0; crew && r < count; r++)
        free(crew[r].run.named);
    cli_rank = -1;
    for (uint32_t r = 0; r < count; r++)
        rd_ranks_close(ranks[r]);
    free(crew);
    return code;
}

/* ---- All of it ---- */

/* Checkpoints are of ranks: this is the only one. */
static int as_only_rank(app_run *run, int (*whole)(app_run *run))
{
    rd_error err = {.status = RD_OK};
    rd_ranks *ranks;
    if (rd_ranks_open_threads(1, &ranks, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    rd_ranks_set_progress(ranks, rd_progress_line_fn, &run->input.progress);
    run->ranks = ranks;
    const int code = whole(run);
    rd_ranks_close(ranks);
    return code;
}

/* An option that does nothing is said: it would seem to have been measured. */
static void say_unused(const app_run *run)
{
    const char *option = run->shares ? "shares" : run->window ? "window" : run->message ? "message" : NULL;
    if (option && !run->quiet)
        cli_message(run->app->name, 0, "--%s is about several ranks and does nothing on one", option);
}

int app_on_ranks(app_run *run, int (*whole)(app_run *run))
{
    rd_error err = {.status = RD_OK};
    uint32_t rank;
    const uint32_t launched = rd_ranks_launched(&rank);
    if (launched < 2 && run->choice.count < 2) {
        (void)place_device(run); /* "cuda:local" is cuda:0 */
        if (!run->checkpoint)    /* which are written between two windows, of one rank too */
            say_unused(run);
        return run->checkpoint ? as_only_rank(run, whole) : whole(run);
    }
    if (!rd_app_takes_ranks(run->app->name))
        return refuse(run);
    if (launched >= 2 && run->choice.count >= 2)
        return cli_usage(run->app->name, "one -d a rank: this process is one of %u ranks already", launched);
    if (launched < 2)
        return on_threads(run, whole);
    cli_watch_rank(run->app->name, rank);
    run->is_process = 1;
    if (rd_ranks_open_mpi(&run->ranks, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    rd_ranks *ranks = run->ranks; /* `whole` forgets the rest */
    const int code = one_rank(run, whole);
    rd_ranks_close(ranks);
    return code;
}

int app_ranks_trial(app_run *run, app_trial *trial)
{
    rd_error err = {.status = RD_OK};
    const rd_rank_stats mine = rd_job_rank_stats(run->job);
    struct {
        rd_rank_stats stats;
        uint64_t depth;
    } * list, own = {mine, trial->depth};
    void *all = NULL;
    uint64_t *sizes = NULL;
    if (!run->ranks)
        return 0;
    if (rd_ranks_sum(run->ranks, &trial->edges_reached, 1, &err) != RD_OK ||
        rd_ranks_gather(run->ranks, &own, sizeof own, &all, &sizes, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    list = all;
    rd_free(run->rank_stats);
    run->rank_stats = NULL;
    if (list) {
        const uint32_t count = rd_ranks_count(run->ranks);
        rd_rank_stats *stats = all; /* moved together in place: a smaller thing to a place not behind its own */
        for (uint32_t r = 0; r < count; r++)
            trial->depth = list[r].depth > trial->depth ? list[r].depth : trial->depth;
        for (uint32_t r = 0; r < count; r++)
            memmove(&stats[r], &list[r].stats, sizeof *stats);
        run->rank_stats = stats;
    }
    rd_free(sizes);
    return 0;
}

int app_ranks_result(app_run *run, rd_result *result, void **all)
{
    rd_error err = {.status = RD_OK};
    const size_t each = result->kind == RD_RESULT_U64 ? 8 : 4;
    uint64_t *sizes = NULL;
    *all = NULL;
    if (!run->ranks || !run->graph)
        return 0;
    if (rd_ranks_gather(run->ranks, result->word, result->count * each, all, &sizes, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    rd_free(sizes);
    if (*all) {
        result->word = *all;
        result->count = rd_graph_get_part(run->graph).vertices;
    }
    return 0;
}

int app_ranks_has_edges(app_run *run, uint32_t vertex)
{
    const rd_graph_part part = rd_graph_get_part(run->graph);
    const rd_csr csr = rd_graph_csr(run->graph);
    const uint32_t at = vertex - part.first;
    uint64_t has = at < part.own && csr.row[at] < csr.row[at + 1];
    if (run->ranks && rd_ranks_sum(run->ranks, &has, 1, NULL) != RD_OK)
        return -1;
    return has != 0;
}

/* What a run of one kind has and another has not. */
static void print_kind(const app_run *run, const rd_rank_stats *stats)
{
    char a[32], b[32];
    if (stats->needed)
        fprintf(run->text, ", overwork %.2f", (double)stats->tasks / (double)stats->needed);
    if (stats->batches)
        fprintf(run->text, ", %" PRIu64 " batches got", stats->batches);
    if (!run->graph)
        return;
    fprintf(run->text, "; %u vertices, %u ghosts", stats->own, stats->ghosts);
    if (run->app->has_source)
        fprintf(run->text, ", %s records for %s edges", rd_format_count(stats->records, a, sizeof a),
                rd_format_count(stats->remote, b, sizeof b));
}

void app_print_ranks(const app_run *run)
{
    char a[32], b[32], c[32];
    if (run->alone_of)
        fprintf(run->text,
                "ranks:     %u, over %s; rank %u does all of it: no other is fast enough to help (--shares)\n",
                rd_ranks_count(run->alone_of), rd_ranks_transport(run->alone_of), rd_ranks_rank(run->alone_of));
    if (!run->ranks || !run->rank_stats)
        return;
    fprintf(run->text, "ranks:     %u, over %s\n", rd_ranks_count(run->ranks), rd_ranks_transport(run->ranks));
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const rd_rank_stats *stats = &run->rank_stats[r];
        fprintf(run->text, "  rank %-4u %s tasks, %" PRIu64 " messages, %s, idle %s", r,
                rd_format_count(stats->tasks, a, sizeof a), stats->messages, rd_format_bytes(stats->bytes, b, sizeof b),
                rd_format_seconds(stats->idle_s, c, sizeof c));
        print_kind(run, stats);
        putc('\n', run->text);
    }
}

void app_json_ranks(const app_run *run, rd_json *json)
{
    if (!run->ranks || !run->rank_stats)
        return;
    rd_json_array(json, "rank_stats");
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const rd_rank_stats *stats = &run->rank_stats[r];
        rd_json_object(json, NULL);
        rd_json_u64(json, "tasks", stats->tasks);
        rd_json_u64(json, "tasks_needed", stats->needed);
        rd_json_u64(json, "messages", stats->messages);
        rd_json_u64(json, "bytes", stats->bytes);
        rd_json_double(json, "idle_s", stats->idle_s);
        if (run->graph) {
            rd_json_u64(json, "vertices", stats->own);
            rd_json_u64(json, "ghosts", stats->ghosts);
            rd_json_u64(json, "remote_edges", stats->remote);
            rd_json_u64(json, "records", stats->records);
        } else {
            rd_json_u64(json, "batches", stats->batches);
        }
        rd_json_close_object(json);
    }
    rd_json_close_array(json);
}
