/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.c - see program.h. A binary from the cache that the driver refuses is built again from source.
 *
 * Drivers keep caches of their own, and not all of them keep two processes apart that build the same program at the
 * same time: PoCL 3.1 then fails one of them without naming an error in the text, about once in a hundred times that
 * eight start together on a cold cache. A failure that names no error is therefore tried again; one that does is the
 * program's own, and told at once.
 *
 * Nothing is kept here of what PoCL compiles. It compiles a kernel when it is launched, for the width of that launch,
 * and keeps that on disk itself; asked for a binary it compiles every kernel of the program once more, for any width:
 * twice the time of a cold start (bfs under fifo 5.4 s instead of 2.6), to save 0.04 s of each warm one.
 *
 * Those 0.04 s, in which PoCL preprocesses the text to find it in its cache, are more than most jobs on small graphs
 * take. So an open device keeps the programs that it built last, and a job that wants one of them again has it at once.
 * All of that is done under the lock of api.h.
 */
#include "device/opencl/program.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/signals.h"
#include "device/cache.h"
#include "device/source.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_ROOM = 600 }; /* of what a compiler said, in an error; all of it goes to the log where it is longer */

/* What the compiler said; NULL when it cannot be had. Freed with rd__free. */
static char *build_log(rd__opencl_device *device, void *program)
{
    size_t bytes = 0;
    char *log = NULL;
    const rd__opencl_api *cl = device->cl;
    if (cl->clGetProgramBuildInfo(program, device->id.device, CL_PROGRAM_BUILD_LOG_ID, 0, NULL, &bytes) == 0 &&
        (log = rd__calloc(bytes + 1, 1)) != NULL)
        (void)cl->clGetProgramBuildInfo(program, device->id.device, CL_PROGRAM_BUILD_LOG_ID, bytes, log, NULL);
    return log;
}

static rd_status fail_build(rd__opencl_device *device, const rd__program_spec *spec, int code, const char *log,
                            rd_error *err)
{
    if (log && strlen(log) > MESSAGE_ROOM)
        rd__log(RD_LOG_ERROR, "%s on %s:\n%s", device->base.info.name, spec->name, log);
    return rd__fail(err, RD_EBUILD, "%s could not compile %s: %s (%d): %.*s", device->base.info.name, spec->name,
                    rd__opencl_error(code), code, MESSAGE_ROOM, log ? log : "(no log)");
}

static int run_compiler(const rd__opencl_device *device, void *program, const char *options)
{
    rd__signals held;
    rd__signals_hold(&held);
    const int code = device->cl->clBuildProgram(program, 1, &device->id.device, options, NULL, NULL);
    rd__signals_release(&held);
    return code;
}

static void *from_binary(rd__opencl_device *device, const void *image, size_t bytes)
{
    const rd__opencl_api *cl = device->cl;
    const unsigned char *text = image;
    int status = 0, code = 0;
    void *program =
        cl->clCreateProgramWithBinary(device->context, 1, &device->id.device, &bytes, &text, &status, &code);
    if (code == 0 && status == 0 && run_compiler(device, program, "") == 0)
        return program;
    if (program)
        (void)cl->clReleaseProgram(program);
    rd__log(RD_LOG_WARN, "%s does not take a program from the kernel cache; it is built again", device->base.info.name);
    return NULL;
}

static void keep_binary(rd__opencl_device *device, void *program, const rd__hash *key)
{
    const rd__opencl_api *cl = device->cl;
    size_t bytes = 0;
    unsigned char *image = NULL;
    if (cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES_ID, sizeof bytes, &bytes, NULL) == 0 && bytes &&
        (image = rd__malloc(bytes)) != NULL &&
        cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES_ID, sizeof image, &image, NULL) == 0)
        rd__cache_put(key, image, bytes);
    rd__free(image);
}

static rd_status from_source(rd__opencl_device *device, const rd__program_spec *spec, const char *text,
                             const char *options, void **out, rd_error *err)
{
    enum { ATTEMPTS = 4 };
    const rd__opencl_api *cl = device->cl;
    rd__log(RD_LOG_INFO, "compiling %s for %s, %u lanes", spec->name, device->base.info.name, spec->lanes);
    for (int attempt = 1;; attempt++) {
        int code = 0;
        void *program = cl->clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
        if (code != 0)
            return fail_build(device, spec, code, NULL, err);
        code = run_compiler(device, program, options);
        if (code == 0) {
            *out = program;
            return RD_OK;
        }
        char *log = build_log(device, program);
        const int final = attempt == ATTEMPTS || !log || strstr(log, "error");
        if (final)
            (void)fail_build(device, spec, code, log, err);
        else
            rd__log(RD_LOG_INFO, "%s failed on %s and names no error; once more", device->base.info.name, spec->name);
        rd__free(log);
        (void)cl->clReleaseProgram(program);
        if (final)
            return RD_EBUILD;
    }
}

