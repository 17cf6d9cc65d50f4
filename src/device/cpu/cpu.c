/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.c - the CPU as a device: buffers are host memory, kernels are functions compiled with the library or, of own
 * programs, by compile.c, commands go to the pool. */
#include "device/cpu/ahead.h"
#include "device/cpu/compile.h"
#include "device/cpu/guard.h"
#include "device/cpu/leave.h"
#include "device/cpu/pool.h"
#include "device/cpu/team.h"
#include "device/cpu/topology.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "raddle/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OWN_GRACE = 2 }; /* seconds that an own program has to leave when it is asked to */

typedef struct cpu_device {
    rd_device base;
    rd__cpu_pool *pool;
    rd__cpu_pool *beside; /* for who runs beside the holder of the pool; NULL: nobody did yet. Atomic for cpu_rouse */
    uint32_t teams, width, pinned;
    double began, beside_began;
    int debug;                /* buffers have guards around them */
    rd__cpu_guarded *guarded; /* those buffers */
} cpu_device;

struct rd__program {
    cpu_device *device;
    const rd__cpu_kernel_entry *table;
    uint32_t own;
};

/* A kernel handle is the address of its table entry; the device comes along for launch. */
struct rd__kernel {
    cpu_device *device;
    const rd__cpu_kernel_entry *entry;
    rd__kernel *next;
    uint32_t own;
};

typedef struct cpu_program {
    struct rd__program base;
    rd__kernel *kernels;
    void *library; /* of an own program */
} cpu_program;

#define PROGRAM(name, root, engine, constants)                                                                         \
    extern const rd__cpu_kernel_entry rd__cpu_##name##_one[], rd__cpu_##name##_wide[];
#include "gen/programs.def"
#undef PROGRAM

static const struct {
    const char *name;
    const rd__cpu_kernel_entry *one, *wide;
} programs[] = {
#define PROGRAM(name, root, engine, constants) {#name, rd__cpu_##name##_one, rd__cpu_##name##_wide},
#include "gen/programs.def"
#undef PROGRAM
    {NULL, NULL, NULL},
};

#if defined(__x86_64__)
#define VECTOR(name) extern const rd__cpu_kernel_entry rd__cpu_##name##_avx2[];
#include "gen/vectors.def"
#undef VECTOR
#endif

/* The form of a one-lane program for this processor, where it has one of its own; else NULL. */
static const rd__cpu_kernel_entry *vector_form(const char *name)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
#define VECTOR(program)                                                                                                \
    if (strcmp(name, #program) == 0)                                                                                   \
        return rd__cpu_##program##_avx2;
#include "gen/vectors.def"
#undef VECTOR
    }
#endif
    (void)name;
    return NULL;
}

static void describe(rd_device_info *info, uint32_t threads)
{
    *info =
        (rd_device_info){.compute_units = threads, .resident_lanes = threads, .max_group = 1, .warp = 1, .usable = 1};
    snprintf(info->name, sizeof info->name, "cpu");
    snprintf(info->backend, sizeof info->backend, "cpu");
    snprintf(info->driver, sizeof info->driver, "raddle %s", rd_version());
    rd__cpu_model(info->model, sizeof info->model);
    rd__cpu_memory(&info->memory, &info->memory_free);
    info->memory_max_alloc = info->memory;
    info->local_bytes = 1 << 20;
}

static rd_status cpu_probe(rd__device_sink *sink, rd_error *err)
{
    uint32_t *order, count;
    rd_device_info info;
    RD_TRY(rd__cpu_processors(&order, &count, err));
    rd__free(order);
    describe(&info, count);
    return sink->add(sink->user, &info);
}

