/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - colouring over several ranks. */
#ifndef RD_APPS_COLOR_PARTS_H
#define RD_APPS_COLOR_PARTS_H

#include "apps/app.h"

typedef struct rd__color_parts {
    uint32_t begins, below; /* what the kernel is told: color/parts.k.c */
    rd__buffer *state;
    uint64_t *word;    /* own vertices and ghosts, on the host */
    uint32_t *colour;  /* out: of own vertices */
    uint32_t *colours; /* out: how many, of all ranks */
} rd__color_parts;

/* All ranks: runs until all vertices have a colour. */
rd_status rd__color_run_parts(rd_job *job, rd__color_parts *parts, rd__slice_fn slice, rd_report *report,
                              rd_error *err);
rd_status rd__color_check_parts(rd_job *job, const uint32_t *colour, uint32_t colours, rd_error *err);

#endif
