/* SPDX-License-Identifier: Apache-2.0 */
/* new.c - `raddle new NAME --model MODEL`: a file that runs, to be changed. */
#define _POSIX_C_SOURCE 200809L /* access */
#include "cli/options.h"
#include "cli/skeletons.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

void cli_new_help(FILE *out);
int cli_new_run(int argc, char **argv);

enum { ID_MODEL = 1, ID_OUTPUT, NAME_ROOM = 32 };

static const cli_option options[] = {
    {"model", 'm', "NAME", "what a task is: forkjoin, frontier, ranked, sweep, plane or dag [forkjoin]", ID_MODEL},
    {"output", 'o', "FILE", "where to write it ('-': standard output) [NAME.k.c]", ID_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

void cli_new_help(FILE *out)
{
    fputs("usage: raddle new NAME [options]\n"
          "Writes NAME.k.c, an app of your own that runs as it is: 'raddle run NAME.k.c'.\n"
          "What it computes is a few lines that wait to be replaced; docs/own-tasks.md says how.\n"
          "A file that is there already is left alone.\n\n",
          out);
    cli_print_options(out, options);
}

/* The text for a model, by "…/own/MODEL.txt"; NULL: there is none. */
static const char *find(const char *model)
{
    for (const cli_skeleton *one = cli_skeletons; one->name; one++) {
        const char *file = strrchr(one->name, '/');
        const size_t length = strlen(model);
        if (file && strncmp(file + 1, model, length) == 0 && strcmp(file + 1 + length, ".txt") == 0)
            return one->text;
    }
    return NULL;
}

static int is_name(const char *name)
{
    size_t length = 0;
    while (islower((unsigned char)name[length]) ||
           (length && (isdigit((unsigned char)name[length]) || name[length] == '_')))
        length++;
    return length && length < NAME_ROOM && !name[length];
}

static int write_file(const char *path, const char *name, const char *text)
{
    static const char mark[] = "@name@";
    rd_output *output;
    rd_error err = {.status = RD_OK};
    if (strcmp(path, "-") != 0 && access(path, F_OK) == 0)
        return cli_message("new", CLI_BAD_INPUT, "%s is there already; it is left alone", path);
    if (rd_output_open(path, RD_OUTPUT_REPLACE, &output, &err) != RD_OK)
        return cli_fail("new", &err);
    FILE *out = rd_output_stream(output);
    for (const char *at = text, *next; *at; at = next) {
        next = strstr(at, mark);
        fwrite(at, 1, next ? (size_t)(next - at) : strlen(at), out);
        if (next)
            fputs(name, out);
        next = next ? next + sizeof mark - 1 : at + strlen(at);
    }
    return rd_output_close(output, RD_OK, &err) == RD_OK ? 0 : cli_fail("new", &err);
}

int cli_new_run(int argc, char **argv)
{
    const char *model = "forkjoin", *path = NULL;
    char own_path[NAME_ROOM + 8];
    cli_parser parser;
    int id;
    cli_parser_init(&parser, "new");
    cli_parser_add(&parser, options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        *(id == ID_MODEL ? &model : &path) = optarg;
    }
    if (argc - optind != 1)
        return cli_usage("new", argc > optind ? "one NAME at a time" : "NAME is missing: what is the app called?");
    const char *name = argv[optind];
    if (!is_name(name))
        return cli_usage("new", "'%s' is no name for an app: small letters, digits and _, at most 31, a letter first",
                         name);
    if (cli_find_app(name))
        return cli_usage("new", "the library has an app '%s'; take another name", name);
    const char *text = find(model);
    if (!text)
        return cli_usage("new", "there is no model '%s'; there are forkjoin, frontier, ranked, sweep, plane and dag",
                         model);
    snprintf(own_path, sizeof own_path, "%s.k.c", name);
    path = path ? path : own_path;
    const int code = write_file(path, name, text);
    if (code == 0 && strcmp(path, "-") != 0)
        printf("%s is written; it runs: raddle run %s%s -v\n", path, path,
               strcmp(model, "frontier") == 0 || strcmp(model, "sweep") == 0 ? " kron:10" : "");
    return code;
}