/* "" | ":T" | ":TxW" */
static rd_status parse_which(const char *which, uint32_t *teams, uint32_t *width, rd_error *err)
{
    char text[32];
    uint64_t t = 0, w = 1;
    if (!*which)
        return RD_OK;
    snprintf(text, sizeof text, "%s", which + 1);
    char *x = strchr(text, 'x');
    if (x)
        *x++ = '\0';
    if (strlen(which) >= sizeof text || !rd_parse_u64(text, &t) || (x && !rd_parse_u64(x, &w)) || t < 1 || w < 1 ||
        t > RD__MAX_THREADS || w > RD_CPU_WIDE_MAX || t * w > RD__MAX_THREADS)
        return rd__fail(err, RD_EARG,
                        "'cpu%.64s' is no CPU device: use cpu, cpu:THREADS (1..%d) or cpu:GROUPSxLANES (lanes 1..%d, "
                        "in all groups together at most %d)",
                        which, RD__MAX_THREADS, RD_CPU_WIDE_MAX, RD__MAX_THREADS);
    *teams = (uint32_t)t, *width = (uint32_t)w;
    return RD_OK;
}

/* ---- Workers beside ---- */

/* The pool of the calling thread. */
static rd__cpu_pool *pool_of(const cpu_device *device)
{
    return rd__device_is_beside(&device->base) ? device->beside : device->pool;
}

/* Its threads have the processors of the device's last ones, the last one first. */
static rd_status make_beside(cpu_device *device, rd_error *err)
{
    uint32_t *order, count;
    RD_TRY(rd__cpu_processors(&order, &count, err));
    const uint32_t last = count < device->teams ? count : device->teams;
    for (uint32_t i = 0; i < last / 2; i++) {
        const uint32_t other = order[i];
        order[i] = order[last - 1 - i];
        order[last - 1 - i] = other;
    }
    rd__cpu_pool *pool = NULL;
    const rd_status status =
        rd__cpu_pool_new(device->teams - 1, device->width, device->pinned ? order : NULL, NULL, &pool, err);
    __atomic_store_n(&device->beside, pool, __ATOMIC_RELEASE); /* pairs with the acquire in cpu_rouse */
    rd__free(order);
    return status;
}

static rd_status cpu_use(rd_device *base, uint32_t workers, rd_error *err)
{
    cpu_device *device = (cpu_device *)base;
    if (rd__device_is_beside(base) && !device->beside)
        RD_TRY(make_beside(device, err));
    rd__cpu_pool_use(pool_of(device), workers);
    return RD_OK;
}

static void cpu_close(rd_device *base)
{
    cpu_device *device = (cpu_device *)base;
    rd__cpu_pool_free(device->beside);
    rd__cpu_pool_free(device->pool);
    rd__free(device);
}

static rd_status cpu_open(const char *which, const rd_device_options *options, rd_device **out, rd_error *err)
{
    uint32_t teams = options->threads, width = 1, *order, count;
    if (teams > RD__MAX_THREADS)
        return rd__fail(err, RD_EARG, "%u threads asked for; at most %d", teams, RD__MAX_THREADS);
    RD_TRY(parse_which(which, &teams, &width, err));
    RD_TRY(rd__cpu_processors(&order, &count, err));
    teams = teams ? teams : count;
    cpu_device *device = rd__calloc(1, sizeof *device);
    rd_status status = device ? RD_OK : rd__fail_memory(err, "the cpu device", sizeof *device);
    if (status == RD_OK) {
        device->pinned = teams * rd__cpu_team_threads(width) <= count && !options->no_pin;
        status = rd__cpu_pool_new(teams, width, device->pinned ? order : NULL, &device->base, &device->pool, err);
    }
    rd__free(order);
    if (status != RD_OK) {
        rd__free(device);
        return status;
    }
    describe(&device->base.info, teams);
    device->base.backend = &rd__cpu_backend;
    device->base.caps = (rd__device_caps){
        .leaves_cores = teams * rd__cpu_team_threads(width) + 2 <= count, /* for who waits, and who is waited for */
        .shares_host = 1,
        .fixed_width = 1,
        .cores = width == 1,
        .coresident = 1,
        .peeks = 1,
        /* lists of guarded buffers, and what own programs may do, are of the device as a whole */
        .lends = teams > 1 && !options->debug,
    };
    device->base.info.max_group = width, device->base.info.resident_lanes = teams * width;
    if (*which)
        snprintf(device->base.info.name, sizeof device->base.info.name, "cpu%.20s", which);
    device->teams = teams;
    device->width = width;
    device->debug = options->debug != 0;
    *out = &device->base;
    return RD_OK;
}

