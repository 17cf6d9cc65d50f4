/* SPDX-License-Identifier: Apache-2.0 */
/* test_fairness.c - the model checker: known verdicts, witnesses that can be replayed, planted bugs, errors.
 * test_fairness_reduce.c has the reductions. */
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
#include "memory_util.h"
#include "sanitized.h"

/* ---- Verdicts ---- */

static rd_fairness *open_builtin(const char *name)
{
    const char *text = rd_fairness_model_text(name);
    assert_non_null(text);
    return open_text(text, NULL);
}

static const struct {
    const char *model, *free; /* y: starvation-free, in the order of rd_fairness_schedulers */
} known[] = {
    /* the table of chapter 6 of the thesis */
    {"cas-mutex", "nnyyyy"},
    {"ticket-mutex", "nnyyyy"},
    {"pc-one-way", "nynyyy"},
    {"mutex-pc", "nnnyyy"},
    {"pc-two-way", "nnnnny"},
    {"barrier", "nnnnny"},
    {"barrier-discovery", "nnyyyy"},
    {"barrier-lobe", "nnnnyy"},
    /* Raddle's own */
    {"ring", "nnyyyy"},
    {"deque", "yyyyyy"},
    {"deque-blocking", "nnyyyy"},
    {"pending", "nnyyyy"},
    {"discovery-counter", "nnyyyy"},
    {"discovery-tickets", "nnyyyy"},
    {"discovery-destruct", "nnyyyy"},
    {"discovery-spin", "nnyyyy"},
    {"discovery-native", "yyyyyy"},
    {"grid-flags", "nnyyyy"},
    {"grid-counter", "nnyyyy"},
    {"grid-word", "nnyyyy"},
    {"grid-tree", "nnyyyy"},
    {"grid-native", "nnnnyy"},
    {"crew", "nnyyyy"},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static void test_known_verdicts(void **state)
{
    (void)state;
    const rd_name_text *names = rd_fairness_models();
    for (int i = 0; i < KNOWN; i++) {
        char text[RD_FAIRNESS_SCHEDULERS + 1];
        assert_string_equal(names[i].name, known[i].model); /* none is missing here */
        rd_fairness *model = open_builtin(known[i].model);
        rd_fairness_report report = check(model, (rd_fairness_options){0});
        verdicts_of(&report, text);
        if (strcmp(text, known[i].free) != 0)
            fail_msg("%s: %s, wanted %s; %s", known[i].model, text, known[i].free, report.fault);
        free_both(model, &report);
    }
    assert_null(names[KNOWN].name);
}

/* Without discovery each barrier needs a fair scheduler. */
static void test_forgotten_discovery(void **state)
{
    static const char *const forms[] = {"grid-flags", "grid-counter", "grid-word", "grid-tree"};
    static const char *const settings[] = {"discover=0", NULL};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[RD_FAIRNESS_SCHEDULERS + 1];
        rd_fairness *model = open_text(rd_fairness_model_text(forms[i]), settings);
        rd_fairness_report report = check(model, (rd_fairness_options){0});
        verdicts_of(&report, text);
        assert_string_equal(text, "nnnnny");
        free_both(model, &report);
    }
}

/* ---- Witnesses ---- */

static void test_witnesses(void **state)
{
    const rd_name_text *names = rd_fairness_schedulers();
    (void)state;
    for (int i = 0; i < KNOWN; i++) {
        rd_fairness *model = open_builtin(known[i].model);
        rd_fairness_report report = check(model, (rd_fairness_options){.witness = 1});
        for (uint32_t k = 0; k < report.verdicts; k++) {
            rd_error err = {RD_OK, ""};
            rd_fairness_run *run = &report.verdict[k].run;
            assert_int_equal(run->steps != 0, report.verdict[k].starves);
            if (!run->steps)
                continue;
            assert_true(run->prefix < run->steps);
            if (rd_fairness_replay(model, run, names[k].name, &err) != RD_OK)
                fail_msg("%s under %s: %s", known[i].model, names[k].name, err.text);
            /* what everybody would run on is no witness under fair: somebody is left out */
            assert_int_not_equal(run->enabled & ~run->executing, 0);
            assert_int_equal(rd_fairness_replay(model, run, "fair", &err), RD_EWRONG);
        }
        free_both(model, &report);
    }
}

static void test_replay_sees_what_is_wrong(void **state)
{
    rd_error err = {RD_OK, ""};
    (void)state;
    rd_fairness *model = open_builtin("cas-mutex");
    rd_fairness_report report = check(model, (rd_fairness_options){.scheduler = {"hsa"}, .witness = 1});
    rd_fairness_run *run = &report.verdict[0].run;
    assert_int_equal(rd_fairness_replay(model, run, "hsa", &err), RD_OK);
    assert_int_equal(rd_fairness_replay(model, run, "obe", &err), RD_EWRONG);
    run->prefix--; /* the circle no longer closes: a thread starts in it */
    assert_int_equal(rd_fairness_replay(model, run, "hsa", &err), RD_EWRONG);
    run->prefix++;
    run->step[0].thread ^= 1;
    assert_int_equal(rd_fairness_replay(model, run, NULL, &err), RD_EWRONG);
    free_both(model, &report);
}

