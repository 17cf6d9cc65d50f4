/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - `raddle compile FILE [INPUT] -o FOLDER`: an own app as C files, for programs that run where no compiler
 * is. With --for, machine code for GPUs too: of what a run with these options on this input would compile. */
#include "cli/options.h"
#include "cli/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

void cli_compile_help(FILE *out);
int cli_compile_run(int argc, char **argv);

enum { ID_OUTPUT = 1, ID_FOR, ID_SET, TARGETS = 8, SETS = 16 };

static const cli_option options[] = {
    {"output", 'o', "FOLDER", "where to write them; it is made if it is not there", ID_OUTPUT},
    {"for", 0, "DEVICE", "machine code too, for cuda:sm_NN, or PTX, cuda:compute_NN; several times", ID_FOR},
    {"set", 0, "KEY=VALUE", "with --for: an option of the runs, of the app or as sched=steal; several times", ID_SET},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct compilation {
    const rd_app_info *app;
    const char *folder, *input;
    const char *target[TARGETS], *set[SETS];
    size_t targets;
    int sets, has_sched;
    rd_device *device[TARGETS];
    rd_graph *graph;
} compilation;

void cli_compile_help(FILE *out)
{
    fputs("usage: raddle compile FILE [INPUT] -o FOLDER [options]\n"
          "Writes an app of your own as C, a file for each of its programs on the CPU and one that\n"
          "registers it, to be compiled into a program of yours:\n"
          "    cc -O3 program.c FOLDER/*.c -lraddle\n"
          "which calls raddle_NAME_register(&info, &err) in place of rd_app_register_file. It then runs\n"
          "on CPUs without a C compiler. Other devices get its text, and compile it; with --for it has\n"
          "machine code for NVIDIA's GPUs inside, of what runs under each scheduler would compile, for\n"
          "an app on graphs on an INPUT like this one. That takes NVRTC here, and no GPU.\n\n",
          out);
    cli_print_options(out, options);
}

static rd_status set_options(const compilation *c, rd_job *job, rd_error *err)
{
    rd_status status = c->graph ? rd_job_set_graph(job, c->graph, err) : RD_OK;
    for (int i = 0; i < c->sets && status == RD_OK; i++) {
        char key[64];
        const size_t length = strcspn(c->set[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), c->set[i]);
        status = rd_job_set(job, key, c->set[i] + length + 1, err);
    }
    return status;
}

static rd_status compile_one(const compilation *c, rd_device *device, const char *sched, rd_error *err)
{
    rd_job *job = NULL;
    rd_status status = rd_job_create(device, c->app->name, &job, err);
    if (status == RD_OK && sched)
        status = rd_job_set(job, "sched", sched, err);
    if (status == RD_OK)
        status = set_options(c, job, err);
    if (status == RD_OK)
        status = rd_job_compile(job, err);
    rd_job_destroy(job);
    return status;
}

/* Under each scheduler, or the one that was asked for. */
static rd_status compile_for(compilation *c, size_t i, rd_error *err)
{
    rd_status status = rd_device_open(c->target[i], NULL, &c->device[i], err);
    if (status == RD_OK && c->has_sched)
        return compile_one(c, c->device[i], NULL, err);
    for (const char *const *sched = c->app->schedulers; *sched && status == RD_OK && !cli_stop; sched++)
        status = compile_one(c, c->device[i], *sched, err);
    return status;
}

static rd_status compile_all(compilation *c, rd_error *err)
{
    const int weighted = c->app->input == RD_INPUT_WEIGHTED;
    const rd_graph_options graph = {.size = sizeof graph, .weight_min = weighted, .weight_max = weighted ? 255 : 0};
    rd_status status = c->targets && c->input ? rd_graph_open(c->input, &graph, &c->graph, err) : RD_OK;
    for (size_t i = 0; i < c->targets && status == RD_OK; i++)
        status = compile_for(c, i, err);
    return status;
}

static int write_all(compilation *c)
{
    rd_error err = {.status = RD_OK};
    size_t files = 0;
    rd_status status = compile_all(c, &err);
    if (status == RD_OK && mkdir(c->folder, 0777) != 0 && errno != EEXIST)
        return cli_message("compile", CLI_BAD_INPUT, "folder %s cannot be made: %s", c->folder, strerror(errno));
    if (status == RD_OK && !cli_stop)
        status = rd_app_write_for(c->app->name, c->device, c->targets, c->folder, &files, &err);
    if (status != RD_OK)
        return cli_fail("compile", &err);
    if (cli_stop)
        return CLI_TIMED_OUT;
    printf("%zu files in %s; the program calls raddle_%s_register\n", files, c->folder, c->app->name);
    return 0;
}

static int take(compilation *c, int id)
{
    if (id == ID_OUTPUT) {
        c->folder = optarg;
    } else if (id == ID_FOR) {
        if (c->targets == TARGETS)
            return cli_usage("compile", "--for is there more than %d times", TARGETS);
        c->target[c->targets++] = optarg;
    } else {
        if (c->sets == SETS || !strchr(optarg, '='))
            return cli_usage("compile", "--set takes KEY=VALUE, at most %d times, not '%s'", SETS, optarg);
        c->has_sched |= strncmp(optarg, "sched=", 6) == 0;
        c->set[c->sets++] = optarg;
    }
    return 0;
}

static int take_words(compilation *c, int count, char **word)
{
    if (!count)
        return cli_usage("compile", "FILE is missing: which app?");
    if (!c->folder)
        return cli_usage("compile", "-o FOLDER is missing: where to write?");
    const int code = cli_own_app("compile", word[0], &c->app);
    if (code)
        return code;
    c->input = count > 1 ? word[1] : NULL;
    if (count > 2 || (c->input && !rd_app_takes_graph(c->app)))
        return cli_usage("compile", "'%s' is one word too many", word[count - 1]);
    if (c->targets && rd_app_takes_graph(c->app) && !c->input)
        return cli_usage("compile", "%s takes a graph: name one that is like those to come, as kron:16, behind FILE",
                         c->app->name);
    return 0;
}

int cli_compile_run(int argc, char **argv)
{
    compilation c = {.targets = 0};
    cli_parser parser;
    int id, code = 0;
    cli_parser_init(&parser, "compile");
    cli_parser_add(&parser, options);
    while (code == 0 && (id = cli_parser_next(&parser, argc, argv)) != -1)
        code = id == 0 ? CLI_BAD_USAGE : take(&c, id);
    if (code == 0)
        code = take_words(&c, argc - optind, argv + optind);
    if (code == 0)
        code = write_all(&c);
    for (size_t i = 0; i < c.targets; i++)
        rd_device_close(c.device[i]);
    rd_graph_destroy(c.graph);
    return code;
}
