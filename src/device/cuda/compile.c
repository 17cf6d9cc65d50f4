/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - see compile.h. */
#include "device/cuda/compile.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/signals.h"
#include "device/cache.h"
#include "device/cuda/toolkit.h"
#include "core/library.h"
#include "device/source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
#define FN(name, symbol, params) int(*name) params;
#include "device/cuda/nvrtc.fn"
#undef FN
    int version;
    int ready;
    char reason[256];
} nvrtc;

static void open_once(void)
{
    char beside_toolkit[512] = "libnvrtc.so";
    const char *home = getenv("CUDA_HOME") ? getenv("CUDA_HOME") : getenv("CUDA_PATH");
    if (home && *home)
        snprintf(beside_toolkit, sizeof beside_toolkit, "%s/lib64/libnvrtc.so", home);
    const char *const names[] = {"libnvrtc.so.13",
                                 "libnvrtc.so.12",
                                 "libnvrtc.so",
                                 beside_toolkit,
                                 "/usr/local/cuda/lib64/libnvrtc.so",
                                 "/usr/local/cuda/lib/libnvrtc.so",
                                 "/opt/cuda/lib64/libnvrtc.so",
                                 "libnvrtc.so.11.2",
                                 NULL};
    char reason[200] = "";
    void *library = rd__library_open(names, reason, sizeof reason);
    if (!library) {
        snprintf(nvrtc.reason, sizeof nvrtc.reason, "NVRTC, CUDA's run-time compiler, was not found (%s)", reason);
        return;
    }
#define FN(name, symbol, params)                                                                                       \
    if (!rd__library_symbol(library, #symbol, &nvrtc.name)) {                                                          \
        snprintf(nvrtc.reason, sizeof nvrtc.reason, "this NVRTC is too old: it lacks " #symbol);                       \
        return;                                                                                                        \
    }
#include "device/cuda/nvrtc.fn"
#undef FN
    int major = 0, minor = 0;
    (void)nvrtc.Version(&major, &minor);
    nvrtc.version = 1000 * major + 10 * minor;
    nvrtc.ready = 1;
}

int rd__nvrtc_open(char *reason, size_t room)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    if (!nvrtc.ready)
        snprintf(reason, room, "%s", nvrtc.reason);
    return nvrtc.ready;
}

int rd__nvrtc_version(void)
{
    return nvrtc.version;
}

/* The newest architecture this NVRTC knows that is not newer than arch; 0 when there is none. */
static int nearest_arch(int arch)
{
    int count = 0, best = 0;
    if (nvrtc.GetNumSupportedArchs(&count) != 0 || count <= 0)
        return 0;
    int *known = rd__calloc((size_t)count, sizeof *known);
    if (known && nvrtc.GetSupportedArchs(known) == 0)
        for (int i = 0; i < count; i++)
            if (known[i] <= arch && known[i] > best)
                best = known[i];
    rd__free(known);
    return best;
}

enum { MAX_OPTIONS = 32, FOLDER_ROOM = 1024, MESSAGE_ROOM = 700 };

/* Splits "-DA=1 -DB=2" into option[]. */
static int split_options(char *text, const char **option, int count)
{
    for (char *word = strtok(text, " "); word && count < MAX_OPTIONS; word = strtok(NULL, " "))
        option[count++] = word;
    return count;
}

/* What NVRTC needs to find a header of the toolkit: its folder, and a folder in it for what CUDA 13 moved there. */
typedef struct header_options {
    char folder[FOLDER_ROOM], include[FOLDER_ROOM + 8], moved[FOLDER_ROOM + 16], before[128];
} header_options;

static rd_status find_header(const char *header, header_options *o, const char **option, int *count, rd_error *err)
{
    RD_TRY(rd__toolkit_include(header, rd__library_file(&nvrtc.CompileProgram), nvrtc.version, o->folder,
                               sizeof o->folder, err));
    snprintf(o->include, sizeof o->include, "-I%s", o->folder);
    snprintf(o->moved, sizeof o->moved, "-I%s/cccl", o->folder);
    snprintf(o->before, sizeof o->before, "--pre-include=%s", header);
    if (*count + 3 > MAX_OPTIONS)
        return rd__fail(err, RD_EARG, "too many constants beside header %s", header);
    option[(*count)++] = o->include;
    option[(*count)++] = o->moved;
    option[(*count)++] = o->before;
    return RD_OK;
}

static rd_status fail_with_log(void *program, const rd__program_spec *spec, int arch, rd_error *err)
{
    size_t bytes = 0;
    char *log = NULL;
    if (nvrtc.GetProgramLogSize(program, &bytes) == 0 && (log = rd__malloc(bytes + 1)) != NULL) {
        log[0] = '\0';
        (void)nvrtc.GetProgramLog(program, log);
        if (strlen(log) > MESSAGE_ROOM) /* else the error has all of it */
            rd__log(RD_LOG_ERROR, "NVRTC on %s for sm_%d:\n%s", spec->name, arch, log);
    }
    rd__fail(err, RD_EBUILD, "NVRTC could not compile %s for sm_%d: %.*s", spec->name, arch, MESSAGE_ROOM,
             log ? log : "(no log)");
    rd__free(log);
    return RD_EBUILD;
}

static int run_compiler(void *program, int count, const char *const *option)
{
    rd__signals held;
    rd__signals_hold(&held);
    const int code = nvrtc.CompileProgram(program, count, option);
    rd__signals_release(&held);
    return code;
}

/* ptx: not machine code, even where this NVRTC could make it. */
static rd_status compile(const char *text, const rd__program_spec *spec, int arch, int ptx, char *options, char **image,
                         size_t *bytes, rd_error *err)
{
    const char *option[MAX_OPTIONS];
    void *program = NULL;
    int known = nearest_arch(arch), exact = known == arch && !ptx, count = split_options(options, option, 0);
    char target[48];
    header_options headers;
    if (!known)
        return rd__fail(err, RD_EBUILD, "this NVRTC (%d.%d) knows no architecture as old as sm_%d",
                        nvrtc.version / 1000, nvrtc.version % 1000 / 10, arch);
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", exact ? "sm" : "compute", known);
    if (count < MAX_OPTIONS)
        option[count++] = target;
    /* A macro that is defined twice is an error, not a warning that nobody sees: one name for two places in memory. */
    if (count < MAX_OPTIONS && nvrtc.version >= 12000)
        option[count++] = "--diag-error=47";
    if (spec->toolkit_header)
        RD_TRY(find_header(spec->toolkit_header, &headers, option, &count, err));
    if (nvrtc.CreateProgram(&program, text, spec->root, 0, NULL, NULL) != 0)
        return rd__fail(err, RD_EBUILD, "NVRTC could not take the source of %s", spec->name);
    rd_status status = RD_OK;
    if (run_compiler(program, count, option) != 0)
        status = fail_with_log(program, spec, arch, err);
    if (status == RD_OK && (exact ? nvrtc.GetCUBINSize(program, bytes) : nvrtc.GetPTXSize(program, bytes)) != 0)
        status = rd__fail(err, RD_EBUILD, "NVRTC gave no machine code for %s", spec->name);
    if (status == RD_OK && !(*image = rd__malloc(*bytes + 1)))
        status = rd__fail_memory(err, "a compiled program", *bytes);
    if (status == RD_OK && (exact ? nvrtc.GetCUBIN(program, *image) : nvrtc.GetPTX(program, *image)) != 0) {
        rd__free(*image);
        *image = NULL;
        status = rd__fail(err, RD_EBUILD, "NVRTC gave no machine code for %s", spec->name);
    }
    (void)nvrtc.DestroyProgram(&program);
    return status;
}

rd_status rd__cuda_options(const rd__program_spec *spec, char *text, rd_error *err)
{
    /* Of own apps errors alone: they come first, and are the user's. */
    const int n = snprintf(text, RD__CUDA_OPTIONS_ROOM, "--std=c++17 %s-DRD_TARGET_CUDA=1 %s-DRD_LANES=%u %s %s",
                           spec->own ? "--disable-warnings " : "", spec->places ? "-DRD_PLACES=1 " : "", spec->lanes,
                           spec->constants ? spec->constants : "", spec->defines ? spec->defines : "");
    return n >= 0 && n < RD__CUDA_OPTIONS_ROOM
               ? RD_OK
               : rd__fail(err, RD_EARG, "too many constants for program %s", spec->name);
}

/* What the compiler is given, if there is one. */
static rd_status prepare(const rd__program_spec *spec, char *options, char **text, rd_error *err)
{
    char reason[256];
    if (!rd__nvrtc_open(reason, sizeof reason))
        return rd__fail(err, RD_EDEVICE, "%s", reason);
    RD_TRY(rd__cuda_options(spec, options, err));
    return rd__source_assemble(spec->root, spec->own, spec->engine, 0, text, err);
}

rd_status rd__nvrtc_compile_ptx(const rd__program_spec *spec, int arch, char **image, size_t *bytes, rd_error *err)
{
    char options[RD__CUDA_OPTIONS_ROOM], *text = NULL;
    *image = NULL;
    RD_TRY(prepare(spec, options, &text, err));
    const rd_status status = compile(text, spec, arch, 1, options, image, bytes, err);
    rd__free(text);
    return status;
}

rd_status rd__nvrtc_compile(const rd__program_spec *spec, int arch, int use_cache, char **image, size_t *bytes,
                            rd_error *err)
{
    char options[RD__CUDA_OPTIONS_ROOM], *text = NULL;
    *image = NULL;
    RD_TRY(prepare(spec, options, &text, err));
    use_cache = use_cache && !spec->toolkit_header; /* the key does not know what such headers hold */
    rd__hash key = {{0, 0}};
    rd__hash_text(&key, "cuda");
    rd__hash_text(&key, text);
    rd__hash_text(&key, options);
    rd__hash_add(&key, &arch, sizeof arch);
    rd__hash_add(&key, &nvrtc.version, sizeof nvrtc.version);
    rd_status status = RD_OK;
    void *found = NULL;
    if (use_cache && rd__cache_get(&key, &found, bytes)) {
        *image = found;
    } else {
        rd__log(RD_LOG_INFO, "compiling %s for sm_%d, %u lanes", spec->name, arch, spec->lanes);
        status = compile(text, spec, arch, 0, options, image, bytes, err);
        if (status == RD_OK && use_cache)
            rd__cache_put(&key, *image, *bytes);
    }
    rd__free(text);
    return status;
}
