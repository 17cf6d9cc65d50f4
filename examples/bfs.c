/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfs.c - the whole of Raddle from C: a device, a graph, a job, a verified result.
 *
 *     cc bfs.c $(pkg-config --cflags --libs raddle) -o bfs && ./bfs [INPUT] [DEVICE]
 */
#include <raddle.h>

#include <stdio.h>

/* Each step runs only when those before it went well; err says what did not. */
static rd_status search(const char *input, rd_device *device, rd_error *err)
{
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_report report;
    rd_result depth;

    rd_status status = rd_graph_open(input, NULL, &graph, err);
    if (status == RD_OK)
        status = rd_job_create(device, "bfs", &job, err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, err);
    if (status == RD_OK)
        status = rd_job_run(job, &report, err); /* from the vertex of highest degree; rd_job_set(job, "source", ...) */
    if (status == RD_OK)
        status = rd_job_result(job, &depth, err);
    if (status == RD_OK)
        status = rd_job_check(job, err);
    if (status == RD_OK) {
        uint32_t deepest = 0;
        for (uint64_t v = 0; v < depth.count; v++)
            if (depth.word[v] != RD_NONE && depth.word[v] > deepest)
                deepest = depth.word[v];
        printf("%s on %s: %llu vertices reached, the farthest at depth %u, in %.3f ms\n", input,
               rd_device_get_info(device)->model, (unsigned long long)report.reached, deepest, 1e3 * report.run_s);
    }
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    return status;
}

int main(int argc, char **argv)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;

    /* NULL: the first GPU that works, else the CPU. */
    rd_status status = rd_device_open(argc > 2 ? argv[2] : NULL, NULL, &device, &err);
    if (status == RD_OK)
        status = search(argc > 1 ? argv[1] : "kron:14", device, &err);
    rd_device_close(device);
    if (status != RD_OK)
        fprintf(stderr, "%s: %s\n", rd_status_name(status), err.text);
    return rd_status_exit_code(status);
}
