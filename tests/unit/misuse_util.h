/* SPDX-License-Identifier: Apache-2.0 */
/* misuse_util.h - for tests of the API used wrongly: things to use, and calls that must be refused. After cmocka.h. */
#ifndef RD_TESTS_MISUSE_UTIL_H
#define RD_TESTS_MISUSE_UTIL_H

#include "raddle/tool.h"

static rd_error err;

static rd_device *open_device(const char *name)
{
    rd_device *device;
    if (rd_device_open(name, NULL, &device, &err) != RD_OK)
        fail_msg("%s", err.text);
    return device;
}

static rd_graph *open_graph(const char *spec)
{
    rd_graph *graph;
    if (rd_graph_open(spec, NULL, &graph, &err) != RD_OK)
        fail_msg("%s", err.text);
    return graph;
}

static rd_job *make_job(rd_device *device, const char *app)
{
    rd_job *job;
    if (rd_job_create(device, app, &job, &err) != RD_OK)
        fail_msg("%s", err.text);
    return job;
}

/* The call must be refused with RD_EARG and a message that is not empty. */
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        err = (rd_error){RD_OK, ""};                                                                                   \
        if ((call) != RD_EARG || err.status != RD_EARG || !err.text[0])                                                \
            fail_msg("%s: %s '%s'", #call, rd_status_name(err.status), err.text);                                      \
    } while (0)

#endif
