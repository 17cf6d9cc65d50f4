/* SPDX-License-Identifier: Apache-2.0 */
/* test_ranks.c - ranks that are threads: messages, sums, dealing; graphs in parts against the whole; apps on any number
 * of ranks against one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/app.h"
#include "graph/part/part.h"
#include "job/ranks.h"
#include "ranks/ranks.h"
#include "ranks_util.h"
#include "sanitized.h"

/* ---- Messages ---- */

static void add(crew *self)
{
    uint64_t value[2];
    for (uint64_t turn = 0; turn < 50; turn++) {
        value[0] = self->rank + turn;
        value[1] = 1;
        WANT(rd_ranks_sum(self->ranks, value, 2, NULL) == RD_OK);
        WANT(value[1] == self->count);
        WANT(value[0] == turn * self->count + self->count * (self->count - 1) / 2);
    }
}

static void agree(crew *self)
{
    rd_error err = {.status = RD_OK};
    WANT(rd_ranks_agree(self->ranks, "word", "the same", NULL) == RD_OK);
    const rd_status status = rd_ranks_agree(self->ranks, "word", self->rank ? "one" : "another", &err);
    WANT(self->count == 1 || (status == RD_EARG && strstr(err.text, "do not have the same word")));
}

/* Rank a sends b as many words as it likes, and several deals follow each other without a pause. */
static void deal(crew *self)
{
    for (uint32_t turn = 0; turn < 20; turn++) {
        rd__deal out[MOST], in[MOST];
        uint32_t word[MOST][40];
        for (uint32_t r = 0; r < self->count; r++) {
            const uint32_t words = (self->rank * 7 + r * 3 + turn) % 40;
            for (uint32_t i = 0; i < words; i++)
                word[r][i] = self->rank * 1000000 + r * 10000 + turn * 100 + i;
            out[r] = (rd__deal){word[r], 4ull * words};
        }
        WANT(rd__ranks_deal(self->ranks, out, in, NULL) == RD_OK);
        for (uint32_t r = 0; r < self->count; r++) {
            WANT(in[r].bytes == 4ull * ((r * 7 + self->rank * 3 + turn) % 40));
            for (uint32_t i = 0; i < in[r].bytes / 4; i++)
                WANT(((uint32_t *)in[r].data)[i] == r * 1000000 + self->rank * 10000 + turn * 100 + i);
        }
        rd__deals_free(in, self->count);
    }
}

static void gather(crew *self)
{
    void *all;
    uint64_t *sizes;
    const char text[] = "abcdefghi";
    WANT(rd_ranks_gather(self->ranks, text, self->rank, &all, &sizes, NULL) == RD_OK);
    WANT((self->rank == 0) == (all != NULL) && (self->rank == 0) == (sizes != NULL));
    uint64_t at = 0;
    for (uint32_t r = 0; all && r < self->count; at += sizes[r++])
        WANT(sizes[r] == r && memcmp((char *)all + at, text, r) == 0);
    rd_free(all);
    rd_free(sizes);
}

static void messages_arrive(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= MOST; count += 4) {
        on_ranks(count, add, NULL);
        on_ranks(count, agree, NULL);
        on_ranks(count, deal, NULL);
        on_ranks(count, gather, NULL);
    }
}

/* A chain of work: who gets a number above 0 sends one less to somebody. All is quiet only after the last. */
static void chain(crew *self)
{
    rd__quiet quiet = {0};
    rd__tally mine = {{0}, {0}}, all;
    uint64_t seen = 0;
    uint32_t number = self->rank == 0 ? 500 : 0;
    for (int done = 0; !done;) {
        rd__message message;
        int there;
        if (number) {
            const uint32_t to = number * 7 % self->count, less = number - 1;
            number = 0;
            if (to != self->rank || less) {
                quiet.sent++;
                WANT(rd__ranks_send(self->ranks, to, RD__MESSAGE_WORK, &less, sizeof less, NULL) == RD_OK);
            }
        }
        WANT(rd__ranks_poll(self->ranks, 0, &message, &there, NULL) == RD_OK);
        if (there) {
            memcpy(&number, message.data, sizeof number);
            rd__ranks_release(self->ranks, &message);
            quiet.received++;
            seen++;
            continue;
        }
        mine.sum[RD__QUIET_OWN] = seen;
        WANT(rd__quiet_step(self->ranks, &quiet, 1, &mine, &all, &done, NULL) == RD_OK);
        WANT(done || rd__ranks_pause(self->ranks, NULL) == RD_OK);
    }
    WANT(all.sum[RD__QUIET_OWN] >= 499);
}

