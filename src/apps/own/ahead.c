/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - rd_app_write: an own app as C, to be compiled into the program that uses it. A file for each of its
 * programs on the CPU, and one with its text, a table of those, and the function that registers it:
 *
 *     rd_status raddle_NAME_register(const rd_app_info **info, rd_error *err);
 *
 * For GPUs a file with the machine code that devices which only compile have made of it (device/cuda/ahead.c).
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

/* What devices have made of the app's programs, in their order. */
typedef struct images {
    rd_device *const *devices;
    size_t count;
} images;

typedef rd_status (*image_fn)(output *out, const char *app, const rd__image *image, size_t number);

static rd_status each_image(const rd__own_app *app, const images *all, output *out, image_fn call, size_t *found)
{
    *found = 0;
    for (size_t i = 0; i < all->count; i++) {
        uint32_t count;
        const rd__image *image = rd__device_images(all->devices[i], &count);
        for (uint32_t k = 0; k < count; k++)
            if (image[k].own == &app->source)
                RD_TRY(call(out, app->file.name, &image[k], (*found)++));
    }
    return RD_OK;
}

static rd_status declare_image(output *out, const char *app, const rd__image *image, size_t number)
{
    return say(out, "extern const unsigned long long raddle_%s_image_%zu[]; /* %s for %s */\n", app, number,
               image->program, image->target);
}

/* Words, so that it is aligned; what the last one has too much is 0. */
static rd_status define_image(output *out, const char *app, const rd__image *image, size_t number)
{
    const unsigned char *byte = image->data;
    RD_TRY(declare_image(out, app, image, number));
    RD_TRY(say(out, "const unsigned long long raddle_%s_image_%zu[] = {", app, number));
    for (size_t at = 0; at < image->bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, byte + at, image->bytes - at < 8 ? image->bytes - at : 8);
        RD_TRY(say(out, "%s0x%" PRIx64 "u,", at % 64 == 0 ? "\n" : " ", word));
    }
    return say(out, "\n};\n\n");
}

static rd_status list_image(output *out, const char *app, const rd__image *image, size_t number)
{
    return say(out, "    {\"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 "}, 0, raddle_%s_image_%zu, %zu},\n",
               image->program, image->key[0], image->key[1], app, number, image->bytes);
}

/* No file where there is none. */
static rd_status write_images(const rd__own_app *app, const images *all, const char *folder, size_t *files,
                              rd_error *err)
{
    output out;
    size_t found = 0;
    if (!all->count)
        return RD_OK;
    RD_TRY(begin(&out, folder, app->file.name, "_images.c", err));
    rd_status status = say(&out, "/* Written by `raddle compile`: machine code of app %s. */\n", app->file.name);
    if (status == RD_OK)
        status = each_image(app, all, &out, define_image, &found);
    if (status == RD_OK && !found)
        status = rd__fail(err, RD_EARG, "nothing of %s was compiled on these devices; call rd_job_compile first",
                          app->file.name);
    ++*files;
    return rd__sink_close(&out.sink, status, err);
}

static rd_status say_table(output *out, const rd__own_app *app, uint64_t (*key)[2], size_t count, const images *all)
{
    const char *name = app->file.name;
    size_t found;
    RD_TRY(say(out,
               "/* Written by `raddle compile`: app %s, for a program that includes <raddle.h>. */\n"
               "#include <raddle.h>\n\n"
               "rd_status raddle_%s_register(const rd_app_info **info, rd_error *err);\n",
               name, name));
    for (size_t i = 0; i < count; i++)
        RD_TRY(say(out, "const void *raddle_%s(const void *hooks);\n", app->programs[i].name));
    RD_TRY(each_image(app, all, out, declare_image, &found));
    RD_TRY(say(out, "\nstatic const char label[] =\n"));
    RD_TRY(say_text(out, app->label));
    RD_TRY(say(out, "    ;\n\nstatic const char text[] =\n"));
    RD_TRY(say_text(out, app->given));
    RD_TRY(say(out, "    ;\n\nstatic const rd_app_program programs[] = {\n"));
    for (size_t i = 0; i < count; i++)
        RD_TRY(say(out, "    {\"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 "}, raddle_%s, 0, 0},\n", app->programs[i].name,
                   key[i][0], key[i][1], app->programs[i].name));
    RD_TRY(each_image(app, all, out, list_image, &found));
    return say(out,
               "};\n\nrd_status raddle_%s_register(const rd_app_info **info, rd_error *err)\n{\n"
               "    return rd_app_register_compiled(text, label, programs, sizeof programs / sizeof programs[0], info, "
               "err);\n}\n",
               name);
}

rd_status rd_app_write(const char *name, const char *folder, size_t *files, rd_error *err)
{
    return rd_app_write_for(name, NULL, 0, folder, files, err);
}

rd_status rd_app_write_for(const char *name, rd_device *const *devices, size_t device_count, const char *folder,
                           size_t *files, rd_error *err)
{
    uint64_t key[RD__OWN_PROGRAMS][2];
    output out;
    size_t count = 0, written = 0;
    const rd__app *found = name ? rd__own_find(name) : NULL;
    const rd__own_app *app = (const rd__own_app *)(const void *)found;
    const images all = {devices, device_count};
    if (files)
        *files = 0;
    if (!app || !folder || (device_count && !devices))
        return rd__fail(err, RD_EARG, app ? "rd_app_write needs a folder" : "there is no own app '%s'",
                        name ? name : "(null)");
    for (size_t i = 0; i < device_count; i++)
        if (!devices[i] || !devices[i]->caps.only_compiles)
            return rd__fail(err, RD_EARG, "%s is no architecture to compile for, as sm_NN is one of a kind of GPU",
                            devices[i] ? devices[i]->info.name : "(null)");
    for (const rd__own_program *program = app->programs; program->name[0] && count < RD__OWN_PROGRAMS; program++) {
        if (strcmp(program->engine, RD__OWN_CHECK_ROOT) == 0 && !app->file.has_check)
            continue; /* it is the last one */
        RD_TRY(write_program(app, program, folder, key[count], err));
        count++;
    }
    written = count + 1;
    RD_TRY(write_images(app, &all, folder, &written, err));
    RD_TRY(begin(&out, folder, app->file.name, ".c", err));
    RD_TRY(rd__sink_close(&out.sink, say_table(&out, app, key, count, &all), err));
    if (files)
        *files = written;
    return RD_OK;
}
