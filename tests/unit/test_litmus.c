/* SPDX-License-Identifier: Apache-2.0 */
/* test_litmus.c - tables of litmus tests: the memory model against what is known of the shapes, its interleavings
 * against those that the model checker explores, planted bugs; and runs on the CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "litmus/litmus.h"
#include "raddle/fairness.h"

#include "memory_util.h"

static rd_error err;
static rd_litmus_table table;
static rd_litmus_result result;

static const rd_litmus_test *find(const char *name)
{
    for (size_t i = 0; rd_litmus_get(i); i++)
        if (strcmp(rd_litmus_get(i)->name, name) == 0)
            return rd_litmus_get(i);
    fail_msg("there is no test '%s'", name);
    return NULL;
}

static uint32_t outcome_of(const rd_litmus_test *test, const char *text)
{
    char buffer[80];
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++)
        if (strcmp(rd_litmus_outcome(test, i, buffer, sizeof buffer), text) == 0)
            return i;
    fail_msg("%s has no outcome '%s'", test->name, text);
    return 0;
}

/* What the literature says of the outcome that each shape is about. */
static void known_shapes(void **state)
{
    static const struct {
        const char *test, *outcome;
        int allowed;
    } known[] = {{"mp", "r0=1 r1=0 x=1 y=1", 1},
                 {"mp_rel", "r0=1 r1=0 x=1 y=1", 1},
                 {"mp_acq", "r0=1 r1=0 x=1 y=1", 1},
                 {"mp_rel_acq", "r0=1 r1=0 x=1 y=1", 0},
                 {"mp_fen_acq", "r0=1 r1=0 x=1 y=1", 0},
                 {"mp_fences", "r0=1 r1=0 x=1 y=1", 0},
                 {"mp_chain", "r0=2 r1=0 r2=1 x=1 y=2", 0},
                 {"sb", "r0=0 r1=0 x=1 y=1", 1},
                 {"sb_rel_acq", "r0=0 r1=0 x=1 y=1", 1},
                 {"sb_fences", "r0=0 r1=0 x=1 y=1", 0},
                 {"lb", "r0=1 r1=1 x=1 y=1", 1},
                 {"lb_acq_rel", "r0=1 r1=1 x=1 y=1", 0},
                 {"lb_fences", "r0=1 r1=1 x=1 y=1", 0},
                 {"s", "r0=1 x=2 y=1", 1},
                 {"s_rel_acq", "r0=1 x=2 y=1", 0},
                 {"r", "r0=0 x=1 y=2", 1},
                 {"r_rel_acq", "r0=0 x=1 y=2", 1},
                 {"r_fences", "r0=0 x=1 y=2", 0},
                 {"2_2w", "x=1 y=1", 1},
                 {"2_2w_rel", "x=1 y=1", 1},
                 {"2_2w_fences", "x=1 y=1", 0},
                 {"iriw", "r0=1 r1=0 r2=1 r3=0 x=1 y=1", 1},
                 {"iriw_rel_acq", "r0=1 r1=0 r2=1 r3=0 x=1 y=1", 1},
                 {"iriw_fences", "r0=1 r1=0 r2=1 r3=0 x=1 y=1", 0},
                 {"wrc", "r0=1 r1=1 r2=0 x=1 y=1", 1},
                 {"wrc_rel_acq", "r0=1 r1=1 r2=0 x=1 y=1", 0},
                 {"isa2_rel_acq", "r0=1 r1=1 r2=0 x=1 y=1 z=1", 0},
                 {"corr", "r0=1 r1=0 x=1", 0},
                 {"coww", "r0=2 r1=1 x=2", 0},
                 {"cowr", "r0=0 x=1", 0},
                 {"corw", "r0=1 x=1", 0},
                 {"co_iriw", "r0=1 r1=2 r2=2 r3=1 x=1", 0},
                 {"co_add", "r0=0 r1=0 r2=1 x=2", 0},
                 {"mp_group", "r0=0 x=1", 0},
                 {"sb_grid", "r0=0 r1=1 x=1 y=1", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const rd_litmus_test *test = find(known[i].test);
        assert_int_equal(rd_litmus_allowed(test, &table, &err), RD_OK);
        const uint8_t is = table.allowed[outcome_of(test, known[i].outcome)];
        if ((is != 0) != known[i].allowed || is & RD_LITMUS_SC)
            fail_msg("%s: %s is %u", known[i].test, known[i].outcome, is);
    }
}

static void all_tables_make_sense(void **state)
{
    (void)state;
    for (size_t i = 0; rd_litmus_get(i); i++) {
        const rd_litmus_test *test = rd_litmus_get(i);
        assert_int_equal(rd_litmus_allowed(test, &table, &err), RD_OK);
        assert_false(table.races);
        assert_true(table.interleaved > 0);
        for (uint32_t k = 0; k < RD_LITMUS_OUTCOMES; k++) /* what interleavings give the model allows */
            assert_int_not_equal(table.allowed[k], RD_LITMUS_SC);
        if (test->scope[0]) /* behind a barrier there is one order */
            assert_int_equal(table.interleaved + table.weak, 1);
    }
}

/* ---- The model checker's opinion ---- */

/* The condition that the state is not this outcome, or is it. */
static int condition(const rd_litmus_test *test, uint32_t outcome, const char *is, const char *between, char *text,
                     size_t bytes)
{
    int used = 0;
    for (uint32_t i = 0; i < RD_LITMUS_REGISTERS + RD_LITMUS_WORDS; i++) {
        const uint32_t word = i - RD_LITMUS_REGISTERS, value = outcome >> 2 * i & 3;
        if (i < RD_LITMUS_REGISTERS ? i >= test->registers : word >= test->words)
            continue;
        used += snprintf(text + used, bytes - (size_t)used, "%s", used ? between : "");
        used += i < RD_LITMUS_REGISTERS
                    ? snprintf(text + used, bytes - (size_t)used, "g%u %s %u", i, is, value)
                    : snprintf(text + used, bytes - (size_t)used, "%c %s %u", "xyz"[word], is, value);
    }
    return used;
}

static int is_unsafe(const char *text)
{
    const rd_fairness_options options = {.size = sizeof options, .safety_only = 1, .threads = 1, .memory = 64u << 20};
    rd_fairness *model;
    rd_fairness_report report;
    if (rd_fairness_open("litmus", text, NULL, &model, &err) != RD_OK ||
        rd_fairness_check(model, &options, &report, &err) != RD_OK)
        fail_msg("%s\n%s", err.text, text);
    const int is = report.unsafe;
    rd_fairness_report_free(&report);
    rd_fairness_close(model);
    return is;
}

/* Each outcome that the tables call interleaved is reached by an interleaving, and no other is. */
static void interleavings_are_those_of_the_checker(void **state)
{
    static char text[8000];
    (void)state;
    for (size_t i = 0; rd_litmus_get(i); i++) {
        const rd_litmus_test *test = rd_litmus_get(i);
        assert_true(rd_litmus_model(test, text, sizeof text));
        const size_t model = strlen(text);
        assert_int_equal(rd_litmus_allowed(test, &table, &err), RD_OK);
        size_t used = model;
        used += (size_t)snprintf(text + used, sizeof text - used, "final 0 == 1");
        for (uint32_t k = 0; k < RD_LITMUS_OUTCOMES; k++)
            if (table.allowed[k] & RD_LITMUS_SC) {
                used += (size_t)snprintf(text + used, sizeof text - used, " or (");
                used += (size_t)condition(test, k, "==", " and ", text + used, sizeof text - used);
                used += (size_t)snprintf(text + used, sizeof text - used, ")");
            }
        snprintf(text + used, sizeof text - used, "\n");
        if (is_unsafe(text))
            fail_msg("%s: the checker reaches an outcome that the table does not have:\n%s", test->name, text);
        for (uint32_t k = 0; k < RD_LITMUS_OUTCOMES; k++)
            if (table.allowed[k] & RD_LITMUS_SC) {
                used = model + (size_t)snprintf(text + model, sizeof text - model, "final ");
                used += (size_t)condition(test, k, "!=", " or ", text + used, sizeof text - used);
                snprintf(text + used, sizeof text - used, "\n");
                if (!is_unsafe(text))
                    fail_msg("%s: the checker does not reach outcome %u:\n%s", test->name, k, text);
            }
    }
}

/* ---- Planted bugs ---- */

static void a_missing_acquire_is_found(void **state)
{
    const rd_litmus_test *test = find("mp_rel_acq"), *plain = find("mp_plain");
    rd__lit_program program = *rd__lit_program_of(rd__lit_number(test));
    (void)state;
    assert_int_equal(program.op[1][0].order, RD__LIT_acq);
    program.op[1][0].order = RD__LIT_rlx;
    assert_int_equal(rd__lit_allowed(&program, &table, &err), RD_OK);
    assert_int_equal(table.allowed[outcome_of(test, "r0=1 r1=0 x=1 y=1")], RD_LITMUS_WEAK);
    /* with plain data it is a race */
    program = *rd__lit_program_of(rd__lit_number(plain));
    assert_int_equal(rd__lit_allowed(&program, &table, &err), RD_OK);
    assert_false(table.races);
    program.op[1][0].order = RD__LIT_rlx;
    assert_int_equal(rd__lit_allowed(&program, &table, &err), RD_OK);
    assert_true(table.races);
    assert_int_equal(table.allowed[outcome_of(plain, "r0=1 r1=0 x=1 y=1")], RD_LITMUS_WEAK);
}

static void missing_releases_and_barriers_are_found(void **state)
{
    const rd_litmus_test *barrier = find("sb_grid"), *fenced = find("mp_fen_acq");
    rd__lit_program program = *rd__lit_program_of(rd__lit_number(fenced));
    (void)state;
    program.op[0][2].order = RD__LIT_rlx; /* FENCE_REL is for stores with fen alone */
    assert_int_equal(rd__lit_allowed(&program, &table, &err), RD_OK);
    assert_int_equal(table.allowed[outcome_of(fenced, "r0=1 r1=0 x=1 y=1")], RD_LITMUS_WEAK);
    program = *rd__lit_program_of(rd__lit_number(barrier));
    for (int t = 0; t < 2; t++) /* no barrier: stores and loads alone */
        program.op[t][1] = program.op[t][2], program.op[t][2].kind = RD__LIT_END;
    assert_int_equal(rd__lit_allowed(&program, &table, &err), RD_OK);
    assert_true(table.races);
    assert_true(table.interleaved > 1);
}

/* ---- Runs ---- */

static rd_status run_all(const char *name, uint64_t runs)
{
    const rd_litmus_options options = {.size = sizeof options, .runs = runs, .seed = 5};
    rd_device *device;
    rd_litmus *litmus = NULL;
    rd_status status = rd_device_open(name, NULL, &device, &err);
    if (status == RD_OK)
        status = rd_litmus_open(device, &options, &litmus, &err);
    for (size_t i = 0; status == RD_OK && rd_litmus_get(i); i++) {
        status = rd_litmus_run(litmus, rd_litmus_get(i), &result, &err);
        assert_true(result.skipped ? result.runs == 0 : result.runs >= runs);
        assert_int_equal(result.forbidden, 0);
        /* with a core for each lane of a team, or for none of them */
        assert_true(!result.skipped || rd_litmus_get(i)->scope[0]);
    }
    rd_litmus_close(litmus);
    rd_device_close(device);
    return status;
}

static void the_cpu_shows_nothing_forbidden(void **state)
{
    static const char *const devices[] = {"cpu:1", "cpu:2", "cpu:3", "cpu:2x4", "cpu:1x5"};
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (run_all(devices[i], 500) != RD_OK)
            fail_msg("%s", err.text);
}

/* A shape that loads before the barrier, judged as one that loads after it: every run is wrong, and is said to be. */
static void what_is_wrong_is_said(void **state)
{
    const rd_litmus_options options = {.size = sizeof options, .runs = 100, .as = find("sb_grid")};
    rd_device *device;
    rd_litmus *litmus;
    (void)state;
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_litmus_open(device, &options, &litmus, &err), RD_OK);
    assert_int_equal(rd_litmus_run(litmus, find("lb_grid"), &result, &err), RD_EWRONG);
    assert_true(result.forbidden == result.runs && result.runs >= 100);
    assert_non_null(strstr(err.text, "r0=0 r1=0 x=1 y=1"));
    assert_int_equal(rd_litmus_run(litmus, find("iriw"), &result, &err), RD_EARG); /* has other registers */
    rd_litmus_close(litmus);
    rd_device_close(device);
}

