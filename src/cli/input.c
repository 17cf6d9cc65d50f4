/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - the options of every command that takes INPUT. */
#define _POSIX_C_SOURCE 200809L
#include "cli/input.h"

#include "cli/nearest.h"
#include "cli/options.h"

#include "raddle/ranks.h"

#include <string.h>
#include <unistd.h>

void cli_input_init(cli_input *in)
{
    memset(in, 0, sizeof *in);
    in->options.size = sizeof in->options;
    cli_progress_line(&in->progress, isatty(STDERR_FILENO));
}

/* "LO-HI" with 0 <= LO <= HI < 2^31 and HI > 0, or "N", the same for all. */
static int parse_range(const char *text, int32_t *low, int32_t *high)
{
    char first[16];
    const char *dash = strchr(text, '-');
    uint64_t from, to;
    if (!dash) {
        if (!rd_parse_u64(text, &to) || to == 0 || to > INT32_MAX)
            return 0;
        *low = *high = (int32_t)to;
        return 1;
    }
    if ((size_t)(dash - text) >= sizeof first)
        return 0;
    memcpy(first, text, (size_t)(dash - text));
    first[dash - text] = 0;
    if (!rd_parse_u64(first, &from) || !rd_parse_u64(dash + 1, &to) || from > to || to == 0 || to > INT32_MAX)
        return 0;
    *low = (int32_t)from;
    *high = (int32_t)to;
    return 1;
}

int cli_input_order(const char *text, uint8_t *order)
{
    static const char *const name[] = {
        [RD_ORDER_GIVEN] = "given", [RD_ORDER_DEGREE] = "degree", [RD_ORDER_DEGREE_UP] = "degree-up"};
    for (uint8_t i = 0; i < sizeof name / sizeof *name; i++)
        if (strcmp(text, name[i]) == 0) {
            *order = i;
            return 1;
        }
    return 0;
}

static int bad(const char *command, const char *option, const char *arg, const char *wanted)
{
    cli_usage(command, "%s takes %s, not '%s'", option, wanted, arg);
    return -1;
}

int cli_input_option(cli_input *in, const char *command, int opt, const char *arg)
{
    rd_graph_options *options = &in->options;
    uint64_t number;
    switch (opt) {
    case 's': options->symmetrize = 1; return 1;
    case CLI_INPUT_DROP_LOOPS: options->drop_loops = 1; return 1;
    case CLI_INPUT_DROP_DUPLICATES: options->drop_duplicates = 1; return 1;
    case CLI_INPUT_PERMUTE: options->permute = 1; return 1;
    case CLI_INPUT_SHUFFLE_ROWS: options->shuffle_rows = 1; return 1;
    case CLI_INPUT_ORDER:
        return cli_input_order(arg, &options->order) ? 1 : bad(command, "--order", arg, "given, degree or degree-up");
    case CLI_INPUT_ROUND_WEIGHTS: options->round_weights = 1; return 1;
    case CLI_INPUT_REAL_WEIGHTS: options->real_weights = 1; return 1;
    case CLI_INPUT_FORMAT: options->format = arg; return 1;
    case CLI_INPUT_NUMBERS:
        if (strcmp(arg, "file") != 0 && strcmp(arg, "internal") != 0)
            return bad(command, "--numbers", arg, "file or internal");
        options->own_numbers = strcmp(arg, "internal") == 0;
        return 1;
    case CLI_INPUT_WEIGHTS:
        if (!parse_range(arg, &options->weight_min, &options->weight_max))
            return bad(command, "--weights", arg, "LOW-HIGH such as 1-255, or one number such as 1, up to 2147483647");
        return 1;
    case CLI_INPUT_SEED:
        if (!rd_parse_u64(arg, &number) || number == 0)
            return bad(command, "--seed", arg, "a whole number from 1");
        options->seed = number;
        return 1;
    case CLI_INPUT_THREADS:
        if (!rd_parse_u64(arg, &number) || number == 0 || number > 4096)
            return bad(command, "--threads", arg, "a number from 1 to 4096");
        options->threads = (uint32_t)number;
        return 1;
    default: return 0;
    }
}

void cli_input_help(FILE *out)
{
    fputs("INPUT is a graph file, - for standard input, or a generator such as kron:20\n"
          "  -s, --symmetrize       add the reverse of each edge\n"
          "      --drop-loops       drop edges from a vertex to itself\n"
          "      --drop-duplicates  keep one of parallel edges, the lightest\n"
          "      --permute          renumber the vertices at random\n"
          "      --order NAME       renumber them by degree, highest first (degree) or last (degree-up)\n"
          "      --shuffle-rows     the edges of each vertex in random order\n"
          "      --weights LO-HI    draw weights at random, the same both ways; N: all are N\n"
          "      --round-weights    round fractional weights to whole ones\n"
          "      --real-weights     weights are 32-bit floats, as they are where a file has fractions\n"
          "      --seed N           for all that is random (default 27491)\n"
          "      --threads N        host threads to read and build with (default: all)\n"
          "      --format NAME      read the file as this format, whatever it looks like\n"
          "      --numbers WHOSE    vertices as the file numbers them (file, default), or from 0 (internal)\n",
          out);
}

void cli_input_want_weights(cli_input *in, int wanted)
{
    if (!wanted || in->options.weight_max > 0)
        return;
    in->options.weight_min = 1;
    in->options.weight_max = 255;
    in->options.keep_weights = 1;
}

int cli_input_open(cli_input *in, const char *command, const char *spec, rd_graph **graph)
{
    return cli_input_open_part(in, command, spec, NULL, graph);
}

int cli_input_open_part(cli_input *in, const char *command, const char *spec, struct rd_ranks *ranks, rd_graph **graph)
{
    rd_error err;
    *graph = NULL;
    if (!spec)
        return cli_usage(command,
                         "INPUT is missing: a graph file, - for standard input, or a generator such as kron:20");
    in->options.progress = rd_progress_line_fn;
    in->options.progress_user = &in->progress;
    rd_status status = ranks ? rd_graph_open_part(spec, &in->options, ranks, graph, &err)
                             : rd_graph_open(spec, &in->options, graph, &err);
    rd_progress_line_clear(&in->progress);
    if (status == RD_EIO) { /* what is no file may have been meant for a generator */
        const size_t used = strlen(err.text);
        snprintf(err.text + used, sizeof err.text - used, "%s", cli_nearest_generator(spec, NULL));
    }
    return status == RD_OK ? 0 : cli_fail(command, &err);
}

int cli_input_bad_option(const char *command, int opt, char **argv, const struct option *longs)
{
    if (opt == ':')
        return cli_usage(command, "option '%s' needs a value", argv[optind - 1]);
    if (optopt && optopt < 256)
        return cli_usage(command, "there is no option '-%c'", optopt);
    const char *word = argv[optind - 1];
    for (const struct option *known = longs; known->name; known++)
        if (strncmp(word + 2, known->name, strlen(known->name)) == 0 && word[2 + strlen(known->name)] == '=')
            return cli_usage(command, "option '--%s' takes no value", known->name);
    return cli_usage(command, "there is no option '%s'%s", word, cli_nearest_option(longs, word));
}
