/* SPDX-License-Identifier: Apache-2.0 */
/* gen.c - raddle gen: makes a graph and writes it; and raddle convert, which is the same from a file. */
#define _POSIX_C_SOURCE 200809L
#include "cli/input.h"
#include "cli/outputs.h"

#include <string.h>

enum { OPT_TO = 1100, OPT_IDS, OPT_JSON, OPT_HELP };

typedef struct saving {
    cli_input in;
    const char *spec, *path, *format, *ids_path;
    int json;
} saving;

/* What a vertex was called where it came from, one a line. */
static int save_ids(const char *command, const rd_graph *graph, const char *path)
{
    rd_csr csr = rd_graph_csr(graph);
    rd_output *output;
    rd_error err;
    if (rd_output_open(path, RD_OUTPUT_REPLACE, &output, &err) != RD_OK)
        return cli_fail(command, &err);
    FILE *out = rd_output_stream(output);
    for (uint32_t v = 0; v < csr.vertices; v++)
        fprintf(out, "%llu\n", (unsigned long long)rd_graph_name(graph, v));
    return rd_output_close(output, RD_OK, &err) == RD_OK ? 0 : cli_fail(command, &err);
}

static int report(const saving *job, const rd_graph *graph, double save_s)
{
    rd_csr csr = rd_graph_csr(graph);
    rd_graph_times times = rd_graph_get_times(graph);
    if (job->json) {
        rd_json json;
        rd_json_begin(&json, stdout);
        rd_json_text(&json, "input", job->spec);
        rd_json_text(&json, "output", job->path);
        rd_json_u64(&json, "vertices", csr.vertices);
        rd_json_u64(&json, "edges", csr.edges);
        rd_json_bool(&json, "weighted", csr.weight != NULL);
        rd_json_text(&json, "provenance", rd_graph_provenance(graph));
        rd_json_double(&json, "read_s", times.read_s);
        rd_json_double(&json, "build_s", times.build_s);
        rd_json_double(&json, "save_s", save_s);
        return rd_json_end(&json) == 0 ? 0 : rd_status_exit_code(RD_EIO);
    }
    if (strcmp(job->path, "-") != 0)
        printf("%s: %u vertices, %llu edges%s; made in %.2f s, sorted in %.2f s, written in %.2f s\n", job->path,
               csr.vertices, (unsigned long long)csr.edges, csr.weight ? " with weights" : "", times.read_s,
               times.build_s, save_s);
    return fflush(stdout) == 0 ? 0 : rd_status_exit_code(RD_EIO);
}

static int run(saving *job, const char *command)
{
    rd_graph *graph;
    rd_error err;
    if (job->json && strcmp(job->path, "-") == 0)
        return cli_usage(command, "--json and the graph cannot both go to standard output");
    int code = cli_check_outputs(command, job->path, job->ids_path);
    if (code == 0)
        code = cli_check_outputs(command, job->ids_path, NULL);
    if (code)
        return code;
    code = cli_input_open(&job->in, command, job->spec, &graph);
    if (code)
        return code;
    double start = rd_now();
    if (rd_graph_save(graph, job->path, job->format, &err) != RD_OK)
        code = cli_fail(command, &err);
    if (!code && job->ids_path)
        code = save_ids(command, graph, job->ids_path);
    if (!code)
        code = report(job, graph, rd_now() - start);
    rd_graph_destroy(graph);
    return code;
}

static const struct option longs[] = {
    CLI_INPUT_LONG,
    {"output", required_argument, NULL, 'o'},
    {"to", required_argument, NULL, OPT_TO},
    {"ids", required_argument, NULL, OPT_IDS},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

/* @return -1 to go on, or the exit code. */
static int parse(saving *job, const char *command, int argc, char **argv, void (*help)(FILE *))
{
    int opt;
    cli_input_init(&job->in);
    while ((opt = getopt_long(argc, argv, ":o:h" CLI_INPUT_SHORT, longs, NULL)) != -1) {
        int taken = cli_input_option(&job->in, command, opt, optarg);
        if (taken < 0)
            return rd_status_exit_code(RD_EARG);
        if (taken)
            continue;
        switch (opt) {
        case 'o': job->path = cli_output_name(optarg); break;
        case OPT_TO: job->format = optarg; break;
        case OPT_IDS: job->ids_path = cli_output_name(optarg); break;
        case OPT_JSON: job->json = 1; break;
        case 'h':
        case OPT_HELP: help(stdout); return 0;
        default: return cli_input_bad_option(command, opt, argv, longs);
        }
    }
    return -1;
}

void cli_gen_help(FILE *out)
{
    fputs("usage: raddle gen GENERATOR -o FILE [options]\n"
          "Makes a graph and writes it. The same seed gives the same graph on any machine.\n"
          "  -o, --output FILE      where to; its suffix tells the format; -: stdout\n"
          "      --to NAME          format to write, whatever the suffix\n"
          "      --weights LO-HI    draw weights at random, the same both ways; N: all are N\n"
          "      --seed N           for all that is random (default 27491)\n"
          "      --permute          renumber the vertices at random\n"
          "      --order NAME       renumber them by degree, highest first (degree) or last (degree-up)\n"
          "      --shuffle-rows     the edges of each vertex in random order\n"
          "      --threads N        host threads to use (default: all)\n"
          "      --json             report as one JSON object\n"
          "GENERATOR is one of\n",
          out);
    for (const rd_name_text *row = rd_generators(); row->name; row++)
        fprintf(out, strlen(row->name) > 20 ? "  %s\n%23s%s\n" : "  %-20s%s %s\n", row->name, "", row->text);
}

int cli_gen_run(int argc, char **argv)
{
    saving job = {.path = NULL};
    int code = parse(&job, "gen", argc, argv, cli_gen_help);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return cli_usage("gen", argc == optind ? "GENERATOR is missing, such as kron:20" : "one GENERATOR at a time");
    job.spec = argv[optind];
    if (!job.path)
        return cli_usage("gen", "-o FILE is missing: where to write the graph");
    size_t length = strcspn(job.spec, ":");
    int known = 0;
    for (const rd_name_text *row = rd_generators(); row->name; row++)
        known |= strncmp(row->name, job.spec, length + 1) == 0;
    if (!known)
        return cli_usage("gen", "there is no generator '%s'", job.spec);
    return run(&job, "gen");
}

void cli_convert_help(FILE *out)
{
    fputs("usage: raddle convert INPUT OUTPUT [options]\n"
          "Writes a graph in another format, which the suffix of OUTPUT tells; -: stdout.\n"
          "      --to NAME          format to write, whatever the suffix\n"
          "      --ids FILE         write what INPUT called each vertex, one a line\n"
          "      --json             report as one JSON object\n",
          out);
    cli_input_help(out);
    fputs("reads:", out);
    for (const rd_name_text *row = rd_readers(); row->name; row++)
        fprintf(out, " %s", row->name);
    fputs("\nwrites:", out);
    for (const rd_name_text *row = rd_writers(); row->name; row++)
        fprintf(out, " %s", row->name);
    fputs("\n", out);
}

int cli_convert_run(int argc, char **argv)
{
    saving job = {.path = NULL};
    int code = parse(&job, "convert", argc, argv, cli_convert_help);
    if (code >= 0)
        return code;
    if (job.path ? argc - optind != 1 : argc - optind != 2)
        return cli_usage("convert", "INPUT and OUTPUT are needed, and nothing more");
    job.spec = argv[optind];
    if (!job.path)
        job.path = cli_output_name(argv[optind + 1]);
    return run(&job, "convert");
}