/* ---- Buffers ---- */

static rd_status cpu_alloc(rd__buffer *buffer, rd_error *err)
{
    cpu_device *device = (cpu_device *)buffer->device;
    buffer->at.host = device->debug ? rd__cpu_guarded_alloc(&device->guarded, buffer->name, buffer->bytes)
                                    : rd__array_alloc(buffer->bytes);
    return buffer->at.host ? RD_OK : rd__fail_memory(err, buffer->name, buffer->bytes);
}

static void cpu_free(rd__buffer *buffer)
{
    cpu_device *device = (cpu_device *)buffer->device;
    rd__cpu_pool_finish(pool_of(device)); /* commands still in the list may use it */
    if (device->debug)
        rd__cpu_guarded_free(&device->guarded, buffer->at.host);
    else
        rd__array_free(buffer->at.host);
}

static rd_status cpu_borrow(rd__buffer *buffer, const void *data, rd_error *err)
{
    (void)err;
    memcpy(&buffer->at.host, &data, sizeof data); /* kernels take it as pointer to const */
    return RD_OK;
}

static rd_status cpu_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    (void)err;
    rd__cpu_pool_write(pool_of((cpu_device *)buffer->device), (char *)buffer->at.host + offset, data, bytes);
    return RD_OK;
}

static rd_status cpu_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    (void)err;
    rd__cpu_pool_finish(pool_of((cpu_device *)buffer->device));
    memcpy(data, (const char *)buffer->at.host + offset, bytes);
    return RD_OK;
}

static rd_status cpu_peek(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err)
{
    (void)err;
    for (uint64_t i = 0; i < bytes / 4; i++) /* partner: kernels' atomics; no other data */
        data[i] = __atomic_load_n((const uint32_t *)buffer->at.host + offset / 4 + i, __ATOMIC_RELAXED);
    return RD_OK;
}

static rd_status cpu_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    (void)err;
    rd__cpu_command *command = rd__cpu_pool_next(pool_of((cpu_device *)buffer->device));
    command->kind = RD__CPU_FILL;
    command->words = (uint32_t *)buffer->at.host + offset / 4;
    command->count = bytes / 4;
    command->word = word;
    return RD_OK;
}

/* ---- Programs ---- */

static rd_status load_own(cpu_device *device, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    cpu_program *program = rd__calloc(1, sizeof *program);
    if (!program)
        return rd__fail_memory(err, "a program", sizeof *program);
    program->base.device = device;
    program->base.own = 1;
    device->base.grace_seconds = OWN_GRACE; /* it may never look whether it is to stop */
    if (device->debug)
        rd__cpu_leave_guard();
    const rd_status status = rd__cpu_own_load(spec, device->width > 1, device->debug, device->base.use_cache != 0,
                                              &program->library, &program->base.table, err);
    if (status != RD_OK) {
        rd__free(program);
        return status;
    }
    *out = &program->base;
    return RD_OK;
}

static rd_status cpu_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err)
{
    cpu_device *device = (cpu_device *)base;
    if (spec->own)
        return load_own(device, spec, out, err);
    for (int i = 0; programs[i].name; i++)
        if (strcmp(programs[i].name, spec->name) == 0) {
            cpu_program *program = rd__calloc(1, sizeof *program);
            if (!program)
                return rd__fail_memory(err, "a program", sizeof *program);
            program->base.device = device;
            const rd__cpu_kernel_entry *vector = vector_form(spec->name);
            program->base.table = device->width > 1 ? programs[i].wide : vector ? vector : programs[i].one;
            *out = &program->base;
            return RD_OK;
        }
    return rd__fail(err, RD_EBUILD, "there is no program '%s' in this library", spec->name);
}

