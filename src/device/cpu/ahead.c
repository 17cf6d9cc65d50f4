/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - see ahead.h. A program that is written ahead of time is the text that the system's compiler would get, with
 * its constants as lines, and a function of its own name that hands out its kernels. Its key is the hash of that text,
 * in which the library's kernel files and the layout of what they find in the back end are: kernels that were made of
 * other ones are never called.
 */
#include "device/cpu/ahead.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "device/source.h"

#include <stdio.h>
#include <string.h>

enum { HEAD_ROOM = 2048 };

/* "-DA=1 -DB" as lines "#define A 1", "#define B 1". @return how much was written. */
static size_t write_constants(const char *constants, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (const char *at = constants ? constants : ""; *at && used < room;) {
        const size_t length = strcspn(at, " "), name = strcspn(at, "= ");
        if (length > 2 && strncmp(at, "-D", 2) == 0) {
            const int n = snprintf(text + used, room - used, "#define %.*s %.*s\n", (int)name - 2, at + 2,
                                   name < length ? (int)(length - name - 1) : 1, name < length ? at + name + 1 : "1");
            used += (size_t)(n > 0 ? n : 0);
        }
        at += length + strspn(at + length, " ");
    }
    return used;
}

static rd_status assemble(const rd__program_spec *spec, char *head, char **text, uint64_t key[2], rd_error *err)
{
    rd__hash hash = {{0, 0}};
    const size_t used = (size_t)snprintf(head, HEAD_ROOM,
                                         "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
                                         "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
                                         "#pragma GCC diagnostic ignored \"-Wpedantic\"\n"
                                         "#define RD_TARGET_CPU 1\n#define RD_CPU_OWN 1\n#define RD_CPU_WIDE 0\n"
                                         "#define rd__cpu_own_table raddle_%s_table\n",
                                         spec->name);
    if (used + write_constants(spec->constants, head + used, HEAD_ROOM - used) >= HEAD_ROOM)
        return rd__fail(err, RD_EARG, "too many constants for program %s", spec->name);
    RD_TRY(rd__source_assemble(spec->root, spec->own, spec->engine, 1, text, err));
    rd__hash_text(&hash, head);
    rd__hash_text(&hash, *text);
    memcpy(key, hash.word, sizeof hash.word);
    return RD_OK;
}

rd_status rd__cpu_ahead_write(const rd__program_spec *spec, char **text, uint64_t key[2], rd_error *err)
{
    char head[HEAD_ROOM], tail[512], *body = NULL;
    RD_TRY(assemble(spec, head, &body, key, err));
    snprintf(tail, sizeof tail,
             "\nconst void *raddle_%s(const void *hooks);\nconst void *raddle_%s(const void *hooks)\n{\n"
             "    return rd__cpu_own_table((const rd__cpu_hooks *)hooks);\n}\n",
             spec->name, spec->name);
    const size_t bytes = strlen(head) + strlen(body) + strlen(tail) + 1;
    *text = rd__malloc(bytes);
    if (*text)
        snprintf(*text, bytes, "%s%s%s", head, body, tail);
    rd__free(body);
    return *text ? RD_OK : rd__fail_memory(err, "the text of a program", bytes);
}

const rd__cpu_kernel_entry *rd__cpu_ahead_find(const rd__program_spec *spec, const rd__cpu_hooks *hooks)
{
    char head[HEAD_ROOM], *body = NULL;
    uint64_t key[2] = {0, 0};
    if (!spec->own->program_count || assemble(spec, head, &body, key, NULL) != RD_OK)
        return NULL;
    const rd_app_program *program = spec->own->programs, *end = program + spec->own->program_count;
    rd__free(body);
    while (program != end && (!program->kernels || program->key[0] != key[0] || program->key[1] != key[1]))
        program++;
    if (program != end)
        return program->kernels(hooks);
    rd__log(RD_LOG_WARN, "%s: what was compiled ahead of time belongs to another version of this library",
            spec->own->name);
    return NULL;
}
