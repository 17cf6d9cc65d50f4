/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.c - a program with an own app that was compiled ahead of time: it needs no C compiler to run.
 * raddle compile ../own/nqueens.k.c -o queens && cc -O3 ahead.c queens/\*.c $(pkg-config --cflags --libs raddle) */
#include <raddle.h>

#include <inttypes.h>
#include <stdio.h>

rd_status raddle_queens_register(const rd_app_info **info, rd_error *err); /* in queens/queens.c */

int main(int argc, char **argv)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    rd_job *job = NULL;
    rd_result result = {.count = 0};
    rd_status status = raddle_queens_register(NULL, &err);
    if (status == RD_OK)
        status = rd_device_open(argc > 1 ? argv[1] : "cpu", NULL, &device, &err);
    if (status == RD_OK)
        status = rd_job_create(device, "queens", &job, &err);
    if (status == RD_OK)
        status = rd_job_set(job, "n", "8", &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    if (status == RD_OK)
        status = rd_job_result(job, &result, &err);
    if (status == RD_OK)
        printf("%" PRIu64 "\n", result.wide[0]);
    else
        fprintf(stderr, "%s\n", err.text);
    rd_job_destroy(job);
    rd_device_close(device);
    return status == RD_OK ? 0 : 1;
}
