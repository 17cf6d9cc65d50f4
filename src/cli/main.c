/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - finds the subcommand and runs it. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

#define COMMAND(name, summary)         \
    void cli_##name##_help(FILE *out); \
    int cli_##name##_run(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

const cli_command cli_commands[] = {
#define COMMAND(name, summary) {#name, summary, cli_##name##_help, cli_##name##_run},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

volatile int cli_stop;

static void on_signal(int number)
{
    (void)number;
    cli_stop = 1;
}

const cli_command *cli_find_command(const char *name)
{
    for (const cli_command *command = cli_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

int cli_usage(const char *name, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "raddle%s%s: ", name ? " " : "", name ? name : "");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'raddle %s%s--help'.\n", name ? name : "", name ? " " : "");
    return rd_status_exit_code(RD_EARG);
}

int cli_fail(const char *name, const rd_error *err)
{
    fprintf(stderr, "raddle %s: %s\n", name, err->text);
    return rd_status_exit_code(err->status);
}

static void print_help(FILE *out)
{
    fprintf(out, "usage: raddle COMMAND [options]\n\n");
    for (const cli_command *command = cli_commands; command->name; command++)
        fprintf(out, "  %-9s %s\n", command->name, command->summary);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);

    if (argc < 2) {
        print_help(stderr);
        return rd_status_exit_code(RD_EARG);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("raddle %s\n%s\n", rd_version(), rd_build_info());
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    const cli_command *command = cli_find_command(argv[1]);
    if (!command)
        return cli_usage(NULL, "there is no command '%s'", argv[1]);
    return command->run(argc - 1, argv + 1);
}
