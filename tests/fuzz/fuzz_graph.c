/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_graph.c - a libFuzzer target for every reader of graphs: FUZZ_KIND is a format, or "auto", which finds the
 * format itself, as does "packed", whose seeds are compressed. An input must give a graph that passes the checks or an
 * error with a message; never anything else.
 */
#include "fuzz.h"
#include "rdg_sum.h"

#include "graph/read/reader.h"

static void check(rd_graph *graph)
{
    rd_csr csr = rd_graph_csr(graph), turned;
    rd_error err;
    if (rd__csr_check(&csr, 1, 1, "fuzz", &err) != RD_OK)
        abort();
    if (csr.edges < 100000 && csr.vertices < 100000 && rd_graph_transpose(graph, &turned, &err) == RD_OK &&
        turned.edges != csr.edges)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const char *format = fuzz_kind();
    /* some of the options come from the input too, from its last byte, so that they can be reached */
    unsigned char bits = bytes ? data[bytes - 1] : 0;
    /* starting threads costs more than reading: two of them for one input in 256, by a hash, since text ends alike */
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ data[i]) * 16777619u;
    const unsigned threads = (hash >> 16) % 256 == 0 ? 2 : 1;
    rd_graph_options options = {.size = sizeof options, .threads = threads}, full;
    rd__source source;
    rd_graph *graph = NULL;
    rd_error err = {RD_OK, ""};
    options.format = *format && strcmp(format, "auto") != 0 && strcmp(format, "packed") != 0 ? format : NULL;
    options.symmetrize = bits >> 1 & 1;
    options.drop_duplicates = bits >> 2 & 1;
    options.permute = bits >> 5 & 1;
    options.round_weights = bits >> 6 & 1;
    options.verify = bits >> 7;
    /* a line may name a vertex of millions, which most of the time would then go to: for few inputs only */
    fuzz_most = hash >> 24 == 0 ? 64 << 20 : 4 << 20;
    fuzz_begin();
    if (rd__graph_options(&options, &full, &err) != RD_OK)
        abort();
    char *copy = fuzz_copy(data, bytes, 0);
    if (strcmp(format, "rdg") == 0 && hash % 8) /* but for some, so that a wrong sum is seen too */
        fuzz_rdg_sum(copy, bytes);
    rd_status status = rd__source_memory(&source, "fuzz", copy, bytes, &err);
    if (status == RD_OK) {
        /* as if from a pipe now and then: arrays then grow as bytes come */
        if (bits >> 3 & 1)
            source.size = 0;
        status = rd__graph_read(&source, NULL, &full, &graph, &err);
        rd__source_close(&source);
    }
    fuzz_check(status, &err);
    if ((status == RD_OK) != (graph != NULL))
        abort();
    if (graph)
        check(graph);
    rd_graph_destroy(graph);
    free(copy);
    fuzz_end();
    return 0;
}
