/* SPDX-License-Identifier: Apache-2.0 */
/*
 * submit.c - the case `submit` of `bench multitask`: small searches of a graph that a server has loaded, one after the
 * other, as 'raddle submit' asks for them. The note tells what an answer takes longer than its run: the median and the
 * 99th percentile.
 */
#include "cli/bench/process.h"
#include "cli/bench/submit.h"

#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 400, QUICK_REQUESTS = 40 };
static const char request[] = "app bfs\ninput kron:14\nsymmetrize 1\nset source=1\n";

typedef struct bench {
    bench_process server;
    char answer[1024]; /* of the first one, which was proved */
    double over[REQUESTS], ran[REQUESTS], took[REQUESTS];
    uint32_t count;
} bench;

static rd_status ask(bench *b, const char *lines, double seconds, rd_error *err)
{
    int done = 0;
    BENCH_TRY(bench_process_start(&b->server, lines, err));
    BENCH_TRY(bench_process_wait(&b->server, seconds, &done, err));
    if (done)
        return RD_OK;
    err->status = RD_ETIMEOUT;
    snprintf(err->text, sizeof err->text, "the server did not answer within %g s", seconds);
    return RD_ETIMEOUT;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    char proved[sizeof request + 16];
    bench *b = calloc(1, sizeof *b);
    self->data = b;
    if (!b)
        return bench_no_memory(err, "a benchmark");
    BENCH_TRY(bench_process_open(&b->server, rd_device_get_info(device)->name, self->threads, err));
    snprintf(proved, sizeof proved, "%sverify 1\n", request);
    BENCH_TRY(ask(b, proved, 60, err));
    memcpy(b->answer, b->server.answer, sizeof b->answer);
    return ask(b, request, 60, err); /* without the proof: what is prepared is what others find */
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    bench *b = self->data;
    rd_stats over, ran, took;
    const uint32_t most = bench_quick ? QUICK_REQUESTS : REQUESTS;
    for (b->count = 0; b->count < most; b->count++) {
        BENCH_TRY(ask(b, request, 60, err));
        if (strcmp(b->server.answer, b->answer) != 0) {
            err->status = RD_EWRONG;
            snprintf(err->text, sizeof err->text, "the answer was '%.200s', and is '%.200s'", b->answer,
                     b->server.answer);
            return RD_EWRONG;
        }
        b->ran[b->count] = b->server.ran;
        b->took[b->count] = b->server.took;
        b->over[b->count] = b->server.took - b->server.ran;
    }
    rd_stats_of(b->ran, b->count, &ran);
    rd_stats_of(b->took, b->count, &took);
    bench_sort(b->over, b->count);
    rd_stats_of(b->over, b->count, &over);
    sample->kernel_s = ran.median;
    sample->total_s = took.median;
    sample->work = 1;
    snprintf(self->note, sizeof self->note, "%.0f/%.0f us over its run of %.0f us", 1e6 * over.median,
             1e6 * bench_at(b->over, b->count, 0.99), 1e6 * ran.median);
    return RD_OK;
}

static void describe(const bench_case *self, rd_json *json)
{
    const bench *b = self->data;
    rd_json_text(json, "request", "bfs kron:14");
    rd_json_u64(json, "requests", b->count);
    rd_json_double(json, "over_run_median_s", bench_at(b->over, b->count, 0.5));
    rd_json_double(json, "over_run_p99_s", bench_at(b->over, b->count, 0.99));
}

static void close_case(bench_case *self)
{
    bench *b = self->data;
    if (b)
        bench_process_close(&b->server);
    free(b);
    self->data = NULL;
}

rd_status bench_add_submit(bench_list *list, rd_error *err)
{
    const bench_case item = {.name = "submit",
                             .unit = "requests",
                             .open = open_case,
                             .run = run_case,
                             .describe = describe,
                             .close = close_case};
    return bench_add(list, &item, err);
}
