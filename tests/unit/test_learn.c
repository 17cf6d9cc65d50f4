/* SPDX-License-Identifier: Apache-2.0 */
/* test_learn.c - the rule by which a job learns from its runs, fed with times that nobody measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "job/learn.h"

/* A job whose configurations take the same time in every run. */
struct world {
    rd__learned known;
    double takes[RD__LEARN_MOST], longest; /* longest: run, in seconds, with what was tried in vain before it */
    uint32_t runs[RD__LEARN_MOST], takings, drops;
};

static struct world world_of(uint32_t count, const double *takes)
{
    struct world w = {.known = {.count = count}};
    memcpy(w.takes, takes, count * sizeof *takes);
    return w;
}

static void run(struct world *w, rd__learn_mode mode)
{
    rd__learned *known = &w->known;
    const rd__learn_step step = rd__learn_next(known, mode);
    double took = w->takes[step.which];
    const int finished = step.budget == 0 || took <= step.budget;
    assert_true(step.which < known->count);
    assert_true((step.budget > 0) == (step.which != known->used));
    took = finished ? took : step.budget;
    w->runs[step.which]++;
    const rd__learn_event event = rd__learn_note(known, step.which, took, finished);
    w->takings += event == RD__LEARN_TAKES;
    w->drops += event == RD__LEARN_DROPS;
    if (!finished) {
        took += w->takes[known->used];
        (void)rd__learn_note(known, known->used, w->takes[known->used], 1);
    }
    w->longest = took > w->longest ? took : w->longest;
}

static void run_many(struct world *w, rd__learn_mode mode, int times)
{
    for (int i = 0; i < times; i++)
        run(w, mode);
}

static void a_faster_one_is_taken(void **state)
{
    struct world w = world_of(3, (double[]){0.010, 0.030, 0.004});
    (void)state;
    run_many(&w, RD__LEARN_ON, 100);
    assert_int_equal(w.known.used, 2);
    assert_int_equal(w.takings, 1);
    assert_int_equal(w.drops, 1);
    assert_int_equal(w.runs[1], 1); /* what was slower is not tried again */
}

static void what_is_hinted_comes_first_and_soon(void **state)
{
    struct world w = world_of(3, (double[]){0.010, 0.030, 0.004});
    (void)state;
    w.known.tried[2].hinted = 1;
    run_many(&w, RD__LEARN_ON, 3);
    assert_int_equal(w.runs[0], 3); /* first it is to be known how long a run takes */
    run_many(&w, RD__LEARN_ON, 3);
    assert_int_equal(w.runs[2], 3);
    assert_int_equal(w.known.used, 2);
}

static void no_run_and_no_series_gets_much_longer(void **state)
{
    struct world w = world_of(5, (double[]){0.010, 1, 10, 100, 1000});
    double all = 0;
    (void)state;
    for (uint32_t i = 1; i < 5; i++)
        w.known.tried[i].hinted = i % 2;
    for (int i = 0; i < 200; i++) {
        run(&w, RD__LEARN_ON);
        all = w.known.seconds;
        assert_true(w.known.spent <= 0.5 * all);
    }
    assert_int_equal(w.drops, 4);
    assert_int_equal(w.known.used, 0);
    assert_true(w.longest <= 2.3 * 0.010);
    assert_true(all <= 200 * 0.010 + 4 * 1.3 * 0.010);
}

static void others_wait_until_runs_have_paid(void **state)
{
    struct world w = world_of(2, (double[]){0.010, 0.001});
    (void)state;
    run_many(&w, RD__LEARN_ON, 9);
    assert_int_equal(w.runs[1], 0);
    run_many(&w, RD__LEARN_ON, 5);
    assert_true(w.runs[1] > 0);
    struct world eager = world_of(2, (double[]){0.010, 0.001});
    run_many(&eager, RD__LEARN_EAGER, 4);
    assert_int_equal(eager.runs[1], 1);
    struct world off = world_of(2, (double[]){0.010, 0.001});
    off.known.tried[1].hinted = 1;
    run_many(&off, RD__LEARN_OFF, 100);
    assert_int_equal(off.runs[0], 100);
}

