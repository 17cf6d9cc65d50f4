/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - the table of back ends, device names, and buffers with their accounting. */
#include "device/chores.h"

#include "core/fork.h"
#include "core/memory.h"
#include "core/signals.h"
#include "raddle/tool.h"

#include <string.h>

/* In the order `raddle devices` lists them. */
static const rd__backend *const backends[] = {&rd__cpu_backend, &rd__cuda_backend, &rd__opencl_backend};
enum { BACKENDS = sizeof backends / sizeof backends[0] };

/* ---- Listing and opening ---- */

struct list {
    rd_device_info *item;
    size_t count, room;
};

static rd_status list_add(void *user, const rd_device_info *info)
{
    struct list *list = user;
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        rd_device_info *grown = rd__realloc(list->item, room * sizeof *grown);
        if (!grown)
            return RD_ENOMEM;
        list->item = grown;
        list->room = room;
    }
    list->item[list->count++] = *info;
    return RD_OK;
}

rd_status rd_device_list(rd_device_info **out, size_t *count, rd_error *err)
{
    struct list list = {0};
    rd__device_sink sink = {list_add, &list};
    if (!out || !count)
        return rd__fail(err, RD_EARG, "rd_device_list needs a place for the list and one for its length");
    *out = NULL;
    *count = 0;
    for (int i = 0; i < BACKENDS; i++) {
        rd__signals held;
        rd__signals_hold(&held); /* drivers make threads */
        const rd_status status = backends[i]->probe(&sink, err);
        rd__signals_release(&held);
        if (status != RD_OK) {
            rd__free(list.item);
            return status == RD_ENOMEM ? rd__fail_memory(err, "the list of devices", list.room * sizeof *list.item)
                                       : status;
        }
    }
    *out = list.item;
    *count = list.count;
    return RD_OK;
}

static rd_status open_best(const rd_device_options *options, rd_device **device, rd_error *err)
{
    rd_device_info *list;
    size_t count;
    RD_TRY(rd_device_list(&list, &count, err));
    rd_status status = RD_EDEVICE;
    for (size_t i = 0; i < count && status != RD_OK && status != RD_ENOMEM; i++)
        if (list[i].usable && list[i].is_gpu)
            status = rd_device_open(list[i].name, options, device, err);
    rd__free(list);
    return status == RD_OK || status == RD_ENOMEM ? status : rd_device_open("cpu", options, device, err);
}

rd_status rd_device_open(const char *name, const rd_device_options *options, rd_device **device, rd_error *err)
{
    static const rd_device_options defaults = {.size = sizeof defaults};
    if (!options)
        options = &defaults;
    if (!device)
        return rd__fail(err, RD_EARG, "rd_device_open needs a place to put the device");
    *device = NULL;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG,
                        "rd_device_options.size is %zu, this library's is %zu: set it to sizeof the struct",
                        options->size, sizeof *options);
    if (!name || strcmp(name, "auto") == 0)
        return open_best(options, device, err);
    for (int i = 0; i < BACKENDS; i++) {
        size_t length = strlen(backends[i]->name);
        if (strncmp(name, backends[i]->name, length) == 0 && (name[length] == ':' || !name[length])) {
            rd__signals held;
            rd__signals_hold(&held); /* drivers make threads, and so does the back end of CPUs */
            const rd_status status = backends[i]->open(name + length, options, device, err);
            rd__signals_release(&held);
            RD_TRY(status);
            (*device)->use_cache = !options->no_cache;
            (*device)->grace_seconds = backends[i]->grace_seconds;
            (*device)->generation = rd__fork_generation();
            (*device)->holders = 1;
            return RD_OK;
        }
    }
    return rd__fail(err, RD_EARG,
                    "there is no kind of device called '%s'; use auto, cpu, cpu:THREADS, cuda:N or opencl:P.D "
                    "(`raddle devices` lists those here)",
                    name);
}

const rd_device_info *rd_device_get_info(const rd_device *device)
{
    static const rd_device_info none = {.reason = "there is no device"};
    return device ? &device->info : &none;
}

uint64_t rd__device_memory_limit(const rd_device *device)
{
    return device->info.memory_free ? device->info.memory_free : device->info.memory;
}

uint32_t rd__device_default_lanes(const rd_device *device)
{
    if (device->caps.fixed_width)
        return device->info.max_group;
    const uint32_t lanes = device->info.is_gpu ? 256 : 1; /* on a CPU one lane a group is fastest */
    return lanes < device->info.max_group ? lanes : device->info.max_group;
}

/* ---- Buffers ---- */

