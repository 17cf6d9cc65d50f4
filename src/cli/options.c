/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - see options.h. */
#define _GNU_SOURCE /* getopt_long */
#include "cli/options.h"

#include "cli/nearest.h"

#include <string.h>

void cli_parser_init(cli_parser *parser, const char *command)
{
    memset(parser, 0, sizeof *parser);
    parser->command = command;
    /* ':' first: a missing value is told apart from an unknown option, and getopt prints nothing itself. */
    parser->shorts[0] = ':';
    opterr = 0;
    optind = 1;
}

static void add(cli_parser *parser, const char *name, int letter, const char *value, int id)
{
    for (size_t i = 0; i < parser->count; i++)
        if (strcmp(parser->longs[i].name, name) == 0)
            return;
    if (parser->count >= CLI_OPTION_MAX)
        return;
    parser->longs[parser->count++] =
        (struct option){.name = name, .has_arg = value ? required_argument : no_argument, .val = id};
    if (letter > 0 && letter < 128 && !parser->letter_id[letter]) {
        size_t end = strlen(parser->shorts);
        parser->letter_id[letter] = id;
        parser->shorts[end++] = (char)letter;
        if (value)
            parser->shorts[end++] = ':';
        parser->shorts[end] = '\0';
    }
}

void cli_parser_add(cli_parser *parser, const cli_option *table)
{
    for (; table && table->name; table++)
        add(parser, table->name, table->letter, table->value, table->id);
}

void cli_parser_add_info(cli_parser *parser, const rd_option_info *table, int first_id)
{
    for (int i = 0; table && table[i].key; i++)
        add(parser, table[i].key, table[i].letter, table[i].value, first_id + i);
}

void cli_parser_add_getopt(cli_parser *parser, const struct option *table)
{
    for (; table->name; table++)
        add(parser, table->name, table->val < 128 ? table->val : 0, table->has_arg ? "VALUE" : NULL, table->val);
}

const char *cli_nearest_option(const struct option *table, const char *text)
{
    cli_nearest nearest;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    cli_nearest_init(&nearest, word);
    for (; table->name; table++)
        cli_nearest_try(&nearest, table->name, strlen(table->name));
    return cli_nearest_text(&nearest, "--", "");
}

/* -v proves results wherever there are any, and means nothing else. */
static const char *elsewhere(const cli_parser *parser, int letter)
{
    for (size_t i = 0; letter == 'v' && i < parser->count; i++)
        if (strcmp(parser->longs[i].name, "verbose") == 0)
            return "; did you mean '--verbose'?";
    return "";
}

int cli_parser_next(cli_parser *parser, int argc, char **argv)
{
    /* getopt_long reports a long option by its val and a short one by its letter; vals are set apart by this offset so
     * that an id never looks like a letter. */
    enum { OFFSET = 1 << 16 };
    if (parser->count && parser->longs[0].val < OFFSET)
        for (size_t i = 0; i < parser->count; i++)
            parser->longs[i].val += OFFSET;
    int at = optind;
    int got = getopt_long(argc, argv, parser->shorts, parser->longs, NULL);
    if (got == -1)
        return -1;
    if (got >= OFFSET)
        return got - OFFSET;
    if (got == ':' || got == '?') {
        const char *text = argv[optind > at ? optind - 1 : at];
        int is_long = strncmp(text, "--", 2) == 0;
        if (got == ':')
            is_long ? cli_usage(parser->command, "option '%s' needs a value", text)
                    : cli_usage(parser->command, "option '-%c' needs a value", optopt);
        else if (is_long && optopt >= OFFSET)
            cli_usage(parser->command, "option '%s' takes no value", text);
        else
            is_long
                ? cli_usage(parser->command, "there is no option '%s'%s", text, cli_nearest_option(parser->longs, text))
                : cli_usage(parser->command, "there is no option '-%c'%s", optopt, elsewhere(parser, optopt));
        return 0;
    }
    return parser->letter_id[got & 127];
}

static void print_line(FILE *out, int letter, const char *name, const char *value, const char *text,
                       const char *initial)
{
    char left[192]; /* values that are lists are long: --spread */
    int used =
        letter ? snprintf(left, sizeof left, "-%c, --%s", letter, name) : snprintf(left, sizeof left, "    --%s", name);
    if (value && used > 0 && used < (int)sizeof left)
        snprintf(left + used, sizeof left - (size_t)used, " %s", value);
    if (strlen(left) > 23)
        fprintf(out, "  %s\n%25s %s", left, "", text);
    else
        fprintf(out, "  %-23s %s", left, text);
    if (initial && *initial && !strstr(text, "default"))
        fprintf(out, " [%s]", initial);
    putc('\n', out);
}

void cli_print_options(FILE *out, const cli_option *table)
{
    for (; table && table->name; table++)
        print_line(out, table->letter, table->name, table->value, table->text, NULL);
}

void cli_print_option_infos(FILE *out, const rd_option_info *table, const cli_option *taken)
{
    for (; table && table->key; table++) {
        int letter = table->letter, hidden = 0;
        for (const cli_option *other = taken; other && other->name; other++) {
            hidden |= strcmp(other->name, table->key) == 0;
            if (other->letter == letter)
                letter = 0;
        }
        if (!hidden)
            print_line(out, letter, table->key, table->value, table->text, table->value ? table->initial : NULL);
    }
}

int cli_take_u64(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                 uint64_t *value)
{
    if (rd_parse_u64(text, value) && *value >= low && *value <= high)
        return 1;
    if (high == UINT64_MAX)
        cli_usage(command, "--%s wants a whole number of at least %llu, not '%s'", option, (unsigned long long)low,
                  text);
    else
        cli_usage(command, "--%s wants a whole number from %llu to %llu, not '%s'", option, (unsigned long long)low,
                  (unsigned long long)high, text);
    return 0;
}

int cli_take_seconds(const char *command, const char *option, const char *text, double *value)
{
    if (rd_parse_double(text, value) && *value > 0)
        return 1;
    cli_usage(command, "--%s wants a number of seconds above 0, not '%s'", option, text);
    return 0;
}
