/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the frame of the raddle command: one file a subcommand, one line each in commands.def. Only include/ is
 * used. */
#ifndef RD_CLI_H
#define RD_CLI_H

#include "raddle.h"
#include "raddle/tool.h"

typedef struct cli_command {
    const char *name;
    const char *summary;               /* one line, for `raddle help` */
    void (*help)(FILE *out);           /* the --help text: fits a screen of 24 x 80 where it can */
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name; returns the exit code */
} cli_command;

/* The word after the command when --help is asked for, or "all" for --help=all, else NULL: a help text may narrow
 * itself. */
extern const char *cli_help_topic;
extern int cli_help_all; /* --help=all was asked for */
extern int cli_help_code; /* exit status: 0, unless what help is asked of cannot be read */
/* Of an own app: its name, and how the user called it ("run collatz.k.c"); NULL: there is none. */
extern const char *cli_own_name, *cli_own_words;
extern const cli_command cli_commands[]; /* ended by name NULL */
const cli_command *cli_find_command(const char *name);

/* Apps are not in commands.def: the library's table rd_apps() has them, and app.c runs any of them. */
const rd_app_info *cli_find_app(const char *name);
void cli_app_help(FILE *out, const rd_app_info *app, int all); /* all: every option, not only the usual ones */
int cli_app_run(const rd_app_info *app, int argc, char **argv);
/* The same; folder: it goes on from the checkpoint there. NULL: it begins. */
int cli_app_resume(const rd_app_info *app, int argc, char **argv, const char *folder);

enum { CLI_WRONG = 1, CLI_BAD_USAGE = 2, CLI_BAD_INPUT = 3, CLI_BAD_DEVICE = 4, CLI_TIMED_OUT = 5 };

/* Prints "raddle NAME: message" and where to find help, on stderr. @return 2. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *name, const char *format, ...);
/* Prints "raddle NAME: error text" on stderr. @return the exit code of err->status. */
int cli_fail(const char *name, const rd_error *err);
/* Prints "raddle NAME: message" on stderr. @return exit_code. */
__attribute__((format(printf, 3, 4))) int cli_message(const char *name, int exit_code, const char *format, ...);

/* Set by SIGINT, SIGTERM, SIGHUP and --timeout; long work looks at it through its progress callback. */
extern volatile int cli_stop;
/* The rank that this thread is, in messages; -1: there is one only. Of several that fail the first says why. */
extern _Thread_local int cli_rank;
void cli_take_signals(void);
/* From now on the first signal ends the process: for commands that leave nothing half done. */
void cli_die_by_signals(void);
/* Before a file of the user's runs: what a fault in it says. */
void cli_take_faults(const char *command, const char *file);
/* From now on the command may run for so many seconds; then cli_stop is set. */
void cli_set_timeout(double seconds);
/* @return the seconds that --timeout allowed, when a failure of this status came of it; else 0. */
double cli_timeout(rd_status status);
/* A progress line on stderr, through which long work also learns that it is to stop. */
void cli_progress_line(rd_progress_line *line, int shown);
/* The words the user typed, joined by spaces; for records of a run. */
extern const char *cli_command_line;

#endif
