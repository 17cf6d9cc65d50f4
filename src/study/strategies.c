/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategies.c - Algorithm 4.1 of Sorensen's thesis: which switches to turn on, for all tests or for those that share a
 * device, an app, an input or two of these.
 *
 * For each switch all pairs of configurations are looked at that differ in it alone, in each test by itself. Pairs
 * whose times differ significantly give time on over time off; these ratios are tested against as many ones by ranks,
 * which forget how much each differs, so that no device or app outweighs others. A switch is turned on when the ratios
 * are significantly not one, and their median is below it. Where two that were never on together both deserve it, the
 * one with the lower median is.
 */
#include "study/view.h"

#include "raddle/tool.h"

#include <math.h>
#include <string.h>

int rd__view_alike(const rd__case *left, const rd__case *right, uint32_t by)
{
    return (!(by & RD__BY_DEVICE) || left->device == right->device) &&
           (!(by & RD__BY_APP) || left->app == right->app) && (!(by & RD__BY_INPUT) || left->input == right->input);
}

static rd__effect effect_of(rd__view *view, const rd__case *like, uint32_t by, uint32_t bit)
{
    rd__effect effect = {.median = 1, .p = 1};
    rd_stats stats;
    for (size_t i = 0; i < view->tests; i++) {
        const rd__case *const test = &view->test[i];
        for (size_t k = 0; k < test->cells && rd__view_alike(test, like, by); k++) {
            const rd__cell *const cell = &test->cell[k];
            effect.pairs += cell->pairs >> bit & 1;
            if (cell->sure >> bit & 1)
                view->scratch[effect.sure++] = cell->median / rd__view_find(test, cell->on & ~(1u << bit))->median;
        }
    }
    if (!effect.sure)
        return effect;
    double *const ones = view->scratch + effect.sure;
    for (size_t i = 0; i < effect.sure; i++)
        ones[i] = 1;
    effect.p = rd_mann_whitney(view->scratch, effect.sure, ones, effect.sure);
    view->failed |= isnan(effect.p) != 0;
    rd_stats_of(view->scratch, effect.sure, &stats);
    effect.median = stats.median;
    return effect;
}

uint32_t rd__view_choose(rd__view *view, const rd__case *like, uint32_t by, rd__effect *effect)
{
    uint32_t worth = 0, on = 0;
    for (uint32_t bit = 0; bit < RD_STUDY_SWITCHES; bit++) {
        effect[bit] = effect_of(view, like, by, bit);
        worth |= effect[bit].p < RD_STUDY_ALPHA && effect[bit].median < 1 ? 1u << bit : 0;
    }
    while (worth) {
        uint32_t best = RD_STUDY_SWITCHES;
        for (uint32_t bit = 0; bit < RD_STUDY_SWITCHES; bit++)
            if (worth >> bit & 1 && (best == RD_STUDY_SWITCHES || effect[bit].median < effect[best].median))
                best = bit;
        on |= (on & ~view->together[best]) == 0 ? 1u << best : 0;
        worth &= ~(1u << best);
    }
    return on;
}

static const struct {
    const char *name;
    uint32_t by;
} strategies[RD__STRATEGIES - 2] = {
    {"global", 0},
    {"device", RD__BY_DEVICE},
    {"app", RD__BY_APP},
    {"input", RD__BY_INPUT},
    {"device+app", RD__BY_DEVICE | RD__BY_APP},
    {"device+input", RD__BY_DEVICE | RD__BY_INPUT},
    {"app+input", RD__BY_APP | RD__BY_INPUT},
};

/* What it comes to when each test gets what was chosen for it; chosen NULL: the best. */
static rd_study_strategy judge(rd__view *view, const char *name, const uint32_t *chosen)
{
    rd_study_strategy strategy = {.name = name};
    double logs = 0;
    for (size_t i = 0; i < view->tests; i++) {
        const rd__case *const test = &view->test[i];
        const rd__cell *const cell = chosen ? rd__view_find(test, chosen[i] & test->can) : test->best;
        if (!cell)
            continue;
        strategy.tests++;
        strategy.faster += cell->effect < 0;
        strategy.slower += cell->effect > 0;
        logs += log(cell->median / test->best->median);
    }
    strategy.over_best = strategy.tests ? exp(logs / (double)strategy.tests) : 0;
    return strategy;
}

void rd__view_strategies(rd__view *view, rd_study_result *result, uint32_t *chosen)
{
    const rd_study *const study = view->study;
    rd__effect effect[RD_STUDY_SWITCHES];
    memset(chosen, 0, view->tests * sizeof *chosen);
    result->of_strategy[result->strategies++] = judge(view, "baseline", chosen);
    for (size_t s = 0; s < RD__STRATEGIES - 2; s++) {
        const uint32_t by = strategies[s].by;
        for (size_t i = 0; i < view->tests; i++) {
            const rd__case *const test = &view->test[i];
            size_t first = 0; /* of those like it */
            while (!rd__view_alike(&view->test[first], test, by))
                first++;
            chosen[i] = first < i ? chosen[first] : rd__view_choose(view, test, by, effect);
            if (first == i)
                result->of_choice[result->choices++] =
                    (rd_study_choice){.strategy = strategies[s].name,
                                      .device = by & RD__BY_DEVICE ? study->labels.name[test->device] : NULL,
                                      .app = by & RD__BY_APP ? study->apps.name[test->app] : NULL,
                                      .input = by & RD__BY_INPUT ? study->inputs.name[test->input] : NULL,
                                      .on = chosen[i]};
        }
        result->of_strategy[result->strategies++] = judge(view, strategies[s].name, chosen);
    }
    result->of_strategy[result->strategies++] = judge(view, "oracle", NULL);
}
