/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - raddle info: what a graph is like. */
#define _POSIX_C_SOURCE 200809L
#include "cli/input.h"

#include <string.h>

enum { OPT_JSON = 1100, OPT_CHECK, OPT_HELP };

void cli_info_help(FILE *out)
{
    fputs("usage: raddle info INPUT [options]\n"
          "Tells what a graph is like.\n"
          "      --json             one JSON object\n"
          "      --check            .rdg: check all of the content against its checksum\n",
          out);
    cli_input_help(out);
}

static int print_text(const char *spec, const rd_graph *graph)
{
    rd_csr csr = rd_graph_csr(graph);
    rd_graph_times times = rd_graph_get_times(graph);
    char bytes[32];
    uint64_t size = 8 * ((uint64_t)csr.vertices + 1) + (csr.weight ? 8 : 4) * csr.edges;
    printf("graph        %s\n", spec);
    printf("provenance   %s\n", rd_graph_provenance(graph));
    printf("vertices     %u\n", csr.vertices);
    printf("edges        %llu directed, %s\n", (unsigned long long)csr.edges,
           rd_graph_is_symmetric(graph) ? "symmetric" : "not symmetric");
    printf("weights      %s\n", csr.weight ? "yes" : "none");
    if (csr.vertices)
        printf("degree       %.2f on average, %llu at most (vertex %u)\n", (double)csr.edges / csr.vertices,
               (unsigned long long)rd_graph_max_degree(graph), rd_graph_hub(graph));
    printf("memory       %s\n", rd_format_bytes(size, bytes, sizeof bytes));
    printf("opened in    %.3f s reading, %.3f s sorting\n", times.read_s, times.build_s);
    return fflush(stdout) == 0 ? 0 : rd_status_exit_code(RD_EIO);
}

static int print_json(const char *spec, const rd_graph *graph)
{
    rd_csr csr = rd_graph_csr(graph);
    rd_graph_times times = rd_graph_get_times(graph);
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_text(&json, "graph", spec);
    rd_json_text(&json, "provenance", rd_graph_provenance(graph));
    rd_json_u64(&json, "vertices", csr.vertices);
    rd_json_u64(&json, "edges", csr.edges);
    rd_json_bool(&json, "symmetric", rd_graph_is_symmetric(graph));
    rd_json_bool(&json, "weighted", csr.weight != NULL);
    rd_json_u64(&json, "max_degree", rd_graph_max_degree(graph));
    rd_json_u64(&json, "hub", rd_graph_hub(graph));
    rd_json_double(&json, "read_s", times.read_s);
    rd_json_double(&json, "build_s", times.build_s);
    return rd_json_end(&json) == 0 ? 0 : rd_status_exit_code(RD_EIO);
}

int cli_info_run(int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_INPUT_LONG,
        {"json", no_argument, NULL, OPT_JSON},
        {"check", no_argument, NULL, OPT_CHECK},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    cli_input in;
    int opt, json = 0;
    cli_input_init(&in);
    while ((opt = getopt_long(argc, argv, ":h" CLI_INPUT_SHORT, longs, NULL)) != -1) {
        int taken = cli_input_option(&in, "info", opt, optarg);
        if (taken < 0)
            return rd_status_exit_code(RD_EARG);
        if (taken)
            continue;
        switch (opt) {
        case OPT_JSON: json = 1; break;
        case OPT_CHECK: in.options.verify = 1; break;
        case 'h':
        case OPT_HELP: cli_info_help(stdout); return 0;
        default: return cli_input_bad_option("info", opt, argv);
        }
    }
    if (argc - optind > 1)
        return cli_usage("info", "one INPUT at a time");
    rd_graph *graph;
    int code = cli_input_open(&in, "info", argv[optind], &graph);
    if (code)
        return code;
    code = json ? print_json(argv[optind], graph) : print_text(argv[optind], graph);
    rd_graph_destroy(graph);
    return code;
}