static rd_status check_size(rd_device *device, const char *name, uint64_t bytes, rd_error *err)
{
    char need[32], have[32], used[32];
    if (device->info.memory_max_alloc && bytes > device->info.memory_max_alloc)
        return rd__fail(err, RD_ENOMEM,
                        "%s: buffer '%s' needs %s (%llu bytes) and one buffer may have at most %s there",
                        device->info.name, name, rd_format_bytes(bytes, need, sizeof need), (unsigned long long)bytes,
                        rd_format_bytes(device->info.memory_max_alloc, have, sizeof have));
    /* Systems that promise more memory than there is would end the process when the last of it is touched. */
    const uint64_t allocated = __atomic_load_n(&device->allocated, __ATOMIC_RELAXED); /* partner: rd__buffer_alloc */
    if (device->info.memory && (bytes > device->info.memory || allocated > device->info.memory - bytes))
        return rd__fail(err, RD_ENOMEM, "%s: buffer '%s' needs %s (%llu bytes) beside %s in use; there are %s in all",
                        device->info.name, name, rd_format_bytes(bytes, need, sizeof need), (unsigned long long)bytes,
                        rd_format_bytes(allocated, used, sizeof used),
                        rd_format_bytes(device->info.memory, have, sizeof have));
    return RD_OK;
}

static _Thread_local uint64_t balance;

uint64_t rd__buffer_balance(void)
{
    return balance;
}

/* Two jobs may have buffers made at a time; a sum, which nothing is ordered by. */
static void count_bytes(rd_device *device, uint64_t bytes)
{
    balance += bytes;
    __atomic_add_fetch(&device->allocated, bytes, __ATOMIC_RELAXED); /* partner: itself, and check_size */
}

rd_status rd__buffer_alloc(rd_device *device, rd__buffer *buffer, const char *name, uint64_t bytes, rd_error *err)
{
    bytes = bytes < 4 ? 4 : bytes;
    *buffer = (rd__buffer){.device = device, .name = name, .bytes = bytes};
    rd_status status = rd__device_is_here(device, err);
    if (status == RD_OK)
        status = check_size(device, name, bytes, err);
    if (status == RD_OK)
        status = device->backend->alloc(buffer, err);
    if (status != RD_OK) {
        *buffer = (rd__buffer){0};
        return status;
    }
    count_bytes(device, bytes);
    return RD_OK;
}

rd_status rd__buffer_from(rd_device *device, rd__buffer *buffer, const char *name, uint64_t bytes, const void *data,
                          rd_error *err)
{
    if (device->backend->borrow && bytes >= 4) {
        *buffer = (rd__buffer){.device = device, .name = name, .bytes = bytes, .borrowed = 1};
        return device->backend->borrow(buffer, data, err);
    }
    RD_TRY(rd__buffer_alloc(device, buffer, name, bytes, err));
    rd_status status = bytes ? rd__buffer_write(buffer, 0, bytes, data, err) : RD_OK;
    if (status != RD_OK)
        rd__buffer_free(buffer);
    return status;
}

void rd__buffer_free(rd__buffer *buffer)
{
    if (buffer->device && !buffer->borrowed) {
        count_bytes(buffer->device, 0 - buffer->bytes);
        if (rd__device_owns(buffer->device)) {
            rd__chores_forget(buffer);
            buffer->device->backend->free(buffer);
        }
    }
    *buffer = (rd__buffer){0};
}

void rd__device_count(rd_device *device)
{
    __atomic_add_fetch(&device->commands, 1, __ATOMIC_RELAXED); /* partner: itself; a sum, read when all is quiet */
}

static void count_copied(rd_device *device, uint64_t bytes)
{
    __atomic_add_fetch(&device->copied, bytes, __ATOMIC_RELAXED); /* likewise */
}

static rd_status check_range(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, rd_error *err)
{
    if (!buffer->device || offset > buffer->bytes || bytes > buffer->bytes - offset)
        return rd__fail(err, RD_EARG, "access to bytes %llu..%llu of buffer '%s', which has %llu",
                        (unsigned long long)offset, (unsigned long long)(offset + bytes),
                        buffer->name ? buffer->name : "(none)", (unsigned long long)buffer->bytes);
    return RD_OK;
}

void *rd__buffer_in_place(const rd__buffer *buffer)
{
    return buffer->device && buffer->device->caps.shares_host ? buffer->at.host : NULL;
}

rd_status rd__buffer_settle(const rd__buffer *buffer, rd_error *err)
{
    char byte;
    return rd__buffer_read(buffer, 0, buffer->bytes > 0, &byte, err); /* comes after all that was asked for before */
}

rd_status rd__buffer_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    RD_TRY(check_range(buffer, offset, bytes, err));
    RD_TRY(rd__device_is_here(buffer->device, err));
    int kept = 0;
    if (!bytes)
        return RD_OK;
    RD_TRY(rd__chores_write(buffer, offset, bytes, data, &kept, err));
    count_copied(buffer->device, bytes);
    return kept ? RD_OK : buffer->device->backend->write(buffer, offset, bytes, data, err);
}

rd_status rd__buffer_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(check_range(buffer, offset, bytes, err));
    RD_TRY(rd__device_is_here(buffer->device, err));
    RD_TRY(rd__chores_do(buffer->device, err));
    count_copied(buffer->device, bytes);
    return bytes ? buffer->device->backend->read(buffer, offset, bytes, data, err) : RD_OK;
}

