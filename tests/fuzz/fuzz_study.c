/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_study.c - files of points of `raddle study`, and their analysis. */
#include "fuzz.h"

#include "study/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd_study *study = NULL;
    rd_study_result *result = NULL;
    rd_study_lines lines = {0};
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    rd_status status = rd_study_create(&study, &err);
    if (status == RD_OK)
        status = rd__study_parse(study, text, bytes, &lines, "fuzz", &err);
    if (status == RD_OK)
        status = rd_study_analyse(study, NULL, &result, &err);
    fuzz_check(status, &err);
    if (status == RD_OK && (!result->tests || result->of_strategy[result->strategies - 1].over_best != 1))
        abort(); /* nothing is faster than the best */
    rd_study_result_free(result);
    rd_study_destroy(study);
    free(text);
    fuzz_end();
    return 0;
}
