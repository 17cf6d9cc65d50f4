/* SPDX-License-Identifier: Apache-2.0 */
/*
 * temporary.c - see temporary.h.
 *
 * A handler may run at any moment, in any thread, and may neither lock nor allocate. So there is a fixed table whose
 * slots carry a state each. A slot goes FREE -> TAKEN (by the one thread whose exchange won it), is filled, and becomes
 * LISTED with a release; the handler reads states with an acquire and uses a slot only when it is LISTED, so what it
 * reads is complete. A name is listed before its file is made and forgotten after the file has its final name: at no
 * moment is there a file that the table does not have. A handler that meets a slot just being forgotten removes a
 * name that is gone already; names are random, so it is nobody else's.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 16 };
enum { FREE, TAKEN, LISTED };

static struct slot {
    atomic_int state;
    rd__temporary_kind kind;
    int folder;
    char name[PATH_MAX];
} table[SLOTS];

/* Outputs that are listed; only to tell whether there are any. */
static atomic_int outputs;

int rd__temporary_add(int folder, const char *name, rd__temporary_kind kind)
{
    const size_t bytes = strlen(name) + 1;
    if (bytes > sizeof table[0].name)
        return -1;
    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &table[i];
        int expected = FREE;
        /* Acquire: pairs with the release in forget, whose thread has done with the slot. */
        if (!atomic_compare_exchange_strong_explicit(&slot->state, &expected, TAKEN, memory_order_acquire,
                                                     memory_order_relaxed))
            continue;
        slot->kind = kind;
        slot->folder = folder;
        memcpy(slot->name, name, bytes);
        if (kind == RD__TEMPORARY_OUTPUT)
            /* Release: pairs with the acquire in rd_temporaries_unfinished. */
            atomic_fetch_add_explicit(&outputs, 1, memory_order_release);
        /* Release: pairs with the acquire in remove_kind. */
        atomic_store_explicit(&slot->state, LISTED, memory_order_release);
        return i;
    }
    return -1;
}

void rd__temporary_forget(int ticket)
{
    if (ticket < 0 || ticket >= SLOTS)
        return;
    struct slot *slot = &table[ticket];
    if (slot->kind == RD__TEMPORARY_OUTPUT)
        /* Release: pairs with the acquire in rd_temporaries_unfinished. */
        atomic_fetch_sub_explicit(&outputs, 1, memory_order_release);
    /* Release: pairs with the acquire of the exchange in add. */
    atomic_store_explicit(&slot->state, FREE, memory_order_release);
}

int rd_temporary_add(const char *path, int is_folder)
{
    if (!path)
        return -1;
    return rd__temporary_add(AT_FDCWD, path, is_folder ? RD__TEMPORARY_FOLDER : RD__TEMPORARY_SCRATCH);
}

void rd_temporary_forget(int ticket)
{
    rd__temporary_forget(ticket);
}

int rd_temporaries_unfinished(void)
{
    /* Acquire: pairs with the releases in add and forget. */
    return atomic_load_explicit(&outputs, memory_order_acquire) > 0;
}

static void remove_kind(int folders)
{
    for (int i = 0; i < SLOTS; i++) {
        const struct slot *slot = &table[i];
        /* Acquire: pairs with the release in add. */
        if (atomic_load_explicit(&slot->state, memory_order_acquire) == LISTED &&
            (slot->kind == RD__TEMPORARY_FOLDER) == folders)
            (void)unlinkat(slot->folder, slot->name, folders ? AT_REMOVEDIR : 0);
    }
}

void rd_temporaries_remove(void)
{
    const int kept = errno;
    remove_kind(0);
    remove_kind(1);
    errno = kept;
}
