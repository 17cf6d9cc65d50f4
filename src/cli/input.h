/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - the options of every command that takes INPUT, in one place.
 *
 *     cli_input in;
 *     cli_input_init(&in);
 *     static const struct option longs[] = {CLI_INPUT_LONG, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
 *     while ((opt = getopt_long(argc, argv, ":j" CLI_INPUT_SHORT, longs, NULL)) != -1) {
 *         int taken = cli_input_option(&in, "bfs", opt, optarg);
 *         if (taken < 0)
 *             return 2;            // the message is on stderr already
 *         if (taken)
 *             continue;
 *         switch (opt) { ... }
 *     }
 *     int code = cli_input_open(&in, "bfs", argv[optind], &graph);
 *     if (code)
 *         return code;             // likewise
 */
#ifndef RD_CLI_INPUT_H
#define RD_CLI_INPUT_H

#include "cli/cli.h"

#include <getopt.h>

enum {
    CLI_INPUT_DROP_LOOPS = 1000,
    CLI_INPUT_DROP_DUPLICATES,
    CLI_INPUT_PERMUTE,
    CLI_INPUT_ORDER,
    CLI_INPUT_SHUFFLE_ROWS,
    CLI_INPUT_WEIGHTS,
    CLI_INPUT_ROUND_WEIGHTS,
    CLI_INPUT_REAL_WEIGHTS,
    CLI_INPUT_SEED,
    CLI_INPUT_THREADS,
    CLI_INPUT_FORMAT,
    CLI_INPUT_NUMBERS,
};

/* clang-format off */
#define CLI_INPUT_SHORT "s"
#define CLI_INPUT_LONG                                                       \
    {"symmetrize", no_argument, NULL, 's'},                                  \
    {"drop-loops", no_argument, NULL, CLI_INPUT_DROP_LOOPS},                 \
    {"drop-duplicates", no_argument, NULL, CLI_INPUT_DROP_DUPLICATES},       \
    {"permute", no_argument, NULL, CLI_INPUT_PERMUTE},                       \
    {"order", required_argument, NULL, CLI_INPUT_ORDER},                     \
    {"shuffle-rows", no_argument, NULL, CLI_INPUT_SHUFFLE_ROWS},             \
    {"weights", required_argument, NULL, CLI_INPUT_WEIGHTS},                 \
    {"round-weights", no_argument, NULL, CLI_INPUT_ROUND_WEIGHTS},           \
    {"real-weights", no_argument, NULL, CLI_INPUT_REAL_WEIGHTS},             \
    {"seed", required_argument, NULL, CLI_INPUT_SEED},                       \
    {"threads", required_argument, NULL, CLI_INPUT_THREADS},                 \
    {"format", required_argument, NULL, CLI_INPUT_FORMAT},                   \
    {"numbers", required_argument, NULL, CLI_INPUT_NUMBERS}
/* clang-format on */

typedef struct cli_input {
    rd_graph_options options;
    rd_progress_line progress; /* a line on stderr while a graph takes long to open; enabled on a terminal */
} cli_input;

void cli_input_init(cli_input *in);
/* What --order takes: given, degree, degree-up. @return 0 when it is none of them. */
int cli_input_order(const char *text, uint8_t *order);
/* @return 1 when opt was one of these options, 0 when it is not, -1 when its value is bad (told on stderr; exit 2). */
int cli_input_option(cli_input *in, const char *command, int opt, const char *arg);
/* Before opening: input without weights gets random ones from 1 to 255, as GAP's does; --weights gives others. */
void cli_input_want_weights(cli_input *in, int wanted);
/* Prints the lines of --help on these options. */
void cli_input_help(FILE *out);
/* Opens INPUT with the options; spec NULL: says that INPUT is missing. @return 0 or the exit code, told on stderr. */
/* The same, of several ranks each its part; ranks NULL: all of it. */
int cli_input_open_part(cli_input *in, const char *command, const char *spec, struct rd_ranks *ranks, rd_graph **graph);
int cli_input_open(cli_input *in, const char *command, const char *spec, rd_graph **graph);
/* Tells what is wrong with the option that getopt_long (with ':' first in its short options) answered '?' or ':' to.
 * @return 2. */
int cli_input_bad_option(const char *command, int opt, char **argv, const struct option *longs);

#endif
