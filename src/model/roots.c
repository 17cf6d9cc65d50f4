/* SPDX-License-Identifier: Apache-2.0 */
/* roots.c - the kernel roots and programs that the library was built with. */
#include "model/model.h"

#include <string.h>

static const rd__root roots[] = {
#define ROOT(name, path, model, traits) {name, path, model, traits},
#include "gen/roots.def"
#undef ROOT
};

static const struct {
    const char *name, *root, *engine, *constants;
} programs[] = {
#define PROGRAM(name, root, engine, constants) {#name, root, engine, constants},
#include "gen/programs.def"
#undef PROGRAM
};
enum { ROOTS = sizeof roots / sizeof roots[0], PROGRAMS = sizeof programs / sizeof programs[0] };

const rd__root *rd__root_find(const char *name)
{
    for (int i = 0; i < ROOTS; i++)
        if (strcmp(roots[i].name, name) == 0)
            return &roots[i];
    return NULL;
}

static int find_program(const char *name)
{
    int i = 0;
    while (i < PROGRAMS && strcmp(programs[i].name, name) != 0)
        i++;
    return i;
}

int rd__program_exists(const char *name)
{
    return find_program(name) < PROGRAMS;
}

rd_status rd__program_load_named(rd_device *device, const char *name, uint32_t lanes, const char *defines,
                                 rd__program **program, rd_error *err)
{
    const int i = find_program(name);
    if (i == PROGRAMS)
        return rd__fail(err, RD_EBUILD, "there is no program '%s' in this library", name);
    const rd__program_spec spec = {.name = programs[i].name,
                                   .root = programs[i].root,
                                   .engine = programs[i].engine[0] ? programs[i].engine : NULL,
                                   .constants = programs[i].constants,
                                   .lanes = lanes,
                                   .defines = defines};
    return rd__program_load(device, &spec, program, err);
}
