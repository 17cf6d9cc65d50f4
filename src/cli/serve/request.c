/* SPDX-License-Identifier: Apache-2.0 */
/* request.c - see protocol.h: what a client wants, as it says it. */
#include "cli/serve/protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int take_number(const char *text, int *number)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    *number = (int)value;
    return *text && !*end && errno == 0 && value >= -1000 && value <= 1000;
}

static int take_workers(const char *text, uint32_t *workers)
{
    uint64_t number = 0;
    const int good = rd_parse_u64(text, &number) && number <= 1000000;
    *workers = (uint32_t)number;
    return good;
}

/* One line. @return NULL, or what is wrong with it. */
static const char *take_line(serve_request *out, const char *key, char *value)
{
    if (strcmp(key, "verb") == 0)
        out->verb = value;
    else if (strcmp(key, "app") == 0)
        out->app = value;
    else if (strcmp(key, "input") == 0)
        out->input = value;
    else if (strcmp(key, "output") == 0) {
        out->output = value;
        return value[0] == '/' ? NULL : "an output is named from the root on";
    } else if (strcmp(key, "workers") == 0)
        return take_workers(value, &out->workers) ? NULL : "workers are a number from 0 to 1000000";
    else if (strcmp(key, "id") == 0)
        return rd_parse_u64(value, &out->id) ? NULL : "a job is named by its number";
    else if (strcmp(key, "priority") == 0)
        return take_number(value, &out->priority) ? NULL : "a priority is a number from -1000 to 1000";
    else if (strcmp(key, "deadline") == 0)
        return rd_parse_double(value, &out->deadline) && out->deadline >= 0 && out->deadline < 1e9
                   ? NULL
                   : "a deadline is a number of seconds";
    else if (strcmp(key, "symmetrize") == 0)
        out->symmetrize = 1;
    else if (strcmp(key, "verify") == 0)
        out->verify = 1;
    else if (strcmp(key, "wait") == 0)
        out->wait = 1;
    else if (strcmp(key, "set") == 0) {
        char *equals = strchr(value, '=');
        if (!equals || equals == value)
            return "an option is KEY=VALUE";
        if (out->settings == SERVE_SETTINGS)
            return "there are too many options";
        *equals = '\0';
        out->key[out->settings] = value;
        out->value[out->settings++] = equals + 1;
    } else
        return "the request has a line that this version does not know";
    return NULL;
}

int serve_parse(char *text, serve_request *out, char *why, size_t room)
{
    *out = (serve_request){0};
    for (char *line = text, *next; *line && *line != '\n'; line = next) {
        next = strchr(line, '\n');
        if (!next) {
            snprintf(why, room, "the request is cut off");
            return 0;
        }
        *next++ = '\0';
        char *value = strchr(line, ' ');
        if (value)
            *value++ = '\0';
        const char *wrong = take_line(out, line, value ? value : line + strlen(line));
        if (wrong) {
            snprintf(why, room, "%s", wrong);
            return 0;
        }
    }
    if (!out->verb)
        snprintf(why, room, "the request does not say what it wants");
    return out->verb != NULL;
}
