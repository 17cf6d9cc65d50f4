/* SPDX-License-Identifier: Apache-2.0 */
/* fairness.c - `raddle fairness`: a model checker for protocols of a few threads. */
#define _POSIX_C_SOURCE 200809L
#include "cli/fairness/fairness.h"
#include "cli/options.h"
#include "cli/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_fairness_help(FILE *out);
int cli_fairness_run(int argc, char **argv);

enum {
    ID_SCHEDULER = 1,
    ID_SET,
    ID_DOT,
    ID_MEMORY,
    ID_THREADS,
    ID_TIMEOUT,
    ID_SAFETY,
    ID_SYMMETRY,
    ID_PARTIAL,
    ID_STATS,
    ID_JSON,
    ID_LIST
};
enum { TEXT_MOST = 60000 };

static const cli_option options[] = {
    {"scheduler", 's', "NAME", "only this one, and how it starves; or a criterion", ID_SCHEDULER},
    {"set", 'D', "NAME=N", "replace a constant of the model", ID_SET},
    {"safety", 0, NULL, "look at assertions only", ID_SAFETY},
    {"dot", 0, "FILE", "write what is shown as a picture for Graphviz", ID_DOT},
    {"memory", 0, "BYTES", "most memory to take [half of what is free]", ID_MEMORY},
    {"threads", 't', "N", "host threads to use [all cores]", ID_THREADS},
    {"timeout", 0, "SECONDS", "give up after so long", ID_TIMEOUT},
    {"no-symmetry", 0, NULL, "do not merge states that differ by names of threads", ID_SYMMETRY},
    {"no-partial-order", 0, NULL, "do not leave out orders that do not matter", ID_PARTIAL},
    {"stats", 0, NULL, "also print states a second, and memory", ID_STATS},
    {"json", 0, NULL, "one JSON object", ID_JSON},
    {"list", 'l', NULL, "list built-in models and schedulers", ID_LIST},
    {NULL, 0, NULL, NULL, 0},
};

void cli_fairness_help(FILE *out)
{
    fputs("usage: raddle fairness MODEL [options]     a file, '-', or a built-in model\n"
          "       raddle fairness show NAME           prints a built-in model, to start from\n"
          "       raddle fairness table | protocols   known idioms; Raddle's own protocols\n"
          "       raddle fairness order               proves the order of the schedulers\n"
          "Does each thread of a small program come to its end, under a scheduler that only\n"
          "promises so much? Explores every interleaving. docs/progress.md has the language.\n",
          out);
    cli_print_options(out, options);
    fputs("Exit status 1: an assertion fails, or a thread starves under a scheduler named\n"
          "with -s (without -s: under fair, which means that the program has no end).\n",
          out);
}

static int list(void)
{
    printf("models:\n");
    for (const rd_name_text *row = rd_fairness_models(); row->name; row++)
        printf("  %-18s %s\n", row->name, row->text);
    printf("schedulers, from the weakest, and the threads t that each promises to run:\n");
    for (const rd_name_text *row = rd_fairness_schedulers(); row->name; row++)
        printf("  %-18s %s\n", row->name, row->text);
    return 0;
}

static int show(int argc, char **argv)
{
    if (argc != 1)
        return cli_usage("fairness", "show takes the name of one built-in model");
    const char *text = rd_fairness_model_text(argv[0]);
    if (!text)
        return cli_usage("fairness", "there is no built-in model '%s'; --list names them", argv[0]);
    fputs(text, stdout);
    return 0;
}

/* Up to `most` bytes. Input may be silent: signals and --timeout are heard meanwhile. @return -1 after an error. */
static ssize_t read_all(int fd, char *text, size_t most)
{
    size_t used = 0;
    while (used < most && !cli_stop) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, 100) <= 0)
            continue;
        const ssize_t got = read(fd, text + used, most - used);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return -1;
        used += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)used;
}

/* What a file holds must be a short text. @return 0, or the exit code after a message. */
static int check_text(const char *path, const char *text, ssize_t bytes)
{
    const rd_error stopped = {RD_ECANCELLED, "the model was not read to its end"};
    if (bytes < 0)
        return cli_message("fairness", CLI_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (cli_stop)
        return cli_fail("fairness", &stopped);
    if (bytes > TEXT_MOST)
        return cli_message("fairness", CLI_BAD_INPUT, "%s: too long for a model: at most %d bytes", path, TEXT_MOST);
    if (memchr(text, '\0', (size_t)bytes))
        return cli_message("fairness", CLI_BAD_INPUT, "%s: not a text: it has bytes of value 0", path);
    return 0;
}

/* All of a file. @return NULL after a message; *code is the exit code. */
static char *read_file(const char *path, int *code)
{
    const int is_input = strcmp(path, "-") == 0, fd = is_input ? 0 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *code =
            cli_message("fairness", CLI_BAD_INPUT, "%s: %s; --list names the built-in models", path, strerror(errno));
        return NULL;
    }
    char *text = malloc(TEXT_MOST + 2);
    *code = CLI_BAD_DEVICE;
    if (text) {
        const ssize_t bytes = read_all(fd, text, TEXT_MOST + 1);
        *code = check_text(path, text, bytes);
        text[bytes < 0 ? 0 : bytes] = '\0';
    } else {
        cli_message("fairness", CLI_BAD_DEVICE, "out of memory");
    }
    if (!is_input)
        close(fd);
    if (*code) {
        free(text);
        text = NULL;
    }
    return text;
}

