/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - see values.h. */
#include "apps/common/values.h"

#include "raddle/ranks.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

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

/* The words as a reader wants them: "a, b or c". */
static rd_status not_a_word(const char *key, const char *value, const char *words, rd_error *err)
{
    char text[128] = "";
    unsigned left = 1;
    for (const char *c = words; *c; c++)
        left += *c == '|';
    for (size_t used = 0; left > 0 && used < sizeof text; left--) {
        const int length = (int)strcspn(words, "|");
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s", length, words,
                                 left == 1   ? ""
                                 : left == 2 ? " or "
                                             : ", ");
        words += length + (left > 1);
    }
    return rd__fail(err, RD_EARG, "option %s takes %s, not '%s'", key, text, value);
}

rd_status rd__value_choice(const char *key, const char *value, const char *words, uint32_t *out, rd_error *err)
{
    const size_t length = strlen(value);
    uint32_t number = 0;
    for (const char *at = words;; number++) {
        const size_t word = strcspn(at, "|");
        if (word == length && memcmp(at, value, length) == 0) {
            *out = number;
            return RD_OK;
        }
        if (!at[word])
            return not_a_word(key, value, words, err);
        at += word + 1;
    }
}

rd_status rd__value_vertex(const char *key, const char *value, uint32_t *out, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(value, &number) || number > RD_VERTEX_MAX)
        return rd__fail(err, RD_EARG, "%s '%s' is not a vertex number", key, value);
    *out = (uint32_t)number;
    return RD_OK;
}

rd_status rd__vertex_check(const rd_graph *graph, const char *key, uint32_t vertex, rd_error *err)
{
    const uint32_t vertices = rd_graph_get_part(graph).vertices; /* of the whole graph */
    if (vertex == RD_NONE || vertex < vertices)
        return RD_OK;
    if (vertices == 0)
        return rd__fail(err, RD_EARG, "%s %u is out of range: the graph has no vertices", key, vertex);
    return rd__fail(err, RD_EARG, "%s %u is out of range: the graph has vertices 0 to %u", key, vertex, vertices - 1);
}

uint32_t rd__vertex_or_hub(const rd_graph *graph, uint32_t vertex)
{
    return vertex == RD_NONE ? rd_graph_hub(graph) : vertex;
}
