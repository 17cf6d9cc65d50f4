/* SPDX-License-Identifier: Apache-2.0 */
/* test_study.c - the statistics of `raddle study`: the U test against counting every choice, switches whose effects
 * were planted (and noise, in which none is to be found), and files of points that are whole, joined, cut off or no
 * such thing. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raddle/study.h"
#include "study/study.h"

#include "memory_util.h"

static uint64_t seed;
/* From 0 to 1. */
static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* ---- The U test ---- */

/* U of the left sample: pairs that it wins, ties by halves. */
static double wins(const double *all, uint32_t left, size_t count)
{
    double won = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && left >> i & 1; k++)
            if (!(left >> k & 1))
                won += all[i] > all[k] ? 1 : all[i] < all[k] ? 0 : 0.5;
    return won;
}

/* The probability by going through all choices of as many values as the left sample has. */
static double counted(const double *all, size_t lefts, size_t count)
{
    const double middle = (double)lefts * (double)(count - lefts) / 2;
    const double far = fabs(wins(all, (1u << lefts) - 1, count) - middle);
    double choices = 0, extreme = 0;
    for (uint32_t left = 0; left < 1u << count; left++)
        if ((size_t)__builtin_popcount(left) == lefts) {
            choices++;
            extreme += fabs(wins(all, left, count) - middle) >= far - 1e-9;
        }
    return extreme / choices;
}

static void u_of_known_samples(void **state)
{
    const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10}, same[] = {4, 4, 4, 4, 4};
    (void)state;
    assert_true(fabs(rd_mann_whitney(low, 3, high, 3) - 0.1) < 1e-12); /* 2 of 20 */
    assert_true(fabs(rd_mann_whitney(low, 5, high, 5) - 2.0 / 252) < 1e-12);
    assert_true(fabs(rd_mann_whitney(high, 5, low, 5) - 2.0 / 252) < 1e-12);
    assert_true(rd_mann_whitney(same, 5, same, 5) == 1);
    assert_true(rd_mann_whitney(low, 0, high, 5) == 1 && rd_mann_whitney(low, 5, NULL, 0) == 1);
    /* three runs of each can never differ for sure: that is why four is the least */
    assert_true(rd_mann_whitney(low, 3, high, 3) > RD_STUDY_ALPHA && rd_mann_whitney(low, 4, high, 4) < RD_STUDY_ALPHA);
}

static void u_is_exact_for_few(void **state)
{
    double all[12];
    (void)state;
    seed = 1;
    for (int turn = 0; turn < 30; turn++) {
        const size_t count = 2 + (size_t)(draw() * 9), lefts = 1 + (size_t)(draw() * (double)(count - 1));
        for (size_t i = 0; i < count; i++)
            all[i] = turn % 2 ? draw() : floor(4 * draw()); /* without ties, and with many */
        assert_true(fabs(rd_mann_whitney(all, lefts, all + lefts, count - lefts) - counted(all, lefts, count)) < 1e-9);
    }
}

/* The first size that is approximated: 21 values. */
static void u_of_many_is_near(void **state)
{
    double all[21];
    (void)state;
    seed = 2;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < 21; i++)
            all[i] = (turn ? floor(6 * draw()) : draw()) + (i < 4 ? 0.8 * turn + 0.25 : 0);
        assert_true(fabs(rd_mann_whitney(all, 4, all + 4, 17) - counted(all, 4, 21)) < 0.03);
    }
}

/* ---- Planted effects ---- */

enum { SWITCHES = 4, RUNS = 7 };
static const char *const names[SWITCHES] = {"good", "bad", "idle", "split"};
static const char *const devices[] = {"one", "two"}, *const apps[] = {"a", "b"}, *const inputs[] = {"x", "y", "z"};

/* What a configuration does to the time on a device: "split" helps on one and harms on the other. */
static double planted(uint32_t on, int device, double strength)
{
    double times = 1;
    times *= on & 1 ? 1 - 0.2 * strength : 1;
    times *= on & 2 ? 1 + 0.25 * strength : 1;
    times *= on & 8 ? 1 + (device ? 0.4 : -0.3) * strength : 1;
    return times;
}

static void config_text(uint32_t on, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < SWITCHES; i++)
        if (on >> i & 1)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? "," : "", names[i]);
}

