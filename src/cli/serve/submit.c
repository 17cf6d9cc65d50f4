/* SPDX-License-Identifier: Apache-2.0 */
/* submit.c - `raddle submit` and `raddle wait`: jobs for a server, and how they end. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/serve/client.h"

#include "cli/options.h"
#include "cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cli_submit_help(FILE *out);
int cli_submit_run(int argc, char **argv);
void cli_wait_help(FILE *out);
int cli_wait_run(int argc, char **argv);

enum { ID_SOCKET = 1, ID_PRIORITY, ID_DEADLINE, ID_SYMMETRIZE, ID_VERIFY, ID_DETACH, ID_JSON, ID_WORKERS, ID_OUTPUT };

static const cli_option submit_options[] = {
    {"priority", 'p', "N", "the higher goes first; others make way [0]", ID_PRIORITY},
    {"deadline", 0, "SECONDS", "from now: of equals the earliest goes first", ID_DEADLINE},
    {"workers", 0, "N", "units of the device: so many, beside a job that goes on with the rest [0: all]", ID_WORKERS},
    {"output", 'o', "FILE", "write the result there: a value a line, or a picture", ID_OUTPUT},
    {"symmetrize", 's', NULL, "add the reverse of each edge", ID_SYMMETRIZE},
    {"verify", 'v', NULL, "prove the result; exit status 1 if it is wrong", ID_VERIFY},
    {"detach", 0, NULL, "print the job's number and leave; 'raddle wait' has the end", ID_DETACH},
    {"json", 0, NULL, "one JSON object", ID_JSON},
    {"socket", 0, "PATH", "where the server listens [as 'raddle serve']", ID_SOCKET},
    {NULL, 0, NULL, NULL, 0},
};

static const cli_option wait_options[] = {
    {"json", 0, NULL, "one JSON object", ID_JSON},
    {"socket", 0, "PATH", "where the server listens [as 'raddle serve']", ID_SOCKET},
    {NULL, 0, NULL, NULL, 0},
};

void cli_submit_help(FILE *out)
{
    fputs("usage: raddle submit [options] APP INPUT [KEY=VALUE]...\n"
          "Gives a job to 'raddle serve' and waits for its answer: raddle submit bfs kron:20 source=5\n\n"
          "KEY is an option of the app or its scheduler, without dashes: 'raddle APP --help=all'.\n"
          "A job whose client is ended is cancelled.\n\n",
          out);
    cli_print_options(out, submit_options);
}

void cli_wait_help(FILE *out)
{
    fputs("usage: raddle wait ID [options]\n"
          "Waits until a job of 'raddle serve' is done, and tells how it ended, by its exit status too.\n\n",
          out);
    cli_print_options(out, wait_options);
}

/* The end of a job: prints it. @return its exit status. */
static int print_end(const char *command, FILE *stream, uint64_t id, int json)
{
    char line[2 * SERVE_LINE], took[32], stood[32];
    int status = 0, used = 0;
    double seconds = 0, waited = 0, ran = 0;
    if (!fgets(line, sizeof line, stream))
        return cli_message(command, CLI_BAD_DEVICE, "the server went away before job %llu was done",
                           (unsigned long long)id);
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "done %d %lf %lf %lf %n", &status, &seconds, &waited, &ran, &used) != 4)
        return cli_message(command, CLI_BAD_DEVICE, "the server's answer cannot be understood");
    if (json) {
        rd_json record;
        rd_json_begin(&record, stdout);
        rd_json_u64(&record, "schema", 1);
        rd_json_text(&record, "record", "job");
        rd_json_u64(&record, "id", id);
        rd_json_u64(&record, "exit_status", (uint64_t)status);
        rd_json_double(&record, "seconds", seconds);
        rd_json_double(&record, "waited_s", waited);
        rd_json_double(&record, "run_s", ran);
        rd_json_text(&record, status ? "error" : "answer", line + used);
        rd_json_end(&record);
    } else if (status == 0) {
        printf("answer:    %s\ntime:      %s as job %llu, %s of it waiting for the device\n", line + used,
               rd_format_seconds(seconds, took, sizeof took), (unsigned long long)id,
               rd_format_seconds(waited, stood, sizeof stood));
    }
    return status ? cli_message(command, status, "job %llu: %s", (unsigned long long)id, line + used) : 0;
}

