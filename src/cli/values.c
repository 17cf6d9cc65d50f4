/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - see values.h. */
#include "cli/values.h"

#include "raddle/ranks.h"

#include <inttypes.h>

static void print_value(FILE *out, const rd_graph *graph, const rd_result *result, uint64_t i, int named)
{
    const uint32_t word = result->word[result->kind == RD_RESULT_U32 ? i : 0];
    switch (result->kind) {
    case RD_RESULT_F32: fprintf(out, "%.9g\n", (double)result->real[i]); break;
    case RD_RESULT_F64: fprintf(out, "%.17g\n", result->wide_real[i]); break;
    case RD_RESULT_U64: fprintf(out, "%" PRIu64 "\n", result->wide[i]); break;
    case RD_RESULT_I64: fprintf(out, "%" PRId64 "\n", (int64_t)result->wide[i]); break;
    case RD_RESULT_I32: fprintf(out, "%" PRId32 "\n", (int32_t)result->word[i]); break;
    case RD_RESULT_U32:
        if (word == RD_NONE)
            fputs("-1\n", out);
        else if (named && result->of_vertices)
            fprintf(out, "%" PRIu64 "\n", rd_graph_name(graph, word));
        else
            fprintf(out, "%" PRIu32 "\n", word);
        break;
    }
}

rd_status cli_write_values(const rd_graph *graph, const rd_result *result, const char *path, rd_error *err)
{
    rd_output *output;
    const rd_status status = rd_output_open(path, RD_OUTPUT_REPLACE, &output, err);
    if (status != RD_OK)
        return status;
    FILE *out = rd_output_stream(output);
    const uint64_t vertices = rd_graph_get_part(graph).vertices;
    const int named = vertices && result->count == vertices && (rd_graph_ids(graph) || rd_graph_name(graph, 0) != 0);
    for (uint64_t i = 0; i < result->count; i++) {
        if (named)
            fprintf(out, "%" PRIu64 " ", rd_graph_name(graph, (uint32_t)i));
        print_value(out, graph, result, i, named);
    }
    return rd_output_close(output, RD_OK, err);
}
