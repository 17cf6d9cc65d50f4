/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - see library.h. Libraries stay open for the life of the process: drivers keep threads and do not like to
 * be closed. */
#define _GNU_SOURCE /* dladdr, which POSIX has only since 2024 */
#include "core/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *open_first(const char *const *names, int how, char *reason, size_t room)
{
    for (int i = 0; names[i]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | how);
        if (library)
            return library;
        const char *message = dlerror();
        if (i == 0) /* the name people know */
            snprintf(reason, room, "%s", message ? message : "cannot be opened");
    }
    return NULL;
}

void *rd__library_open(const char *const *names, char *reason, size_t room)
{
    return open_first(names, RTLD_LOCAL, reason, room);
}

void *rd__library_open_for_all(const char *const *names, char *reason, size_t room)
{
    return open_first(names, RTLD_GLOBAL, reason, room);
}

int rd__library_symbol(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);
    memcpy(function, &address,
           sizeof address); /* ISO C has no cast from object to function pointer; POSIX promises this works */
    return address != NULL;
}

const char *rd__library_file(const void *function)
{
    Dl_info info;
    void *address;
    memcpy(&address, function, sizeof address);
    return dladdr(address, &info) ? info.dli_fname : NULL;
}