/* Adds a line to a request. @return 0: it is full, or the value has a line end. */
static int add_line(char *request, const char *key, const char *value)
{
    const size_t used = strlen(request);
    const int length = snprintf(request + used, SERVE_REQUEST - used, "%s %s\n", key, value);
    return length > 0 && used + (size_t)length + 2 < SERVE_REQUEST && !strchr(value, '\n');
}

/* Files are named as the server, which has another folder, can find them. */
static int add_input(char *request, const char *input)
{
    char *whole = realpath(input, NULL);
    const int good = add_line(request, "input", whole ? whole : input);
    free(whole);
    return good;
}

/* Likewise for a file that need not be there yet: its folder is. */
static int add_output(char *request, const char *output)
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    char folder[2048], whole[4096];
    if (strlen(output) >= sizeof folder || !*name)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
    char *root = realpath(folder, NULL);
    snprintf(whole, sizeof whole, "%.2040s/%s", root ? root : folder, name); /* the server says what is wrong with it */
    free(root);
    return add_line(request, "output", whole);
}

static int take_submit_option(char *request, int id)
{
    switch (id) {
    case ID_PRIORITY: return add_line(request, "priority", optarg);
    case ID_DEADLINE: return add_line(request, "deadline", optarg);
    case ID_WORKERS: return add_line(request, "workers", optarg);
    case ID_OUTPUT: return add_output(request, optarg);
    case ID_SYMMETRIZE: return add_line(request, "symmetrize", "1");
    case ID_VERIFY: return add_line(request, "verify", "1");
    }
    return 1;
}

int cli_submit_run(int argc, char **argv)
{
    char request[SERVE_REQUEST] = "verb submit\n", line[80];
    const char *socket = NULL;
    int id, code, detach = 0, json = 0, good = 1;
    unsigned long long number = 0;
    cli_parser parser;
    cli_parser_init(&parser, "submit");
    cli_parser_add(&parser, submit_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        socket = id == ID_SOCKET ? optarg : socket;
        detach |= id == ID_DETACH;
        json |= id == ID_JSON;
        if (id == ID_OUTPUT && strcmp(cli_output_name(optarg), "-") == 0)
            return cli_usage("submit", "the server writes results to files, not to '%s'", optarg);
        if (id == ID_OUTPUT && (code = cli_check_outputs("submit", optarg, NULL)) != 0)
            return code;
        good &= take_submit_option(request, id);
    }
    if (argc - optind < 2)
        return cli_usage("submit", argc > optind ? "INPUT is missing" : "APP and INPUT are missing");
    good = good && add_line(request, "app", argv[optind]) && add_input(request, argv[optind + 1]);
    for (int i = optind + 2; i < argc && good; i++)
        good = add_line(request, "set", argv[i]);
    good = good && (detach || add_line(request, "wait", "1"));
    if (!good)
        return cli_usage("submit", "the request is too long, or a value has more than one line");
    strcat(request, "\n"); /* add_line left room for it */
    FILE *stream = serve_ask("submit", socket, request, &code);
    if (!stream)
        return code;
    if (!fgets(line, sizeof line, stream) || sscanf(line, "job %llu", &number) != 1)
        code = cli_message("submit", CLI_BAD_DEVICE, "the server's answer cannot be understood");
    else if (detach)
        printf("%llu\n", number);
    else
        code = print_end("submit", stream, number, json);
    fclose(stream);
    return code;
}

int cli_wait_run(int argc, char **argv)
{
    char request[80];
    const char *socket = NULL;
    int id, code, json = 0;
    uint64_t number;
    cli_parser parser;
    cli_parser_init(&parser, "wait");
    cli_parser_add(&parser, wait_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        socket = id == ID_SOCKET ? optarg : socket;
        json |= id == ID_JSON;
    }
    if (argc - optind != 1)
        return cli_usage("wait", "the number of a job is needed; 'raddle ps' lists them");
    if (!rd_parse_u64(argv[optind], &number) || number == 0)
        return cli_usage("wait", "'%s' is no number of a job; 'raddle ps' lists them", argv[optind]);
    snprintf(request, sizeof request, "verb wait\nid %llu\n\n", (unsigned long long)number);
    FILE *stream = serve_ask("wait", socket, request, &code);
    if (!stream)
        return code;
    code = print_end("wait", stream, number, json);
    fclose(stream);
    return code;
}
