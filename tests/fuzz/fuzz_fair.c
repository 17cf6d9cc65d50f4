/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_fair.c - models and criteria of the model checker. FUZZ_KIND model: of the texts that are models one in 64 is
 * also searched, with little memory, and what is found to starve can be replayed: searching takes a hundred times as
 * long as reading. FUZZ_KIND criterion: a criterion, and then a small program under it.
 */
#include "fuzz.h"

#include "raddle/fairness.h"

static int enough; /* blocks of a search */

static int stop(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)user, (void)what, (void)done, (void)total, (void)unit;
    return enough++ > 2;
}

static void search(const rd_fairness *model, const char *scheduler)
{
    rd_fairness_options options = {
        .size = sizeof options, .memory = 2 << 20, .threads = 1, .witness = 1, .progress = stop};
    rd_fairness_report report;
    rd_error err = {RD_OK, ""};
    options.scheduler[0] = scheduler;
    enough = 0;
    const rd_status status = rd_fairness_check(model, &options, &report, &err);
    fuzz_check(status, &err);
    if (status == RD_EWRONG) /* searches with and without reductions differ */
        abort();
    if (status != RD_OK)
        return;
    if (!report.unsafe && report.verdict[0].run.steps &&
        rd_fairness_replay(model, &report.verdict[0].run, scheduler, &err) != RD_OK)
        abort();
    if (report.run.steps && rd_fairness_replay(model, &report.run, NULL, &err) != RD_OK)
        abort();
    rd_fairness_report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const int is_criterion = strcmp(fuzz_kind(), "criterion") == 0;
    rd_fairness *model = NULL;
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    const char *program = is_criterion ? rd_fairness_model_text("cas-mutex") : text;
    rd_status status = is_criterion ? rd_fairness_scheduler_check(text, &err) : RD_OK;
    if (status == RD_OK)
        status = rd_fairness_open("fuzz", program, NULL, &model, &err);
    fuzz_check(status, &err);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ data[i]) * 16777619u;
    if (status == RD_OK && (is_criterion || (hash >> 16) % 64 == 0))
        search(model, is_criterion ? text : "obe");
    rd_fairness_close(model);
    free(text);
    fuzz_end();
    return 0;
}
