/* SPDX-License-Identifier: Apache-2.0 */
/* test_fairness_reduce.c - the model checker: its reductions and its threads change nothing, on random programs, and a
 * slow checker that shares nothing with it agrees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hash.h"
#include "fairness/criterion.h"
#include "fairness/explore.h"

#include "fairness_util.h"
#include "sanitized.h"

/* ---- Reductions, on random programs ---- */

static uint64_t random_at;
static uint32_t draw(uint32_t below)
{
    return (uint32_t)(rd__mix64(++random_at * RD_GOLDEN) % below);
}

/* A list of statements over three words; loops wait, count or retry. */
static int random_steps(char *text, size_t bytes, int uses_me)
{
    static const char *const steps[] = {
        "x = 1",
        "y = 1",
        "z += 1",
        "await x == 1",
        "await y != 0",
        "await cas(z, 0, 1) == 0",
        "z = 0",
        "skip",
        "if y == 0; stop; end",
        "r = x",
        "if r == 1; y = 1; end",
        "g += 1",
        "r = swap(y, r)",
        "private[0] = 1",
        "while swap(x, 1) == 0; skip; end",
        "assert g <= 2",
    };
    static const char *const mine[] = {"private[me] = 1", "await private[0] == 1", "if me == 1; x = 1; end", "y = me",
                                       "r = private[me]"};
    int used = snprintf(text, bytes, "%s\n", steps[draw(8)]); /* what comes before a step cannot fail */
    for (uint32_t i = 0, n = 1 + draw(4); i < n; i++) {
        const char *step = uses_me && draw(3) == 0 ? mine[draw(5)] : steps[draw(16)];
        used += snprintf(text + used, bytes - (size_t)used, "%s\n", step);
    }
    return used;
}

static void random_program(char *text, size_t bytes)
{
    const uint32_t threads = 2 + draw(2), kinds = 1 + draw(2);
    int used = snprintf(text, bytes, "threads %u\nword x, y, z, private[3]\nghost g\nreg r\n%s", threads,
                        draw(4) ? "" : "invariant x + y <= 1\n");
    const int uses_me = draw(3) == 0;
    for (uint32_t k = 0; k < kinds; k++) { /* the first ones are alike, the last is another */
        if (kinds == 1)
            used += snprintf(text + used, bytes - (size_t)used, "thread *\n");
        else if (k == 0)
            used += snprintf(text + used, bytes - (size_t)used, "thread 0 .. %u\n", threads - 2);
        else
            used += snprintf(text + used, bytes - (size_t)used, "thread %u\n", threads - 1);
        used += random_steps(text + used, bytes - (size_t)used, uses_me);
        used += snprintf(text + used, bytes - (size_t)used, "end\n");
    }
}

static void compare(const char *program, int which, uint32_t *differ)
{
    char wanted[RD_FAIRNESS_SCHEDULERS + 1], got[RD_FAIRNESS_SCHEDULERS + 1];
    /* all schedulers, and those that let symmetry be used */
    rd_fairness_options plain = {.no_symmetry = 1, .no_partial_order = 1}, reduced = {0};
    reduced.no_partial_order = which == 1;
    if (which < 2) {
        const char *const free_of_order[] = {"opencl", "obe", "fair", "not started(t)",
                                             "some u: u != t and started(u)"};
        for (int i = 0; i < 5; i++)
            plain.scheduler[i] = reduced.scheduler[i] = free_of_order[i];
    }
    rd_fairness *model = open_text(program, NULL);
    rd_fairness_report a = check(model, plain), b = check(model, reduced);
    verdicts_of(&a, wanted);
    verdicts_of(&b, got);
    if (strcmp(wanted, got) != 0)
        fail_msg("%s with reductions, %s without\n%s", got, wanted, program);
    assert_true(a.unsafe || b.states <= a.states);
    *differ += !a.unsafe && b.states < a.states;
    rd_fairness_report_free(&a);
    free_both(model, &b);
}

static void test_reductions_change_nothing(void **state)
{
    uint32_t smaller[3] = {0};
    (void)state;
    random_at = 0;
    for (int i = 0; i < 1500; i++) {
        char program[2000];
        random_program(program, sizeof program);
        for (int which = 0; which < 3; which++)
            compare(program, which, &smaller[which]);
    }
    for (int which = 0; which < 3; which++) /* the test would be worth nothing if they never did anything */
        assert_true(smaller[which] > 50);
}

/* Programs for single conditions of the reductions, each of which was left out once to see this fail. */
static void expect_verdict(const char *text, const char *scheduler, char verdict)
{
    char got[RD_FAIRNESS_SCHEDULERS + 1];
    rd_fairness *model = open_text(text, NULL);
    rd_fairness_report report = check(model, (rd_fairness_options){.scheduler = {scheduler}});
    verdicts_of(&report, got);
    if (got[0] != verdict)
        fail_msg("%s under %s\n%s", got, scheduler, text);
    free_both(model, &report);
}

