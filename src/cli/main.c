/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - finds the subcommand or the app, runs it, and sees that what was printed really arrived. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include "cli/machine.h"
#include "cli/nearest.h"
#include "cli/variables.h"

#include "raddle/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMMAND(name, summary)                                                                                         \
    void cli_##name##_help(FILE *out);                                                                                 \
    int cli_##name##_run(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

const cli_command cli_commands[] = {
#define COMMAND(name, summary) {#name, summary, cli_##name##_help, cli_##name##_run},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL, NULL},
};

const char *cli_command_line = "raddle";
const char *cli_help_topic;
int cli_help_all, cli_help_code;
const char *cli_own_name, *cli_own_words;

static void on_log(void *user, rd_log_level level, const char *text)
{
    static const char *const name[] = {"error", "warning", "info", "debug"};
    (void)user;
    fprintf(stderr, "raddle: %s: %s\n", name[level], text);
}

/* RADDLE_LOG = error, warn, info or debug; warnings by default. Another word is found by cli_check_variables. */
static void set_log(void)
{
    static const char *const name[] = {"error", "warn", "info", "debug"};
    const char *wanted = getenv("RADDLE_LOG");
    rd_log_level level = RD_LOG_WARN;
    for (int i = 0; wanted && i < 4; i++)
        if (strcmp(wanted, name[i]) == 0)
            level = (rd_log_level)i;
    rd_set_log(on_log, NULL, level);
}

const cli_command *cli_find_command(const char *name)
{
    for (const cli_command *command = cli_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const rd_app_info *cli_find_app(const char *name)
{
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        if (strcmp(app->name, name) == 0)
            return app;
    return NULL;
}

_Thread_local int cli_rank = -1;

/* What the user typed for a command or an app. */
static const char *words_of(const char *name)
{
    return name && cli_own_name && strcmp(name, cli_own_name) == 0 ? cli_own_words : name;
}

static int left_to_first; /* rank 0 complains of it */

/* @return 0: another rank has said it already, or is going to. */
static int print_name(const char *name)
{
    static atomic_int said;
    uint32_t rank;
    if (cli_rank < 0 && rd_ranks_launched(&rank) > 1 && rank > 0) {
        left_to_first = 1; /* all ranks have the same words */
        return 0;
    }
    if (cli_rank >= 0 && atomic_exchange(&said, 1)) /* relaxed would do: it is only about words */
        return 0;
    name = words_of(name);
    fprintf(stderr, "raddle%s%s: ", name ? " " : "", name ? name : "");
    if (cli_rank >= 0)
        fprintf(stderr, "rank %d: ", cli_rank);
    return 1;
}

int cli_usage(const char *name, const char *format, ...)
{
    va_list args;
    if (!print_name(name))
        return CLI_BAD_USAGE;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'raddle %s%s--help'.\n", name ? words_of(name) : "", name ? " " : "");
    return CLI_BAD_USAGE;
}

int cli_message(const char *name, int exit_code, const char *format, ...)
{
    va_list args;
    if (!print_name(name))
        return exit_code;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
    return exit_code;
}

int cli_fail(const char *name, const rd_error *err)
{
    const char *text = err->text[0] ? err->text : rd_status_text(err->status);
    const double allowed = cli_timeout(err->status);
    if (allowed > 0)
        return cli_message(name, CLI_TIMED_OUT, "stopped after the %g s that --timeout allows: %s", allowed, text);
    return cli_message(name, rd_status_exit_code(err->status), "%s", text);
}

static int print_version(int json)
{
    if (!json) {
        printf("raddle %s\n%s\n", rd_version(), rd_build_info());
        return 0;
    }
    cli_build build;
    cli_describe_build(&build);
    rd_json line;
    rd_json_begin(&line, stdout);
    rd_json_text(&line, "version", rd_version());
    rd_json_text(&line, "git_commit_sha", build.commit);
    rd_json_text(&line, "compiler", build.compiler);
    rd_json_text(&line, "with", build.features);
    return rd_json_end(&line) ? CLI_BAD_INPUT : 0;
}

/* @return the words joined by spaces, to be freed; NULL when memory is out. */
static char *join(int argc, char **argv)
{
    size_t bytes = 1;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    char *text = malloc(bytes), *end = text;
    if (!text)
        return NULL;
    for (int i = 0; i < argc; i++)
        end += sprintf(end, "%s%s", i ? " " : "", argv[i]);
    return text;
}

/* What is neither command nor app came first: one that comes later was perhaps meant to. */
static int no_command(int argc, char **argv)
{
    const char *name = argv[1], *kind = *name == '-' ? "option" : "command";
    for (int i = 2; i < argc; i++)
        if (cli_find_command(argv[i]) || cli_find_app(argv[i]))
            return cli_usage(NULL, "there is no %s '%s'; the command comes first: raddle %s ...", kind, name, argv[i]);
    const size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".k.c") == 0)
        return cli_usage(NULL, "there is no %s '%s'; a file of tasks is run by 'raddle run %s'", kind, name, name);
    return cli_usage(NULL, "there is no %s '%s'%s", kind, name, cli_nearest_command(name));
}

