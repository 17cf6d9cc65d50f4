/* SPDX-License-Identifier: Apache-2.0 */
/* test_tool.c - numbers, statistics, the JSON writer and the progress line of raddle/tool.h. */
#define _POSIX_C_SOURCE 200809L
#include "raddle/tool.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NEAR(a, b)   assert_true(fabs((a) - (b)) <= 1e-12 * (1 + fabs((double)(b))))
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void parse_u64(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},     {"17", 17},       {"007", 7},         {"18446744073709551615", UINT64_MAX},
                {"1K", 1024}, {"3M", 3u << 20}, {"2G", 2ull << 30}, {"17179869183G", 17179869183ull << 30}};
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "1.0",
                                      "0x10",
                                      "1k",
                                      "1KB",
                                      "K",
                                      "1e3",
                                      "abc",
                                      "1,2",
                                      "18446744073709551616",
                                      "17179869184G",
                                      "99999999999999999999999"};
    uint64_t value;
    for (size_t i = 0; i < COUNT(good); i++) {
        value = 99;
        assert_true(rd_parse_u64(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        value = 99;
        assert_false(rd_parse_u64(bad[i], &value));
        assert_true(value == 99); /* untouched */
    }
    assert_false(rd_parse_u64(NULL, &value));
}

static void parse_double(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      " 1",    "1 ",    "nan", "inf", "-inf",
                                      "0x1p3", "1e999", "1.2.3", "e5",  "1,5", "--1"};
    double value = 0;
    assert_true(rd_parse_double("0.65", &value));
    NEAR(value, 0.65);
    assert_true(rd_parse_double("-2e3", &value));
    NEAR(value, -2000);
    assert_true(rd_parse_double(".5", &value));
    NEAR(value, 0.5);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(rd_parse_double(bad[i], &value));
    assert_false(rd_parse_double(NULL, &value));
}

static void format(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(rd_format_bytes(0, text, sizeof text), "0 bytes");
    assert_string_equal(rd_format_bytes(1536, text, sizeof text), "1.5 KiB");
    assert_string_equal(rd_format_bytes(UINT64_MAX, text, sizeof text), "16.0 EiB");
    assert_string_equal(rd_format_count(9999, text, sizeof text), "9999");
    assert_string_equal(rd_format_count(31400000, text, sizeof text), "31.4 M");
    assert_string_equal(rd_format_seconds(0, text, sizeof text), "0.0 us");
    assert_string_equal(rd_format_seconds(0.000000983, text, sizeof text), "0.983 us");
    assert_string_equal(rd_format_seconds(0.00123, text, sizeof text), "1.230 ms");
    assert_string_equal(rd_format_seconds(125, text, sizeof text), "2 min 05 s");
    double now = rd_now();
    assert_true(rd_now() >= now);
}

static void stats(void **state)
{
    (void)state;
    rd_stats s;
    rd_stats_of(NULL, 0, &s);
    assert_true(s.count == 0);
    NEAR(s.median, 0);

    double one[] = {7};
    rd_stats_of(one, 1, &s);
    NEAR(s.median, 7);
    NEAR(s.stddev, 0);
    NEAR(s.q1, 7);
    NEAR(s.ci95_low, 7);
    NEAR(s.ci95_high, 7);

    double four[] = {4, 1, 3, 2};
    rd_stats_of(four, 4, &s);
    NEAR(s.median, 2.5);
    NEAR(s.q1, 1.75); /* as numpy.percentile */
    NEAR(s.q3, 3.25);
    NEAR(s.mean, 2.5);
    NEAR(s.stddev, sqrt(5.0 / 3));
    NEAR(s.min, 1);
    NEAR(s.max, 4);
}

/* Ranks from the tables of order statistics: n = 5 is too few; n = 6 gives [1, 6] (96.9 %), n = 8 [1, 8],
 * n = 9 [2, 8] (96.1 %), n = 20 [6, 15] (95.9 %), n = 50 [18, 33] (96.7 %). */
static void stats_interval(void **state)
{
    (void)state;
    static const size_t expect[][3] = {{5, 1, 5},   {6, 1, 6},    {8, 1, 8},    {9, 2, 8},
                                       {20, 6, 15}, {50, 18, 33}, {100, 40, 61}};
    double value[4000];
    rd_stats s;
    for (size_t i = 0; i < COUNT(expect); i++) {
        for (size_t k = 0; k < expect[i][0]; k++)
            value[k] = (double)(expect[i][0] - k); /* descending: it must sort */
        rd_stats_of(value, expect[i][0], &s);
        NEAR(s.ci95_low, (double)expect[i][1]);
        NEAR(s.ci95_high, (double)expect[i][2]);
    }
    /* Across the change of method at 1000 the interval may not jump. */
    for (size_t n = 990; n <= 1010; n++) {
        for (size_t k = 0; k < n; k++)
            value[k] = (double)(k + 1);
        rd_stats_of(value, n, &s);
        double half = 0.98 * sqrt((double)n), middle = 0.5 * (double)(n + 1);
        assert_true(fabs(s.ci95_low - (middle - half)) < 1.6 && fabs(s.ci95_high - (middle + half)) < 1.6);
    }
}

/* Runs fn on a JSON object and compares the line it makes. */
static void expect_json(void (*fn)(rd_json *), const char *expected, int bad)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_json json;
    rd_json_begin(&json, out);
    fn(&json);
    assert_int_equal(rd_json_end(&json) != 0, bad);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void json_empty(rd_json *json)
{
    (void)json;
}

