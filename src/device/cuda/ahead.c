/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - see ahead.h. Which constants a program is compiled with (lanes, forms of queues) is for its engine to say,
 * by device, options and input. So nothing here guesses: a device of the asked architecture, that is not there, is
 * given a job, and what the job loads is what a run loads.
 *
 * A program is known by the hash of its text and constants, in which the library's kernel files are, and of the target:
 * sm_90 is machine code for that architecture, compute_90 is PTX, which drivers of newer ones finish.
 */
#include "device/cuda/ahead.h"
#include "device/cuda/compile.h"

#include "core/hash.h"
#include "core/memory.h"
#include "device/source.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { OLDEST = 70, NEWEST = 199, IMAGES = 64, TARGET_ROOM = 24 };

/* ---- Finding ---- */

static rd_status hash_program(const rd__program_spec *spec, rd__hash *hash, rd_error *err)
{
    char options[RD__CUDA_OPTIONS_ROOM], *text = NULL;
    RD_TRY(rd__cuda_options(spec, options, err));
    RD_TRY(rd__source_assemble(spec->root, spec->own, spec->engine, 0, &text, err));
    *hash = (rd__hash){{0, 0}};
    rd__hash_text(hash, text);
    rd__hash_text(hash, options);
    rd__free(text);
    return RD_OK;
}

static const rd_app_program *find(const rd__program_spec *spec, rd__hash hash, const char *target)
{
    rd__hash_text(&hash, target);
    for (size_t i = 0; i < spec->own->program_count; i++) {
        const rd_app_program *program = &spec->own->programs[i];
        if (program->image && program->key[0] == hash.word[0] && program->key[1] == hash.word[1])
            return program;
    }
    return NULL;
}

int rd__cuda_ahead_has(const rd__program_spec *spec)
{
    for (size_t i = 0; spec->own && i < spec->own->program_count; i++)
        if (spec->own->programs[i].image)
            return 1;
    return 0;
}

/* Its own machine code, else the newest PTX that is not newer than the GPU. */
const void *rd__cuda_ahead_find(const rd__program_spec *spec, int arch, size_t *bytes)
{
    char target[TARGET_ROOM];
    rd__hash hash;
    if (!rd__cuda_ahead_has(spec) || hash_program(spec, &hash, NULL) != RD_OK)
        return NULL;
    snprintf(target, sizeof target, "sm_%d", arch);
    const rd_app_program *program = find(spec, hash, target);
    for (int older = arch; older >= OLDEST && !program; older--) {
        snprintf(target, sizeof target, "compute_%d", older);
        program = find(spec, hash, target);
    }
    *bytes = program ? program->bytes : 0;
    return program ? program->image : NULL;
}

/* ---- A device that compiles ---- */

typedef struct ahead_device {
    rd_device base;
    int arch, ptx;
    char target[TARGET_ROOM];
    rd__image image[IMAGES];
    uint32_t images;
} ahead_device;

struct rd__program {
    rd_device *device;
};

struct rd__kernel {
    rd__program *program;
};

static int read_target(const char *which, int *arch, int *ptx)
{
    uint64_t number = 0;
    *ptx = strncmp(which, ":compute_", 9) == 0;
    if (!*ptx && strncmp(which, ":sm_", 4) != 0)
        return 0;
    if (!rd_parse_u64(which + (*ptx ? 9 : 4), &number) || number < OLDEST || number > NEWEST)
        return -1;
    *arch = (int)number;
    return 1;
}

int rd__cuda_is_ahead(const char *which)
{
    int arch, ptx;
    return read_target(which, &arch, &ptx) != 0;
}

static void ahead_close(rd_device *base)
{
    ahead_device *device = (ahead_device *)base;
    for (uint32_t i = 0; i < device->images; i++)
        rd__free(device->image[i].made);
    rd__free(device);
}

static rd_status ahead_alloc(rd__buffer *buffer, rd_error *err)
{
    (void)err;
    buffer->at.address = 1; /* no memory: nothing runs that would read it */
    return RD_OK;
}

static void ahead_free(rd__buffer *buffer)
{
    (void)buffer;
}

static rd_status ahead_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    (void)buffer, (void)offset, (void)bytes, (void)data, (void)err;
    return RD_OK;
}

static rd_status ahead_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    (void)buffer, (void)offset, (void)err;
    memset(data, 0, bytes);
    return RD_OK;
}

static rd_status ahead_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    (void)buffer, (void)offset, (void)bytes, (void)word, (void)err;
    return RD_OK;
}

static rd_status compile_for(const ahead_device *device, const rd__program_spec *spec, char **made, size_t *bytes,
                             rd_error *err)
{
    return device->ptx ? rd__nvrtc_compile_ptx(spec, device->arch, made, bytes, err)
                       : rd__nvrtc_compile(spec, device->arch, (int)device->base.use_cache, made, bytes, err);
}

/* A program of the library's own apps is nobody's to write down: it is compiled into the cache on disk, where a machine
 * with such a GPU finds it. */
static rd_status fill_cache(const ahead_device *device, const rd__program_spec *spec, rd_error *err)
{
    char *made = NULL;
    size_t bytes = 0;
    const rd_status status = compile_for(device, spec, &made, &bytes, err);
    rd__free(made);
    return status;
}