static void runs_end_when_nothing_is_left(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= MOST; count++)
        on_ranks(count, chain, NULL);
}

static void stop(crew *self)
{
    rd_error err = {.status = RD_OK};
    uint64_t value = 0;
    if (self->rank == 1) {
        rd_ranks_stop(self->ranks, RD_ENOMEM, "no room");
        return;
    }
    WANT(rd_ranks_sum(self->ranks, &value, 1, &err) == RD_EDEVICE);
    WANT(strstr(err.text, "rank 1: no room"));
}

static void who_stops_is_named(void **state)
{
    (void)state;
    on_ranks(4, stop, NULL);
}

/* ---- Parts ---- */

static const char *const specs[] = {"kron:8", "urand:7:4",  "road:20x13:0.7", "grid3d:4", "rgg:7", "tree:3:4",
                                    "path:5", "complete:9", "star:30",        "path:1",   NULL};

/* Each row of the whole graph is that of its owner, weights too. */
static void compare(crew *self)
{
    const char *spec = self->arg;
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .weight_min = 1, .weight_max = 99};
    rd_graph *whole = NULL, *mine = NULL;
    WANT(rd_graph_open(spec, &options, &whole, NULL) == RD_OK);
    WANT(rd_graph_open_part(spec, &options, self->ranks, &mine, NULL) == RD_OK);
    const rd_csr all = rd_graph_csr(whole), part = rd_graph_csr(mine);
    const rd_graph_part info = rd_graph_get_part(mine);
    WANT(info.vertices == all.vertices && info.edges == all.edges && info.hub == rd_graph_hub(whole));
    WANT(info.symmetric == rd_graph_is_symmetric(whole) && part.vertices == info.own + info.ghosts);
    for (uint32_t v = 0; v < info.own; v++) {
        const uint64_t from = all.row[info.first + v], degree = all.row[info.first + v + 1] - from;
        WANT(part.row[v + 1] - part.row[v] == degree);
        for (uint64_t i = 0; i < degree; i++) {
            const uint32_t at = part.col[part.row[v] + i];
            const uint32_t number = self->count == 1 ? at : rd__part_number(rd__graph_part(mine), at);
            int there = 0; /* ghosts come after own vertices: a row has the same edges in another order */
            for (uint64_t k = 0; k < degree; k++)
                there |= all.col[from + k] == number && all.weight[from + k] == part.weight[part.row[v] + i];
            WANT(there);
        }
    }
    for (uint32_t v = info.own; v < part.vertices; v++)
        WANT(part.row[v] == part.row[v + 1]);
    uint64_t sum[2] = {info.own, part.edges};
    WANT(rd_ranks_sum(self->ranks, sum, 2, NULL) == RD_OK);
    WANT(sum[0] == all.vertices && sum[1] == all.edges);
    rd_graph_destroy(whole);
    rd_graph_destroy(mine);
}

static void parts_are_the_whole(void **state)
{
    (void)state;
    for (const char *const *spec = specs; *spec; spec++)
        for (uint32_t count = 1; count <= MOST; count += 2)
            on_ranks(count, compare, *spec);
}

/* Memory of which slabs, which begin 128 bytes behind, are at the beginning of a page: what is given back of a chunk is
 * then the whole of it, with where the next one is. */
enum { PAGE = 4096, BEFORE_PAGE = PAGE - 128 };

static void *page_malloc(size_t bytes)
{
    char *block = aligned_alloc(PAGE, (bytes + 2 * PAGE) / PAGE * PAGE);
    if (!block)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + BEFORE_PAGE;
}

static void page_free(void *ptr)
{
    free((char *)ptr - BEFORE_PAGE);
}

