/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - `raddle help [COMMAND]`. */
#include "cli/nearest.h"

#include <string.h>

void cli_help_help(FILE *out);
int cli_help_run(int argc, char **argv);

void cli_help_help(FILE *out)
{
    fprintf(out, "usage: raddle COMMAND [options]          raddle APP INPUT [options]\n\nCommands:\n");
    for (const cli_command *command = cli_commands; command->name; command++)
        fprintf(out, "  %-9s %s\n", command->name, command->summary);
    fprintf(out, "Apps:\n");
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        fprintf(out, "  %-9s %s\n", app->name, app->text);
    fprintf(out, "\nINPUT is a file, '-' for standard input, or a generator such as kron:20.\n"
                 "'raddle COMMAND --help' explains a command; 'raddle -V, --version [--json]'.\n"
                 "Exit status: 0 right, 1 wrong result, 2 usage, 3 input or file,\n"
                 "4 device or memory, 5 time-out or interrupted.\n");
}

int cli_help_run(int argc, char **argv)
{
    if (argc == 1) {
        cli_help_help(stdout);
        return 0;
    }
    if (argc > 2)
        return cli_usage("help", "one command at a time");
    const cli_command *command = cli_find_command(argv[1]);
    const rd_app_info *app = command ? NULL : cli_find_app(argv[1]);
    if (!command && !app)
        return argv[1][0] == '-'
                   ? cli_usage("help", "there is no option '%s'", argv[1])
                   : cli_usage("help", "there is no command '%s'%s", argv[1], cli_nearest_command(argv[1]));
    command ? command->help(stdout) : cli_app_help(stdout, app, 0);
    return 0;
}
