/* SPDX-License-Identifier: Apache-2.0 */
/* ps.c - `raddle ps`, `raddle top` and `raddle cancel`: the jobs of a server, now, live, and ended. */
#define _POSIX_C_SOURCE 200809L
#include "cli/serve/client.h"

#include "cli/options.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_ps_help(FILE *out);
int cli_ps_run(int argc, char **argv);
void cli_top_help(FILE *out);
int cli_top_run(int argc, char **argv);
void cli_cancel_help(FILE *out);
int cli_cancel_run(int argc, char **argv);

enum { ID_SOCKET = 1, ID_ALL, ID_JSON, ID_DELAY, ID_COUNT };

static const cli_option ps_options[] = {
    {"all", 'a', NULL, "also jobs that are done", ID_ALL},
    {"json", 0, NULL, "one JSON object a job", ID_JSON},
    {"socket", 0, "PATH", "where the server listens [as 'raddle serve']", ID_SOCKET},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option top_options[] = {
    {"delay", 0, "SECONDS", "between two looks [1]", ID_DELAY},
    {"count", 'n', "N", "looks before it ends [on a terminal: until a signal; else 1]", ID_COUNT},
    {"socket", 0, "PATH", "where the server listens [as 'raddle serve']", ID_SOCKET},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option cancel_options[] = {
    {"socket", 0, "PATH", "where the server listens [as 'raddle serve']", ID_SOCKET},
    {NULL, 0, NULL, NULL, 0},
};

void cli_ps_help(FILE *out)
{
    fputs("usage: raddle ps [options]\n"
          "Lists the jobs of 'raddle serve'.\n\n",
          out);
    cli_print_options(out, ps_options);
}

void cli_top_help(FILE *out)
{
    fputs("usage: raddle top [options]\n"
          "Shows the jobs of 'raddle serve', the workers they have and how fast they go on, again\n"
          "and again.\n\n",
          out);
    cli_print_options(out, top_options);
}

void cli_cancel_help(FILE *out)
{
    fputs("usage: raddle cancel ID... [options]\n"
          "Ends jobs of 'raddle serve'.\n\n",
          out);
    cli_print_options(out, cancel_options);
}

/* A line of the server's. */
typedef struct row {
    unsigned long long id, done, total;
    unsigned workers;
    char state[16];
    int status, priority;
    double seconds;
    const char *what;
} row;

static int read_row(char *line, row *out)
{
    int used = 0;
    line[strcspn(line, "\n")] = '\0';
    const int fields = sscanf(line, "%llu %15s %d %d %lf %llu %llu %u %n", &out->id, out->state, &out->status,
                              &out->priority, &out->seconds, &out->done, &out->total, &out->workers, &used);
    out->what = line + used;
    return fields == 8;
}

static void print_json(const row *r)
{
    rd_json record;
    rd_json_begin(&record, stdout);
    rd_json_u64(&record, "schema", 1);
    rd_json_text(&record, "record", "job");
    rd_json_u64(&record, "id", r->id);
    rd_json_text(&record, "state", r->state);
    rd_json_u64(&record, "exit_status", (uint64_t)r->status);
    rd_json_double(&record, "priority", r->priority);
    rd_json_u64(&record, "workers", r->workers);
    rd_json_double(&record, "seconds", r->seconds);
    rd_json_u64(&record, "done", r->done);
    rd_json_u64(&record, "total", r->total);
    rd_json_text(&record, "what", r->what);
    rd_json_end(&record);
}

static void print_row(const row *r)
{
    char time[32], done[32], rate[32];
    const char *ended = strcmp(r->state, "done") == 0 && r->status ? "failed" : r->state;
    printf("%6llu  %-8s %4d  %7u  %10s  %10s  %8s/s  %s\n", r->id, ended, r->priority, r->workers,
           rd_format_seconds(r->seconds, time, sizeof time), rd_format_count(r->done, done, sizeof done),
           rd_format_count(r->seconds > 0 ? (uint64_t)((double)r->done / r->seconds) : 0, rate, sizeof rate), r->what);
}

/* One look. @return the exit status. */
static int look(const char *command, const char *socket, int all, int json)
{
    char line[2 * SERVE_LINE];
    int code;
    row r;
    FILE *stream = serve_ask(command, socket, "verb ps\n\n", &code);
    if (!stream)
        return code;
    if (!json)
        printf("%6s  %-8s %4s  %7s  %10s  %10s  %10s  %s\n", "job", "state", "prio", "workers", "time", "done", "rate",
               "what");
    while (fgets(line, sizeof line, stream))
        if (read_row(line, &r) && (all || strcmp(r.state, "done") != 0)) {
            if (json)
                print_json(&r);
            else
                print_row(&r);
        }
    fclose(stream);
    return 0;
}

int cli_ps_run(int argc, char **argv)
{
    const char *socket = NULL;
    int id, all = 0, json = 0;
    cli_parser parser;
    cli_parser_init(&parser, "ps");
    cli_parser_add(&parser, ps_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        socket = id == ID_SOCKET ? optarg : socket;
        all |= id == ID_ALL;
        json |= id == ID_JSON;
    }
    if (optind < argc)
        return cli_usage("ps", "'%s' is one word too many", argv[optind]);
    return look("ps", socket, all, json);
}

int cli_top_run(int argc, char **argv)
{
    const char *socket = NULL;
    const int terminal = isatty(STDOUT_FILENO);
    uint64_t count = terminal ? UINT64_MAX : 1;
    double delay = 1;
    int id, code = 0;
    cli_parser parser;
    cli_parser_init(&parser, "top");
    cli_parser_add(&parser, top_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0 || (id == ID_DELAY && !cli_take_seconds("top", "delay", optarg, &delay)) ||
            (id == ID_COUNT && !cli_take_u64("top", "count", optarg, 1, UINT64_MAX, &count)))
            return CLI_BAD_USAGE;
        socket = id == ID_SOCKET ? optarg : socket;
    }
    if (optind < argc)
        return cli_usage("top", "'%s' is one word too many", argv[optind]);
    for (uint64_t i = 0; i < count && code == 0 && !__atomic_load_n(&cli_stop, __ATOMIC_RELAXED); i++) {
        if (i)
            poll(NULL, 0, delay < 3600 ? (int)(1000 * delay) : 3600000); /* a signal ends it */
        if (terminal)
            fputs("\033[H\033[J", stdout);
        code = look("top", socket, 1, 0);
        fflush(stdout);
    }
    return code;
}

int cli_cancel_run(int argc, char **argv)
{
    char request[80];
    const char *socket = NULL;
    int id, code = 0;
    cli_parser parser;
    cli_parser_init(&parser, "cancel");
    cli_parser_add(&parser, cancel_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        socket = optarg;
    }
    if (optind == argc)
        return cli_usage("cancel", "the number of a job is needed; 'raddle ps' lists them");
    for (int i = optind; i < argc && code == 0; i++) {
        uint64_t number;
        if (!rd_parse_u64(argv[i], &number) || number == 0)
            return cli_usage("cancel", "'%s' is no number of a job; 'raddle ps' lists them", argv[i]);
        snprintf(request, sizeof request, "verb cancel\nid %llu\n\n", (unsigned long long)number);
        FILE *stream = serve_ask("cancel", socket, request, &code);
        if (stream)
            fclose(stream);
    }
    return code;
}
