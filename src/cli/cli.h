/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the frame of the raddle command: one file a subcommand, one line each in commands.def. Only include/ is used. */
#ifndef RD_CLI_H
#define RD_CLI_H

#include "raddle.h"
#include "raddle/tool.h"

typedef struct cli_command {
    const char *name;
    const char *summary;            /* one line, for `raddle help` */
    void (*help)(FILE *out);        /* the --help text: fits a screen of 24 x 80 where it can */
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name; returns the exit code */
} cli_command;

extern const cli_command cli_commands[]; /* ended by name NULL */
const cli_command *cli_find_command(const char *name);

/* Prints "raddle NAME: message" and where to find help, on stderr. @return 2. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *name, const char *format, ...);
/* Prints "raddle NAME: error text" on stderr. @return the exit code of err->status. */
int cli_fail(const char *name, const rd_error *err);

/* Set by SIGINT and SIGTERM; long work looks at it through its progress callback. */
extern volatile int cli_stop;

#endif
