/* SPDX-License-Identifier: Apache-2.0 */
/* submit.h - a case of the suite `multitask` in a file of its own. */
#ifndef RD_CLI_BENCH_SUBMIT_H
#define RD_CLI_BENCH_SUBMIT_H

#include "cli/bench/bench.h"

rd_status bench_add_submit(bench_list *list, rd_error *err);

#endif