rd_status rd__buffer_peek(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err)
{
    RD_TRY(check_range(buffer, offset, bytes, err));
    RD_TRY(rd__device_is_here(buffer->device, err));
    if (!buffer->device->caps.peeks)
        return rd__fail(err, RD_EDEVICE, "%s cannot be read from while kernels run", buffer->device->info.name);
    return bytes ? buffer->device->backend->peek(buffer, offset, bytes, data, err) : RD_OK;
}

rd_status rd__buffer_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err)
{
    RD_TRY(check_range(buffer, 0, bytes, err));
    RD_TRY(rd__device_is_here(buffer->device, err));
    RD_TRY(rd__chores_do(buffer->device, err));
    const rd__backend *backend = buffer->device->backend;
    return bytes && backend->read_begin ? backend->read_begin(buffer, bytes, also, err) : RD_OK;
}

rd_status rd__buffer_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err)
{
    RD_TRY(check_range(buffer, 0, bytes, err));
    RD_TRY(rd__device_is_here(buffer->device, err));
    const rd__backend *backend = buffer->device->backend;
    count_copied(buffer->device, bytes);
    if (bytes && backend->read_end)
        return backend->read_end(buffer, bytes, data, err);
    return bytes ? backend->read(buffer, 0, bytes, data, err) : RD_OK;
}

rd_status rd__buffer_fill(rd__buffer *buffer, uint32_t word, rd_error *err)
{
    return rd__buffer_fill_part(buffer, 0, buffer->bytes / 4 * 4, word, err);
}

rd_status rd__buffer_fill_part(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    int kept = 0;
    RD_TRY(rd__chores_fill(buffer, offset, bytes, word, &kept, err));
    return kept ? RD_OK : buffer->device->backend->fill(buffer, offset, bytes, word, err);
}

/* ---- Programs, launches, time ---- */

rd_status rd__program_load(rd_device *device, const rd__program_spec *spec, rd__program **program, rd_error *err)
{
    rd__chores_open(device);
    return device->backend->load(device, spec, program, err);
}

rd_status rd__program_compile(const char *kind, const rd__program_spec *spec, rd_error *err)
{
    for (int i = 0; i < BACKENDS; i++)
        if (strcmp(backends[i]->name, kind) == 0 && backends[i]->compile)
            return backends[i]->compile(spec, err);
    return rd__fail(err, RD_EDEVICE, "programs for '%.20s' cannot be compiled without such a device", kind);
}

const rd__image *rd__device_images(const rd_device *device, uint32_t *count)
{
    *count = 0;
    return device->backend->images ? device->backend->images(device, count) : NULL;
}

rd_status rd__program_write(const rd__program_spec *spec, char **text, uint64_t key[2], rd_error *err)
{
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->write_ahead)
            return backends[i]->write_ahead(spec, text, key, err);
    return rd__fail(err, RD_EDEVICE, "this library has no device whose programs are C");
}

void rd__program_unload(rd_device *device, rd__program *program)
{
    if (program && rd__device_owns(device))
        device->backend->unload(program);
}

rd_status rd__kernel_find(rd_device *device, rd__program *program, const char *name, rd__kernel **kernel, rd_error *err)
{
    return device->backend->kernel(program, name, kernel, err);
}

rd_status rd__kernel_resident(rd_device *device, rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    return device->backend->resident(kernel, groups, err);
}

rd_status rd__kernel_launch(rd_device *device, rd__kernel *kernel, uint32_t groups, int cooperative,
                            const rd__arg *args, uint32_t count, rd_error *err)
{
    RD_TRY(rd__chores_do(device, err));
    return device->backend->launch(kernel, groups, cooperative, args, count, err);
}

rd_status rd__kernel_loop(rd_device *device, const rd__loop *loop, rd_error *err)
{
    RD_TRY(rd__chores_do(device, err));
    return device->backend->loop(loop, err);
}

rd_status rd__kernel_launch_some(rd_device *device, rd__kernel *kernel, uint32_t groups, uint32_t first,
                                 uint32_t present, const rd__arg *args, uint32_t count, rd_error *err)
{
    RD_TRY(rd__chores_do(device, err));
    return device->backend->launch_some ? device->backend->launch_some(kernel, groups, first, present, args, count, err)
                                        : device->backend->launch(kernel, groups, 0, args, count, err);
}

rd_status rd__device_use(rd_device *device, uint32_t workers, rd_error *err)
{
    return device->backend->use ? device->backend->use(device, workers, err) : RD_OK;
}

rd_status rd__time_begin(rd_device *device, rd_error *err)
{
    RD_TRY(rd__chores_do(device, err));
    return device->backend->time_begin(device, err);
}

rd_status rd__time_mark(rd_device *device, rd_error *err)
{
    return device->backend->time_mark(device, err);
}

rd_status rd__time_end(rd_device *device, double *seconds, rd_error *err)
{
    return device->backend->time_end(device, seconds, err);
}
