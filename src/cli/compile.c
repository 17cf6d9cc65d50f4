/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - `raddle compile FILE -o FOLDER`: an own app as C files, for programs that run where no compiler is. */
#include "cli/options.h"
#include "cli/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

void cli_compile_help(FILE *out);
int cli_compile_run(int argc, char **argv);

enum { ID_OUTPUT = 1 };

static const cli_option options[] = {
    {"output", 'o', "FOLDER", "where to write them; it is made if it is not there", ID_OUTPUT},
    {NULL, 0, NULL, NULL, 0},
};

void cli_compile_help(FILE *out)
{
    fputs("usage: raddle compile FILE -o FOLDER\n"
          "Writes an app of your own as C, a file for each of its programs on the CPU and one that\n"
          "registers it, to be compiled into a program of yours:\n"
          "    cc -O3 program.c FOLDER/*.c -lraddle\n"
          "which calls raddle_NAME_register(&info, &err) in place of rd_app_register_file. It then runs\n"
          "on CPUs without a C compiler; on GPUs it is compiled by the driver, as always.\n\n",
          out);
    cli_print_options(out, options);
}

int cli_compile_run(int argc, char **argv)
{
    const char *folder = NULL;
    rd_error err = {.status = RD_OK};
    const rd_app_info *app = NULL;
    size_t files = 0;
    cli_parser parser;
    int id;
    cli_parser_init(&parser, "compile");
    cli_parser_add(&parser, options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        folder = optarg;
    }
    if (argc - optind != 1)
        return cli_usage("compile", argc > optind ? "one FILE at a time" : "FILE is missing: which app?");
    if (!folder)
        return cli_usage("compile", "-o FOLDER is missing: where to write?");
    if (rd_app_register_file(argv[optind], &app, &err) != RD_OK)
        return cli_fail("compile", &err);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_message("compile", CLI_BAD_INPUT, "folder %s cannot be made: %s", folder, strerror(errno));
    if (rd_app_write(app->name, folder, &files, &err) != RD_OK)
        return cli_fail("compile", &err);
    printf("%zu files in %s; the program calls raddle_%s_register\n", files, folder, app->name);
    return 0;
}
