/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - see compile.h.
 *
 * What the compiler (cc.h) made goes into the cache of programs and from there to the loader. The loader wants a file:
 * it gets a memfd that holds the very bytes that the cache has checked (owner, mode, checksum: cache.c), so nobody can
 * exchange them in between, and a folder that forbids programs does not matter.
 */
#define _GNU_SOURCE /* st_mtim */
#include "device/cpu/compile.h"
#include "device/cpu/ahead.h"
#include "device/cpu/cc.h"
#include "device/cpu/leave.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "device/cache.h"
#include "device/source.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Static_assert(RD__CPU_MOST_ARGS == RD__MAX_ARGS, "kernels and launches have the same limit");

static rd__cpu_lane *get_self(void)
{
    return rd__cpu_self;
}

/* The loader takes two files of one name for the same: the descriptor, which is the name, stays open as long as the
 * library. */
typedef struct loaded {
    void *handle;
    int fd;
} loaded;

void rd__cpu_own_unload(void *library)
{
    loaded *own = library;
    if (!own)
        return;
    if (own->handle)
        (void)dlclose(own->handle);
    if (own->fd >= 0)
        close(own->fd);
    rd__free(own);
}

static rd_status open_image(const rd__program_spec *spec, const char *image, size_t bytes, loaded *own, rd_error *err)
{
    char path[64];
    RD_TRY(rd__cpu_memory_file("own program", image, bytes, &own->fd, err));
    snprintf(path, sizeof path, "/proc/self/fd/%d", own->fd);
    own->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *said = own->handle ? NULL : dlerror();
    if (!own->handle)
        return rd__fail(err, RD_EBUILD, "the program made of %s cannot be loaded: %s", spec->own->name,
                        said ? said : "no reason given");
    return RD_OK;
}

static rd__cpu_hooks make_hooks(void)
{
    rd__cpu_hooks hooks = {.get_self = get_self,
                           .group_barrier = rd__cpu_group_barrier,
                           .group_memory = rd__cpu_group_memory,
                           .pause = rd__cpu_pause,
                           .idle = rd__cpu_idle,
                           .wait = rd__cpu_wait,
                           .breach = rd__cpu_leave_breach};
#ifdef RD_CPU_THREAD_POINTER
    hooks.self = (char *)&rd__cpu_self - (char *)__builtin_thread_pointer();
#endif
    return hooks;
}

static rd_status load(const rd__program_spec *spec, const char *image, size_t bytes, void **library,
                      const rd__cpu_kernel_entry **table, rd_error *err)
{
    const rd__cpu_hooks hooks = make_hooks();
    const rd__cpu_kernel_entry *(*entry)(const rd__cpu_hooks *) = NULL;
    loaded *own = rd__calloc(1, sizeof *own);
    if (!own)
        return rd__fail_memory(err, "a program", sizeof *own);
    own->fd = -1;
    rd_status status = open_image(spec, image, bytes, own, err);
    void *address = status == RD_OK ? dlsym(own->handle, "rd__cpu_own_table") : NULL;
    memcpy(&entry, &address, sizeof entry); /* ISO C has no cast from object to function pointer; POSIX does */
    if (status == RD_OK && !entry)
        status = rd__fail(err, RD_EBUILD, "the program made of %s has no kernels", spec->own->name);
    if (status != RD_OK) {
        rd__cpu_own_unload(own);
        return status;
    }
    *library = own;
    *table = entry(&hooks);
    return RD_OK;
}

/* Has a file variables of its own, which it should not have? Each part would have them. Constants do no harm. */
static int has_variables(const char *text)
{
    static const char word[] = "static", constant[] = " const ";
    for (const char *at = strstr(text, word); at; at = strstr(at, word)) {
        at += sizeof word - 1;
        if (strncmp(at, constant, sizeof constant - 1) != 0 || at[strcspn(at, "*=;({")] == '*')
            return 1;
    }
    return 0;
}

/* What the second part is compiled with, by the level that rd_kernel_apart names. `hot` takes half of the time of -O3
 * and runs as many instructions, give or take two in a hundred (three more on roads under `steal` without -fgcse).
 * clang inlines nothing at -O1 unless told to. Vectors of straight-line code are not looked for: of the counts of a
 * worker of `multi` gcc 12 took three fifths of its time. */
