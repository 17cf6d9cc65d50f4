/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - raddle info: what a graph is like. */
#define _POSIX_C_SOURCE 200809L
#include "cli/info_parts.h"
#include "cli/info_plan.h"
#include "cli/info_shape.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_JSON = 1100, OPT_CHECK, OPT_BRIEF, OPT_HELP };
enum { BAR = 40 };

void cli_info_help(FILE *out)
{
    fputs("usage: raddle info INPUT [options]\n"
          "Tells what a graph is like: sizes, degrees, weights, components, diameter.\n"
          "Of a folder that 'raddle partition' wrote: its parts.\n"
          "      --brief            sizes only, without looking at every edge\n"
          "      --check            .rdg: check all of the content against its checksum\n"
          "      --json             one JSON object\n",
          out);
    cli_input_help(out);
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_histogram(const info_shape *shape, uint32_t vertices)
{
    uint64_t most = 0;
    int last = 0;
    for (int bin = 0; bin < INFO_BINS; bin++) {
        most = shape->bin[bin] > most ? shape->bin[bin] : most;
        last = shape->bin[bin] ? bin : last;
    }
    if (most == 0) /* no vertices: no table, and no shares of nothing */
        return;
    printf("degrees      %21s %12s\n", "from-to", "vertices");
    for (int bin = 0; bin <= last; bin++) {
        uint64_t least, highest;
        char range[48], bar[BAR + 1];
        info_bin_range(bin, &least, &highest);
        if (least == highest)
            snprintf(range, sizeof range, "%llu", (unsigned long long)least);
        else
            snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)least, (unsigned long long)highest);
        /* anything at all gets a mark */
        size_t length = (size_t)((double)shape->bin[bin] / (double)most * BAR + 0.5);
        length = length == 0 && shape->bin[bin] ? 1 : length;
        memset(bar, '#', length);
        bar[length] = 0;
        printf("             %21s %12llu %5.1f%% %s\n", range, (unsigned long long)shape->bin[bin],
               share(shape->bin[bin], vertices), bar);
    }
}

static void print_plans(const rd_graph *graph)
{
    info_plan *plan;
    size_t count = info_plans(graph, &plan);
    for (size_t i = 0; i < count; i++) {
        char text[3][32];
        uint64_t need = plan[i].graph_bytes + plan[i].own_bytes;
        printf("%-12s %s on %s: %s for the graph, %s more; %s free%s\n", i ? "" : "apps take", plan[i].app,
               plan[i].device, rd_format_bytes(plan[i].graph_bytes, text[0], 32),
               rd_format_bytes(plan[i].own_bytes, text[1], 32),
               plan[i].free_bytes ? rd_format_bytes(plan[i].free_bytes, text[2], 32) : "unknown",
               plan[i].free_bytes && need > plan[i].free_bytes ? ": too large" : "");
    }
    free(plan);
}

static void print_shape(const rd_graph *graph, const info_shape *shape)
{
    rd_csr csr = rd_graph_csr(graph);
    if (rd_graph_has_real_weights(graph))
        printf("weights      real, %.9g to %.9g, mean %.6g\n", (double)rd_weight_real(shape->weight_min),
               (double)rd_weight_real(shape->weight_max), shape->weight_mean);
    else if (csr.weight)
        printf("weights      %d to %d, mean %.2f\n", shape->weight_min, shape->weight_max, shape->weight_mean);
    printf("loops        %llu\n", (unsigned long long)shape->loops);
    printf("duplicates   %llu\n", (unsigned long long)shape->duplicates);
    printf("components   %llu", (unsigned long long)shape->components);
    if (csr.vertices)
        printf("%s, the largest of %llu vertices (%.1f%%)",
               rd_graph_is_symmetric(graph) ? "" : " (edges taken both ways)", (unsigned long long)shape->largest,
               share(shape->largest, csr.vertices));
    putchar('\n');
    if (shape->depth_from != RD_NONE)
        printf(rd_graph_is_symmetric(graph) ? "diameter     at least %u (seen from vertex %llu)\n"
                                            : "depth        %u, searching from vertex %llu\n",
               shape->depth, (unsigned long long)rd_graph_name(graph, shape->depth_from));
    print_histogram(shape, csr.vertices);
    print_plans(graph);
}

static int print_text(const char *spec, const rd_graph *graph, const info_shape *shape)
{
    rd_csr csr = rd_graph_csr(graph);
    rd_graph_times times = rd_graph_get_times(graph);
    char bytes[32];
    uint64_t size = 8 * ((uint64_t)csr.vertices + 1) + (csr.weight ? 8 : 4) * csr.edges;
    printf("graph        %s\n", spec);
    printf("provenance   %s\n", rd_graph_provenance(graph));
    printf("vertices     %u%s\n", csr.vertices, rd_graph_ids(graph) ? " (renumbered)" : "");
    printf("edges        %llu directed, %s%s\n", (unsigned long long)csr.edges,
           rd_graph_is_symmetric(graph) ? "symmetric" : "not symmetric",
           rd_graph_has_real_weights(graph) ? ", real weights"
           : csr.weight                     ? ", weighted"
                                            : "");
    if (csr.vertices)
        printf("degree       %.2f on average, %llu at most (vertex %llu)\n", (double)csr.edges / csr.vertices,
               (unsigned long long)rd_graph_max_degree(graph),
               (unsigned long long)rd_graph_name(graph, rd_graph_hub(graph)));
    printf("memory       %s\n", rd_format_bytes(size, bytes, sizeof bytes));
    printf("opened in    %.3f s reading, %.3f s sorting\n", times.read_s, times.build_s);
    if (shape)
        print_shape(graph, shape);
    return fflush(stdout) == 0 ? 0 : rd_status_exit_code(RD_EIO);
}

