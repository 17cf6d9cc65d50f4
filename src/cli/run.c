/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `raddle run FILE [INPUT] [options]`: an own app, run as any other. */
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

void cli_run_help(FILE *out);
int cli_run_run(int argc, char **argv);

static char called[512]; /* "run collatz.k.c", for messages */

int cli_own_app(const char *command, const char *path, const rd_app_info **app)
{
    rd_error err = {.status = RD_OK};
    if (rd_app_register_file(path, app, &err) != RD_OK)
        return cli_fail(command, &err);
    snprintf(called, sizeof called, "%s %.480s", command, path);
    cli_take_faults(command, path);
    cli_own_name = (*app)->name;
    cli_own_words = called;
    return 0;
}

void cli_run_help(FILE *out)
{
    const rd_app_info *app;
    if (cli_help_topic && strcmp(cli_help_topic, "all") != 0) {
        cli_help_code = cli_own_app("run", cli_help_topic, &app);
        if (!cli_help_code)
            cli_app_help(out, app, cli_help_all);
        return;
    }
    fputs("usage: raddle run FILE [INPUT] [options]\n"
          "Runs an app of your own: FILE is one file in the kernel dialect, whose declarations\n"
          "say its options, arrays and result. docs/own-tasks.md teaches it.\n\n"
          "INPUT is a graph, of apps that take one. Options are those that every app has, and\n"
          "those that FILE declares: 'raddle run FILE --help' lists them.\n\n"
          "The CPU needs a C compiler: $RADDLE_CC, else cc, gcc or clang. GPUs need none.\n"
          "FILE is a program, and runs with your rights: run no file that you do not trust.\n\n"
          "See also: raddle new (writes such a file), raddle check (tries one everywhere).\n",
          out);
}

int cli_run_run(int argc, char **argv)
{
    const rd_app_info *app;
    if (argc > 1 && argv[1][0] == '-')
        return cli_usage("run", "there is no option '%s' before FILE; FILE comes first", argv[1]);
    if (argc < 2)
        return cli_usage("run", "FILE comes first: raddle run FILE [INPUT] [options]");
    const int code = cli_own_app("run", argv[1], &app);
    return code ? code : cli_app_run(app, argc - 1, argv + 1);
}