static void what_gains_little_is_not_worth_it(void **state)
{
    struct world small = world_of(2, (double[]){0.00001, 0.000001}), dear = world_of(2, (double[]){0.010, 0.001}),
                 near = world_of(2, (double[]){0.010, 0.0095});
    (void)state;
    small.known.tried[1].hinted = dear.known.tried[1].hinted = 1;
    dear.known.make_s = 0.5; /* a program that has to be compiled */
    run_many(&small, RD__LEARN_ON, 100);
    run_many(&dear, RD__LEARN_ON, 100);
    run_many(&near, RD__LEARN_ON, 100);
    assert_int_equal(small.runs[0], 100);
    assert_int_equal(dear.runs[0], 100);
    assert_int_equal(near.known.used, 0);
    assert_int_equal(near.drops, 1);
    run_many(&dear, RD__LEARN_EAGER, 10);
    assert_int_equal(dear.known.used, 1);
}

/* Times that go up and down by half: a job must settle. */
static void noise_makes_no_flapping(void **state)
{
    struct world w = world_of(4, (double[]){0.010, 0.010, 0.010, 0.010});
    uint32_t random = 1;
    (void)state;
    for (int i = 0; i < 5000; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            random = random * 69069u + 12345u;
            w.takes[k] = 0.010 * (0.75 + 0.5 * (random >> 16) / 65536.0);
        }
        run(&w, RD__LEARN_ON);
    }
    assert_true(w.takings + w.drops <= 8);
    assert_true(w.longest <= 3 * 0.0125);
}

/* The one that was left is compared once more when the new one has become slow, and then no more. */
static void a_second_chance(void **state)
{
    struct world w = world_of(2, (double[]){0.010, 0.004});
    (void)state;
    run_many(&w, RD__LEARN_EAGER, 20);
    assert_int_equal(w.known.used, 1);
    w.takes[1] = 0.030;
    run_many(&w, RD__LEARN_EAGER, 20);
    assert_int_equal(w.known.used, 0);
    assert_int_equal(w.takings, 2);
    w.takes[0] = 0.040;
    w.takes[1] = 0.001;
    run_many(&w, RD__LEARN_EAGER, 50);
    assert_true(w.takings <= 3);
}

static void usual_is_the_median(void **state)
{
    rd__tried tried = {.runs = 3, .recent = {5, 1, 3}};
    (void)state;
    assert_true(rd__learn_usual(&tried) == 3);
    tried = (rd__tried){.runs = 2, .recent = {5, 1}};
    assert_true(rd__learn_usual(&tried) == 3);
    tried = (rd__tried){.runs = 77, .recent = {5, 4, 3, 2, 1}};
    assert_true(rd__learn_usual(&tried) == 3);
    tried = (rd__tried){.runs = 0};
    assert_true(rd__learn_usual(&tried) == 0);
}

static void hints(void **state)
{
    rd_report deep = {.groups = 2, .lanes = 1, .rounds = 900, .tasks = 110000, .tasks_needed = 110000};
    rd_report wide = {.groups = 2, .lanes = 1, .rounds = 7, .tasks = 1000000, .tasks_needed = 1000000};
    rd_report twice = {.groups = 2, .lanes = 1, .tasks = 2000, .tasks_needed = 1000};
    (void)state;
    assert_int_equal(rd__learn_hint_of(&deep, 1), RD__HINT_NO_ROUNDS);
    assert_int_equal(rd__learn_hint_of(&wide, 1), RD__HINT_NONE);
    assert_int_equal(rd__learn_hint_of(&deep, 0), RD__HINT_NONE);
    assert_int_equal(rd__learn_hint_of(&twice, 0), RD__HINT_ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faster_one_is_taken),
        cmocka_unit_test(what_is_hinted_comes_first_and_soon),
        cmocka_unit_test(no_run_and_no_series_gets_much_longer),
        cmocka_unit_test(others_wait_until_runs_have_paid),
        cmocka_unit_test(what_gains_little_is_not_worth_it),
        cmocka_unit_test(noise_makes_no_flapping),
        cmocka_unit_test(a_second_chance),
        cmocka_unit_test(usual_is_the_median),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests_name("what a job learns", tests, NULL, NULL);
}