/* ---- Safety ---- */

static void test_shortest_fault(void **state)
{
    (void)state;
    rd_fairness *model = open_text("threads 3\nword lock\nghost inside\ninvariant inside <= 1\nthread *\n"
                                   "await lock == 0\nlock = 1\ninside += 1\nskip\ninside += -1\nlock = 0\nend\n",
                                   NULL);
    for (int reduced = 0; reduced < 2; reduced++) {
        rd_error err = {RD_OK, ""};
        rd_fairness_report report =
            check(model, (rd_fairness_options){.no_symmetry = !reduced, .no_partial_order = !reduced});
        assert_true(report.unsafe);
        assert_int_equal(report.run.steps, 4);
        assert_non_null(strstr(report.fault, "m:4: the invariant does not hold"));
        assert_int_equal(rd_fairness_replay(model, &report.run, NULL, &err), RD_OK);
        rd_fairness_report_free(&report);
    }
    rd_fairness_close(model);
}

static void expect_fault(const char *text, const char *fault)
{
    rd_fairness *model = open_text(text, NULL);
    rd_fairness_report report = check(model, (rd_fairness_options){0});
    assert_true(report.unsafe);
    if (!strstr(report.fault, fault))
        fail_msg("%s, wanted %s", report.fault, fault);
    free_both(model, &report);
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault("threads 1\nword x\nthread 0\nx = 1\nassert x == 2\nend", "m:5: the assertion fails");
    expect_fault("threads 1\nword x = 127\nthread 0\nx += 1\nend",
                 "m:4: a word has no room (-128 to 127) for the value 128");
    expect_fault("threads 1\nword a[2], x\nreg i\nthread 0\ni = x\na[i + 2] = 1\nend",
                 "m:6: there is no word at index 2");
    expect_fault("threads 1\nword x\nreg r\nthread 0\nr = 1 / x\nend", "m:5: division by zero");
    expect_fault("threads 1\nword x\nreg r\nthread 0\nr = x\nwhile r == 0\nend\nend", "a loop goes on without a step");
    expect_fault("threads 1\nword x\nfinal x == 2\nthread 0\nx = 1\nend", "m:3: the final condition does not hold");
    expect_fault("threads 1\nword x\ninvariant x == 1\nthread 0\nx = 1\nend", "m:3: the invariant does not hold");
}

static char *read_planted(const char *name)
{
    char path[200], *text = calloc(1, 10000);
    snprintf(path, sizeof path, "tests/data/fair/%s.fair", name);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    if (!file)
        fail_msg("%s: run from the root of the tree", path);
    assert_true(fread(text, 1, 9999, file) > 0);
    fclose(file);
    return text;
}

static void test_planted_bugs(void **state)
{
    static const char *const hangs[] = {"dropped-discovery", "lost-wake-up"};
    static const char *const unsafe[] = {"lost-token", "early-count", "broken-mutex"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        rd_error err = {RD_OK, ""};
        char *text = read_planted(hangs[i]);
        rd_fairness *model = open_text(text, NULL);
        rd_fairness_report report = check(model, (rd_fairness_options){.scheduler = {"fair"}, .witness = 1});
        assert_false(report.unsafe);
        assert_true(report.verdict[0].starves);
        assert_int_equal(rd_fairness_replay(model, &report.verdict[0].run, "fair", &err), RD_OK);
        free_both(model, &report);
        free(text);
    }
    for (int i = 0; i < 3; i++) {
        char *text = read_planted(unsafe[i]);
        rd_fairness *model = open_text(text, NULL);
        rd_fairness_report report = check(model, (rd_fairness_options){.safety_only = 1});
        assert_true(report.unsafe);
        assert_true(report.run.steps > 0);
        free_both(model, &report);
        free(text);
    }
}

/* ---- Schedulers ---- */

static void test_criteria(void **state)
{
    static const char *const good[] = {"started(t)", "t == 0 or started(0)", "all u: some v: u == v and not enabled(t)",
                                       "(true)", NULL};
    static const char *const bad[] = {"",        "nope",  "started", "started(u)", "t <",  "t", "all t", "some 3: true",
                                      "true or", "(true", "true)",   "t = 0",      "hsa+", "@", NULL};
    rd_error err = {RD_OK, ""};
    (void)state;
    for (int i = 0; good[i]; i++)
        assert_int_equal(rd_fairness_scheduler_check(good[i], &err), RD_OK);
    for (int i = 0; bad[i]; i++)
        if (rd_fairness_scheduler_check(bad[i], &err) != RD_EARG || !strstr(err.text, "neither a scheduler"))
            fail_msg("'%s' is taken", bad[i]);
    assert_int_equal(rd_fairness_scheduler_check(NULL, &err), RD_EARG);
}

