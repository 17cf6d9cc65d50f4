/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_expect.c - refuses work that cannot fit in memory before it starts. The system would rather promise memory it
 * does not have and kill the process later.
 */
#include "graph/graph.h"

#include "core/memory_left.h"
#include "raddle/tool.h"

rd_status rd__memory_expect(uint64_t bytes, const char *what, rd_error *err)
{
    if (bytes < 64u << 20) /* not worth asking the system */
        return RD_OK;
    uint64_t total, left;
    rd__memory_ask("", &total, &left);
    if (bytes <= left)
        return RD_OK;
    char need[32], have[32];
    return rd__fail(err, RD_ENOMEM, "not enough host memory: %s would take %s and %s is free", what,
                    rd_format_bytes(bytes, need, sizeof need), rd_format_bytes(left, have, sizeof have));
}