static const char *level_flags(const char *level)
{
    static const struct {
        const char *level, *flags;
    } table[] = {{"Og,", "-Og"},
                 {"hot,", "-O1 -finline-functions -fstrict-aliasing -fexpensive-optimizations "
                          "-fgcse -ftree-vectorize -fno-tree-slp-vectorize"},
                 {"O2,", "-O2 -fno-tree-slp-vectorize"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(level, table[i].level, strlen(table[i].level)) == 0)
            return table[i].flags;
    return "-O3";
}

/* Is it compiled in two parts (rd_kernel_apart of dialect/cpu.h)? One core takes longer for two.
 * @return flags of the second one; NULL: it is compiled whole. */
static const char *in_parts(const rd__program_spec *spec, const char *text)
{
    static const char mark[] = "\nrd_kernel_apart(";
    const char *found = strstr(text, mark);
    if (!found || has_variables(spec->own->text) || rd__thread_count(0) < 2)
        return NULL;
    return level_flags(found + sizeof mark - 1);
}

/* A file that has vectors gets them as wide as the library's programs have them (Makefile, VECTOR_PROGRAMS). */
static const char *vector_flags(const char *text)
{
#if defined(__x86_64__)
    const int vectors = strstr(text, "rd_f32v") || strstr(text, "rd_u32v");
    if (vectors && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "-mavx2 -mfma ";
#endif
    (void)text;
    return "";
}

rd_status rd__cpu_own_load(const rd__program_spec *spec, int wide, int debug, int use_cache, void **library,
                           const rd__cpu_kernel_entry **table, rd_error *err)
{
    /* As the build compiles the library's own kernels. Groups of several lanes are for tests: half of it will do. Loops
     * are aligned: by where they happened to lie fib was up to 4 % slower than the library's. */
    char flags[RD__CPU_CC_WORDS], *text = NULL, *image = NULL;
    rd__cpu_cc cc;
    size_t bytes = 0;
    *library = NULL;
    const rd__cpu_hooks hooks = make_hooks();
    *table = wide || debug ? NULL : rd__cpu_ahead_find(spec, &hooks);
    if (*table)
        return RD_OK;
    const int n = snprintf(flags, sizeof flags,
                           "-std=gnu11 -%s -w -fPIC -fvisibility=hidden "
                           "-fno-math-errno -fno-trapping-math -falign-loops=32 "
                           "-DRD_TARGET_CPU=1 -DRD_CPU_OWN=1 -DRD_CPU_WIDE=%d %s%s%s %s",
                           wide ? "O1" : "O3", wide, vector_flags(spec->own->text), debug ? "-DRD_CPU_DEBUG=1 " : "",
                           spec->constants ? spec->constants : "", spec->defines ? spec->defines : "");
    if (n < 0 || (size_t)n >= sizeof flags)
        return rd__fail(err, RD_EARG, "too many constants for program %s", spec->name);
    RD_TRY(rd__cpu_cc_find(&cc, err));
    RD_TRY(rd__source_assemble(spec->root, spec->own, spec->engine, 1, &text, err));
    rd__hash key = {{0, 0}};
    rd__hash_text(&key, RD__CPU_CC_WAY);
    rd__hash_text(&key, text);
    const char *second = wide ? NULL : in_parts(spec, text);
    const rd__cpu_cc_task task = {spec->own->name, flags, text, second};
    rd__hash_text(&key, flags);
    rd__hash_text(&key, second ? second : "");
    rd__hash_text(&key, cc.path);
    for (int i = 1; i < cc.words; i++)
        rd__hash_text(&key, cc.word[i]);
    rd__hash_add(&key, &cc.info.st_size, sizeof cc.info.st_size);
    rd__hash_add(&key, &cc.info.st_mtim, sizeof cc.info.st_mtim);
    void *found = NULL;
    rd_status status = RD_OK;
    const int hit = use_cache && rd__cache_get(&key, &found, &bytes);
    if (!hit)
        rd__log(RD_LOG_INFO, "compiling %s with %s", spec->name, cc.path);
    if (hit)
        image = found;
    else
        status = rd__cpu_cc_run(&cc, &task, &image, &bytes, err);
    if (status == RD_OK)
        status = load(spec, image, bytes, library, table, err);
    if (status == RD_OK && !hit && use_cache)
        rd__cache_put(&key, image, bytes);
    rd__free(image);
    rd__free(text);
    return status;
}
