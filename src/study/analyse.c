/* SPDX-License-Identifier: Apache-2.0 */
/* analyse.c - what a study says: switches, configurations, strategies, devices, and what moving between devices costs.
 */
#include "study/view.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does a switch help or harm the best configuration of a test? */
static void judge_switch(rd__view *view, const rd__case *test, uint32_t bit, rd_study_switch *of)
{
    const rd__cell *const best = test->best;
    const int has = best->on >> bit & 1;
    const rd__cell *const other = rd__view_find(test, best->on ^ 1u << bit);
    const int worse = other && other->median > best->median && rd__view_differ(view, other, best);
    of->tests++;
    of->needed += has && worse;
    of->harmful += !has && worse;
}

static void judge_switches(rd__view *view, rd_study_result *result)
{
    rd__effect effect[RD_STUDY_SWITCHES];
    const uint32_t on = rd__view_choose(view, &view->test[0], 0, effect);
    for (uint32_t bit = 0; bit < result->switches; bit++) {
        rd_study_switch *const of = &result->of_switch[bit];
        *of = (rd_study_switch){.name = view->study->switches.name[bit],
                                .pairs = effect[bit].pairs,
                                .sure = effect[bit].sure,
                                .median = effect[bit].median,
                                .p = effect[bit].p,
                                .on = on >> bit & 1};
        for (size_t i = 0; i < view->tests; i++)
            if (view->test[i].can >> bit & 1)
                judge_switch(view, &view->test[i], bit, of);
    }
}

static rd_study_config *place_of(rd_study_result *result, uint32_t on)
{
    size_t i = 0;
    while (i < result->configs && result->of_config[i].on != on)
        i++;
    if (i == result->configs)
        result->of_config[result->configs++] = (rd_study_config){.on = on};
    return &result->of_config[i];
}

/* Fewest that are slower first, then most that are faster, then the faster ones. */
static int compare_configs(const void *left, const void *right)
{
    const rd_study_config *a = left, *b = right;
    const double slow = (double)a->slower / (double)a->tests - (double)b->slower / (double)b->tests;
    if (slow < 0 || slow > 0)
        return slow > 0 ? 1 : -1;
    if (a->faster != b->faster)
        return a->faster < b->faster ? 1 : -1;
    return (a->speedup < b->speedup) - (a->speedup > b->speedup);
}

static void judge_configs(rd__view *view, rd_study_result *result)
{
    for (size_t i = 0; i < view->tests; i++)
        for (size_t k = 0; k < view->test[i].cells; k++) {
            const rd__cell *const cell = &view->test[i].cell[k];
            rd_study_config *const of = place_of(result, cell->on);
            of->tests++;
            of->faster += cell->effect < 0;
            of->slower += cell->effect > 0;
            of->best += cell == view->test[i].best;
            of->speedup += log(view->test[i].base->median / cell->median);
        }
    for (size_t i = 0; i < result->configs; i++)
        result->of_config[i].speedup = exp(result->of_config[i].speedup / (double)result->of_config[i].tests);
    qsort(result->of_config, result->configs, sizeof *result->of_config, compare_configs);
}

static void keep_extreme(rd_study_extreme *extreme, double times, const rd__cell *cell, rd__view *view,
                         const rd__case *test)
{
    if (times > extreme->times)
        *extreme = (rd_study_extreme){.times = times,
                                      .on = cell->on,
                                      .app = view->study->apps.name[test->app],
                                      .input = view->study->inputs.name[test->input]};
}

static void judge_devices(rd__view *view, rd_study_result *result)
{
    for (size_t d = 0; d < result->devices; d++)
        result->of_device[d] =
            (rd_study_device){.name = view->study->labels.name[d], .model = view->study->models.name[d]};
    for (size_t i = 0; i < view->tests; i++) {
        const rd__case *const test = &view->test[i];
        rd_study_device *const of = &result->of_device[test->device];
        int gains = 0;
        for (size_t k = 0; k < test->cells; k++) {
            const rd__cell *const cell = &test->cell[k];
            gains |= cell->effect < 0;
            if (cell->effect < 0)
                keep_extreme(&of->fastest, test->base->median / cell->median, cell, view, test);
            if (cell->effect > 0)
                keep_extreme(&of->slowest, cell->median / test->base->median, cell, view, test);
        }
        of->tests++;
        of->gains += gains != 0;
    }
}

/* Time on device `on` in what is best on device `from`, over its best. */
static double moved(rd__view *view, size_t on, size_t from)
{
    double logs = 0;
    size_t count = 0;
    for (size_t i = 0; i < view->tests; i++)
        for (size_t k = 0; k < view->tests && view->test[i].device == on; k++) {
            const rd__case *const here = &view->test[i], *const there = &view->test[k];
            if (there->device != from || !rd__view_alike(here, there, RD__BY_APP | RD__BY_INPUT))
                continue;
            const rd__cell *const cell = rd__view_find(here, there->best->on & here->can);
            logs += cell ? log(cell->median / here->best->median) : 0;
            count += cell != NULL;
        }
    return count ? exp(logs / (double)count) : 0;
}

