/* SPDX-License-Identifier: Apache-2.0 */
/* fairness_util.h - for tests of the model checker: a model opened, checked, and its verdicts as letters. After
 * cmocka.h. */
#ifndef RD_TESTS_FAIRNESS_UTIL_H
#define RD_TESTS_FAIRNESS_UTIL_H

#include "raddle/fairness.h"

static rd_fairness *open_text(const char *text, const char *const *settings)
{
    rd_fairness *model = NULL;
    rd_error err = {RD_OK, ""};
    const rd_status status = rd_fairness_open("m", text, settings, &model, &err);
    if (status != RD_OK)
        fail_msg("%s\n%s", err.text, text);
    return model;
}

static rd_fairness_report check(const rd_fairness *model, rd_fairness_options options)
{
    rd_fairness_report report;
    rd_error err = {RD_OK, ""};
    options.size = sizeof options;
    options.memory = options.memory ? options.memory : 1u << 30;
    options.threads = options.threads ? options.threads : 2;
    if (rd_fairness_check(model, &options, &report, &err) != RD_OK)
        fail_msg("%s", err.text);
    return report;
}

static void free_both(rd_fairness *model, rd_fairness_report *report)
{
    rd_fairness_report_free(report);
    rd_fairness_close(model);
}

static void verdicts_of(const rd_fairness_report *report, char text[RD_FAIRNESS_SCHEDULERS + 1])
{
    for (uint32_t k = 0; k < report->verdicts; k++)
        text[k] = report->unsafe ? '?' : report->verdict[k].starves ? 'n' : 'y';
    text[report->verdicts] = '\0';
}

#endif
