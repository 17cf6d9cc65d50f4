/* SPDX-License-Identifier: Apache-2.0 */
/* check.k.h - behind an own app's text: a kernel of one lane that asks its serial function. CPU only. */
#ifndef RD_APPS_OWN_CHECK_K_H
#define RD_APPS_OWN_CHECK_K_H

#include "raddle/kernel.h"
#include "apps/own/check_layout.k.h"

#define OWN_CHECK_ALL(buf, arg) RD_APP_ARGS(buf, arg) OWN_CHECK_ARGS(buf, arg)

rd_kernel(own_check, OWN_CHECK_ALL)
{
    const rd_app a = rd_bind(RD_APP_ARGS);
    const rd_checked c = {check_row, check_col, check_weight, check_vertices, check_edges, check_sum};
    check_answer[0] = rd_app_check(&a, &c);
}

#define OWN_CHECK_KERNELS(k) k(own_check, OWN_CHECK_ALL)
rd_kernels(OWN_CHECK_KERNELS)

#endif
