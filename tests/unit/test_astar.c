/* SPDX-License-Identifier: Apache-2.0 */
/* test_astar.c - astar without a device: reading and generating grids; the checker finds every kind of fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/astar/batch.h"
#include "apps/astar/way.h"

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
        "type octile\nheight 2\nwidth 3\nmap\nO.T\nWSW\n",
    };
    static const uint8_t terrain[][6] = {{0, 1, 0, 1, 1, 1}, {0, 1, 0, 1, 1, 1}, {0, 1, 0, 2, 1, 2}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        rd__astar_grid grid;
        rd_error err;
        assert_int_equal(read_text(text[i], &grid, &err), RD_OK);
        assert_int_equal(grid.width, 3);
        assert_int_equal(grid.height, 2);
        assert_memory_equal(grid.terrain, terrain[i], sizeof terrain[i]);
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
    assert_memory_equal(a.terrain, b.terrain, 8000);
    for (uint32_t i = 0; i < 8000; i++)
        walls += !a.terrain[i];
    assert_in_range(walls, 2100, 2700);
    assert_true(a.terrain[0] && a.terrain[7999]);
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
static const rd__astar_grid small = {.width = 4, .height = 3, .terrain = cells};

static const rd__astar_rules whole[] = {{.cut_corners = 0, .straight = 10, .diagonal = 14},
                                        {.cut_corners = 1, .straight = 10, .diagonal = 14}};

static rd_status check(int cut, uint32_t source, uint32_t target, const uint32_t *path, uint64_t count, uint32_t cost,
                       const char *message)
{
    rd_error err = {.status = RD_OK};
    const rd__astar_claim claim = {source, target, path, count, cost};
    rd_status status = rd__astar_check(&small, &whole[cut], &claim, &err);
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
    const rd__astar_grid grid = {.width = 3, .height = 1, .terrain = row};
    rd_error err;
    (void)state;
    const rd__astar_claim claim = {.source = 0, .target = 2};
    assert_int_equal(rd__astar_check(&grid, &whole[1], &claim, &err), RD_OK);
}

/* Land and water: neither leads to the other, and a diagonal step wants two cells of its own kind beside it. */
static void water_is_apart_from_land(void **state)
{
    uint8_t lake[] = {1, 2, 2, 1, 1, 2};
    static const uint32_t across[] = {0, 1, 2}, corner[] = {1, 5}, round[] = {1, 2, 5};
    const rd__astar_grid grid = {.width = 3, .height = 2, .terrain = lake};
    rd_error err;
    (void)state;
    const rd__astar_claim none = {.source = 0, .target = 2}, wet = {0, 2, across, 3, 20};
    const rd__astar_claim cuts = {1, 5, corner, 2, 14}, goes = {1, 5, round, 3, 20};
    assert_int_equal(rd__astar_check(&grid, &whole[1], &none, &err), RD_OK);
    assert_int_equal(rd__astar_check(&grid, &whole[1], &wet, &err), RD_EWRONG);
    assert_int_equal(rd__astar_check(&grid, &whole[0], &cuts, &err), RD_EWRONG);
    assert_int_equal(rd__astar_check(&grid, &whole[1], &cuts, &err), RD_OK);
    assert_int_equal(rd__astar_check(&grid, &whole[0], &goes, &err), RD_OK);
}

/* Whole costs near the root of 2, as large as fit. */
static void octile_costs_fit_the_grid(void **state)
{
    static const uint32_t side[] = {1, 10, 512, 4096};
    (void)state;
    for (int i = 0; i < 4; i++) {
        rd__astar_grid grid = {.width = side[i], .height = side[i]};
        const uint64_t all = (uint64_t)side[i] * side[i];
        assert_int_equal(rd__array_new(&grid.terrain, "a test", all, 1, NULL), RD_OK);
        memset(grid.terrain, RD__ASTAR_LAND, all);
        const rd__astar_costs step = rd__astar_octile(&grid);
        const uint64_t p = step.diagonal, q = step.straight;
        assert_true(p * p + 1 == 2 * q * q || p * p == 2 * q * q + 1);
        assert_true((all + side[i]) * p < RD_NONE);
        assert_true(p > RD_NONE / 4 / 3 ||
                    (all + side[i] + 1) * (p + 2 * q) >= RD_NONE); /* the next one does not fit */
        rd__array_free(grid.terrain);
    }
}

static rd_status read_scen(const char *text, rd__astar_scen *scen, rd_error *err)
{
    rd__lines lines;
    *scen = (rd__astar_scen){0};
    err->text[0] = '\0';
    rd_status status = rd__lines_memory(&lines, "scen", text, strlen(text), err);
    if (status == RD_OK)
        status = rd__astar_scen_read(&lines, scen, err);
    rd__lines_close(&lines);
    return status;
}

