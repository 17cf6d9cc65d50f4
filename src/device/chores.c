/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chores.c - see chores.h. What a run begins with is a handful of small things: an array filled with "not seen", the
 * word of the source, control words, sets that are empty. A driver takes 3 to 10 us for each, and the device some more
 * from one to the next, most where copies and kernels alternate. So they are kept here, as runs of equal words, and one
 * launch does all of them; the list travels among the launch's own arguments, and nothing else is copied.
 *
 * Order. Runs that are kept have no word in common: what is given later takes its words out of those before it. So the
 * launch may do them in any order, and a command that only writes (a large fill, a long copy) need not wait for them,
 * once its words are taken out too. All others find them done: rd__chores_do comes first.
 *
 * Threads. A list belongs to whoever entered the device, another one to who is beside (device.h), and its owner leaves
 * none of it behind. Buffers are freed by any thread; so lists have mutexes, which hardly anybody ever waits for.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/chores.h"

#include "core/log.h"
#include "core/memory.h"
#include "device/chores_layout.k.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

CHORES_LIST(uint32_t);

/* A larger fill takes longer than a command does, and drivers have the better way; writes of more bytes, or of more
 * runs, are given as they are. A lane of the launch has so many words of the longest run. */
enum { LARGE = 16 << 20, LONG = 16 << 10, MANY = CHORES_RUNS / 2, SHARE = 4, LISTS = 2, GROUPS_A_UNIT = 8 };

typedef struct run {
    uint32_t buffer, at, count, word;
} run;

/* What one who has the device keeps. */
typedef struct pile {
    pthread_mutex_t mutex;
    rd__kernel *kernel; /* of its own: arguments of OpenCL's are part of the kernel */
    rd__buffer buffer[CHORES_BUFFERS];
    uint32_t buffers, runs;
    run run[CHORES_RUNS];
    rd_error late; /* why the last of its owner's were not done; status RD_OK: they were */
} pile;

struct rd__chores {
    rd__program *program;
    pile list[LISTS];
};

/* ---- Opening ---- */

static void destroy(rd_device *device, struct rd__chores *chores)
{
    rd__program_unload(device, chores->program);
    for (uint32_t i = 0; i < LISTS; i++)
        pthread_mutex_destroy(&chores->list[i].mutex);
    rd__free(chores);
}

static rd_status make(rd_device *device, struct rd__chores **out, rd_error *err)
{
    struct rd__chores *chores = rd__calloc(1, sizeof *chores);
    if (!chores)
        return rd__fail_memory(err, "a list of chores", sizeof *chores);
    for (uint32_t i = 0; i < LISTS; i++)
        pthread_mutex_init(&chores->list[i].mutex, NULL);
    const rd__program_spec spec = {
        .name = "device_chores", .root = "device/chores.k.c", .lanes = rd__device_default_lanes(device)};
    rd_status status = device->backend->load(device, &spec, &chores->program, err);
    for (uint32_t i = 0; status == RD_OK && i < LISTS; i++)
        status = rd__kernel_find(device, chores->program, "chores_do", &chores->list[i].kernel, err);
    if (status != RD_OK)
        destroy(device, chores);
    else
        *out = chores;
    return status;
}

/* Once. */
static rd_status set_up(rd_device *device, rd_error *err)
{
    struct rd__chores *chores = NULL;
    if (__atomic_exchange_n(&device->chores_known, 1, __ATOMIC_RELAXED)) /* partner: itself, in another thread */
        return RD_OK;
    RD_TRY(make(device, &chores, err));
    __atomic_store_n(&device->chores, chores, __ATOMIC_RELEASE); /* pairs with find */
    return RD_OK;
}

rd_status rd__chores_force(rd_device *device, rd_error *err)
{
    return device->caps.shares_host ? RD_OK : set_up(device, err);
}

void rd__chores_open(rd_device *device)
{
    const char *said = getenv("RADDLE_CHORES");
    rd_error why = {.status = RD_OK};
    const int on = said && strcmp(said, "on") == 0, off = said && strcmp(said, "off") == 0;
    if (device->caps.only_compiles || device->caps.shares_host || off || !(device->caps.chores || on))
        return;
    if (set_up(device, &why) != RD_OK)
        rd__log(RD_LOG_INFO, "%s: small writes and fills are commands of their own: %s", device->info.name, why.text);
}

void rd__chores_close(rd_device *device)
{
    if (device->chores)
        destroy(device, device->chores);
    device->chores = NULL;
}

static struct rd__chores *find(rd_device *device)
{
    return __atomic_load_n(&device->chores, __ATOMIC_ACQUIRE); /* pairs with the release where they are made */
}