static void wrong_requests(void **state)
{
    rd_litmus_options options = {.size = 1};
    rd_litmus_test own = *rd_litmus_get(0);
    rd_device *device;
    rd_litmus *litmus;
    char text[8];
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_litmus_open(device, &options, &litmus, &err), RD_EARG);
    assert_int_equal(rd_litmus_open(NULL, NULL, &litmus, &err), RD_EARG);
    assert_int_equal(rd_litmus_open(device, NULL, &litmus, &err), RD_OK);
    assert_int_equal(rd_litmus_run(litmus, &own, &result, &err), RD_EARG);
    assert_int_equal(rd_litmus_allowed(&own, &table, &err), RD_EARG);
    assert_int_equal(rd_litmus_allowed(NULL, &table, &err), RD_EARG);
    assert_int_equal(rd_litmus_model(rd_litmus_get(0), text, sizeof text), 0);
    assert_null(rd_litmus_get(100000));
    rd_litmus_close(litmus);
    rd_litmus_close(NULL);
    rd_device_close(device);
}

static rd_status open_and_run(const void *arg, rd_error *error)
{
    const rd_litmus_options options = {.size = sizeof options, .runs = 10};
    rd_device *device = NULL;
    rd_litmus *litmus = NULL;
    (void)arg;
    rd_status status = rd_device_open("cpu:2", NULL, &device, error);
    if (status == RD_OK)
        status = rd_litmus_open(device, &options, &litmus, error);
    if (status == RD_OK)
        status = rd_litmus_run(litmus, find("mp_rel_acq"), &result, error);
    rd_litmus_close(litmus);
    rd_device_close(device);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(with_little_memory("a litmus test", open_and_run, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(all_tables_make_sense),
        cmocka_unit_test(interleavings_are_those_of_the_checker),
        cmocka_unit_test(a_missing_acquire_is_found),
        cmocka_unit_test(missing_releases_and_barriers_are_found),
        cmocka_unit_test(the_cpu_shows_nothing_forbidden),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(wrong_requests),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