static void *page_realloc(void *ptr, size_t bytes)
{
    size_t had = 0;
    void *other = page_malloc(bytes);
    if (!other || !ptr)
        return other;
    memcpy(&had, (char *)ptr - BEFORE_PAGE, sizeof had);
    memcpy(other, ptr, had < bytes ? had : bytes);
    page_free(ptr);
    return other;
}

static void parts_are_the_whole_wherever_memory_is(void **state)
{
    (void)state;
    assert_int_equal(rd_set_allocator(page_malloc, page_realloc, page_free), RD_OK);
    on_ranks(3, compare, "kron:12");
    assert_int_equal(rd_set_allocator(NULL, NULL, NULL), RD_OK);
}

/* ---- Apps ---- */

typedef struct question {
    const char *app, *spec;
    uint32_t window;
    uint64_t answer; /* a hash of what one rank finds, or the sum; */
    int known;       /* when that one is done */
    int copies;      /* the host does not see the memory of devices */
} question;

static int stop_never(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)user, (void)what, (void)done, (void)total, (void)unit;
    return 0;
}

static uint64_t digest(const rd_result *result, uint32_t first)
{
    uint64_t sum = 0;
    if (result->kind == RD_RESULT_U64)
        return result->wide[0];
    for (uint64_t v = 0; v < result->count; v++)
        sum += (result->word[v] + 1ull) * (2 * (v + first) + 1) * 0x9e3779b97f4a7c15ull;
    return sum;
}

static void solve(crew *self)
{
    const question *asked = self->arg;
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .weight_min = 0, .weight_max = 20};
    const rd_device_options one = {.size = sizeof one, .threads = 1, .no_pin = 1};
    rd_device *device = NULL;
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_result result;
    rd_error err = {.status = RD_OK};
    const int tasks = !strchr(asked->spec, ':') || strncmp(asked->app, "uts", 3) == 0;
    WANT(rd_device_open("cpu", &one, &device, NULL) == RD_OK);
    const uint8_t shares = device->caps.shares_host;
    device->caps.shares_host = shares && !asked->copies;
    WANT(rd_job_create(device, asked->app, &job, NULL) == RD_OK);
    rd_job_set_progress(job, stop_never, NULL);
    WANT(rd_job_set_ranks(job, self->ranks, asked->window, NULL) == RD_OK);
    if (tasks) {
        WANT(rd_job_set_input(job, asked->spec, NULL) == RD_OK);
    } else {
        WANT(rd_graph_open_part(asked->spec, &options, self->ranks, &graph, NULL) == RD_OK);
        WANT(rd_job_set_graph(job, graph, NULL) == RD_OK);
    }
    for (int again = 0; again < 2; again++) { /* a job can be run again */
        const rd_status status = rd_job_run(job, NULL, &err);
        if (status != RD_OK)
            failed(self, err.text);
        WANT(status == RD_OK);
        WANT(rd_job_result(job, &result, NULL) == RD_OK);
        uint64_t found = digest(&result, graph ? rd_graph_get_part(graph).first : 0);
        if (!tasks)
            WANT(rd_ranks_sum(self->ranks, &found, 1, NULL) == RD_OK);
        if (!asked->known && !again)
            ((question *)(uintptr_t)asked)->answer = found;
        WANT(found == asked->answer);
        const rd_status checked = rd_job_check(job, &err);
        if (checked != RD_OK)
            failed(self, err.text);
    }
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    device->caps.shares_host = shares;
    rd_device_close(device);
}

/* As on a GPU: words are copied, and looked at while kernels run. In one window, in which that takes longest. */
static void memory_of_its_own_is_as_good(void **state)
{
    static const char *const list[][2] = {
        {"bfs", "road:300x300"}, {"sssp", "road:200x200"}, {"bfs", "kron:9"}, {"cc", "kron:10"}, {"cc", "urand:9:1"}};
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        question asked = {.app = list[i][0], .spec = list[i][1]};
        on_ranks(1, solve, &asked);
        asked.known = asked.copies = 1;
        asked.window = RD_NONE;
        on_ranks(3, solve, &asked);
    }
}

