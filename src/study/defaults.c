/* SPDX-License-Identifier: Apache-2.0 */
/* defaults.c - what apps choose by themselves, beside the best configuration of all their variants on the same input
 * and device. A choice that is no worse than the best of a study needs none of its advice. */
#include "study/view.h"

#include "raddle/tool.h"

#include <math.h>
#include <string.h>

static const rd__study_entry *entry_of(const rd__study_test *test)
{
    for (size_t i = 0; i < test->entries; i++)
        if (test->entry[i].on == RD__STUDY_DEFAULTS && test->entry[i].count)
            return &test->entry[i];
    return NULL;
}

static const rd__case *best_of(const rd__view *view, const rd__study_test *test)
{
    const rd_study *const study = view->study;
    const char *const app = study->primitives.name[test->app];
    const rd__case *best = NULL;
    for (size_t i = 0; i < view->tests; i++) {
        const rd__case *const other = &view->test[i];
        if (other->device == test->device && other->input == test->input &&
            strcmp(study->primitives.name[other->app], app) == 0 && (!best || other->best->median < best->best->median))
            best = other;
    }
    return best;
}

void rd__view_defaults(rd__view *view, rd_study_result *result)
{
    const rd_study *const study = view->study;
    double logs = 0;
    for (size_t i = 0; i < study->tests; i++) {
        const rd__study_test *const test = &study->test[i];
        const rd__study_entry *const entry = entry_of(test);
        const rd__case *const best = entry ? best_of(view, test) : NULL;
        rd_stats stats;
        if (!best)
            continue;
        memcpy(view->scratch, entry->seconds, entry->count * sizeof *view->scratch);
        rd_stats_of(view->scratch, entry->count, &stats);
        const rd__cell own = {.seconds = entry->seconds, .count = entry->count, .median = stats.median};
        result->of_default[result->defaults++] =
            (rd_study_default){.device = study->labels.name[test->device],
                               .app = study->apps.name[test->app],
                               .input = study->inputs.name[test->input],
                               .seconds = own.median,
                               .best_s = best->best->median,
                               .slower = own.median > best->best->median && rd__view_differ(view, &own, best->best),
                               .best_app = study->apps.name[best->app],
                               .on = best->best->on};
        logs += log(own.median / best->best->median);
    }
    result->default_over_best = result->defaults ? exp(logs / (double)result->defaults) : 0;
}
