/* SPDX-License-Identifier: Apache-2.0 */
/*
 * roots.c - the kernel roots and programs that the library was built with, and those of own apps, which come while the
 * program runs and stay. A list of those only grows at its head, by one writer at a time (apps/own/register.c has a
 * lock): what is there is complete when the head that leads to it is seen.
 */
#include "model/model.h"

#include "device/source.h"

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

static rd__own_root *own_roots;
static rd__own_program *own_programs;

void rd__root_add(rd__own_root *root)
{
    root->next = own_roots;
    __atomic_store_n(&own_roots, root, __ATOMIC_RELEASE); /* pairs with the acquire in rd__root_find */
}

void rd__program_add(rd__own_program *program)
{
    program->next = own_programs;
    __atomic_store_n(&own_programs, program, __ATOMIC_RELEASE); /* pairs with the acquire in find_own */
}

const rd__root *rd__root_find(const char *name)
{
    for (int i = 0; i < ROOTS; i++)
        if (strcmp(roots[i].name, name) == 0)
            return &roots[i];
    /* pairs with the release in rd__root_add */
    for (const rd__own_root *own = __atomic_load_n(&own_roots, __ATOMIC_ACQUIRE); own; own = own->next)
        if (strcmp(own->root.name, name) == 0)
            return &own->root;
    return NULL;
}

static const rd__own_program *find_own(const char *name)
{
    /* pairs with the release in rd__program_add */
    const rd__own_program *own = __atomic_load_n(&own_programs, __ATOMIC_ACQUIRE);
    while (own && strcmp(own->name, name) != 0)
        own = own->next;
    return own;
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
    return find_program(name) < PROGRAMS || find_own(name) != NULL;
}

int rd__program_is_own(const char *name)
{
    return find_own(name) != NULL;
}

static rd__program_spec spec_of(const rd__own_program *own, uint32_t lanes, const char *defines)
{
    return (rd__program_spec){.name = own->name,
                              .root = own->root->source->name,
                              .own = own->root->source,
                              .engine = own->engine,
                              .constants = own->constants,
                              .lanes = lanes,
                              .defines = defines};
}

rd_status rd__program_compile_own(const rd__own_program *program, const char *kind, uint32_t lanes, rd_error *err)
{
    const rd__program_spec spec = spec_of(program, lanes, NULL);
    return rd__program_compile(kind, &spec, err);
}

rd_status rd__program_write_own(const rd__own_program *program, char **text, uint64_t key[2], rd_error *err)
{
    const rd__program_spec spec = spec_of(program, 1, NULL);
    return rd__program_write(&spec, text, key, err);
}

rd_status rd__program_load_named(rd_device *device, const char *name, uint32_t lanes, const char *defines, int places,
                                 rd__program **program, rd_error *err)
{
    const int i = find_program(name);
    const rd__own_program *own = i == PROGRAMS ? find_own(name) : NULL;
    if (own) {
        rd__program_spec spec = spec_of(own, lanes, defines);
        spec.places = places != 0;
        return rd__program_load(device, &spec, program, err);
    }
    if (i == PROGRAMS)
        return rd__fail(err, RD_EBUILD, "there is no program '%s' in this library", name);
    const rd__program_spec spec = {.name = programs[i].name,
                                   .root = programs[i].root,
                                   .engine = programs[i].engine[0] ? programs[i].engine : NULL,
                                   .constants = programs[i].constants,
                                   .lanes = lanes,
                                   .defines = defines,
                                   .places = places != 0};
    return rd__program_load(device, &spec, program, err);
}
