/* SPDX-License-Identifier: Apache-2.0 */
/* test_progress.c - does the device run on who has begun? Persistent launches need it, and are refused where it does
 * not: so this comes before all cases that have one. */
#include "selftest/selftest.h"

#include "progress/progress.h"

#include <stdio.h>

static rd_status probe(rd__test *test, rd_error *err)
{
    uint32_t launches = 0;
    RD_TRY(rd__progress_probe(test->device, test->seed, &launches, err));
    snprintf(test->note, sizeof test->note, "%u launches of programs that end under obe", launches);
    return RD_OK;
}

const rd__test_case rd__progress_cases[] = {
    {"device/progress", probe, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