static void cpu_unload(rd__program *base)
{
    cpu_program *program = (cpu_program *)base;
    for (rd__kernel *kernel = program->kernels, *next; kernel; kernel = next) {
        next = kernel->next;
        rd__free(kernel);
    }
    if (program->library)
        rd__cpu_pool_finish(pool_of(program->base.device)); /* commands still in the list may use it */
    rd__cpu_own_unload(program->library);
    rd__free(program);
}

static rd_status cpu_kernel(rd__program *base, const char *name, rd__kernel **out, rd_error *err)
{
    cpu_program *program = (cpu_program *)base;
    for (const rd__cpu_kernel_entry *entry = program->base.table; entry->name; entry++)
        if (strcmp(entry->name, name) == 0) {
            rd__kernel *kernel = rd__calloc(1, sizeof *kernel);
            if (!kernel)
                return rd__fail_memory(err, "a kernel", sizeof *kernel);
            *kernel = (rd__kernel){program->base.device, entry, program->kernels, program->base.own};
            program->kernels = kernel;
            *out = kernel;
            return RD_OK;
        }
    return rd__fail(err, RD_EBUILD, "the program has no kernel '%s'", name);
}

static rd_status cpu_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    (void)err;
    *groups = kernel->device->teams;
    return RD_OK;
}

/* The other back ends trust what was tried here: all have the same lists. */
static rd_status check_args(const rd__cpu_kernel_entry *entry, const rd__arg *args, uint32_t count, rd_error *err)
{
    static const char kind[] = "buwf-"; /* as RD__ARG_... are listed; no list is taken */
    const size_t wanted = strlen(entry->args);
    if (count != wanted || count > RD__MAX_ARGS)
        return rd__fail(err, RD_EDEVICE, "kernel %s takes %zu arguments, %u were given", entry->name, wanted, count);
    for (uint32_t i = 0; i < count; i++)
        if (kind[args[i].kind] != entry->args[i])
            return rd__fail(err, RD_EDEVICE, "kernel %s: argument %u is of kind '%c', and '%c' was given", entry->name,
                            i, entry->args[i], kind[args[i].kind]);
    return RD_OK;
}

static rd_status cpu_launch_some(rd__kernel *kernel, uint32_t groups, uint32_t first, uint32_t present,
                                 const rd__arg *args, uint32_t count, rd_error *err)
{
    cpu_device *device = kernel->device;
    RD_TRY(check_args(kernel->entry, args, count, err));
    rd__cpu_pool *pool = pool_of(device);
    rd__cpu_command *command = rd__cpu_pool_next(pool);
    command->kind = RD__CPU_LAUNCH;
    command->entry = kernel->entry->entry;
    command->groups = groups;
    command->first = first;
    command->present = present;
    command->own = kernel->own;
    command->stop = rd__cpu_pool_stop_word(pool);
    for (uint32_t i = 0; i < count; i++) {
        command->argv[i] = &command->value[i];
        switch (args[i].kind) {
        case RD__ARG_BUFFER: memcpy(&command->value[i], &args[i].as.buffer->at.host, sizeof(void *)); break;
        case RD__ARG_U32: memcpy(&command->value[i], &args[i].as.u32, sizeof args[i].as.u32); break;
        case RD__ARG_U64: command->value[i] = args[i].as.u64; break;
        case RD__ARG_F32: memcpy(&command->value[i], &args[i].as.f32, sizeof args[i].as.f32); break;
        case RD__ARG_LIST: break; /* was refused */
        }
    }
    return RD_OK;
}