int fairness_open(const fairness_job *job, const char *name, rd_fairness **model)
{
    const char *text = rd_fairness_model_text(name);
    char *own = NULL;
    int code = 0;
    rd_error err = {.status = RD_OK};
    if (!text)
        text = own = read_file(name, &code);
    if (!text)
        return code;
    const rd_status status = rd_fairness_open(name, text, job->setting, model, &err);
    free(own);
    return status == RD_OK ? 0 : cli_fail("fairness", &err);
}

/* Unless schedulers were named, all are asked, and nothing is drawn. */
static int exit_code(const fairness_job *job, const rd_fairness_report *report)
{
    int wrong = report->unsafe;
    for (uint32_t k = 0; !report->unsafe && k < report->verdicts; k++)
        wrong |= report->verdict[k].starves && (job->schedulers || strcmp(report->verdict[k].scheduler, "fair") == 0);
    return wrong ? CLI_WRONG : 0;
}

static int check(fairness_job *job)
{
    rd_fairness *model = NULL;
    rd_fairness_report report;
    rd_error err = {.status = RD_OK};
    int code = job->dot ? cli_check_outputs("fairness", job->dot, NULL) : 0;
    if (!code)
        code = fairness_open(job, job->model, &model);
    if (code)
        return code;
    job->options.witness = job->schedulers != 0;
    const rd_status status = rd_fairness_check(model, &job->options, &report, &err);
    rd_progress_line_clear(&job->line);
    rd_fairness_close(model);
    if (status != RD_OK)
        return cli_fail("fairness", &err);
    if (job->json)
        fairness_print_json(job, &report);
    else
        fairness_print(job, &report);
    code = job->dot ? fairness_write_dot(job, &report) : 0;
    code = code ? code : exit_code(job, &report);
    rd_fairness_report_free(&report);
    return code;
}

/* @return 0 after an error, which was printed. */
static int take_scheduler(fairness_job *job, const char *text)
{
    rd_error err = {.status = RD_OK};
    if (job->schedulers == RD_FAIRNESS_SCHEDULERS) {
        cli_usage("fairness", "at most %d schedulers", RD_FAIRNESS_SCHEDULERS);
        return 0;
    }
    if (rd_fairness_scheduler_check(text, &err) != RD_OK) {
        cli_usage("fairness", "--scheduler: %s", err.text);
        return 0;
    }
    job->options.scheduler[job->schedulers++] = text;
    return 1;
}

static int take_setting(fairness_job *job, const char *text)
{
    if (job->settings == FAIRNESS_SETTINGS)
        cli_usage("fairness", "at most %d constants can be set", FAIRNESS_SETTINGS);
    else if (!strchr(text, '='))
        cli_usage("fairness", "--set wants NAME=N, not '%s'", text);
    else
        job->setting[job->settings++] = text;
    return job->settings && job->setting[job->settings - 1] == text;
}

/* @return 1 to go on, 0 after an error. */
static int take(fairness_job *job, int id)
{
    uint64_t number;
    double seconds;
    switch (id) {
    case ID_SCHEDULER: return take_scheduler(job, optarg);
    case ID_SET: return take_setting(job, optarg);
    case ID_DOT: job->dot = cli_output_name(optarg); return 1;
    case ID_MEMORY: return cli_take_u64("fairness", "memory", optarg, 1 << 20, UINT64_MAX, &job->options.memory);
    case ID_THREADS:
        if (!cli_take_u64("fairness", "threads", optarg, 1, 4096, &number))
            return 0;
        job->options.threads = (uint32_t)number;
        return 1;
    case ID_TIMEOUT:
        if (!cli_take_seconds("fairness", "timeout", optarg, &seconds))
            return 0;
        cli_set_timeout(seconds);
        return 1;
    case ID_SAFETY: job->options.safety_only = 1; return 1;
    case ID_SYMMETRY: job->options.no_symmetry = 1; return 1;
    case ID_PARTIAL: job->options.no_partial_order = 1; return 1;
    case ID_STATS: job->stats = 1; return 1;
    default: job->json = 1; return 1;
    }
}

static int dispatch(fairness_job *job, int argc, char **argv)
{
    const char *word = argc ? argv[0] : NULL;
    if (!word)
        return cli_usage("fairness", "MODEL is missing: a file, or one of those that --list names");
    if (strcmp(word, "show") == 0)
        return show(argc - 1, argv + 1);
    if (argc > 1)
        return cli_usage("fairness", "one MODEL at a time ('%s')", argv[1]);
    if (strcmp(word, "table") == 0 || strcmp(word, "protocols") == 0)
        return fairness_table(job, word[0] == 'p');
    if (strcmp(word, "order") == 0)
        return fairness_order(job);
    if (job->dot && !job->schedulers && !job->options.safety_only)
        return cli_usage("fairness", "--dot draws what -s or --safety finds: name a scheduler");
    if (job->schedulers && job->options.safety_only)
        return cli_usage("fairness", "--safety asks no scheduler, -s names one");
    if (job->json && job->dot && strcmp(job->dot, "-") == 0)
        return cli_usage("fairness", "--json and the picture cannot both go to standard output");
    job->model = word;
    return check(job);
}

int cli_fairness_run(int argc, char **argv)
{
    fairness_job job = {.options = {.size = sizeof job.options}};
    cli_parser parser;
    int id;
    cli_parser_init(&parser, "fairness");
    cli_parser_add(&parser, options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == ID_LIST)
            return list();
        if (id == 0 || !take(&job, id))
            return CLI_BAD_USAGE;
    }
    cli_progress_line(&job.line, 1);
    job.options.progress = rd_progress_line_fn;
    job.options.user = &job.line;
    const int code = dispatch(&job, argc - optind, argv + optind);
    rd_progress_line_clear(&job.line);
    return code;
}
