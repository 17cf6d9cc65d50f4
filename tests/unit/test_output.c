/* SPDX-License-Identifier: Apache-2.0 */
/* test_output.c - output files of raddle/tool.h: whole or not at all, lines in one piece, what a handler removes. */
#define _DEFAULT_SOURCE
#include "raddle/tool.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory_util.h"

static char folder[] = "/tmp/raddle-test-output-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when something is left in it */
}

static const char *content(void)
{
    static char text[4096];
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    return text;
}

static size_t files(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

static rd_output *begin(rd_output_mode mode, const char *text)
{
    rd_output *output;
    rd_error err;
    assert_int_equal(rd_output_open(path, mode, &output, &err), RD_OK);
    assert_int_not_equal(fputs(text, rd_output_stream(output)), EOF);
    return output;
}

static void replaced(void **state)
{
    rd_error err;
    (void)state;
    assert_int_equal(rd_output_close(begin(RD_OUTPUT_REPLACE, "first\n"), RD_OK, &err), RD_OK);
    rd_output *output = begin(RD_OUTPUT_REPLACE, "second\n");
    fflush(rd_output_stream(output));
    assert_string_equal(content(), "first\n"); /* until it is closed */
    assert_int_equal(files(), 2);
    assert_true(rd_temporaries_unfinished());
    assert_int_equal(rd_output_close(output, RD_OK, &err), RD_OK);
    assert_string_equal(content(), "second\n");
    assert_int_equal(files(), 1);
    assert_false(rd_temporaries_unfinished());

    assert_int_equal(rd_output_close(begin(RD_OUTPUT_REPLACE, "third\n"), RD_EINPUT, &err), RD_EINPUT);
    assert_string_equal(content(), "second\n"); /* the caller has failed */
    assert_int_equal(files(), 1);
}

static void removed_by_handler(void **state)
{
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd_output_close(begin(RD_OUTPUT_REPLACE, "old\n"), RD_OK, &err), RD_OK);
    rd_output *output = begin(RD_OUTPUT_REPLACE, "new\n");
    rd_temporaries_remove();
    assert_int_equal(files(), 1);
    assert_string_equal(content(), "old\n");
    /* A program that lives on is told that its file is gone. */
    assert_int_equal(rd_output_close(output, RD_OK, &err), RD_EIO);
    assert_non_null(strstr(err.text, "file: cannot be written"));
}

static void listed_by_program(void **state)
{
    char inner[80], file[96];
    (void)state;
    size_t before = files();
    snprintf(inner, sizeof inner, "%s/scratch", folder);
    snprintf(file, sizeof file, "%s/x", inner);
    assert_int_equal(mkdir(inner, 0700), 0);
    FILE *made = fopen(file, "w");
    assert_non_null(made);
    fclose(made);
    int first = rd_temporary_add(inner, 1), second = rd_temporary_add(file, 0);
    assert_true(first >= 0 && second >= 0);
    assert_false(rd_temporaries_unfinished()); /* scratch is no output */
    rd_temporaries_remove();
    assert_int_equal(files(), before);
    rd_temporary_forget(first);
    rd_temporary_forget(second);

    assert_int_equal(mkdir(inner, 0700), 0);
    rd_temporary_forget(rd_temporary_add(inner, 1));
    rd_temporaries_remove(); /* knows nothing of it */
    assert_int_equal(rmdir(inner), 0);
}

/* More files at once than the list has room for: they are written all the same. */
static void many(void **state)
{
    enum { MANY = 40 };
    rd_output *output[MANY];
    rd_error err;
    (void)state;
    for (int i = 0; i < MANY; i++)
        output[i] = begin(RD_OUTPUT_REPLACE, "one of many\n");
    for (int i = 0; i < MANY; i++)
        assert_int_equal(rd_output_close(output[i], RD_OK, &err), RD_OK);
    assert_string_equal(content(), "one of many\n");
    assert_int_equal(files(), 1);
    assert_false(rd_temporaries_unfinished());
}