static void any_number_of_ranks_finds_the_same(void **state)
{
    static const struct {
        const char *app, *spec;
    } list[] = {{"cc", "kron:9"},
                {"cc", "urand:9:1"},
                {"cc", "path:40"},
                {"cc", "road:30x30:0.5"},
                {"bfs", "kron:9"},
                {"bfs", "road:60x40"},
                {"bfs", "path:300"},
                {"bfs", "path:1"},
                {"bfs", "star:50"},
                {"sssp", "kron:8"},
                {"sssp", "road:40x40"},
                {"sssp", "urand:8:2"},
                {"sssp", "path:3"},
                {"sssp", "web:9"},
                {"sssp", "grid3d:8"},
                {"mis", "kron:8"},
                {"mis", "road:20x20"},
                {"fib", "20"},
                {"nqueens", "9"},
                {"uts", "geo:fixed:4:6:19"},
                {"uts", "bin:100:0.12:8:42"},
                {"fib", "0"}};
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (uint32_t window = SANITIZED ? (uint32_t)i % 3 : 0; window < 3; window += SANITIZED ? 3 : 1) {
            question asked = {.app = list[i].app, .spec = list[i].spec};
            on_ranks(1, solve, &asked);
            asked.known = 1;
            asked.window = window == 2 ? RD_NONE : window;
            for (uint32_t count = 2; count <= 8; count += 3)
                on_ranks(count, solve, &asked);
        }
}

/* ---- Checkers ---- */

/* One value of one rank is changed: some rank finds it. */
static void spoil(crew *self)
{
    const question *asked = self->arg;
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .weight_min = 0, .weight_max = 9};
    const rd_device_options one = {.size = sizeof one, .threads = 1, .no_pin = 1};
    rd_device *device = NULL;
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_result result;
    WANT(rd_device_open("cpu", &one, &device, NULL) == RD_OK);
    WANT(rd_job_create(device, asked->app, &job, NULL) == RD_OK);
    WANT(rd_job_set_ranks(job, self->ranks, 0, NULL) == RD_OK);
    WANT(rd_graph_open_part(asked->spec, &options, self->ranks, &graph, NULL) == RD_OK);
    WANT(rd_job_set_graph(job, graph, NULL) == RD_OK);
    WANT(rd_job_run(job, NULL, NULL) == RD_OK);
    WANT(rd_job_result(job, &result, NULL) == RD_OK);
    uint32_t *word = (uint32_t *)(uintptr_t)result.word; /* the job's own, which it does not look at again */
    for (uint32_t victim = 0; victim < self->count; victim++)
        for (int up = 0; up < 2; up++) {
            const int mine = victim == self->rank && result.count;
            const uint32_t at = (uint32_t)(result.count / 2), before = mine ? word[at] : 0;
            uint64_t found, spoiled = (uint64_t)mine;
            if (mine)
                word[at] = up ? before + 1 : before - 1;
            found = rd__job_check_parts(job, &result, NULL) == RD_EWRONG;
            if (mine)
                word[at] = before;
            WANT(rd_ranks_sum(self->ranks, &found, 1, NULL) == RD_OK);
            WANT(rd_ranks_sum(self->ranks, &spoiled, 1, NULL) == RD_OK);
            WANT(found == (spoiled ? self->count : 0)); /* all ranks say so */
        }
    WANT(rd__job_check_parts(job, &result, NULL) == RD_OK);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

static void wrong_results_are_found(void **state)
{
    static const question list[] = {{.app = "bfs", .spec = "road:20x20:0.9"},
                                    {.app = "sssp", .spec = "kron:7"},
                                    {.app = "cc", .spec = "kron:7"},
                                    {.app = "mis", .spec = "kron:7"}};
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (uint32_t count = 2; count <= 6; count += 2)
            on_ranks(count, spoil, &list[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),
        cmocka_unit_test(runs_end_when_nothing_is_left),
        cmocka_unit_test(who_stops_is_named),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(parts_are_the_whole_wherever_memory_is),
        cmocka_unit_test(any_number_of_ranks_finds_the_same),
        cmocka_unit_test(memory_of_its_own_is_as_good),
        cmocka_unit_test(wrong_results_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