static rd_status make_room(rd__view *view, rd_study_result *result, rd_error *err)
{
    const size_t devices = view->study->devices.count;
    result->switches = view->study->switches.count;
    result->devices = devices;
    result->of_switch = rd__calloc(result->switches + 1, sizeof *result->of_switch);
    result->of_config = rd__calloc(view->cells, sizeof *result->of_config);
    result->of_strategy = rd__calloc(RD__STRATEGIES, sizeof *result->of_strategy);
    result->of_choice = rd__calloc(RD__STRATEGIES * view->tests, sizeof *result->of_choice);
    result->of_device = rd__calloc(devices, sizeof *result->of_device);
    result->of_fact = rd__calloc(view->study->facts + 1, sizeof *result->of_fact);
    result->of_default = rd__calloc(view->study->tests, sizeof *result->of_default);
    result->moved = rd__calloc(devices * devices, sizeof *result->moved);
    if (!result->of_switch || !result->of_config || !result->of_strategy || !result->of_choice || !result->of_device ||
        !result->of_fact || !result->of_default || !result->moved)
        return rd__fail_memory(err, "result of a study", view->cells * sizeof *result->of_config);
    return RD_OK;
}

/* How many apps, or inputs, the tests have: the first test of each is counted. */
static size_t count_kinds(const rd__view *view, uint32_t by)
{
    size_t count = 0;
    for (size_t i = 0; i < view->tests; i++) {
        size_t first = 0;
        while (!rd__view_alike(&view->test[first], &view->test[i], by))
            first++;
        count += first == i;
    }
    return count;
}

static rd_status work_out(rd__view *view, rd_study_result *result, rd_error *err)
{
    RD_TRY(make_room(view, result, err));
    uint32_t *const chosen = rd__calloc(view->tests, sizeof *chosen);
    if (!chosen)
        return rd__fail_memory(err, "choices of a study", view->tests * sizeof *chosen);
    result->points = view->cells;
    result->tests = view->tests;
    result->apps = count_kinds(view, RD__BY_APP);
    result->inputs = count_kinds(view, RD__BY_INPUT);
    for (size_t i = 0; i < view->cells; i++)
        if (i == 0 || view->cell[i].count < result->samples)
            result->samples = view->cell[i].count;
    for (; result->facts < view->study->facts; result->facts++) {
        const rd__study_fact *const fact = &view->study->fact[result->facts];
        result->of_fact[result->facts] = (rd_study_fact){.device = view->study->labels.name[fact->device],
                                                         .name = view->study->facts_of.name[fact->name],
                                                         .value = fact->value};
    }
    judge_switches(view, result);
    judge_configs(view, result);
    judge_devices(view, result);
    rd__view_strategies(view, result, chosen);
    rd__view_defaults(view, result);
    for (size_t on = 0; on < result->devices; on++)
        for (size_t from = 0; from < result->devices; from++)
            result->moved[on * result->devices + from] = moved(view, on, from);
    rd__free(chosen);
    return view->failed ? rd__fail_memory(err, "tests of significance", view->cells * sizeof(double)) : RD_OK;
}

rd_status rd_study_analyse(const rd_study *study, const char *only, rd_study_result **result, rd_error *err)
{
    uint32_t wanted = UINT32_MAX;
    rd__view view;
    if (!study || !result)
        return rd__fail(err, RD_EARG, "rd_study_analyse needs a study and a place to put the result");
    *result = NULL;
    if (only && !rd__study_bits(study, only, &wanted))
        return rd__fail(err, RD_EINPUT, "of the switches '%s' one is on in no point", only);
    *result = rd__calloc(1, sizeof **result);
    if (!*result)
        return rd__fail_memory(err, "result of a study", sizeof **result);
    rd_status status = rd__view_open(&view, study, wanted, err);
    if (status == RD_OK)
        status = work_out(&view, *result, err);
    rd__view_close(&view);
    if (status != RD_OK) {
        rd_study_result_free(*result);
        *result = NULL;
    }
    return status;
}

void rd_study_result_free(rd_study_result *result)
{
    if (!result)
        return;
    rd__free(result->of_switch);
    rd__free(result->of_config);
    rd__free(result->of_strategy);
    rd__free(result->of_choice);
    rd__free(result->of_device);
    rd__free(result->of_fact);
    rd__free(result->of_default);
    rd__free(result->moved);
    rd__free(result);
}

char *rd_study_names(const rd_study_result *result, uint32_t on, char *text, size_t bytes)
{
    size_t used = 0;
    if (!text || !bytes)
        return text;
    snprintf(text, bytes, "%s", "none");
    for (size_t i = 0; result && i < result->switches; i++)
        if (on >> i & 1 && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? "," : "", result->of_switch[i].name);
    return text;
}
