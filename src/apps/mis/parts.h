/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - the independent set over several ranks. */
#ifndef RD_APPS_MIS_PARTS_H
#define RD_APPS_MIS_PARTS_H

#include "apps/app.h"

/* What the kernel is told: mis/parts.k.c. */
typedef struct rd__mis_part {
    uint32_t begins, below;
} rd__mis_part;

/* All ranks: runs until all vertices are decided; job->copy then has 1 or 0 for each of the own ones. */
rd_status rd__mis_run_parts(rd_job *job, rd__mis_part *part, rd__buffer *mark, rd__slice_fn slice, rd_report *report,
                            rd_error *err);
rd_status rd__mis_check_parts(rd_job *job, const uint32_t *in_set, rd_error *err);

#endif
