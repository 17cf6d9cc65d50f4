/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c - raddle partition: cuts a graph into parts, from which ranks read each its own. */
#define _POSIX_C_SOURCE 200809L
#include "cli/info_parts.h"
#include "cli/input.h"

#include "raddle/ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cli_partition_help(FILE *out);
int cli_partition_run(int argc, char **argv);

enum { OPT_PARTS = 1200, OPT_HASH, OPT_METIS, OPT_SCOTCH, OPT_JSON, OPT_HELP };
static const char name[] = "partition";

typedef struct cutting {
    cli_input in;
    uint64_t parts; /* 0: not said */
    const char *folder, *file;
    int hash, metis, scotch, json;
} cutting;

static const struct option longs[] = {
    CLI_INPUT_LONG,
    {"count", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"parts", required_argument, NULL, OPT_PARTS},
    {"hash", no_argument, NULL, OPT_HASH},
    {"metis", no_argument, NULL, OPT_METIS},
    {"scotch", no_argument, NULL, OPT_SCOTCH},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

void cli_partition_help(FILE *out)
{
    fputs("usage: raddle partition INPUT -n N -o DIR [options]\n"
          "Cuts a graph into N parts and writes each as .rdg to the folder DIR, which is then an INPUT for runs on\n"
          "N ranks: each reads its part and nothing else. 'raddle info DIR' tells of them.\n"
          "  -n, --count N          how many parts\n"
          "  -o, --output DIR       where to; parts that are there are replaced\n"
          "      --parts FILE       which part each vertex is in: a number from 0 a line, as METIS and Scotch\n"
          "                         (gpmetis, gpart -> .map) write them. Default: consecutive vertices, cut so\n"
          "                         that parts have about as many edges\n"
          "      --metis            by METIS, when its library is there: few edges between parts\n"
          "      --scotch           likewise by Scotch\n"
          "      --hash             vertices at random: balanced, but nearly every edge leaves its part\n"
          "      --json             report as one JSON object\n",
          out);
    cli_input_help(out);
}

/* ---- A file of parts ---- */

static int complain(const cutting *job, uint64_t line, const char *text)
{
    return cli_message(name, CLI_BAD_INPUT, "%s: line %llu: a part from 0 to %llu is wanted, not '%.40s'", job->file,
                       (unsigned long long)line, (unsigned long long)job->parts - 1, text);
}

/* "part" a line, or, after a first line with the number of lines as Scotch writes it, "vertex part". */
static int read_lines(const cutting *job, FILE *file, uint32_t vertices, uint32_t *part)
{
    char line[256];
    uint64_t count = 0, number = 0, value, at;
    int pairs = 0;
    while (fgets(line, sizeof line, file)) {
        char *rest = line, *first = strtok_r(line, " \t\r\n", &rest), *second = strtok_r(NULL, " \t\r\n", &rest);
        number++;
        if (!first || *first == '%' || *first == '#')
            continue;
        if (!second && count == 0 && !pairs && rd_parse_u64(first, &value) && value == vertices &&
            value >= job->parts) {
            pairs = 1; /* no part has that number */
            continue;
        }
        const char *text = pairs ? second : first;
        at = count;
        if (!text || (second && !pairs) || !rd_parse_u64(text, &value) || value >= job->parts)
            return complain(job, number, text ? text : first);
        if (pairs && (!rd_parse_u64(first, &at) || at >= vertices || part[at] != RD_NONE))
            return cli_message(name, CLI_BAD_INPUT, "%s: line %llu: a vertex is wanted that had no part yet, not '%s'",
                               job->file, (unsigned long long)number, first);
        if (count >= vertices)
            return cli_message(name, CLI_BAD_INPUT, "%s: has more lines than the graph has vertices (%u)", job->file,
                               vertices);
        part[at] = (uint32_t)value;
        count++;
    }
    if (ferror(file))
        return cli_message(name, CLI_BAD_INPUT, "%s: cannot be read: %s", job->file, strerror(errno));
    if (count != vertices)
        return cli_message(name, CLI_BAD_INPUT, "%s: has parts for %llu of %u vertices", job->file,
                           (unsigned long long)count, vertices);
    return 0;
}

static int read_parts(const cutting *job, uint32_t vertices, uint32_t **list)
{
    FILE *file = fopen(job->file, "r");
    if (!file)
        return cli_message(name, CLI_BAD_INPUT, "%s: cannot be opened: %s", job->file, strerror(errno));
    *list = malloc((vertices + 1ull) * sizeof **list);
    int code = *list ? 0 : cli_message(name, CLI_BAD_DEVICE, "out of host memory: the part of each vertex");
    if (code == 0) {
        memset(*list, 0xff, vertices * sizeof **list);
        code = read_lines(job, file, vertices, *list);
    }
    fclose(file);
    return code;
}

/* ---- The command ---- */

static int run(cutting *job, const char *spec)
{
    rd_error err = {.status = RD_OK};
    rd_graph *graph;
    uint32_t *list = NULL;
    int code = cli_input_open(&job->in, name, spec, &graph);
    if (code)
        return code;
    if (job->file)
        code = read_parts(job, rd_graph_csr(graph).vertices, &list);
    const rd_partition how = {.size = sizeof how,
                              .parts = (uint32_t)job->parts,
                              .split = job->file     ? RD_SPLIT_GIVEN
                                       : job->hash   ? RD_SPLIT_HASH
                                       : job->metis  ? RD_SPLIT_METIS
                                       : job->scotch ? RD_SPLIT_SCOTCH
                                                     : RD_SPLIT_BLOCKS,
                              .part_of = list};
    if (code == 0 && rd_graph_partition(graph, &how, job->folder, &err) != RD_OK)
        code = cli_fail(name, &err);
    rd_graph_destroy(graph);
    free(list);
    return code ? code : info_parts(job->folder, job->json);
}

int cli_partition_run(int argc, char **argv)
{
    cutting job = {.parts = 0};
    int opt;
    cli_input_init(&job.in);
    while ((opt = getopt_long(argc, argv, ":n:o:h" CLI_INPUT_SHORT, longs, NULL)) != -1) {
        const int taken = cli_input_option(&job.in, name, opt, optarg);
        if (taken < 0)
            return CLI_BAD_USAGE;
        if (taken)
            continue;
        switch (opt) {
        case 'n':
            if (!rd_parse_u64(optarg, &job.parts) || job.parts < 1 || job.parts > 1 << 20)
                return cli_usage(name, "--count takes a number from 1 to 1048576, not '%s'", optarg);
            break;
        case 'o': job.folder = optarg; break;
        case OPT_PARTS: job.file = optarg; break;
        case OPT_HASH: job.hash = 1; break;
        case OPT_METIS: job.metis = 1; break;
        case OPT_SCOTCH: job.scotch = 1; break;
        case OPT_JSON: job.json = 1; break;
        case 'h':
        case OPT_HELP: cli_partition_help(stdout); return 0;
        default: return cli_input_bad_option(name, opt, argv, longs);
        }
    }
    if (argc - optind != 1)
        return cli_usage(name,
                         argc == optind ? "INPUT is missing: a graph file or a generator" : "one INPUT at a time");
    if (!job.parts || !job.folder)
        return cli_usage(name,
                         job.parts ? "-o DIR is missing: where to write the parts" : "-n N is missing: how many parts");
    if ((job.file != NULL) + job.hash + job.metis + job.scotch > 1)
        return cli_usage(name, "--parts, --metis, --scotch and --hash are ways of cutting: choose one");
    return run(&job, argv[optind]);
}
