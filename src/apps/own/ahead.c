/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - rd_app_write: an own app as C, to be compiled into the program that uses it. A file for each of its
 * programs on the CPU, and one with its text, a table of those, and the function that registers it:
 *
 *     rd_status raddle_NAME_register(const rd_app_info **info, rd_error *err);
 */
#include "apps/own/own.h"

#include "core/memory.h"
#include "core/sink.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 1024, LINE_ROOM = 4096 };

/* A file of the folder that is being written. */
typedef struct output {
    char path[PATH_ROOM];
    rd__sink sink;
    rd_error *err;
} output;

static rd_status begin(output *out, const char *folder, const char *name, const char *end, rd_error *err)
{
    out->err = err;
    if (snprintf(out->path, sizeof out->path, "%s/%s%s", folder, name, end) >= (int)sizeof out->path)
        return rd__fail(err, RD_EARG, "the name of folder %.100s... is too long", folder);
    return rd__sink_open(&out->sink, out->path, RD__SINK_REPLACE, err);
}

__attribute__((format(printf, 2, 3))) static rd_status say(output *out, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return n < 0 || n >= (int)sizeof line ? rd__fail(out->err, RD_EARG, "%s: a line is too long", out->path)
                                          : rd__sink_write(&out->sink, line, (uint64_t)n, out->err);
}

/* A text as strings of C, line by line. */
static rd_status say_text(output *out, const char *text)
{
    char line[LINE_ROOM];
    size_t used = 0;
    for (const char *at = text; *at || used; at += *at != '\0') {
        if (used == 0)
            used = (size_t)snprintf(line, sizeof line, "    \"");
        if (*at == '\n' || *at == '\0' || used > sizeof line - 16) {
            used += (size_t)snprintf(line + used, sizeof line - used, "%s\"\n", *at == '\n' ? "\\n" : "");
            RD_TRY(rd__sink_write(&out->sink, line, used, out->err));
            used = 0;
            at -= *at != '\n' && *at != '\0';
        } else if (*at == '"' || *at == '\\' || *at == '?' || (unsigned char)*at < ' ' || (unsigned char)*at > '~') {
            used += (size_t)snprintf(line + used, sizeof line - used, "\\%03o", (unsigned)(unsigned char)*at);
        } else {
            line[used++] = *at;
        }
    }
    return RD_OK;
}

static rd_status write_program(const rd__own_app *app, const rd__own_program *program, const char *folder,
                               uint64_t key[2], rd_error *err)
{
    output out;
    char *text = NULL;
    RD_TRY(rd__program_write_own(program, &text, key, err));
    rd_status status = begin(&out, folder, program->name, ".c", err);
    if (status == RD_OK) {
        status = say(&out, "/* Written by `raddle compile`: one of the programs of app %s. */\n", app->file.name);
        if (status == RD_OK)
            status = rd__sink_write(&out.sink, text, strlen(text), err);
        status = rd__sink_close(&out.sink, status, err);
    }
    rd__free(text);
    return status;
}

static rd_status say_table(output *out, const rd__own_app *app, uint64_t (*key)[2], size_t count)
{
    const char *name = app->file.name;
    RD_TRY(say(out,
               "/* Written by `raddle compile`: app %s, for a program that includes <raddle.h>. */\n"
               "#include <raddle.h>\n\n"
               "rd_status raddle_%s_register(const rd_app_info **info, rd_error *err);\n",
               name, name));
    for (size_t i = 0; i < count; i++)
        RD_TRY(say(out, "const void *raddle_%s(const void *hooks);\n", app->programs[i].name));
    RD_TRY(say(out, "\nstatic const char label[] =\n"));
    RD_TRY(say_text(out, app->label));
    RD_TRY(say(out, "    ;\n\nstatic const char text[] =\n"));
    RD_TRY(say_text(out, app->given));
    RD_TRY(say(out, "    ;\n\nstatic const rd_app_program programs[] = {\n"));
    for (size_t i = 0; i < count; i++)
        RD_TRY(say(out, "    {\"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 "}, raddle_%s},\n", app->programs[i].name,
                   key[i][0], key[i][1], app->programs[i].name));
    return say(out,
               "};\n\nrd_status raddle_%s_register(const rd_app_info **info, rd_error *err)\n{\n"
               "    return rd_app_register_compiled(text, label, programs, sizeof programs / sizeof programs[0], info, "
               "err);\n}\n",
               name);
}

rd_status rd_app_write(const char *name, const char *folder, size_t *files, rd_error *err)
{
    uint64_t key[RD__OWN_PROGRAMS][2];
    output out;
    size_t count = 0;
    const rd__app *found = name ? rd__own_find(name) : NULL;
    const rd__own_app *app = (const rd__own_app *)(const void *)found;
    if (files)
        *files = 0;
    if (!app || !folder)
        return rd__fail(err, RD_EARG, app ? "rd_app_write needs a folder" : "there is no own app '%s'",
                        name ? name : "(null)");
    for (const rd__own_program *program = app->programs; program->name[0] && count < RD__OWN_PROGRAMS; program++) {
        if (strcmp(program->engine, RD__OWN_CHECK_ROOT) == 0 && !app->file.has_check)
            continue; /* it is the last one */
        RD_TRY(write_program(app, program, folder, key[count], err));
        count++;
    }
    RD_TRY(begin(&out, folder, app->file.name, ".c", err));
    RD_TRY(rd__sink_close(&out.sink, say_table(&out, app, key, count), err));
    if (files)
        *files = count + 1;
    return RD_OK;
}