static void scenarios_are_read(void **state)
{
    rd__astar_scen scen;
    rd_error err;
    (void)state;
    assert_int_equal(
        read_scen("version 1.0\r\n3 maps/a.map 4 3 0 1 2 2 3.41421\n\n0\ta.map\t-1\t-1\t1 1 1 1 0\n", &scen, &err),
        RD_OK);
    assert_int_equal(scen.count, 2);
    assert_true(scen.several);
    assert_int_equal(scen.item[0].line, 2);
    assert_int_equal(scen.item[0].x[0], 0);
    assert_int_equal(scen.item[0].y[0], 1);
    assert_int_equal(scen.item[0].x[1], 2);
    assert_int_equal(scen.item[0].height, 3);
    assert_true(scen.item[0].length > 3.4142 && scen.item[0].length < 3.4143);
    assert_int_equal(scen.item[1].width, -1);
    assert_string_equal(scen.names + scen.item[0].map, "maps/a.map");
    assert_string_equal(scen.names + scen.item[1].map, "a.map");
    rd__astar_scen_free(&scen);
}

static void bad_scenarios_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "there are no lines"},
        {"0 a 1 1 0 0 0 0 0\n", "scen:1: expected \"version 1\""},
        {"version\n", "scen:1: expected \"version 1\""},
        {"version 2\n", "scenarios of version 2 are not known"},
        {"version 1\n", "there are no scenarios"},
        {"version 1\nx a 1 1 0 0 0 0 0\n", "scen:2: expected a bucket"},
        {"version 1\n0\n", "scen:2: expected the name of a map"},
        {"version 1\n0 a 0 1 0 0 0 0 0\n", "scen:2: expected the map's width and height"},
        {"version 1\n0 a 1 1 0 0 -1 0 0\n", "scen:2: expected x and y"},
        {"version 1\n0 a 1 1 0 0 0 0 x\n", "scen:2: expected the length"},
        {"version 1\n0 a 1 1 0 0 0 0 nan\n", "scen:2: expected the length"},
        {"version 1\n0 a 1 1 0 0 0 0\n", "scen:2: expected the length"},
        {"version 1\n0 a 1 1 0 0 0 0 0 0\n", "scen:2: more than nine fields"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd__astar_scen scen;
        rd_error err;
        assert_int_equal(read_scen(bad[i].text, &scen, &err), RD_EINPUT);
        if (!strstr(err.text, bad[i].message))
            fail_msg("'%s' got: %s", bad[i].text, err.text);
        rd__astar_scen_free(&scen);
    }
}

static void scenarios_fit_their_map(void **state)
{
    static const struct {
        const char *text, *message;
    } try[] = {
        {"version 1\n0 other 4 3 0 0 0 0 0\n", NULL}, /* one map: it may have another name here */
        {"version 1\n0 x/a.map 4 3 0 0 0 0 0\n0 b.map 9 9 8 8 8 8 0\n", NULL},
        {"version 1\n0 b 4 3 0 0 0 0 0\n0 c 4 3 0 0 0 0 0\n", "none of 'a.map'"},
        {"version 1\n0 b 4 4 0 0 0 0 0\n", "scen:2: for a map of 4 x 4, but ./a.map has 4 x 3"},
        {"version 1\n0 b -1 -1 0 0 4 0 0\n", "scen:2: goal 4,0 is outside the map"},
        {"version 1\n0 b -1 -1 0 1 0 0 0\n", "scen:2: start 0,1 is a wall"},
    };
    char name[] = "./a.map", file[] = "scen";
    rd__astar_grid grid = small;
    grid.provenance = name;
    (void)state;
    for (size_t i = 0; i < sizeof try / sizeof try[0]; i++) {
        rd__astar_scen scen;
        rd_error err;
        assert_int_equal(read_scen(try[i].text, &scen, &err), RD_OK);
        scen.file = file;
        assert_int_equal(rd__astar_scen_fit(&scen, &grid, &err), try[i].message ? RD_EINPUT : RD_OK);
        if (try[i].message && !strstr(err.text, try[i].message))
            fail_msg("'%s' got: %s", try[i].text, err.text);
        if (!try[i].message)
            assert_int_equal(scen.count, 1);
        scen.file = NULL;
        rd__astar_scen_free(&scen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_layouts_are_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(grids_are_generated),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(what_is_cut_off_is_unreachable),
        cmocka_unit_test(water_is_apart_from_land),
        cmocka_unit_test(octile_costs_fit_the_grid),
        cmocka_unit_test(scenarios_are_read),
        cmocka_unit_test(bad_scenarios_are_refused),
        cmocka_unit_test(scenarios_fit_their_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
