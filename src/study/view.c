/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - see view.h. */
#include "study/view.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <math.h>
#include <string.h>

const rd__cell *rd__view_find(const rd__case *test, uint32_t on)
{
    for (size_t i = 0; i < test->cells; i++)
        if (test->cell[i].on == on)
            return &test->cell[i];
    return NULL;
}

int rd__view_differ(rd__view *view, const rd__cell *left, const rd__cell *right)
{
    const double p = rd_mann_whitney(left->seconds, left->count, right->seconds, right->count);
    view->failed |= isnan(p) != 0;
    return p < RD_STUDY_ALPHA;
}

static int counts(const rd__view *view, const rd__study_entry *entry)
{
    return entry->count && entry->on != RD__STUDY_DEFAULTS && !(entry->on & ~view->only);
}

static int has_base(const rd__study_test *test)
{
    for (size_t i = 0; i < test->entries; i++)
        if (test->entry[i].on == 0 && test->entry[i].count)
            return 1;
    return 0;
}

/* How much there is, and so how much room it takes. */
static rd_status make_room(rd__view *view, rd_error *err)
{
    const rd_study *study = view->study;
    size_t tests = 0, cells = 0, most = 0;
    for (size_t i = 0; i < study->tests; i++) {
        const int has = has_base(&study->test[i]);
        tests += has != 0;
        for (size_t k = 0; k < study->test[i].entries; k++) {
            cells += has && counts(view, &study->test[i].entry[k]);
            most = study->test[i].entry[k].count > most ? study->test[i].entry[k].count : most;
        }
    }
    if (!tests)
        return rd__fail(err, RD_EINPUT,
                        "no test (an app on an input and a device) was measured with all switches off, which is what "
                        "others are compared with");
    view->test = rd__calloc(tests, sizeof *view->test);
    view->cell = rd__calloc(cells, sizeof *view->cell);
    const size_t numbers = 2 * cells > most ? 2 * cells : most;
    view->scratch = rd__calloc(numbers, sizeof *view->scratch);
    return view->test && view->cell && view->scratch
               ? RD_OK
               : rd__fail_memory(err, "analysis of a study", cells * sizeof *view->cell);
}

static void add_cell(rd__view *view, rd__case *test, const rd__study_entry *entry)
{
    rd_stats stats;
    rd__cell *const cell = &view->cell[view->cells++];
    memcpy(view->scratch, entry->seconds, entry->count * sizeof *view->scratch);
    rd_stats_of(view->scratch, entry->count, &stats);
    *cell = (rd__cell){.on = entry->on, .seconds = entry->seconds, .count = entry->count, .median = stats.median};
    test->can |= entry->on;
    test->cells++;
    for (uint32_t i = 0; i < RD_STUDY_SWITCHES; i++)
        view->together[i] |= entry->on >> i & 1 ? entry->on : 0;
}

/* When all cells of a test are there. */
static void compare_cells(rd__view *view, rd__case *test)
{
    test->base = test->best = rd__view_find(test, 0);
    for (size_t i = 0; i < test->cells; i++) {
        rd__cell *const cell = &test->cell[i];
        test->best = cell->median < test->best->median ? cell : test->best;
        cell->effect = rd__view_differ(view, cell, test->base)
                           ? (cell->median > test->base->median) - (cell->median < test->base->median)
                           : 0;
        for (uint32_t bit = 0; bit < RD_STUDY_SWITCHES; bit++) {
            const rd__cell *without = cell->on >> bit & 1 ? rd__view_find(test, cell->on & ~(1u << bit)) : NULL;
            cell->pairs |= without ? 1u << bit : 0;
            cell->sure |= without && rd__view_differ(view, cell, without) ? 1u << bit : 0;
        }
    }
}

rd_status rd__view_open(rd__view *view, const rd_study *study, uint32_t only, rd_error *err)
{
    *view = (rd__view){.study = study, .only = only};
    RD_TRY(make_room(view, err));
    for (size_t i = 0; i < study->tests; i++) {
        const rd__study_test *from = &study->test[i];
        if (!has_base(from))
            continue;
        rd__case *const test = &view->test[view->tests++];
        *test = (rd__case){.device = from->device, .app = from->app, .input = from->input};
        test->cell = view->cell + view->cells;
        for (size_t k = 0; k < from->entries; k++)
            if (counts(view, &from->entry[k]))
                add_cell(view, test, &from->entry[k]);
        compare_cells(view, test);
    }
    return RD_OK;
}

void rd__view_close(rd__view *view)
{
    rd__free(view->test);
    rd__free(view->cell);
    rd__free(view->scratch);
}
