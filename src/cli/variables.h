/* SPDX-License-Identifier: Apache-2.0 */
/* variables.h - what the command, the library and the drivers beneath them take from the environment. */
#ifndef RD_CLI_VARIABLES_H
#define RD_CLI_VARIABLES_H

typedef struct cli_variable {
    const char *name, *text;
    const char *words; /* "on|off": all that it may say; NULL: anything, or another place looks */
} cli_variable;

extern const cli_variable cli_variables[]; /* ended by name NULL */
/* A word that nobody knows would do nothing, and nobody would notice. command: for the message. @return 0, or the exit
 * code after it. */
int cli_check_variables(const char *command);

#endif
