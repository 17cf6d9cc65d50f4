/* SPDX-License-Identifier: Apache-2.0 */
/* source.c - one text made of a kernel root and all it includes; see source.h. */
#include "device/source.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FILES = 256, MAX_DEPTH = 16 };

struct assembly {
    char *text;
    size_t used, room;
    const char *seen[MAX_FILES];
    int seen_count;
    int system;
    const rd__own_source *own;
    rd_error *err;
};

static rd_status append(struct assembly *a, const char *data, size_t bytes)
{
    if (a->used + bytes + 1 > a->room) {
        size_t room = 2 * a->room + bytes + 4096;
        char *grown = rd__realloc(a->text, room);
        if (!grown)
            return rd__fail_memory(a->err, "kernel source", room);
        a->text = grown;
        a->room = room;
    }
    memcpy(a->text + a->used, data, bytes);
    a->used += bytes;
    a->text[a->used] = '\0';
    return RD_OK;
}

static rd_status append_line_mark(struct assembly *a, unsigned line, const char *name)
{
    char mark[32];
    int n = snprintf(mark, sizeof mark, "#line %u \"", line);
    RD_TRY(append(a, mark, (size_t)n));
    for (const char *at = name; *at; at++) { /* an own file may be called anything */
        const int plain = (unsigned char)*at >= ' ' && *at != '"' && *at != '\\';
        RD_TRY(append(a, plain ? at : "_", 1));
    }
    return append(a, "\"\n", 2);
}

/* When the line is #include "name", copies the name and returns 1. <name> is the host compiler's business and is
 * dropped (2). Blanks may be in it anywhere; comments were made blanks before (apps/own/scan.c). */
static int is_include(const char *line, size_t length, char *name, size_t room)
{
    static const char word[] = "include";
    const char *from = line + strspn(line, " \t");
    if (*from != '#')
        return 0;
    from += 1 + strspn(from + 1, " \t");
    if (strncmp(from, word, sizeof word - 1) != 0)
        return 0;
    from += sizeof word - 1;
    from += strspn(from, " \t");
    if (*from == '<')
        return 2;
    const char *to = *from == '"' ? memchr(from + 1, '"', (size_t)(line + length - from - 1)) : NULL;
    if (!to || (size_t)(to - from) > room)
        return 0;
    memcpy(name, from + 1, (size_t)(to - from - 1));
    name[to - from - 1] = '\0';
    return 1;
}

static rd_status add_file(struct assembly *a, const char *name, const char *from, int depth);

static rd_status add_text(struct assembly *a, const char *name, const char *text, int depth)
{
    RD_TRY(append_line_mark(a, 1, name));
    unsigned number = 1;
    for (const char *line = text; *line; number++) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        char other[96];
        int include = is_include(line, length, other, sizeof other);
        if (include == 1) {
            RD_TRY(add_file(a, other, name, depth + 1));
            if (a->own && depth == 0 && strcmp(other, a->own->model) == 0)
                RD_TRY(append(a, a->own->behind, strlen(a->own->behind)));
            RD_TRY(append_line_mark(a, number + 1, name));
        } else if (include == 2 && !a->system) {
            RD_TRY(append(a, "\n", 1));
        } else {
            RD_TRY(append(a, line, length));
        }
        line += length;
    }
    return append(a, "\n", 1);
}

static rd_status add_file(struct assembly *a, const char *name, const char *from, int depth)
{
    for (int i = 0; i < a->seen_count; i++)
        if (strcmp(a->seen[i], name) == 0)
            return RD_OK;
    const rd__source_file *file = rd__source_files;
    while (file->name && strcmp(file->name, name) != 0)
        file++;
    /* "device/cpu/..." and host headers are for the CPU's compiler, which reads the real files; here their branch is
     * never taken. */
    if (!file->name && strncmp(name, "device/", 7) == 0)
        return RD_OK;
    if (!file->name || depth > MAX_DEPTH || a->seen_count == MAX_FILES)
        return rd__fail(a->err, RD_EBUILD, "kernel source %s includes \"%s\", which is not embedded in this library",
                        from, name);
    a->seen[a->seen_count++] = file->name;
    return add_text(a, name, file->text, depth);
}

/* The library's apps that are own files have what goes before them beside them (tools/programs.sh), as users' files get
 * it from apps/own/kernel.c. */
static rd_status add_root(struct assembly *a, const char *root)
{
    char before[96];
    const size_t length = strlen(root), end = length > 4 ? length - 4 : 0; /* without .k.c */
    const int n = snprintf(before, sizeof before, "own/%.*s.k.h", (int)end, root);
    const rd__source_file *file = rd__source_files;
    while (file->name && strcmp(file->name, before) != 0)
        file++;
    if (file->name && n > 0 && n < (int)sizeof before)
        RD_TRY(add_file(a, before, root, 0));
    return add_file(a, root, "(root)", 0);
}

rd_status rd__source_assemble(const char *root, const rd__own_source *own, const char *engine, int system, char **text,
                              rd_error *err)
{
    struct assembly a = {.err = err, .system = system, .own = own};
    rd_status status = own ? add_text(&a, "declarations", own->before, 1) : add_root(&a, root);
    if (status == RD_OK && own)
        status = add_text(&a, own->name, own->text, 0);
    if (status == RD_OK && engine)
        status = add_file(&a, engine, root, 0);
    if (status != RD_OK) {
        rd__free(a.text);
        a.text = NULL;
    }
    *text = a.text;
    return status;
}
