/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - see values.h. */
#include "apps/common/values.h"

#include "raddle/tool.h"

rd_status rd__value_u64(const char *key, const char *value, uint64_t least, uint64_t most, uint64_t *out, rd_error *err)
{
    uint64_t number;
    if (rd_parse_u64(value, &number) && number >= least && number <= most) {
        *out = number;
        return RD_OK;
    }
    if (least == 0 && most == 1)
        return rd__fail(err, RD_EARG, "option %s takes 0 or 1, not '%s'", key, value);
    return rd__fail(err, RD_EARG, "option %s takes a number from %llu to %llu, not '%s'", key,
                    (unsigned long long)least, (unsigned long long)most, value);
}

rd_status rd__value_u32(const char *key, const char *value, uint32_t least, uint32_t most, uint32_t *out, rd_error *err)
{
    uint64_t number = 0;
    RD_TRY(rd__value_u64(key, value, least, most, &number, err));
    *out = (uint32_t)number;
    return RD_OK;
}

rd_status rd__source_set(const char *value, uint32_t *source, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(value, &number) || number > RD_VERTEX_MAX)
        return rd__fail(err, RD_EARG, "source '%s' is not a vertex number", value);
    *source = (uint32_t)number;
    return RD_OK;
}

rd_status rd__source_check(const rd_job *job, uint32_t source, rd_error *err)
{
    const uint32_t vertices = rd_graph_csr(job->graph).vertices;
    if (source == RD_NONE || source < vertices)
        return RD_OK;
    if (vertices == 0)
        return rd__fail(err, RD_EARG, "source %u is out of range: the graph has no vertices", source);
    return rd__fail(err, RD_EARG, "source %u is out of range: the graph has vertices 0 to %u", source, vertices - 1);
}

uint32_t rd__source_vertex(const rd_job *job, uint32_t source)
{
    return source == RD_NONE ? rd_graph_hub(job->graph) : source;
}