static rd_study *plant(double strength, uint32_t configs, uint64_t from)
{
    rd_study *study = NULL;
    rd_error err;
    double seconds[RUNS];
    char config[64];
    seed = from;
    assert_int_equal(rd_study_create(&study, &err), RD_OK);
    for (int d = 0; d < 2; d++)
        for (int a = 0; a < 2; a++)
            for (int i = 0; i < 3; i++)
                for (uint32_t on = 0; on < configs; on++) {
                    for (int run = 0; run < RUNS; run++)
                        seconds[run] = (1 + d) * (1 + 10 * a) * planted(on, d, strength) * (1 + 0.1 * draw());
                    config_text(on, config, sizeof config);
                    const rd_study_point point = {devices[d], "m", apps[a], inputs[i], config, seconds, RUNS, NULL};
                    assert_int_equal(rd_study_add(study, &point, &err), RD_OK);
                }
    return study;
}

static const rd_study_strategy *strategy(const rd_study_result *result, const char *name)
{
    for (size_t i = 0; i < result->strategies; i++)
        if (strcmp(result->of_strategy[i].name, name) == 0)
            return &result->of_strategy[i];
    fail_msg("there is no strategy '%s'", name);
    return NULL;
}

static uint32_t choice(const rd_study_result *result, const char *name, const char *device)
{
    for (size_t i = 0; i < result->choices; i++)
        if (strcmp(result->of_choice[i].strategy, name) == 0 &&
            (!device || strcmp(result->of_choice[i].device, device) == 0))
            return result->of_choice[i].on;
    fail_msg("strategy '%s' has no choice for '%s'", name, device ? device : "all");
    return 0;
}

static void planted_switches_are_found(void **state)
{
    rd_study *study = plant(1, 1 << SWITCHES, 3);
    rd_study_result *result = NULL;
    rd_error err;
    char text[64];
    (void)state;
    assert_int_equal(rd_study_analyse(study, NULL, &result, &err), RD_OK);
    assert_int_equal(result->tests, 12);
    assert_int_equal(result->points, 12 << SWITCHES);
    assert_int_equal(result->samples, RUNS);
    /* points name "good" first, and so on: switch i is names[i] */
    assert_int_equal(choice(result, "global", NULL) & 7, 1);
    assert_int_equal(choice(result, "device", "one"), 1 | 8);
    assert_int_equal(choice(result, "device", "two"), 1);
    assert_string_equal(rd_study_names(result, 1 | 8, text, sizeof text), "good,split");
    assert_string_equal(rd_study_names(result, 0, text, sizeof text), "none");
    assert_true(result->of_switch[0].on && !result->of_switch[1].on && !result->of_switch[2].on);
    assert_int_equal(result->of_switch[0].needed, 12);
    assert_int_equal(result->of_switch[1].harmful, 12);
    assert_true(result->of_switch[2].needed + result->of_switch[2].harmful <= 2); /* by accident: 1 in 20 */
    assert_true(fabs(result->of_switch[0].median - 0.8) < 0.02 && fabs(result->of_switch[1].median - 1.25) < 0.03);
    /* knowing the device is nearly as good as knowing all; knowing nothing is not; doing nothing is worst */
    assert_true(strategy(result, "device")->over_best < 1.03 && strategy(result, "oracle")->over_best == 1);
    assert_true(strategy(result, "global")->over_best > 1.1);
    assert_true(strategy(result, "baseline")->over_best > strategy(result, "global")->over_best);
    assert_int_equal(strategy(result, "device")->faster, 12);
    assert_int_equal(strategy(result, "device")->slower, 0);
    /* what is best on one costs 1.4 on two, and the other way round 1 / 0.7 */
    assert_true(result->moved[0] == 1 && result->moved[3] == 1);
    assert_true(fabs(result->moved[1] - 1 / 0.7) < 0.06 && fabs(result->moved[2] - 1.4) < 0.06);
    assert_true(fabs(result->of_device[0].fastest.times - 1 / 0.56) < 0.1);
    assert_true(fabs(result->of_device[1].slowest.times - 1.75) < 0.15);
    /* the configuration that slows nothing and speeds up most comes first, the worst one last */
    assert_int_equal(result->of_config[0].on & ~4u, 1);
    assert_int_equal(result->of_config[0].slower, 0);
    assert_true(result->of_config[result->configs - 1].on & 2);
    assert_int_equal(result->of_config[result->configs - 1].slower, 12);
    rd_study_result_free(result);
    /* as if only some had been there */
    assert_int_equal(rd_study_analyse(study, "bad,split", &result, &err), RD_OK);
    assert_int_equal(result->points, 12 << 2);
    assert_int_equal(choice(result, "device", "one"), 8);
    assert_int_equal(result->of_switch[0].tests, 0);
    rd_study_result_free(result);
    assert_int_equal(rd_study_analyse(study, "bad,other", &result, &err), RD_EINPUT);
    assert_null(result);
    rd_study_destroy(study);
}