static void json_shape(rd_json *json, const rd_graph *graph, const info_shape *shape)
{
    rd_json_u64(json, "loops", shape->loops);
    rd_json_u64(json, "duplicates", shape->duplicates);
    if (rd_graph_csr(graph).weight) {
        if (rd_graph_has_real_weights(graph)) {
            rd_json_double(json, "weight_min", (double)rd_weight_real(shape->weight_min));
            rd_json_double(json, "weight_max", (double)rd_weight_real(shape->weight_max));
        } else {
            rd_json_i64(json, "weight_min", shape->weight_min);
            rd_json_i64(json, "weight_max", shape->weight_max);
        }
        rd_json_double(json, "weight_mean", shape->weight_mean);
    }
    rd_json_u64(json, "components", shape->components);
    rd_json_u64(json, "largest_component", shape->largest);
    rd_json_u64(json, rd_graph_is_symmetric(graph) ? "diameter_at_least" : "depth_from_hub", shape->depth);
    rd_json_array(json, "degree_histogram"); /* vertices of degree 0, 1, 2-3, 4-7, ... */
    int last = INFO_BINS;
    while (last > 0 && !shape->bin[last - 1])
        last--;
    for (int bin = 0; bin < last; bin++)
        rd_json_u64(json, NULL, shape->bin[bin]);
    rd_json_close_array(json);
}

static void json_plans(rd_json *json, const rd_graph *graph)
{
    info_plan *plan;
    size_t count = info_plans(graph, &plan);
    rd_json_array(json, "plans");
    for (size_t i = 0; i < count; i++) {
        rd_json_object(json, NULL);
        rd_json_text(json, "app", plan[i].app);
        rd_json_text(json, "device", plan[i].device);
        rd_json_u64(json, "graph_bytes", plan[i].graph_bytes);
        rd_json_u64(json, "own_bytes", plan[i].own_bytes);
        rd_json_u64(json, "free_bytes", plan[i].free_bytes);
        rd_json_close_object(json);
    }
    rd_json_close_array(json);
    free(plan);
}

/* The most memory this process has held at once, in bytes; 0 when the system does not say. */
static uint64_t peak_bytes(void)
{
    unsigned long long kib = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %llu kB", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib * 1024;
}

static int print_json(const char *spec, const rd_graph *graph, const info_shape *shape)
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
    rd_json_bool(&json, "renumbered", rd_graph_ids(graph) != NULL);
    rd_json_u64(&json, "max_degree", rd_graph_max_degree(graph));
    if (csr.vertices)
        rd_json_u64(&json, "hub", rd_graph_name(graph, rd_graph_hub(graph)));
    rd_json_double(&json, "read_s", times.read_s);
    rd_json_double(&json, "build_s", times.build_s);
    rd_json_u64(&json, "peak_bytes", peak_bytes());
    if (shape) {
        json_shape(&json, graph, shape);
        json_plans(&json, graph);
    }
    return rd_json_end(&json) == 0 ? 0 : rd_status_exit_code(RD_EIO);
}

int cli_info_run(int argc, char **argv)
{
    static const struct option longs[] = {
        CLI_INPUT_LONG,
        {"json", no_argument, NULL, OPT_JSON},
        {"check", no_argument, NULL, OPT_CHECK},
        {"brief", no_argument, NULL, OPT_BRIEF},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    cli_input in;
    int opt, json = 0, brief = 0;
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
        case OPT_BRIEF: brief = 1; break;
        case 'h':
        case OPT_HELP: cli_info_help(stdout); return 0;
        default: return cli_input_bad_option("info", opt, argv, longs);
        }
    }
    if (argc - optind > 1)
        return cli_usage("info", "one INPUT at a time");
    int code = info_parts(argv[optind], json);
    if (code >= 0)
        return code;
    rd_graph *graph;
    code = cli_input_open(&in, "info", argv[optind], &graph);
    if (code)
        return code;
    info_shape shape, *known = brief ? NULL : &shape;
    rd_error err;
    if (!brief && info_shape_of(graph, &in.progress, &shape, &err) != RD_OK)
        code = cli_fail("info", &err);
    else
        code = json ? print_json(argv[optind], graph, known) : print_text(argv[optind], graph, known);
    rd_graph_destroy(graph);
    return code;
}
