/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest.c - see nearest.h. How far two words are apart is the least number of letters to add, leave out, replace or
 * exchange with a neighbour (Damerau 1964, as optimal string alignment). A word is near when a third of its letters
 * or fewer are wrong, one at least, and it is not another word altogether.
 */
#include "cli/nearest.h"

#include <stdlib.h>
#include <string.h>

enum { LETTERS = 40 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(const char *a, size_t m, const char *b, size_t n)
{
    unsigned d[LETTERS + 1][LETTERS + 1];
    for (size_t i = 0; i <= m; i++)
        d[i][0] = (unsigned)i;
    for (size_t j = 0; j <= n; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

void cli_nearest_init(cli_nearest *nearest, const char *word)
{
    *nearest = (cli_nearest){.word = word, .distance = LETTERS};
}

void cli_nearest_try(cli_nearest *nearest, const char *name, size_t length)
{
    const size_t typed = strlen(nearest->word);
    if (typed == 0 || typed > LETTERS || length == 0 || length > LETTERS)
        return;
    const unsigned apart = distance(nearest->word, typed, name, length);
    const unsigned allowed = (unsigned)(typed < 3 ? 1 : typed / 3);
    if (apart > allowed || apart >= typed || apart >= length || apart >= nearest->distance)
        return;
    nearest->distance = apart;
    snprintf(nearest->best, sizeof nearest->best, "%.*s", (int)length, name);
}

const char *cli_nearest_text(const cli_nearest *nearest, const char *before, const char *after)
{
    static _Thread_local char text[160]; /* each rank of a process asks for itself */
    text[0] = '\0';
    if (nearest->best[0])
        snprintf(text, sizeof text, "; did you mean '%s%s%s'?", before, nearest->best, after);
    return text;
}

const char *cli_nearest_command(const char *word)
{
    cli_nearest nearest;
    cli_nearest_init(&nearest, word);
    for (const cli_command *command = cli_commands; command->name; command++)
        cli_nearest_try(&nearest, command->name, strlen(command->name));
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        cli_nearest_try(&nearest, app->name, strlen(app->name));
    cli_nearest_try(&nearest, "--version", strlen("--version"));
    cli_nearest_try(&nearest, "--help", strlen("--help"));
    return cli_nearest_text(&nearest, "", "");
}

static size_t letters(const char *text)
{
    size_t n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || (n && ((text[n] >= '0' && text[n] <= '9') || text[n] == '-')))
        n++;
    return n;
}

/* An app's help on its input has its generators as NAME: or NAME[:. */
static void try_own(cli_nearest *nearest, const char *text)
{
    for (size_t n; *text; text += n ? n : 1) {
        n = letters(text);
        if (n && (text[n] == ':' || (text[n] == '[' && text[n + 1] == ':')))
            cli_nearest_try(nearest, text, n);
    }
}

static const char *graph_generator(const char *word, size_t length)
{
    for (const rd_name_text *generator = rd_generators(); generator->name; generator++)
        if (strcspn(generator->name, ":") == length && strncmp(generator->name, word, length) == 0)
            return generator->name;
    return NULL;
}

/* What has the name of a generator, but lacks its numbers; what is a graph where none is taken; help. "": none of
 * these. */
static const char *misplaced(const char *input, const rd_app_info *app)
{
    static _Thread_local char text[160]; /* each rank of a process asks for itself */
    const size_t length = strcspn(input, ":");
    const int has_colon = input[length] == ':';
    const char *graph = graph_generator(input, length);
    text[0] = '\0';
    if (strcmp(input, "help") == 0)
        snprintf(text, sizeof text, "; 'raddle help %s' explains it", app ? app->name : "COMMAND");
    else if (graph && app && !rd_app_takes_graph(app))
        snprintf(text, sizeof text, "; that would be a graph, and %s takes none: 'raddle help %s'", app->name,
                 app->name);
    else if (graph && !has_colon)
        snprintf(text, sizeof text, "; the generator is %s", graph);
    else if (app && app->input == RD_INPUT_TEXT && app->input_text && !has_colon && letters(input) == length) {
        cli_nearest nearest;
        cli_nearest_init(&nearest, input);
        try_own(&nearest, app->input_text);
        if (nearest.distance == 0)
            snprintf(text, sizeof text, "; the generator wants numbers: '%s:...'", input);
    }
    return text;
}

const char *cli_nearest_generator(const char *input, const rd_app_info *app)
{
    cli_nearest nearest;
    char word[LETTERS + 1];
    size_t length = strcspn(input, ":");
    const int has_colon = input[length] == ':';
    const char *other = misplaced(input, app);
    if (*other)
        return other;
    if (!has_colon) /* "kron20" lacks its colon; what looks like a file's name is not helped so */
        length = strcspn(input, "0123456789");
    if (length >= sizeof word || input[length] == '\0' || strpbrk(input, "/."))
        return "";
    snprintf(word, sizeof word, "%.*s", (int)length, input);
    cli_nearest_init(&nearest, word);
    if (!app || rd_app_takes_graph(app))
        for (const rd_name_text *generator = rd_generators(); generator->name; generator++)
            cli_nearest_try(&nearest, generator->name, strcspn(generator->name, ":"));
    if (app && app->input == RD_INPUT_TEXT && app->input_text)
        try_own(&nearest, app->input_text);
    char after[LETTERS + 1];
    snprintf(after, sizeof after, "%s%.30s", has_colon ? "" : ":", input + length);
    return cli_nearest_text(&nearest, "", after);
}
