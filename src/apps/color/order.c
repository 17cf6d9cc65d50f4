/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - see order.h. The order follows from the graph alone, so the next run keeps what the last one left of it. */
#include "apps/color/order.h"

#include "apps/color/layout.k.h"
#include "core/stride.h"
#include "model/args.h"

rd_status rd__color_order_load(rd__color_order *order, rd_job *job, rd_error *err)
{
    rd_device *device = job->device;
    order->placed = order->listed = 0;
    RD_TRY(
        rd__program_load_named(device, "color_order", rd__device_default_lanes(device), NULL, 0, &order->program, err));
    RD_TRY(rd__kernel_find(device, order->program, "color_count", &order->counts, err));
    RD_TRY(rd__kernel_find(device, order->program, "color_again", &order->again, err));
    return rd__kernel_find(device, order->program, "color_place", &order->places, err);
}

void rd__color_order_free(rd__color_order *order, rd_job *job)
{
    if (order->program)
        rd__program_unload(job->device, order->program);
    order->program = NULL;
}

RD__ARGS(order_args, ORDER_ARGS)

rd_status rd__color_order_put(rd__color_order *order, rd_job *job, const rd__color_ordered *to, int lists,
                              rd_error *err)
{
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    const order_args args = {.row = &job->row,
                             .vertices = vertices,
                             .stride = rd__stride_through(vertices),
                             .count = to->count,
                             .order = to->order,
                             .state = to->state};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = order_args_pack(&args, list);
    uint32_t groups;
    const int kept = order->placed && (order->listed || !lists);
    RD_TRY(rd__kernel_resident(job->device, kept ? order->again : order->counts, &groups, err));
    if (kept)
        return rd__kernel_launch(job->device, order->again, groups, 0, list, used, err);
    RD_TRY(rd__buffer_fill(to->count, 0, err));
    RD_TRY(rd__kernel_launch(job->device, order->counts, groups, 0, list, used, err));
    order->placed = order->listed = 1;
    return rd__kernel_launch(job->device, order->places, groups, 0, list, used, err);
}
