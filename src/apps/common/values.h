/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - values of options, as several apps take them. Each function that sets leaves its target as it was when it
 * fails. */
#ifndef RD_APPS_VALUES_H
#define RD_APPS_VALUES_H

#include "apps/app.h"

/* A whole number from least to most. */
rd_status rd__value_u64(const char *key, const char *value, uint64_t least, uint64_t most, uint64_t *out,
                        rd_error *err);
rd_status rd__value_u32(const char *key, const char *value, uint32_t least, uint32_t most, uint32_t *out,
                        rd_error *err);

/* The option `source`: a vertex, or RD_NONE, as it is before it is set, for the one of highest degree. */
rd_status rd__source_set(const char *value, uint32_t *source, rd_error *err);
/* Has the job's graph such a vertex? */
rd_status rd__source_check(const rd_job *job, uint32_t source, rd_error *err);
/* @return the vertex, RD_NONE when the graph has none at all. */
uint32_t rd__source_vertex(const rd_job *job, uint32_t source);

#endif
