/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - "did you mean": of the words that were possible, the one that the user probably meant. */
#ifndef RD_CLI_NEAREST_H
#define RD_CLI_NEAREST_H

#include "cli/cli.h"

typedef struct cli_nearest {
    const char *word; /* what was typed */
    char best[64];    /* the nearest so far; empty: none is near */
    unsigned distance;
} cli_nearest;

void cli_nearest_init(cli_nearest *nearest, const char *word);
/* Looks at one more possible word: the first `length` characters of name. */
void cli_nearest_try(cli_nearest *nearest, const char *name, size_t length);
/* @return "; did you mean 'BEFORE best AFTER'?" (without the spaces), or "" when nothing is near; in a buffer of this
 * file's that the next call overwrites. */
const char *cli_nearest_text(const cli_nearest *nearest, const char *before, const char *after);

/* The same for what several places ask for. */
const char *cli_nearest_command(const char *word); /* commands, apps, and options that stand alone */
/* What was probably meant by an INPUT that is no file: a generator of graphs, or of app's own input ("krn:20",
 * "kron20", "kron"), or help. app may be NULL. */
const char *cli_nearest_generator(const char *input, const rd_app_info *app);

#endif
