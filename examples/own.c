/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own.c - a program with a task of its own, as text in the program, and memory of the program's as an array.
 *
 *     cc own.c $(pkg-config --cflags --libs raddle) -o own && ./own [DEVICE]
 */
#include <raddle.h>

#include <inttypes.h>
#include <stdio.h>

static const char doubles[] = "#define RD_TASK_WORDS 1\n"
                              "#define RD_TASK_CHILDREN 1\n"
                              "#define RD_TASK_JOIN RD_JOIN_NONE\n"
                              "#include \"model/forkjoin.k.h\"\n"
                              "RD_APP(doubles, \"doubles each number of an array\")\n"
                              "RD_OPTION(rd_u32, n, 8, \"how many\")\n"
                              "RD_ARRAY(rd_u32, number, n, index)\n"
                              "RD_RESULT(number)\n"
                              "RD_SEEDS(n)\n"
                              "rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)\n"
                              "{ t->word[0] = i; }\n"
                              "rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)\n"
                              "{ a->number[t->word[0]] *= 2; }\n";

int main(int argc, char **argv)
{
    uint32_t mine[4] = {10, 20, 30, 40};
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    rd_job *job = NULL;
    rd_status status = rd_app_register(doubles, "doubles.k.c", NULL, &err);
    if (status == RD_OK)
        status = rd_device_open(argc > 1 ? argv[1] : NULL, NULL, &device,
                                &err); /* NULL: the first GPU that works, else the CPU */
    if (status == RD_OK)
        status = rd_job_create(device, "doubles", &job, &err);
    if (status == RD_OK)
        status = rd_job_set(job, "n", "4", &err);
    if (status == RD_OK)
        status = rd_job_bind(job, "number", mine, 4, RD_BIND_SHARE, &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    for (int i = 0; i < 4 && status == RD_OK; i++)
        printf("%" PRIu32 "\n", mine[i]);
    if (status != RD_OK)
        fprintf(stderr, "%s\n", err.text);
    rd_job_destroy(job);
    rd_device_close(device);
    return status == RD_OK && mine[3] == 80 ? 0 : 1;
}