static void test_conditions_of_reductions(void **state)
{
    (void)state;
    /* who holds the lock stands, sorted, now before and now after who spins: threads have to be followed */
    expect_verdict("threads 2\nword lock\nreg r\nthread *\nwhile 1\nr = swap(lock, 1)\nif r == 0\nlock = 0\nstop\nend\n"
                   "skip\nend\nend\n",
                   "obe", 'y');
    /* a step that ends a thread cannot be made before its time: a criterion may look at it */
    expect_verdict("threads 3\nword x, y\nthread 0\nif x == 0; stop; end\nawait y == 1\nend\n"
                   "thread 1\nx = 1\nskip\nend\nthread 2\ny = 1\nend\n",
                   "some u: u == 1 and not enabled(u)", 'n');
    /* nor can one that an invariant sees */
    expect_verdict("threads 2\nword x, y\ninvariant x + y <= 1\nthread 0\nskip\nx = 1\nx = 0\nskip\nend\n"
                   "thread 1\nskip\ny = 1\ny = 0\nskip\nend\n",
                   "fair", '?');
}

/* ---- A slow checker of its own: every state asks whom it can reach, and who can reach it ---- */

enum { NAIVE = 400 };
typedef struct naive {
    uint32_t states;
    uint8_t state[NAIVE][FAIR_STATE];
    int next[NAIVE][FAIR_THREADS];
    uint8_t reach[NAIVE][NAIVE]; /* in one step or more */
} naive;

static int naive_find(naive *g, const uint8_t *state)
{
    for (uint32_t i = 0; i < g->states; i++)
        if (memcmp(g->state[i], state, FAIR_STATE) == 0)
            return (int)i;
    if (g->states == NAIVE)
        return -1;
    memcpy(g->state[g->states], state, FAIR_STATE);
    return (int)g->states++;
}

/* @return 0: too large, or not safe. */
static int naive_explore(const rd_fairness *m, naive *g)
{
    uint8_t state[FAIR_STATE];
    fair_fault fault;
    g->states = 0;
    assert_true(rd__fair_first(m, state, &fault));
    naive_find(g, state);
    memset(g->reach, 0, sizeof g->reach);
    for (uint32_t i = 0; i < g->states; i++)
        for (uint32_t t = 0; t < m->threads; t++) {
            g->next[i][t] = -1;
            if (!(fair_enabled(m, g->state[i]) >> t & 1))
                continue;
            memcpy(state, g->state[i], sizeof state);
            if (!rd__fair_step(m, state, t, &fault))
                return 0;
            g->next[i][t] = naive_find(g, state);
            if (g->next[i][t] < 0)
                return 0;
            g->reach[i][g->next[i][t]] = 1;
        }
    for (uint32_t k = 0; k < g->states; k++) /* Warshall */
        for (uint32_t i = 0; i < g->states; i++)
            for (uint32_t j = 0; g->reach[i][k] && j < g->states; j++)
                g->reach[i][j] |= g->reach[k][j];
    return 1;
}

static int naive_starves(const rd_fairness *m, const naive *g, const char *scheduler)
{
    fair_criterion criterion;
    rd_error err;
    assert_int_equal(rd__fair_criterion(&criterion, scheduler, &err), RD_OK);
    for (uint32_t i = 0; i < g->states; i++) {
        uint32_t steps = 0;
        if (!g->reach[i][i])
            continue;
        for (uint32_t j = 0; j < g->states; j++)
            for (uint32_t t = 0; t < m->threads; t++)
                if (g->next[j][t] >= 0 && g->reach[i][j] && g->reach[j][i] && g->reach[g->next[j][t]][i])
                    steps |= 1u << t;
        if (!(rd__fair_promised(&criterion, m->threads, fair_enabled(m, g->state[i]), fair_started(m, g->state[i])) &
              ~steps))
            return 1;
    }
    return 0;
}

static void test_against_a_slow_checker(void **state)
{
    static naive graph;
    const rd_name_text *names = rd_fairness_schedulers();
    const int programs = SANITIZED ? 75 : 300;
    int compared = 0, starving = 0;
    (void)state;
    random_at = 1000000;
    for (int i = 0; i < programs; i++) {
        char program[2000];
        random_program(program, sizeof program);
        rd_fairness *model = open_text(program, NULL);
        rd_fairness_report report = check(model, (rd_fairness_options){0});
        for (uint32_t k = 0; !report.unsafe && naive_explore(model, &graph) && names[k].name; k++) {
            if (naive_starves(model, &graph, names[k].name) != report.verdict[k].starves)
                fail_msg("under %s\n%s", names[k].name, program);
            compared++;
            starving += report.verdict[k].starves;
        }
        free_both(model, &report);
    }
    assert_true(compared > 2 * programs && starving > programs / 3 && starving < compared - programs / 3);
}

static void test_cores_change_nothing(void **state)
{
    static const char *const settings[] = {"n=4", NULL};
    (void)state;
    rd_fairness *model = open_text(rd_fairness_model_text("barrier-discovery"), settings);
    rd_fairness_options options = {.no_symmetry = 1, .no_partial_order = 1, .threads = 1};
    rd_fairness_report one = check(model, options);
    options.threads = 4;
    rd_fairness_report four = check(model, options);
    char a[RD_FAIRNESS_SCHEDULERS + 1], b[RD_FAIRNESS_SCHEDULERS + 1];
    verdicts_of(&one, a);
    verdicts_of(&four, b);
    assert_string_equal(a, b);
    assert_int_equal(one.states, four.states);
    assert_int_equal(one.transitions, four.transitions);
    assert_true(one.states > 30000);
    rd_fairness_report_free(&one);
    free_both(model, &four);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions_change_nothing),
        cmocka_unit_test(test_conditions_of_reductions),
        cmocka_unit_test(test_against_a_slow_checker),
        cmocka_unit_test(test_cores_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