static rd_status cpu_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                            rd_error *err)
{
    const cpu_device *device = kernel->device;
    if (cooperative && groups > device->teams)
        return rd__fail(err, RD_EDEVICE,
                        "%s: %u groups of %s cannot be resident at once, at most %u; ask for fewer or use "
                        "--launch discrete",
                        device->base.info.name, groups, kernel->entry->name, device->teams);
    return cpu_launch_some(kernel, groups, 0, groups, args, count, err);
}

static rd_status cpu_idle_by(rd_device *base, double until, int *idle, rd_error *err)
{
    cpu_device *device = (cpu_device *)base;
    rd__cpu_pool *pool = pool_of(device);
    *idle = rd__cpu_pool_run(pool, until);
    const rd__cpu_fault fault = *idle ? rd__cpu_pool_fault(pool) : (rd__cpu_fault){RD__CPU_RETURNED, 0};
    if (fault.why == RD__CPU_RETURNED)
        return RD_OK;
    base->forced++;
    (void)rd__device_shut_way(base);
    (void)rd__cpu_pool_stop(pool, 1); /* whoever ran beside it was asked to leave by this word: the next have another */
    return rd__cpu_guarded_explain(device->guarded, &fault, base->info.name, err);
}

static void cpu_rouse(rd_device *base)
{
    cpu_device *device = (cpu_device *)base;
    rd__cpu_pool_rouse(__atomic_load_n(&device->beside, __ATOMIC_ACQUIRE)); /* pairs with make_beside */
    rd__cpu_pool_rouse(device->pool);
}

static rd_status cpu_force(rd_device *base, rd_error *err)
{
    (void)err;
    rd__cpu_pool_force(pool_of((cpu_device *)base));
    return RD_OK;
}

static rd_status cpu_ask_stop(rd_device *base, rd_error *err)
{
    return rd__cpu_pool_stop(pool_of((cpu_device *)base), rd__device_is_mine(base))
               ? RD_OK
               : rd__fail(err, RD_EDEVICE, "%s: who waits for the launches has to ask them", base->info.name);
}

static rd_status cpu_time_begin(rd_device *base, rd_error *err)
{
    cpu_device *device = (cpu_device *)base;
    rd__cpu_command *command = rd__cpu_pool_next(pool_of(device));
    (void)err;
    command->kind = RD__CPU_TIME;
    command->when = rd__device_is_beside(base) ? &device->beside_began : &device->began;
    return RD_OK;
}

static rd_status cpu_time_mark(rd_device *base, rd_error *err)
{
    (void)base; /* the pool notes the end of every launch */
    (void)err;
    return RD_OK;
}

static rd_status cpu_time_end(rd_device *base, double *seconds, rd_error *err)
{
    cpu_device *device = (cpu_device *)base;
    (void)err;
    rd__cpu_pool_finish(pool_of(device));
    const double began = rd__device_is_beside(base) ? device->beside_began : device->began;
    const double ended = rd__cpu_pool_launch_end(pool_of(device));
    *seconds = ended > began ? ended - began : 0;
    return RD_OK;
}

const rd__backend rd__cpu_backend = {
    .name = "cpu",
    .probe = cpu_probe,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .borrow = cpu_borrow,
    .write = cpu_write,
    .read = cpu_read,
    .peek = cpu_peek,
    .fill = cpu_fill,
    .load = cpu_load,
    .write_ahead = rd__cpu_ahead_write,
    .unload = cpu_unload,
    .kernel = cpu_kernel,
    .resident = cpu_resident,
    .launch = cpu_launch,
    .launch_some = cpu_launch_some,
    .use = cpu_use,
    .idle_by = cpu_idle_by,
    .rouse = cpu_rouse,
    .ask_stop = cpu_ask_stop,
    .force = cpu_force,
    .time_begin = cpu_time_begin,
    .time_mark = cpu_time_mark,
    .time_end = cpu_time_end,
};