/* ---- Keeping ---- */

static int is_in(const rd__buffer *a, const rd__buffer *b)
{
    return a->at.address == b->at.address; /* of either kind: as wide as a pointer */
}
_Static_assert(sizeof(void *) == sizeof(uint64_t), "buffers are told apart by their addresses");

/* @return its place among the list's, or how many there are. */
static uint32_t place_of(const pile *list, const rd__buffer *buffer)
{
    uint32_t i = 0;
    while (i < list->buffers && !is_in(&list->buffer[i], buffer))
        i++;
    return i;
}

static void drop(pile *list, uint32_t i)
{
    list->run[i] = list->run[--list->runs];
}

/* Takes words out of all runs. @return 0: there is no room for what is left of one of them. */
static int take_out(pile *list, uint32_t buffer, uint64_t from, uint64_t end)
{
    for (uint32_t i = 0; i < list->runs;) {
        run *old = &list->run[i];
        const uint64_t first = old->at, last = first + old->count;
        if (old->buffer != buffer || end <= first || last <= from) {
            i++;
        } else if (from <= first && last <= end) {
            drop(list, i);
        } else if (from > first && last > end) {
            if (list->runs == CHORES_RUNS)
                return 0;
            list->run[list->runs++] =
                (run){.buffer = buffer, .at = (uint32_t)end, .count = (uint32_t)(last - end), .word = old->word};
            old->count = (uint32_t)(from - first);
            i++;
        } else {
            old->at = from > first ? old->at : (uint32_t)end;
            old->count = (uint32_t)(from > first ? from - first : last - end);
            i++;
        }
    }
    return 1;
}

/* Are these whole words that a list can name? */
static int has_names(uint64_t offset, uint64_t bytes)
{
    return offset % 4 == 0 && bytes % 4 == 0 && (offset + bytes) / 4 <= UINT32_MAX;
}

static void put(pile *list, uint32_t buffer, uint64_t at, uint64_t count, uint32_t word)
{
    list->run[list->runs++] = (run){.buffer = buffer, .at = (uint32_t)at, .count = (uint32_t)count, .word = word};
}

static uint32_t word_at(const void *data, uint64_t i)
{
    uint32_t word;
    memcpy(&word, (const char *)data + 4 * i, sizeof word);
    return word;
}

/* @return runs of equal words, or more than a list is to have. */
static uint32_t count_runs(const void *data, uint64_t words)
{
    uint32_t runs = 1;
    for (uint64_t i = 1; i < words && runs <= MANY; i++)
        runs += word_at(data, i) != word_at(data, i - 1);
    return runs;
}

static void put_all(pile *list, uint32_t buffer, uint64_t at, const void *data, uint64_t words)
{
    for (uint64_t from = 0, end; from < words; from = end) {
        end = from + 1;
        while (end < words && word_at(data, end) == word_at(data, from))
            end++;
        put(list, buffer, at + from, end - from, word_at(data, from));
    }
}

/* ---- Doing ---- */

/* The list as the kernel takes it: runs of a buffer side by side. @return words of the longest run. */
static uint32_t sort_runs(const pile *list, chores_list *out)
{
    uint32_t used = 0, longest = 0;
    for (uint32_t k = 0; k < CHORES_BUFFERS; k++) {
        for (uint32_t i = 0; i < list->runs; i++)
            if (list->run[i].buffer == k) {
                out->at[used] = list->run[i].at;
                out->count[used] = list->run[i].count;
                out->word[used++] = list->run[i].word;
                longest = list->run[i].count > longest ? list->run[i].count : longest;
            }
        out->end[k] = used;
    }
    return longest;
}

static rd_status launch(rd_device *device, const pile *list, rd_error *err)
{
    const uint32_t lanes = rd__device_default_lanes(device), most = GROUPS_A_UNIT * device->info.compute_units;
    chores_list sorted = {{0}, {0}, {0}, {0}};
    rd__arg args[CHORES_BUFFERS + 1];
    const uint64_t enough = sort_runs(list, &sorted) / (SHARE * lanes) + 1;
    for (uint32_t i = 0; i < CHORES_BUFFERS; i++) /* an argument must be some buffer */
        args[i] = RD__BUFFER(&list->buffer[i < list->buffers ? i : 0]);
    args[CHORES_BUFFERS] = RD__LIST(&sorted, sizeof sorted);
    return device->backend->launch(list->kernel, enough < most ? (uint32_t)enough : most, 0, args, CHORES_BUFFERS + 1,
                                   err);
}

