/* SPDX-License-Identifier: Apache-2.0 */
/* test_own_text.c - how the text of an own app is read: its declarations, sums in them, and without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/own/expression.h"
#include "apps/own/own.h"
#include "apps/own/scan.h"

#include "memory_util.h"

static rd_error err;

/* Valid until the next call. */
static const char *text_of(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* A copy without #line, which users' files have so that messages name theirs. */
static char *unmarked(const char *text)
{
    char *copy = calloc(strlen(text) + 1, 1), *out = copy;
    assert_non_null(copy);
    for (const char *from = text; *from;) {
        const size_t length = strcspn(from, "\n") + (strchr(from, '\n') ? 1 : 0);
        if (strncmp(from, "#line ", 6) != 0) {
            memcpy(out, from, length);
            out += length;
        }
        from += length;
    }
    return copy;
}

/* What an app of the library that is an own file gets before its text when the library is built (tools/programs.sh) is
 * what its file gets from rd_app_register. */
static void library_files_go_by_the_same_door(void **state)
{
    static const char *const names[] = {"fib", "nqueens", "uts", "sort", "sum", "bfs", "kcore", "cc"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64], before[64];
        rd__own_app *app = NULL;
        rd_error error = {.status = RD_OK};
        snprintf(path, sizeof path, "src/apps/%s/%s.k.c", names[i], names[i]);
        snprintf(before, sizeof before, "own/apps/%s/%s.k.h", names[i], names[i]);
        assert_int_equal(rd__own_open(text_of(path), path, &app, &error), RD_OK);
        const rd__source_file *built = rd__source_files;
        while (built->name && strcmp(built->name, before) != 0)
            built++;
        assert_non_null(built->name);
        char *users = unmarked(app->before);
        assert_string_equal(strstr(built->text, "#define RD_APP_ARGS"), strstr(users, "#define RD_APP_ARGS"));
        free(users);
        assert_int_equal(!strstr(built->text, "RD_APP_SEEDS"), !strstr(app->before, "RD_APP_SEEDS"));
        rd__own_forget(app);
    }
}

static rd_status open_and_forget(const void *text, rd_error *error)
{
    rd__own_app *app = NULL;
    const rd_status status = rd__own_open(text, "kcore.k.c", &app, error);
    rd__own_forget(app);
    return status;
}

/* Each allocation fails once; nothing is left, and nothing half registered. */
static void reads_a_text_without_memory(void **state)
{
    (void)state;
    assert_in_range(with_little_memory("own text", open_and_forget, text_of("src/apps/kcore/kcore.k.c")), 5, 100);
}

static int one_name(const void *user, const char *name, uint64_t *value)
{
    *value = *(const uint64_t *)user;
    return strcmp(name, "n") == 0;
}

static void sums(void **state)
{
    static const struct {
        const char *text;
        uint64_t value; /* UINT64_MAX: refused */
    } cases[] = {
        {"7", 7},
        {" 2 + 3 * n ", 32},
        {"(2 + 3) * n", 50},
        {"0x10u", 16},
        {"n / 3 % 2", 1},
        {"n - 10", 0},
        {"n - 11", UINT64_MAX},
        {"n /0", UINT64_MAX},
        {"m", UINT64_MAX},
        {"1.5", UINT64_MAX},
        {"", UINT64_MAX},
        {"(n", UINT64_MAX},
        {"n n", UINT64_MAX},
        {"0x", UINT64_MAX},
        {"9999999999999999999999", UINT64_MAX},
        {"n * 1844674407370955162", UINT64_MAX},
        {"0xffffffffffffffff + n", UINT64_MAX},
    };
    const uint64_t n = 10;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 0;
        const rd_status status = rd__expression(cases[i].text, "x.k.c:1", 0, one_name, &n, &value, &err);
        assert_int_equal(status, cases[i].value == UINT64_MAX ? RD_EINPUT : RD_OK);
        if (status == RD_OK)
            assert_int_equal(value, cases[i].value);
    }
    char deep[200];
    uint64_t value;
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(rd__expression(deep, "x.k.c:1", 0, one_name, &n, &value, &err), RD_EINPUT);
}

static char heard[512];

