/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - values of options. Each function that sets leaves its target as it was when it fails. */
#ifndef RD_APPS_VALUES_H
#define RD_APPS_VALUES_H

#include "core/error.h"

/* A whole number from least to most. */
rd_status rd__value_u64(const char *key, const char *value, uint64_t least, uint64_t most, uint64_t *out,
                        rd_error *err);
rd_status rd__value_u32(const char *key, const char *value, uint32_t least, uint32_t most, uint32_t *out,
                        rd_error *err);
/* Which of the words of "a|b|c". */
rd_status rd__value_choice(const char *key, const char *value, const char *words, uint32_t *out, rd_error *err);
/* The number of a vertex. */
rd_status rd__value_vertex(const char *key, const char *value, uint32_t *out, rd_error *err);
/* Has the graph such a vertex? RD_NONE is always right. */
rd_status rd__vertex_check(const rd_graph *graph, const char *key, uint32_t vertex, rd_error *err);
/* @return the vertex that is meant: RD_NONE is the one of highest degree, and RD_NONE when the graph has none at all.
 */
uint32_t rd__vertex_or_hub(const rd_graph *graph, uint32_t vertex);

#endif