/* Under the mutex. What cannot be done is not tried again: the run that needed it has failed. */
static rd_status do_all(rd_device *device, pile *list, rd_error *err)
{
    const rd_error late = list->late;
    rd_error why = {.status = RD_OK};
    rd_status status = late.status;
    list->late.status = RD_OK;
    if (status != RD_OK)
        (void)rd__fail(err, status, "%s", late.text);
    else if (list->runs && (status = launch(device, list, &why)) != RD_OK)
        (void)rd__fail(err, status, "%s: what was written to buffer '%s' and %u others did not get there: %s",
                       device->info.name, list->buffer[0].name, list->buffers - 1, why.text);
    list->runs = list->buffers = 0;
    return status;
}

rd_status rd__chores_do(rd_device *device, rd_error *err)
{
    struct rd__chores *chores = find(device);
    if (!chores)
        return RD_OK;
    pile *list = &chores->list[rd__device_is_beside(device)];
    pthread_mutex_lock(&list->mutex);
    const rd_status status = do_all(device, list, err);
    pthread_mutex_unlock(&list->mutex);
    return status;
}

void rd__chores_leave(rd_device *device)
{
    struct rd__chores *chores = find(device);
    rd_error why = {.status = RD_OK};
    if (!chores)
        return;
    pile *list = &chores->list[rd__device_is_beside(device)];
    pthread_mutex_lock(&list->mutex);
    if (list->runs && do_all(device, list, &why) != RD_OK)
        list->late = why;
    pthread_mutex_unlock(&list->mutex);
}

/* ---- Taking them in ---- */

/* Under the mutex: afterwards nothing is kept of these words, and there is room for so many runs in the buffer. */
static rd_status make_room(rd_device *device, pile *list, const rd__buffer *buffer, uint64_t at, uint64_t words,
                           uint32_t runs, rd_error *err)
{
    const uint32_t place = place_of(list, buffer);
    const int fits = take_out(list, place, at, at + words) && list->runs + runs <= CHORES_RUNS;
    if (!fits || (runs && place == CHORES_BUFFERS))
        RD_TRY(do_all(device, list, err));
    if (runs && place_of(list, buffer) == list->buffers)
        list->buffer[list->buffers++] = *buffer;
    return RD_OK;
}

static rd_status keep(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t runs, const void *data,
                      uint32_t word, rd_error *err)
{
    rd_device *device = buffer->device;
    pile *list = &find(device)->list[rd__device_is_beside(device)];
    pthread_mutex_lock(&list->mutex);
    const rd_status status = make_room(device, list, buffer, offset / 4, bytes / 4, runs, err);
    const uint32_t place = place_of(list, buffer);
    if (status == RD_OK && runs && data)
        put_all(list, place, offset / 4, data, bytes / 4);
    else if (status == RD_OK && runs)
        put(list, place, offset / 4, bytes / 4, word);
    pthread_mutex_unlock(&list->mutex);
    return status;
}

rd_status rd__chores_write(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, int *kept,
                           rd_error *err)
{
    *kept = 0;
    if (!find(buffer->device))
        return RD_OK;
    if (!has_names(offset, bytes))
        return rd__chores_do(buffer->device, err);
    const uint32_t runs = bytes <= LONG ? count_runs(data, bytes / 4) : MANY + 1;
    *kept = runs <= MANY;
    return keep(buffer, offset, bytes, *kept ? runs : 0, data, 0, err);
}

rd_status rd__chores_fill(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, int *kept,
                          rd_error *err)
{
    *kept = 0;
    if (!find(buffer->device) || bytes < 4)
        return RD_OK;
    if (!has_names(offset, bytes))
        return rd__chores_do(buffer->device, err);
    *kept = bytes <= LARGE;
    return keep(buffer, offset, bytes, (uint32_t)*kept, NULL, word, err);
}

/* Under the mutex: the last buffer gets its place. */
static void forget(pile *list, uint32_t place)
{
    (void)take_out(list, place, 0, UINT64_MAX); /* all of each: it needs no room */
    const uint32_t last = --list->buffers;
    list->buffer[place] = list->buffer[last];
    for (uint32_t i = 0; i < list->runs; i++)
        if (list->run[i].buffer == last)
            list->run[i].buffer = place;
}

void rd__chores_forget(const rd__buffer *buffer)
{
    struct rd__chores *chores = find(buffer->device);
    for (uint32_t i = 0; chores && i < LISTS; i++) {
        pile *list = &chores->list[i];
        pthread_mutex_lock(&list->mutex);
        const uint32_t place = place_of(list, buffer);
        if (place < list->buffers)
            forget(list, place);
        pthread_mutex_unlock(&list->mutex);
    }
}