static void *from_kept(rd__opencl_device *device, const rd__hash *key)
{
    for (uint32_t i = 0; i < RD__OPENCL_KEPT; i++) {
        const rd__opencl_kept *kept = &device->kept[i];
        if (kept->program && memcmp(&kept->key, key, sizeof *key) == 0 &&
            device->cl->clRetainProgram(kept->program) == 0)
            return kept->program;
    }
    return NULL;
}

static void keep(rd__opencl_device *device, const rd__hash *key, void *program)
{
    rd__opencl_kept *kept = &device->kept[device->kept_next];
    if (device->cl->clRetainProgram(program) != 0)
        return;
    if (kept->program)
        (void)device->cl->clReleaseProgram(kept->program);
    *kept = (rd__opencl_kept){.key = *key, .program = program};
    device->kept_next = (device->kept_next + 1) % RD__OPENCL_KEPT;
}

void rd__opencl_forget(rd__opencl_device *device)
{
    for (uint32_t i = 0; i < RD__OPENCL_KEPT; i++)
        if (device->kept[i].program)
            (void)device->cl->clReleaseProgram(device->kept[i].program);
}

/* From the cache on disk where it has the program, else from source. */
static rd_status build(rd__opencl_device *device, const rd__program_spec *spec, const char *text, const char *options,
                       const rd__hash *key, void **program, rd_error *err)
{
    const int use_cache = device->base.use_cache && !device->id.keeps_programs;
    void *image = NULL;
    size_t bytes = 0;
    if (use_cache && rd__cache_get(key, &image, &bytes))
        *program = from_binary(device, image, bytes);
    rd__free(image);
    if (*program)
        return RD_OK;
    RD_TRY(from_source(device, spec, text, options, program, err));
    if (use_cache)
        keep_binary(device, *program, key);
    return RD_OK;
}

int rd__opencl_has_warps(const rd__opencl_device *device, uint32_t lanes)
{
    return device->id.subgroup && lanes % device->id.subgroup == 0;
}

rd_status rd__opencl_build(rd__opencl_device *device, const rd__program_spec *spec, void **program, rd_error *err)
{
    static const char *const atomics[] = {
        [RD__CL_EXPLICIT] = "RD_CL_EXPLICIT", [RD__CL_PTX] = "RD_CL_PTX", [RD__CL_LEGACY] = "RD_CL_LEGACY"};
    char options[2048], warps[40] = "", *text = NULL;
    *program = NULL;
    if (rd__opencl_has_warps(device, spec->lanes))
        snprintf(warps, sizeof warps, " -DRD_CL_SUBGROUPS=%u", device->id.subgroup);
    /* Compilers for CPUs tell the terminal that there are warnings. The same text is compiled for the CPU without any.
     * And where they turn lanes into loops, a wide group's copies of what lies between barriers keep the optimiser busy
     * for most of a minute (bsp with 7 lanes under PoCL: 41 s, without it 2 s). Nobody runs wide groups there for their
     * speed. */
    const int unoptimised = device->base.caps.slow_wide_compile && spec->lanes > 1;
    int n = snprintf(options, sizeof options, "-cl-std=CL%d.%d%s%s%s -DRD_TARGET_OPENCL=1 -D%s=1%s -DRD_LANES=%u %s %s",
                     device->id.standard / 10, device->id.standard % 10, device->base.info.is_gpu ? "" : " -w",
                     unoptimised ? " -cl-opt-disable" : "",
                     device->id.rounds_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                     atomics[device->id.atomics], warps, spec->lanes, spec->constants ? spec->constants : "",
                     spec->defines ? spec->defines : "");
    if (n < 0 || (size_t)n >= sizeof options)
        return rd__fail(err, RD_EARG, "too many constants for program %s", spec->name);
    RD_TRY(rd__source_assemble(spec->root, spec->own, spec->engine, 0, &text, err));
    rd__hash key = {{0, 0}};
    rd__hash_text(&key, "opencl");
    rd__hash_text(&key, text);
    rd__hash_text(&key, options);
    rd__hash_text(&key, device->id.build);
    if (device->base.use_cache) /* else every job compiles anew, as its user wants it */
        *program = from_kept(device, &key);
    rd_status status = RD_OK;
    if (!*program) {
        status = build(device, spec, text, options, &key, program, err);
        if (status == RD_OK && device->base.use_cache)
            keep(device, &key, *program);
    }
    rd__free(text);
    return status;
}
