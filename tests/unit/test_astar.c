/* SPDX-License-Identifier: Apache-2.0 */
/* test_astar.c - astar without a device: reading and generating grids; the checker finds every kind of fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/astar/check.h"

static rd_status read_text(const char *text, rd__astar_grid *grid, rd_error *err)
{
    rd__lines lines;
    *grid = (rd__astar_grid){0};
    err->text[0] = '\0';
    rd_status status = rd__lines_memory(&lines, "grid", text, strlen(text), err);
    if (status == RD_OK)
        status = rd__astar_read(&lines, grid, err);
    rd__lines_close(&lines);
    return status;
}

static void both_layouts_are_read(void **state)
{
    static const char *const text[] = {
        "#.#\n...\n\n",
        "type octile\nheight 2\nwidth 3\nmap\n@.T\nGS.\n",
    };
    static const uint8_t open[] = {0, 1, 0, 1, 1, 1};
    (void)state;
    for (int i = 0; i < 2; i++) {
        rd__astar_grid grid;
        rd_error err;
        assert_int_equal(read_text(text[i], &grid, &err), RD_OK);
        assert_int_equal(grid.width, 3);
        assert_int_equal(grid.height, 2);
        assert_memory_equal(grid.open, open, sizeof open);
        rd__astar_free(&grid);
    }
}

static void bad_files_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "there are no rows"},
        {"...\n..\n", "grid:2: a row of 2 cells, where 3 were expected"},
        {"...\n.x.\n", "grid:2: column 2 is neither open nor a wall"},
        {"...\n\n...\n", "grid:3: a row after a blank line"},
        {"type tile\n", "grid:1: the map is not of \"type octile\""},
        {"type octile\nwidth 3\n", "grid:2: expected \"height N\""},
        {"type octile\nheight 0\n", "grid:2: expected \"height N\" with a number"},
        {"type octile\nheight 2\nwidth 3 4\n", "grid:3: expected the end of the line"},
        {"type octile\nheight 2\nwidth 3\n", "ends where \"map\" was expected"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n", "the header says 2 rows, but there are 1"},
        {"type octile\nheight 1\nwidth 3\nmap\n....\n", "grid:5: a row of 4 cells, where 3 were expected"},
        {"type octile\nheight 1\nwidth 3\nmap\n.#.\n", "grid:5: column 2 is neither open nor a wall"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd__astar_grid grid;
        rd_error err;
        assert_int_equal(read_text(bad[i].text, &grid, &err), RD_EINPUT);
        if (!strstr(err.text, bad[i].message))
            fail_msg("'%s' got: %s", bad[i].text, err.text);
        rd__astar_free(&grid);
    }
}

static void grids_are_generated(void **state)
{
    rd__astar_grid a, b;
    uint32_t walls = 0;
    (void)state;
    assert_int_equal(rd__astar_open("grid:100x80:0.3", 5, NULL, &a, NULL), RD_OK);
    assert_int_equal(rd__astar_open("grid:100x80:0.3", 5, NULL, &b, NULL), RD_OK);
    assert_memory_equal(a.open, b.open, 8000);
    for (uint32_t i = 0; i < 8000; i++)
        walls += !a.open[i];
    assert_in_range(walls, 2100, 2700);
    assert_true(a.open[0] && a.open[7999]);
    rd__astar_free(&a);
    rd__astar_free(&b);
    assert_int_equal(rd__astar_open("grid:0x80", 5, NULL, &a, NULL), RD_EARG);
    assert_int_equal(rd__astar_open("grid:8", 5, NULL, &a, NULL), RD_EARG);
    assert_int_equal(rd__astar_open("grid:8x8:2", 5, NULL, &a, NULL), RD_EARG);
    assert_int_equal(rd__astar_open("grid:100000x100000", 5, NULL, &a, NULL), RD_EARG);
    assert_int_equal(rd__astar_open("no-such-file", 5, NULL, &a, NULL), RD_EIO);
}

/* 0 . . .      Without cutting corners the way from 0 to 9 is 0 1 2 6 10 9 (50): 4 is a wall, 5 too.
 * 4 # # .      With it: 0 1 6 9 (38).
 * 8 . . .  */
static uint8_t cells[] = {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1};
static const rd__astar_grid small = {.width = 4, .height = 3, .open = cells};

static rd_status check(int cut, uint32_t source, uint32_t target, const uint32_t *path, uint64_t count, uint32_t cost,
                       const char *message)
{
    rd_error err = {.status = RD_OK};
    rd_status status = rd__astar_check(&small, cut, source, target, path, count, cost, &err);
    if (message && !strstr(err.text, message))
        fail_msg("expected '%s', got '%s'", message, err.text);
    return status;
}

static void faults_are_found(void **state)
{
    static const uint32_t round[] = {0, 1, 2, 6, 10, 9}, across[] = {0, 1, 6, 9}, longer[] = {0, 1, 2, 3, 7, 6, 10, 9};
    static const uint32_t wall[] = {0, 5, 9}, jump[] = {0, 2, 6, 10, 9}, none[] = {0, 12, 9}, self[] = {0};
    (void)state;
    assert_int_equal(check(0, 0, 9, round, 6, 50, NULL), RD_OK);
    assert_int_equal(check(1, 0, 9, across, 4, 38, NULL), RD_OK);
    assert_int_equal(check(0, 0, 0, self, 1, 0, NULL), RD_OK);
    assert_int_equal(check(0, 0, 9, across, 4, 38, "there is no step from cell 1 to cell 6"), RD_EWRONG);
    assert_int_equal(check(1, 0, 9, round, 6, 50, "there is a path of cost 38"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, longer, 8, 70, "there is a path of cost 50"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, round, 6, 48, "the path costs 50, not 48"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, wall, 3, 28, "a wall"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, none, 3, 28, "which is none"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, jump, 5, 50, "there is no step from cell 0 to cell 2"), RD_EWRONG);
    assert_int_equal(check(0, 0, 10, round, 6, 50, "not from 0 to 10"), RD_EWRONG);
    assert_int_equal(check(0, 0, 9, NULL, 0, RD_NONE, "was said to be unreachable"), RD_EWRONG);
}

static void what_is_cut_off_is_unreachable(void **state)
{
    uint8_t row[] = {1, 0, 1};
    const rd__astar_grid grid = {.width = 3, .height = 1, .open = row};
    rd_error err;
    (void)state;
    assert_int_equal(rd__astar_check(&grid, 1, 0, 2, NULL, 0, RD_NONE, &err), RD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_layouts_are_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(grids_are_generated),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(what_is_cut_off_is_unreachable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
