/* SPDX-License-Identifier: Apache-2.0 */
/* micro.h - cases of the bench harness that are microbenchmarks of the library. text[0]: its name; text[1]:
 * "small" or "large" groups, NULL: the device's default; number[0]: groups a compute unit; number[1]: much local
 * memory; of queues, number[2]: one in so many of the groups that fit; number[3]: bits of a token. */
#ifndef RD_CLI_BENCH_MICRO_H
#define RD_CLI_BENCH_MICRO_H

#include "cli/bench/bench.h"

rd_status bench_micro_open(bench_case *self, rd_device *device, rd_error *err);
/* Runs once; *report is zero when it fails. */
rd_status bench_micro_run(bench_case *self, bench_sample *sample, rd_micro_report *report, rd_error *err);
void bench_micro_describe(const bench_case *self, rd_json *json);
void bench_micro_close(bench_case *self);

#endif