static void test_order(void **state)
{
    rd_fairness_order_report report;
    rd_error err = {RD_OK, ""};
    (void)state;
    assert_int_equal(rd_fairness_order(1, NULL, &report, &err), RD_OK);
    assert_int_equal(report.programs, 512);
    for (uint32_t i = 0; i < report.pairs; i++)
        assert_true(report.pair[i].incomparable || report.pair[i].only_weaker == 0);
    assert_int_equal(rd_fairness_order(3, NULL, &report, &err), RD_EARG);
}

/* ---- Errors ---- */

static void test_parser_errors(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "m:1: there is no line 'threads N'"},
        {"threads 2\n", "m:2: thread 0 has no steps"},
        {"threads 2\nthread 0\nend", "m:3: thread 1 has no steps"},
        {"threads 9", "m:1: 9 is not from 1 to 8"},
        {"threads 1\nthreads 1", "m:2: the number of threads is given twice"},
        {"thread 0\nend", "m:1: the line 'threads N' comes first"},
        {"threads 1\nthread 0\nx = 1\nend", "m:3: 'x' is not declared"},
        {"threads 1\nword x, x", "m:2: 'x' is declared twice"},
        {"threads 1\nword end", "m:2: expected a new name, not 'end'"},
        {"threads 1\nword x, y\nthread 0\nx = y\nend", "m:4: a step touches one shared word, and this one touches 2"},
        {"threads 1\nword x\nthread 0\nx = 1", "m:4: expected 'end', not the end of the text"},
        {"threads 1\nword x\nthread 0\nx = \nend", "m:4: expected a value, not the end of the line"},
        {"threads 1\nword x\nthread 0\nx = 1 2\nend", "m:4: expected the end of the line, not '2'"},
        {"threads 1\nword x\nthread 0\nbreak\nend", "m:4: break stands in no loop"},
        {"threads 1\nreg r\nthread 0\nawait r == 1\nend", "m:4: await looks at no shared word"},
        {"threads 1\nghost g\nreg r\nthread 0\nr = g\nend", "m:5: 'g' is a ghost"},
        {"threads 1\nword a[2]\nthread 0\na[2] = 1\nend", "m:4: a[2] is not there: a has 2 words"},
        {"threads 1\nword a[2]\nthread 0\na = 1\nend", "m:4: expected '[', not '='"},
        {"threads 1\nword x\nthread 0\nx[0] = 1\nend", "m:4: 'x' is not an array"},
        {"threads 1\nword x\nthread 0\nx = 300\nend", "m:4: '300' is not a number from 0 to 127"},
        {"threads 1\nword x\nthread 0\nassert add(x, 1)\nend", "m:4: 'add' changes a word"},
        {"threads 1\ninvariant me == 0\nthread 0\nend", "m:2: 'me' is no thread here"},
        {"threads 1\nreg r\nfinal r == 0\nthread 0\nend", "m:3: 'r' is a register"},
        {"threads 1\nconst n = 1 / 0\n", "m:2: division by zero"},
        {"threads 1\nthread 0\nwhile 1\nend\nend", "a loop goes on without a step"},
        {"threads 1\ndef f\nf()\nend\nthread 0\nf()\nend", "m:3: too many brackets or blocks"},
        {"threads 1\ndef f\nskip\n", "m:4: expected 'end'"},
        {"threads 1\nthread 0\nskip\nend\nthread 0\nskip\nend", "m:5: thread 0 has steps already"},
        {"threads 1\nthread 1\nend", "m:2: there is no thread 1"},
        {"threads 1\nthread 0\nelse\nend", "m:3: expected 'end', not 'else'"},
        {"threads 1\nhello", "m:2: expected const, threads, word"},
        {"threads 1\nthread 0\n$\nend", "m:3: '$' has no meaning here"},
        {"threads 1\nword a[65]", "m:2: 65 is not from 1 to 64"},
        {"threads 1\nword a[64], b", "m:2: more than 64 words"},
        {"threads 1\nword a[2] = 1 : 2 : 3", "m:2: more values than words"},
        {"threads 1\nword x\nthread 0\nx + 1\nend", "m:4: expected '=', not '+'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd_fairness *model = NULL;
        rd_error err = {RD_OK, ""};
        assert_int_equal(rd_fairness_open("m", bad[i].text, NULL, &model, &err), RD_EINPUT);
        assert_null(model);
        if (!strstr(err.text, bad[i].message))
            fail_msg("%s\nwanted %s\n%s", err.text, bad[i].message, bad[i].text);
    }
}

