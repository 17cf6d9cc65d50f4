/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - options as tables. A command lists its options once; the table makes the getopt_long arrays and the
 * help text, and tables of several owners (a command's, the app's, those every app has) are joined in one parser.
 */
#ifndef RD_CLI_OPTIONS_H
#define RD_CLI_OPTIONS_H

#include "cli/cli.h"

#include <getopt.h>

typedef struct cli_option {
    const char *name;  /* long name, without dashes */
    int letter;        /* short form, or 0 */
    const char *value; /* what the value looks like, "FILE"; NULL: the option takes none */
    const char *text;  /* one line of help */
    int id;            /* what cli_parser_next returns for it: above 0; used once in a parser */
} cli_option;

enum { CLI_OPTION_MAX = 160 };

typedef struct cli_parser {
    const char *command;
    size_t count;
    struct option longs[CLI_OPTION_MAX + 1];
    char shorts[2 * CLI_OPTION_MAX + 3];
    int letter_id[128]; /* id of a short letter */
} cli_parser;

void cli_parser_init(cli_parser *parser, const char *command);
/* Adds a table ended by an entry whose name is NULL. A name or letter that is already there keeps its first meaning. */
void cli_parser_add(cli_parser *parser, const cli_option *table);
/* The same for the library's tables: entry i gets the id first_id + i. */
void cli_parser_add_info(cli_parser *parser, const rd_option_info *table, int first_id);
/* The same for a getopt table: val is the id, and the letter too when it is below 128. */
void cli_parser_add_getopt(cli_parser *parser, const struct option *table);
/* @return the id of the next option (its value is in optarg), -1 after the last: the other arguments are then at
 * argv[optind] .. argv[argc - 1], in order; or 0 after an error, which has been printed: return CLI_BAD_USAGE. */
int cli_parser_next(cli_parser *parser, int argc, char **argv);

/* @return "; did you mean '--NAME'?" for a long option that is not in the table (with its dashes, and "=VALUE" or not),
 * or "". */
const char *cli_nearest_option(const struct option *table, const char *text);

/* Prints a table as help lines. */
void cli_print_options(FILE *out, const cli_option *table);
/* The same for the library's tables; names that `taken` has are left out. */
void cli_print_option_infos(FILE *out, const rd_option_info *table, const cli_option *taken);

/* Parsers of values: print a usage error and return 0 when the text is not right. */
int cli_take_u64(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                 uint64_t *value);
int cli_take_seconds(const char *command, const char *option, const char *text, double *value);

#endif