static void json_values(rd_json *json)
{
    rd_json_text(json, "a", "x\"\\\n\t\x01y");
    rd_json_text(json, "b", NULL);
    rd_json_u64(json, "c", UINT64_MAX);
    rd_json_i64(json, "d", INT64_MIN);
    rd_json_double(json, "e", 0.1);
    rd_json_double(json, "f", 1.0 / 3);
    rd_json_double(json, "g", NAN);
    rd_json_double(json, "h", INFINITY);
    rd_json_bool(json, "i", 1);
    rd_json_bool(json, "j", 0);
}

static void json_nested(rd_json *json)
{
    rd_json_array(json, "list");
    rd_json_u64(json, NULL, 1);
    rd_json_object(json, NULL);
    rd_json_close_object(json);
    rd_json_array(json, NULL);
    rd_json_close_array(json);
    rd_json_close_array(json);
    rd_json_object(json, "o");
    rd_json_u64(json, "k", 2);
    rd_json_close_object(json);
    rd_json_u64(json, "z", 3);
}

static void json_utf8(rd_json *json)
{
    rd_json_text(json, "ok", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"); /* e acute, euro, an emoji */
    rd_json_text(json, "bad",
                 "a\xff"
                 "b\xc3");
    rd_json_text(json, "long", "\xc0\xaf");        /* over-long '/' */
    rd_json_text(json, "half", "\xed\xa0\x80");    /* a surrogate */
    rd_json_text(json, "far", "\xf4\x90\x80\x80"); /* above U+10FFFF */
}

static void json_left_open(rd_json *json)
{
    rd_json_array(json, "a");
    rd_json_object(json, NULL);
}

static void json_keyless(rd_json *json)
{
    rd_json_u64(json, NULL, 1);
}

static void json_wrong_close(rd_json *json)
{
    rd_json_array(json, "a");
    rd_json_close_object(json);
    rd_json_close_array(json);
}

static void json_too_deep(rd_json *json)
{
    for (int i = 0; i < 40; i++)
        rd_json_array(json, i ? NULL : "a");
    for (int i = 0; i < 14; i++)
        rd_json_close_array(json);
}

static void json(void **state)
{
    (void)state;
    expect_json(json_empty, "{}\n", 0);
    expect_json(json_values,
                "{\"a\": \"x\\\"\\\\\\n\\t\\u0001y\", \"b\": null, \"c\": 18446744073709551615, "
                "\"d\": -9223372036854775808, "
                "\"e\": 0.1, \"f\": 0.33333333333333331, \"g\": null, \"h\": null, \"i\": true, \"j\": false}\n",
                0);
    expect_json(json_nested, "{\"list\": [1, {}, []], \"o\": {\"k\": 2}, \"z\": 3}\n", 0);
    expect_json(json_utf8,
                "{\"ok\": \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\", \"bad\": \"a\\ufffdb\\ufffd\", "
                "\"long\": \"\\ufffd\\ufffd\", \"half\": \"\\ufffd\\ufffd\\ufffd\", "
                "\"far\": \"\\ufffd\\ufffd\\ufffd\\ufffd\"}\n",
                0);
    expect_json(json_left_open, "{\"a\": [{}]}\n", 1);
    expect_json(json_keyless, "{}\n", 1);
    expect_json(json_wrong_close, "{\"a\": []}\n", 1);
    expect_json(json_too_deep, "{\"a\": [[[[[[[[[[[[[[]]]]]]]]]]]]]]}\n", 1);
}

static void json_full_disk(void **state)
{
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        skip();
    rd_json line;
    rd_json_begin(&line, out);
    rd_json_u64(&line, "a", 1);
    assert_int_not_equal(rd_json_end(&line), 0);
    fclose(out);
}

static void progress(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = tmpfile();
    assert_non_null(out);
    volatile int stop = 0;
    rd_progress_line line;
    rd_progress_line_init(&line, out, 1);
    assert_int_equal(line.enabled, 0); /* a file is not a terminal */
    line.stop = &stop;
    assert_int_equal(rd_progress_line_fn(&line, "reading", 1, 2, "lines"), 0);
    stop = 1;
    assert_int_not_equal(rd_progress_line_fn(&line, "reading", 1, 2, "lines"), 0);
    rd_progress_line_clear(&line);
    assert_int_equal(ftell(out), 0);
    fclose(out);

    out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_progress_line_init(&line, NULL, 0);
    line.out = out;
    line.enabled = 1; /* as if it were one */
    rd_progress_line_fn(&line, "reading", 1, 4, "lines");
    fflush(out);
    assert_true(size == 0); /* silent in its first second */
    line.started -= 3;
    rd_progress_line_fn(&line, "reading", 1, 4, "lines");
    fflush(out);
    assert_non_null(strstr(text, "\rreading:  25 %, 1 of 4 lines, 9 s left"));
    rd_progress_line_clear(&line);
    fclose(out);
    assert_int_equal(text[size - 1], '\r');
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_u64),      cmocka_unit_test(parse_double),   cmocka_unit_test(format),
        cmocka_unit_test(stats),          cmocka_unit_test(stats_interval), cmocka_unit_test(json),
        cmocka_unit_test(json_full_disk), cmocka_unit_test(progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