static void test_settings(void **state)
{
    static const char *const text = "const n = 2\nthreads n\nthread *\nskip\nend\n";
    static const char *const bad[] = {"m=1", "n=x", "n=-1", "n", "n=128"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        const char *const settings[] = {bad[i], NULL};
        rd_fairness *model = NULL;
        rd_error err = {RD_OK, ""};
        assert_int_equal(rd_fairness_open("m", text, settings, &model, &err), RD_EARG);
    }
    const char *const settings[] = {"n=3", NULL};
    rd_fairness *model = open_text(text, settings);
    rd_fairness_report report = check(model, (rd_fairness_options){.no_symmetry = 1, .no_partial_order = 1});
    assert_int_equal(report.model_threads, 3);
    assert_int_equal(report.states, 8);
    free_both(model, &report);
}

static int stop_at_once(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)user, (void)what, (void)done, (void)total, (void)unit;
    return 1;
}

static void test_limits(void **state)
{
    static const char *const settings[] = {"n=5", NULL};
    rd_fairness_report report;
    rd_error err = {RD_OK, ""};
    (void)state;
    rd_fairness *model = open_text(rd_fairness_model_text("barrier-discovery"), settings);
    rd_fairness_options options = {.size = sizeof options, .memory = 1 << 20, .no_symmetry = 1};
    assert_int_equal(rd_fairness_check(model, &options, &report, &err), RD_ENOMEM);
    assert_non_null(strstr(err.text, "1.0 MiB of memory are not enough"));
    options.memory = 1u << 30;
    options.progress = stop_at_once;
    assert_int_equal(rd_fairness_check(model, &options, &report, &err), RD_ECANCELLED);
    options.size = 1;
    assert_int_equal(rd_fairness_check(model, &options, &report, &err), RD_EARG);
    assert_int_equal(rd_fairness_check(NULL, NULL, &report, &err), RD_EARG);
    rd_fairness_close(model);
    rd_fairness_close(NULL);
    rd_fairness_report_free(NULL);
    assert_null(rd_fairness_model_text("nope"));
}

/* With ever more memory: not enough for all states, then not for circles, then not to show one, then for all. */
static void test_memory_limit(void **state)
{
    static const char *const settings[] = {"n=4", NULL};
    int seen[4] = {0};
    (void)state;
    rd_fairness *model = open_text(rd_fairness_model_text("barrier-discovery"), settings);
    for (uint64_t memory = 1 << 20; memory < 9 << 20; memory += (SANITIZED ? 256 : 128) << 10) {
        rd_fairness_options options = {.size = sizeof options, .memory = memory, .threads = 1, .witness = 1};
        rd_fairness_report report;
        rd_error err = {RD_OK, ""};
        options.scheduler[0] = "hsa";
        options.no_partial_order = 1;
        const rd_status status = rd_fairness_check(model, &options, &report, &err);
        const int phase =
            status == RD_OK ? 2 + (report.verdict[0].run.steps != 0) : strstr(err.text, "circles") != NULL;
        assert_true(status == RD_OK || status == RD_ENOMEM);
        for (int later = phase + 1; later < 4; later++)
            assert_int_equal(seen[later], 0);
        seen[phase]++;
        if (status == RD_OK) {
            assert_true(report.verdict[0].starves && report.bytes <= memory);
            rd_fairness_report_free(&report);
        }
    }
    assert_true(seen[0] > 0 && seen[2] > 0 && seen[3] > 0); /* the second may be too short to be hit */
    rd_fairness_close(model);
}

/* ---- Memory that runs out ---- */

/* Opens and checks with a witness. @return the first failure. */
static rd_status whole_check(const void *arg, rd_error *err)
{
    (void)arg;
    rd_fairness *model;
    rd_fairness_report report;
    rd_fairness_options options = {.size = sizeof options, .memory = 1u << 28, .threads = 1, .witness = 1};
    rd_status status = rd_fairness_open("m", rd_fairness_model_text("cas-mutex"), NULL, &model, err);
    if (status != RD_OK)
        return status;
    options.scheduler[0] = "opencl";
    status = rd_fairness_check(model, &options, &report, err);
    if (status == RD_OK)
        rd_fairness_report_free(&report);
    rd_fairness_close(model);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(with_little_memory("a check", whole_check, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_verdicts), cmocka_unit_test(test_forgotten_discovery),
        cmocka_unit_test(test_witnesses),      cmocka_unit_test(test_replay_sees_what_is_wrong),
        cmocka_unit_test(test_shortest_fault), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_planted_bugs),   cmocka_unit_test(test_criteria),
        cmocka_unit_test(test_order),          cmocka_unit_test(test_parser_errors),
        cmocka_unit_test(test_settings),       cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory_limit),   cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