static void noise_has_no_effect(void **state)
{
    (void)state;
    for (uint64_t from = 10; from < 16; from++) {
        rd_study *study = plant(0, 1 << SWITCHES, from);
        rd_study_result *result = NULL;
        rd_error err;
        assert_int_equal(rd_study_analyse(study, NULL, &result, &err), RD_OK);
        assert_int_equal(choice(result, "global", NULL), 0);
        for (size_t i = 0; i < result->switches; i++)
            assert_true(result->of_switch[i].sure < result->of_switch[i].pairs / 5);
        rd_study_result_free(result);
        rd_study_destroy(study);
    }
}

/* "good" and "bad" alone and never together: of two that exclude each other one is chosen. */
static void exclusive_switches(void **state)
{
    rd_study *study = NULL;
    rd_study_result *result = NULL;
    rd_error err;
    double seconds[RUNS];
    static const char *const configs[] = {"", "small", "large"};
    (void)state;
    seed = 7;
    assert_int_equal(rd_study_create(&study, &err), RD_OK);
    for (int test = 0; test < 12; test++)
        for (int on = 0; on < 3; on++) {
            char input[16];
            snprintf(input, sizeof input, "i%d", test);
            for (int run = 0; run < RUNS; run++)
                seconds[run] = (1 - 0.2 * on) * (1 + 0.1 * draw());
            const rd_study_point point = {"d", "m", "a", input, configs[on], seconds, RUNS, NULL};
            assert_int_equal(rd_study_add(study, &point, &err), RD_OK);
        }
    assert_int_equal(rd_study_analyse(study, NULL, &result, &err), RD_OK);
    assert_int_equal(choice(result, "global", NULL), 2);
    assert_true(strategy(result, "global")->over_best < 1.0001);
    rd_study_result_free(result);
    rd_study_destroy(study);
}

/* ---- Files ---- */

static rd_study_lines parse(rd_study *study, const char *text, rd_status wanted)
{
    rd_study_lines lines = {0};
    rd_error err = {.status = RD_OK};
    char *copy = strdup(text);
    assert_int_equal(rd__study_parse(study, copy, strlen(text), &lines, "file", &err), wanted);
    assert_true(wanted == RD_OK || strncmp(err.text, "file:", 5) == 0);
    free(copy);
    return lines;
}

#define POINT(config, seconds)                                                                                         \
    "{\"record\":\"study_point\",\"device\":\"d\",\"model\":\"m\",\"app\":\"a\",\"input\":\"i\",\"x\":[{\"y\":[1,"     \
    "null]}],"                                                                                                         \
    "\"config\":\"" config "\",\"seconds\":[" seconds "],\"z\":-1.5e3}"