static rd_status hear_declaration(void *user, unsigned line, const char *name, char *const *arg, int count, rd_error *e)
{
    (void)user;
    (void)e;
    size_t used = strlen(heard);
    used += (size_t)snprintf(heard + used, sizeof heard - used, "%u %s", line, name);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(heard + used, sizeof heard - used, "[%s]", arg[i]);
    snprintf(heard + used, sizeof heard - used, "\n");
    return RD_OK;
}

static rd_status hear_define(void *user, unsigned line, const char *name, const char *value, rd_error *e)
{
    char *const arg[] = {(char *)(uintptr_t)value};
    return hear_declaration(user, line, name, arg, 1, e);
}

static rd_status hear_name(void *user, unsigned line, const char *name, rd_error *e)
{
    return hear_declaration(user, line, name, NULL, 0, e);
}

static void hear_f64(void *user)
{
    (void)hear_declaration(user, 0, "f64", NULL, 0, &err);
}

static const rd__scan_events events = {hear_declaration, hear_define, hear_name, hear_name, hear_f64, NULL};

static void scans(void **state)
{
    char text[] = "/* RD_NO(1) */ // RD_NO(2)\n"
                  "#define A 1 /* one */\n"
                  "  RD_X(a, (b, c), \"d, )\" /* e */,\n"
                  "       f);\n"
                  "#include \"model/m.k.h\"\n"
                  "rd_fn void g(int RD_NO) { RD_UNROLL(1); char c = '}'; }\n";
    (void)state;
    heard[0] = '\0';
    assert_int_equal(rd__scan("x", text, &events, &err), RD_OK);
    assert_string_equal(heard, "2 A[1]\n3 RD_X[a][(b, c)][\"d, )\"][f]\n5 model/m.k.h\n6 g\n");
    assert_null(strstr(text, "RD_X")); /* blanked, and no line was lost */
    assert_non_null(strstr(text, "\n\n") ? text : strstr(text, " \n"));
    unsigned lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 6);
}

/* Comments and ends of lines as C has them; what is left for compilers. */
static void scans_comments(void **state)
{
    static const struct {
        const char *text, *heard, *left;
    } cases[] = {
        {"#\tinclude /* m */ \"m\" // n\n", "1 m\n", "#\tinclude         \"m\"     \n"},
        {"/*\n#include \"n\"\n*/ #include\"m\"\n", "3 m\n", "  \n            \n   #include\"m\"\n"},
        {"// n \\\n#include \"n\"\nf(\"\\\n\")\ng()", "3 f\n5 g\n", "      \n            \nf(\"\\\n\")\ng()"},
        {"#define A /* 1\n 2 */ 3\n", "1 A[3]\n", "#define A /* 1\n 2 */ 3\n"},
        {"#define U \"a//b\" '\"' /* c */\n#error don't /* d */\n", "1 U[\"a//b\" '\"']\n",
         "#define U \"a//b\" '\"'        \n#error don't        \n"},
        {"RD_A(x); RD_B(y, /* ) */ z) f()\n", "1 RD_A[x]\n1 RD_B[y][z]\n1 f\n", "                            f()\n"},
        {"/* rd_f64 */\n#ifdef RD_CHECK\n#if 1\nrd_f64 x;\n#define X rd_f64\n#endif\n#endif\n", "5 X[rd_f64]\n", NULL},
        {"#if defined(RD_CHECK)\nrd_f64 x;\n#else\nrd_f64 y;\n#endif\n", "0 f64\n", NULL},
        {"#ifndef RD_CHECK\nrd_f64 x;\n#endif\n", "0 f64\n", NULL},
        {"#ifdef RD_CHECK\n#endif\n#define X rd_f64\n", "0 f64\n3 X[rd_f64]\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s", cases[i].text);
        heard[0] = '\0';
        assert_int_equal(rd__scan("x", text, &events, &err), RD_OK);
        assert_string_equal(heard, cases[i].heard);
        if (cases[i].left)
            assert_string_equal(text, cases[i].left);
    }
    static const char *const bad[] = {"/*", "/*/", "#define A /*\n", "f(\"", "f('\\", "\"\\"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", bad[i]);
        assert_int_equal(rd__scan("x", text, &events, &err), RD_EINPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_text_without_memory),
        cmocka_unit_test(library_files_go_by_the_same_door),
        cmocka_unit_test(sums),
        cmocka_unit_test(scans),
        cmocka_unit_test(scans_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