/* Compiles it, unless the caller brought it or a job before did. */
static rd_status add_image(ahead_device *device, const rd__program_spec *spec, rd_error *err)
{
    rd__hash hash;
    char *made = NULL;
    size_t bytes = 0;
    RD_TRY(hash_program(spec, &hash, err));
    const rd_app_program *brought = find(spec, hash, device->target);
    rd__hash_text(&hash, device->target);
    for (uint32_t i = 0; i < device->images; i++)
        if (memcmp(device->image[i].key, hash.word, sizeof hash.word) == 0)
            return RD_OK;
    if (device->images == IMAGES)
        return rd__fail(err, RD_EARG, "%s: more than %d programs", device->base.info.name, IMAGES);
    rd__image *image = &device->image[device->images];
    *image = (rd__image){.own = spec->own, .target = device->target};
    snprintf(image->program, sizeof image->program, "%s", spec->name);
    memcpy(image->key, hash.word, sizeof hash.word);
    if (!brought)
        RD_TRY(compile_for(device, spec, &made, &bytes, err));
    image->data = brought ? brought->image : made;
    image->bytes = brought ? brought->bytes : bytes;
    image->made = made;
    device->images++;
    return RD_OK;
}

static rd_status ahead_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    ahead_device *device = (ahead_device *)base;
    RD_TRY(spec->own ? add_image(device, spec, err) : fill_cache(device, spec, err));
    *out = rd__calloc(1, sizeof **out);
    if (!*out)
        return rd__fail_memory(err, "a program", sizeof **out);
    (*out)->device = base;
    return RD_OK;
}

static void ahead_unload(rd__program *program)
{
    rd__free(program);
}

/* One kernel is as good as another: none is launched. */
static rd_status ahead_kernel(rd__program *program, const char *name, rd__kernel **kernel, rd_error *err)
{
    static rd__kernel any;
    (void)program, (void)name, (void)err;
    *kernel = &any;
    return RD_OK;
}

static rd_status ahead_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    (void)kernel, (void)err;
    *groups = 1;
    return RD_OK;
}

static rd_status ahead_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                              rd_error *err)
{
    (void)kernel, (void)groups, (void)cooperative, (void)args, (void)count;
    return rd__fail(err, RD_EDEVICE, "a device that is an architecture (cuda:sm_NN) compiles programs, and runs none");
}

static rd_status ahead_idle_by(rd_device *base, double until, int *idle, rd_error *err)
{
    (void)base, (void)until, (void)err;
    *idle = 1;
    return RD_OK;
}

static rd_status ahead_nothing(rd_device *base, rd_error *err)
{
    (void)base, (void)err;
    return RD_OK;
}

static rd_status ahead_time_end(rd_device *base, double *seconds, rd_error *err)
{
    (void)base, (void)err;
    *seconds = 0;
    return RD_OK;
}

static const rd__image *ahead_images(const rd_device *base, uint32_t *count)
{
    const ahead_device *device = (const ahead_device *)base;
    *count = device->images;
    return device->image;
}

static const rd__backend ahead_backend = {
    .name = "cuda",
    .close = ahead_close,
    .alloc = ahead_alloc,
    .free = ahead_free,
    .write = ahead_write,
    .read = ahead_read,
    .fill = ahead_fill,
    .load = ahead_load,
    .images = ahead_images,
    .unload = ahead_unload,
    .kernel = ahead_kernel,
    .resident = ahead_resident,
    .launch = ahead_launch,
    .idle_by = ahead_idle_by,
    .ask_stop = ahead_nothing,
    .time_begin = ahead_nothing,
    .time_mark = ahead_nothing,
    .time_end = ahead_time_end,
};

/* What programs depend on is the same for all GPUs that are supported; the rest is of the largest ones. */
static void describe(ahead_device *device)
{
    enum { LANES_PER_UNIT = 2048, GROUP = 1024, WARP = 32, LOCAL = 48 << 10 };
    const uint32_t units = device->arch >= 90 ? 132 : 108;
    rd_device_info *info = &device->base.info;
    *info = (rd_device_info){.is_gpu = 1,
                             .usable = 1,
                             .memory = 1ull << 40,
                             .memory_max_alloc = 1ull << 40,
                             .compute_units = units,
                             .resident_lanes = units * LANES_PER_UNIT,
                             .max_group = GROUP,
                             .warp = WARP,
                             .local_bytes = LOCAL};
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->name, sizeof info->name, "cuda:%s", device->target);
    snprintf(info->model, sizeof info->model, "%s, to compile for", device->target);
    snprintf(info->driver, sizeof info->driver, "NVRTC %d.%d", rd__nvrtc_version() / 1000,
             rd__nvrtc_version() % 1000 / 10);
    device->base.caps = (rd__device_caps){.coresident = 1, .loops = 1, .only_compiles = 1};
}

rd_status rd__cuda_ahead_open(const char *which, rd_device **out, rd_error *err)
{
    int arch = 0, ptx = 0;
    char reason[256];
    if (read_target(which, &arch, &ptx) < 0)
        return rd__fail(err, RD_EARG, "'cuda%s' is no architecture: use cuda:sm_NN or cuda:compute_NN, NN from %d on",
                        which, OLDEST);
    if (!rd__nvrtc_open(reason, sizeof reason))
        return rd__fail(err, RD_EDEVICE, "programs for cuda%s cannot be compiled: %s", which, reason);
    ahead_device *device = rd__calloc(1, sizeof *device);
    if (!device)
        return rd__fail_memory(err, "a device", sizeof *device);
    device->base.backend = &ahead_backend;
    device->arch = arch;
    device->ptx = ptx;
    snprintf(device->target, sizeof device->target, "%s_%d", ptx ? "compute" : "sm", arch);
    describe(device);
    *out = &device->base;
    return RD_OK;
}