static void files_of_points(void **state)
{
    rd_study *study = NULL;
    rd_error err;
    (void)state;
    assert_int_equal(rd_study_create(&study, &err), RD_OK);
    /* A whole one, something else, one that was cut off and the one after it, one that could not be measured. */
    rd_study_lines lines = parse(study,
                                 POINT("", "1,2,3.5e-1") "\n{\"record\":\"other\",\"\\u00e9\":\"\\n\"}\n\n" POINT(
                                     "", "4,") "\n" POINT("a,b", "1") "\n" POINT("b", "") "\n{\"record\":\"study_po",
                                 RD_OK);
    assert_int_equal(lines.points, 3);
    assert_int_equal(lines.others, 1);
    assert_int_equal(lines.broken, 2);
    rd_study_point point = {.device = "d", .model = "m", .app = "a", .input = "i", .config = "b,a"};
    assert_true(rd_study_has(study, &point));
    point.config = "b";
    assert_true(rd_study_has(study, &point));
    point.config = "a";
    assert_false(rd_study_has(study, &point));
    point.config = "";
    assert_true(rd_study_has(study, &point));
    point.model = "n";
    assert_false(rd_study_has(study, &point));
    point.model = NULL;
    assert_true(rd_study_has(study, &point));
    assert_int_equal(study->test[0].entry[0].count, 3);
    parse(study, POINT("", "9") "\n", RD_OK); /* joined */
    assert_int_equal(study->test[0].entry[0].count, 4);
    assert_true(study->test[0].entry[0].seconds[3] == 9 && study->test[0].entry[0].seconds[2] == 0.35);
    parse(study, POINT("", "-1"), RD_EINPUT);
    parse(study, POINT("", "0"), RD_EINPUT);
    parse(study, POINT(",", "1"), RD_EINPUT);
    parse(study, "{\"record\":\"study_point\",\"app\":\"a\"}", RD_EINPUT);
    lines = parse(study,
                  "{\"record\":\"study_micro\",\"device\":\"d\",\"model\":\"m\",\"name\":\"n\",\"value\":1}\n"
                  "{\"record\":\"study_micro\",\"device\":\"d\",\"model\":\"m\",\"name\":\"n\",\"value\":2.5}",
                  RD_OK);
    assert_int_equal(lines.facts, 2);
    assert_int_equal(study->facts, 1);
    assert_true(study->fact[0].value == 2.5);
    assert_true(rd_study_has_fact(study, "d", "m", "n") && !rd_study_has_fact(study, "d", "m", "o"));
    assert_false(rd_study_has_fact(study, "d", "other", "n"));
    parse(study, "{\"record\":\"study_micro\",\"device\":\"d\",\"value\":1}", RD_EINPUT);
    rd_study_destroy(study);
}

static void what_is_no_study(void **state)
{
    static const char *const broken[] = {"{",
                                         "}",
                                         "[1]",
                                         "{}x",
                                         "{\"a\":1",
                                         "{\"a\"}",
                                         "{\"a\":}",
                                         "{\"a\":1,}",
                                         "{\"a\":\"\\q\"}",
                                         "{\"a\":\"\\u12\"}",
                                         "{\"a\":[1,]}",
                                         "{\"a\":+1}",
                                         "1 2"};
    rd_study *study = NULL;
    rd_study_result *result = NULL;
    rd_error err;
    (void)state;
    assert_int_equal(rd_study_create(&study, &err), RD_OK);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(parse(study, broken[i], RD_OK).broken, 1);
    assert_int_equal(rd_study_analyse(study, NULL, &result, &err), RD_EINPUT);
    parse(study, POINT("a", "1"), RD_OK); /* nothing to compare with */
    assert_int_equal(rd_study_analyse(study, NULL, &result, &err), RD_EINPUT);
    assert_int_equal(rd_study_read(study, "/no/such/file", NULL, &err), RD_EIO);
    assert_int_equal(rd_study_read(NULL, "x", NULL, &err), RD_EARG);
    assert_int_equal(rd_study_add(study, &(rd_study_point){.device = "d"}, &err), RD_EARG);
    assert_int_equal(rd_study_analyse(NULL, NULL, &result, &err), RD_EARG);
    rd_study_destroy(study);
    rd_study_destroy(NULL);
    rd_study_result_free(NULL);
}

/* ---- Memory ---- */

static rd_status whole_study(const void *arg, rd_error *err)
{
    (void)arg;
    rd_study *study = NULL;
    rd_study_result *result = NULL;
    rd_study_lines lines;
    char text[] = POINT("", "1,2,3,4,5,6,7,8,9,10,11") "\n" POINT("a", "11,12,13,14,15,16,17,18,19,20,21");
    rd_status status = rd_study_create(&study, err);
    if (status == RD_OK)
        status = rd__study_parse(study, text, sizeof text - 1, &lines, "file", err);
    if (status == RD_OK)
        status = rd_study_analyse(study, NULL, &result, err);
    rd_study_result_free(result);
    rd_study_destroy(study);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(with_little_memory("a study", whole_study, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_of_known_samples),  cmocka_unit_test(u_is_exact_for_few),
        cmocka_unit_test(u_of_many_is_near),   cmocka_unit_test(planted_switches_are_found),
        cmocka_unit_test(noise_has_no_effect), cmocka_unit_test(exclusive_switches),
        cmocka_unit_test(files_of_points),     cmocka_unit_test(what_is_no_study),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
