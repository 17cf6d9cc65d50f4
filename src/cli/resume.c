/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resume.c - `raddle resume DIR`: goes on with a run from its last checkpoint. The checkpoint has the words of the
 * command line that began the run; they are taken again, and those of this one behind them, so that these count. Of
 * devices (-d, which may be given several times) those given now take the place of all.
 */
#include "cli/cli.h"
#include "cli/resume.h"

#include "raddle/ranks.h"

#include <stdlib.h>
#include <string.h>

void cli_resume_help(FILE *out);
int cli_resume_run(int argc, char **argv);

void cli_resume_help(FILE *out)
{
    fputs("usage: raddle resume DIR [options]\n"
          "Goes on with a run that --checkpoint DIR has written down, after it was killed, timed out or lost its\n"
          "machine. The options are those it was started with, and those given now: -v, -o, --timeout, another\n"
          "-d. It has to be on as many ranks (mpirun -n N raddle resume DIR), in the same folder, with the same\n"
          "version of raddle and the same input. When the run has ended the checkpoint is removed.\n",
          out);
}

/* ---- Words ---- */

char *resume_note(int argc, char **argv)
{
    size_t room = 1;
    for (int i = 1; i < argc; i++)
        room += 2 * strlen(argv[i]) + 1;
    char *text = malloc(room), *to = text;
    for (int i = 1; text && i < argc; i++) {
        for (const char *from = argv[i]; *from; from++) {
            if (*from == '\n' || *from == '\\')
                *to++ = '\\';
            *to++ = *from == '\n' ? 'n' : *from;
        }
        *to++ = '\n';
    }
    if (text)
        *to = 0;
    return text;
}

/* The next word, in place. @return where the one after it begins. */
static char *take_word(char *from)
{
    char *to = from;
    for (; *from && *from != '\n'; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from == 'n' && from[-1] == '\\' ? '\n' : *from;
    }
    char *next = *from ? from + 1 : from;
    *to = 0;
    return next;
}

/* How many words this one and what belongs to it are when it names a device; 0: it does not. */
static int device_words(const char *word)
{
    const size_t name = strcspn(word, "=");
    if (strncmp(word, "-d", 2) == 0)
        return word[2] ? 1 : 2;
    return name >= 5 && strncmp(word, "--device", name) == 0 ? (word[name] ? 1 : 2) : 0;
}

static int names_device(int argc, char **argv)
{
    int named = 0;
    for (int i = 0; i < argc; i++)
        named |= device_words(argv[i]) != 0;
    return named;
}

/* argv[0 .. ] becomes app, the words of the note, those of `more`. @return how many. */
static int collect(char **argv, const char *app, char *note, int more, char **words)
{
    const int drops = names_device(more, words);
    int count = 0;
    argv[count++] = (char *)(uintptr_t)app; /* not written to */
    for (char *word = note, *next; *word; word = next) {
        next = take_word(word);
        int skip = drops ? device_words(word) : 0;
        if (skip == 0)
            argv[count++] = word;
        while (--skip > 0 && *next)
            next = take_word(next);
    }
    for (int i = 0; i < more; i++)
        argv[count++] = words[i];
    argv[count] = NULL;
    return count;
}

/* ---- The command ---- */

static int go_on(const char *folder, rd_checkpoint *from, int more, char **words)
{
    const rd_app_info *app = cli_find_app(from->app);
    size_t lines = 0;
    if (!app)
        return cli_message("resume", CLI_BAD_INPUT, "%s: the checkpoint is of '%s', which is no app here", folder,
                           from->app);
    for (const char *c = from->note; *c; c++)
        lines += *c == '\n';
    char **argv = calloc(lines + (size_t)more + 3, sizeof *argv);
    if (!argv)
        return cli_message("resume", CLI_BAD_DEVICE, "out of host memory: the command line");
    const int argc = collect(argv, app->name, from->note, more, words);
    const int code = cli_app_resume(app, argc, argv, folder);
    free(argv);
    return code;
}

int cli_resume_run(int argc, char **argv)
{
    rd_error err = {.status = RD_OK};
    rd_checkpoint from;
    if (argc < 2)
        return cli_usage("resume", "DIR comes first: raddle resume DIR [options]");
    if (argv[1][0] == '-') /* which options there are depends on the app, which DIR tells */
        return cli_usage("resume", "there is no option '%s' before DIR: raddle resume DIR [options]", argv[1]);
    if (rd_checkpoint_read(argv[1], &from, &err) != RD_OK)
        return cli_fail("resume", &err);
    const uint32_t launched = rd_ranks_launched(NULL);
    int code = 0;
    if (launched > 1 && from.ranks != launched)
        code = cli_message("resume", CLI_BAD_USAGE, "%s: the checkpoint is of %u rank%s, and here are %u", argv[1],
                           from.ranks, from.ranks == 1 ? "" : "s", launched);
    code = code ? code : go_on(argv[1], &from, argc - 2, argv + 2);
    rd_free(from.note);
    return code;
}
