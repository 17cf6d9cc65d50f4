/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - the order of degrees, host side: color/order.k.c makes it, on the device. */
#ifndef RD_APPS_COLOR_ORDER_H
#define RD_APPS_COLOR_ORDER_H

#include "apps/app.h"

typedef struct rd__color_order {
    rd__program *program;
    rd__kernel *counts, *places, *again;
    uint32_t placed, listed; /* kept since the last run: the places in `state`, and the list in `order` */
} rd__color_order;

typedef struct rd__color_ordered { /* see color/layout.k.h */
    rd__buffer *state, *order, *count;
} rd__color_ordered;

rd_status rd__color_order_load(rd__color_order *order, rd_job *job, rd_error *err);
void rd__color_order_free(rd__color_order *order, rd_job *job);
/* Launches what gives all vertices their places, and takes their colours away. lists: the run needs the list as well.
 */
rd_status rd__color_order_put(rd__color_order *order, rd_job *job, const rd__color_ordered *to, int lists,
                              rd_error *err);

#endif
