/* SPDX-License-Identifier: Apache-2.0 */
/* ranks_util.h - for tests of several ranks: a function that runs on each of them, in a thread. After cmocka.h. */
#ifndef RD_TESTS_RANKS_UTIL_H
#define RD_TESTS_RANKS_UTIL_H

#include "raddle/ranks.h"

#include <pthread.h>

enum { MOST = 9 };

typedef struct crew {
    rd_ranks *ranks;
    uint32_t rank, count;
    void (*fn)(struct crew *self);
    const void *arg;
    rd_status status;
    char text[RD_ERROR_TEXT];
} crew;

static void *work(void *arg)
{
    crew *self = arg;
    self->fn(self);
    return NULL;
}

/* Runs fn on `count` ranks, and says what went wrong on one. */
static void on_ranks(uint32_t count, void (*fn)(crew *), const void *arg)
{
    rd_ranks *ranks[MOST];
    crew member[MOST];
    pthread_t thread[MOST];
    assert_int_equal(rd_ranks_open_threads(count, ranks, NULL), RD_OK);
    for (uint32_t r = 0; r < count; r++) {
        member[r] = (crew){.ranks = ranks[r], .rank = r, .count = count, .fn = fn, .arg = arg};
        assert_int_equal(pthread_create(&thread[r], NULL, work, &member[r]), 0);
    }
    for (uint32_t r = 0; r < count; r++)
        assert_int_equal(pthread_join(thread[r], NULL), 0);
    for (uint32_t r = 0; r < count; r++)
        rd_ranks_close(ranks[r]);
    int wrong = 0;
    for (uint32_t r = 0; r < count; r++)
        if (member[r].status != RD_OK) {
            print_error("rank %u of %u: %s\n", r, count, member[r].text);
            wrong = 1;
        }
    assert_false(wrong);
}

static void failed(crew *self, const char *what)
{
    if (self->status == RD_OK)
        snprintf(self->text, sizeof self->text, "%.1000s", what);
    self->status = RD_EWRONG;
    rd_ranks_stop(self->ranks, RD_EWRONG, what); /* or the others wait for ever */
}

#define WANT(expr)                                                                                                     \
    do {                                                                                                               \
        if (!(expr)) {                                                                                                 \
            failed(self, #expr);                                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif
