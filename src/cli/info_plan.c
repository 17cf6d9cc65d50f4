/* SPDX-License-Identifier: Apache-2.0 */
/* info_plan.c - memory plans for `raddle info`. Nothing is compiled or uploaded: a plan is arithmetic. */
#include "cli/info_plan.h"

#include <stdlib.h>
#include <string.h>

static int plan_one(rd_device *device, const rd_app_info *app, const rd_graph *graph, info_plan *out)
{
    const rd_device_info *info = rd_device_get_info(device);
    rd_job *job = NULL;
    rd_plan plan;
    rd_error err;
    int done = rd_job_create(device, app->name, &job, &err) == RD_OK && rd_job_set_graph(job, graph, &err) == RD_OK &&
               rd_job_plan(job, &plan, &err) == RD_OK;
    rd_job_destroy(job);
    if (!done)
        return 0;
    *out = (info_plan){.app = app->name, .graph_bytes = plan.graph_bytes, .own_bytes = plan.own_bytes};
    out->free_bytes = info->memory_free ? info->memory_free : info->memory;
    memcpy(out->device, info->name, sizeof out->device);
    return 1;
}

size_t info_plans(const rd_graph *graph, info_plan **list)
{
    rd_device_info *device = NULL;
    size_t devices = 0, apps = 0, count = 0;
    rd_error err;
    *list = NULL;
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        apps += rd_app_takes_graph(app) != 0;
    if (apps == 0 || rd_device_list(&device, &devices, &err) != RD_OK)
        return 0;
    *list = calloc(apps * devices, sizeof **list);
    for (size_t i = 0; *list && i < devices; i++) {
        rd_device *opened = NULL;
        if (!device[i].usable || rd_device_open(device[i].name, NULL, &opened, &err) != RD_OK)
            continue;
        for (const rd_app_info *app = rd_apps(); app->name; app++)
            if (rd_app_takes_graph(app))
                count += (size_t)plan_one(opened, app, graph, &(*list)[count]);
        rd_device_close(opened);
    }
    rd_free(device);
    return count;
}