/* Two programs write lines in pieces, turn by turn. */
static void lines(void **state)
{
    rd_error err;
    (void)state;
    unlink(path);
    rd_output *a = begin(RD_OUTPUT_LINES, "a1"), *b = begin(RD_OUTPUT_LINES, "b1");
    FILE *to_a = rd_output_stream(a), *to_b = rd_output_stream(b);
    for (int i = 0; i < 2; i++) {
        fflush(to_a);
        fflush(to_b);
        fputs(i ? "\n" : "a2", to_a);
        fputs(i ? "b3\nb4" : "b2", to_b);
    }
    fflush(to_b);
    fflush(to_a);
    assert_string_equal(content(), "b1b2b3\na1a2\n");
    assert_int_equal(rd_output_close(a, RD_OK, &err), RD_OK);
    assert_int_equal(rd_output_close(b, RD_OK, &err), RD_OK);
    assert_string_equal(content(), "b1b2b3\na1a2\nb4");
    assert_int_equal(rd_output_close(begin(RD_OUTPUT_LINES, "c\n"), RD_OK, &err), RD_OK);
    assert_string_equal(content(), "b1b2b3\na1a2\nb4\nc\n"); /* b left half a line */
}

static void live(void **state)
{
    rd_error err;
    (void)state;
    rd_output *output = begin(RD_OUTPUT_LIVE, "now\n");
    fflush(rd_output_stream(output));
    assert_string_equal(content(), "now\n");
    assert_int_equal(rd_output_close(output, RD_OK, &err), RD_OK);
}

static void arguments(void **state)
{
    rd_output *output;
    rd_error err;
    (void)state;
    assert_int_equal(rd_output_open("", RD_OUTPUT_REPLACE, &output, &err), RD_EARG);
    assert_null(output);
    assert_int_equal(rd_output_open(path, (rd_output_mode)9, &output, &err), RD_EARG);
    assert_int_equal(rd_output_check("/no/such/folder/x", RD_OUTPUT_REPLACE, &err), RD_EIO);
    assert_int_equal(rd_output_check(folder, RD_OUTPUT_LINES, &err), RD_EIO);
    assert_int_equal(rd_output_check(path, RD_OUTPUT_REPLACE, &err), RD_OK);
    assert_int_equal(rd_output_open("-", RD_OUTPUT_REPLACE, &output, &err), RD_OK);
    assert_ptr_equal(rd_output_stream(output), stdout);
    assert_int_equal(rd_output_close(output, RD_OK, &err), RD_OK);
    assert_int_equal(rd_output_close(NULL, RD_EARG, &err), RD_EARG);
    rd_temporary_forget(-1);
}

/* A full device: the first error is the one that is told. */
static void full(void **state)
{
    rd_output *output;
    rd_error err;
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    for (int mode = RD_OUTPUT_REPLACE; mode <= RD_OUTPUT_LIVE; mode++) {
        assert_int_equal(rd_output_open("/dev/full", (rd_output_mode)mode, &output, &err), RD_OK);
        for (int i = 0; i < 100000; i++)
            fputs("line\n", rd_output_stream(output));
        assert_int_equal(rd_output_close(output, RD_OK, &err), RD_EIO);
        assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
    }
}

static rd_status write_line(const void *arg, rd_error *err)
{
    rd_output *output;
    (void)arg;
    const rd_status status = rd_output_open(path, RD_OUTPUT_LINES, &output, err);
    if (status != RD_OK)
        return status;
    fputs("line\n", rd_output_stream(output));
    return rd_output_close(output, RD_OK, err);
}

static void no_memory(void **state)
{
    (void)state;
    unlink(path);
    assert_true(with_little_memory("an output", write_line, NULL) > 0);
    assert_string_equal(content(), "line\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced),
        cmocka_unit_test(removed_by_handler),
        cmocka_unit_test(listed_by_program),
        cmocka_unit_test(many),
        cmocka_unit_test(lines),
        cmocka_unit_test(live),
        cmocka_unit_test(arguments),
        cmocka_unit_test(full),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
