/* SPDX-License-Identifier: Apache-2.0 */
/* test_log.c - what is said once: each text, and none for another one's sake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/log.h"

#include <string.h>

static int lines;
static char last[200];

static void take(void *user, rd_log_level level, const char *text)
{
    (void)user;
    (void)level;
    lines++;
    strncpy(last, text, sizeof last - 1);
}

static void each_text_once(void **state)
{
    (void)state;
    rd__log_once(RD_LOG_WARN, "nobody listens to %d", 1);
    rd_set_log(take, NULL, RD_LOG_WARN);
    rd__log_once(RD_LOG_INFO, "nobody wants to know %d", 1);
    assert_int_equal(lines, 0);
    for (int round = 0; round < 3; round++) {
        rd__log_once(RD_LOG_WARN, "nobody listens to %d", 1); /* now somebody does */
        rd__say_unused("delta", "here", "why");
        rd__say_unused("span", "here", "why");
        rd__say_unused("span", "there", "why");
    }
    assert_int_equal(lines, 4);
    assert_string_equal(last, "option span does nothing there: why");
    rd_set_log(NULL, NULL, RD_LOG_WARN);
}

/* More than can be remembered are said, rather too often than never. */
static void very_many(void **state)
{
    (void)state;
    lines = 0;
    rd_set_log(take, NULL, RD_LOG_WARN);
    for (int i = 0; i < 500; i++)
        rd__log_once(RD_LOG_WARN, "text %d", i);
    assert_int_equal(lines, 500);
    rd_set_log(NULL, NULL, RD_LOG_WARN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_once),
        cmocka_unit_test(very_many),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