static int start(const cli_command *command, const rd_app_info *app, int argc, char **argv)
{
    const int code = cli_check_variables(argv[0]);
    if (code)
        return code;
    return command ? command->run(argc, argv) : cli_app_run(app, argc, argv);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        cli_help_help(stderr);
        return CLI_BAD_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        if (argc > 3 || (argc == 3 && strcmp(argv[2], "--json") != 0))
            return cli_usage(NULL, "--version takes nothing but --json");
        return print_version(argc == 3);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return cli_help_run(argc - 1, argv + 1);
    const cli_command *command = cli_find_command(name);
    const rd_app_info *app = command ? NULL : cli_find_app(name);
    if (!command && !app)
        return no_command(argc, argv);
    /* Here, so that each command has it and none can forget it; not after "--", where words are arguments. */
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        int all = strcmp(argv[i], "--help=all") == 0;
        if (all || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            const int own = command && strcmp(command->name, "run") == 0;
            cli_help_all = all;
            cli_help_topic = all && !own ? "all" : argv[2][0] != '-' ? argv[2] : NULL;
            command ? command->help(stdout) : cli_app_help(stdout, app, all);
            return cli_help_code;
        }
        if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)
            return print_version(0);
    }
    uint32_t rank;
    const int by_each = !command || strcmp(command->name, "resume") == 0 || strcmp(command->name, "run") == 0;
    if (!by_each && rd_ranks_launched(&rank) > 1 && rank > 0)
        return 0; /* what is no app is done once, not by each rank */
    return start(command, app, argc - 1, argv + 1);
}

/* A descriptor that the parent closed (`>&-`) would be given to the first file that is opened, which would then get
 * what is printed. It is opened the wrong way round: using it stays the error that it was. @return 0 when that fails.
 */
static int open_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    if (!open_standard_descriptors())
        return CLI_BAD_INPUT; /* and nowhere to say so */
    cli_take_signals();
    set_log();

    char *line = join(argc, argv);
    if (line)
        cli_command_line = line;
    int code = dispatch(argc, argv);
    free(line);

    /* Results that did not reach their file are not results: a full disk is an error. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        int stopped_by = errno;
        fprintf(stderr, "raddle: standard output could not be written%s%s\n", stopped_by ? ": " : "",
                stopped_by ? strerror(stopped_by) : "");
        if (code == 0)
            code = CLI_BAD_INPUT;
    }
    if (code && left_to_first) { /* a launcher ends all when one ends so: not before rank 0 has said why */
        const struct timespec most = {.tv_sec = 2};
        nanosleep(&most, NULL);
    }
    if (code == CLI_TIMED_OUT) { /* drivers would wait at the end of the process for a kernel that never leaves */
        fflush(stderr);
        _exit(code);
    }
    return code;
}
