/* SPDX-License-Identifier: Apache-2.0 */
/* toolkit.c - see toolkit.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "device/cuda/toolkit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_ROOM = PATH_MAX + 32 };

typedef struct search {
    const char *header;
    char *folder;
    size_t room;
    char tried[700];
} search;

/* @return 1 when the folder base + rest has the header. */
static int look(search *s, const char *base, const char *rest)
{
    char folder[PLACE_ROOM], file[PLACE_ROOM + 128];
    if (!base || !*base)
        return 0;
    int length = snprintf(folder, sizeof folder, "%s%s", base, rest);
    if (length < 0 || (size_t)length >= sizeof folder || (size_t)length >= s->room)
        return 0;
    snprintf(file, sizeof file, "%s/%.120s", folder, s->header);
    if (access(file, R_OK) == 0) {
        memcpy(s->folder, folder, (size_t)length + 1);
        return 1;
    }
    const size_t used = strlen(s->tried);
    snprintf(s->tried + used, sizeof s->tried - used, "%s%s", used ? ", " : "", folder);
    return 0;
}

/* Leaves the folder of the library, without links: what lies beside the link may be another version. */
static void folder_of(const char *library, char real[PATH_MAX])
{
    char *slash;
    if (!library || !realpath(library, real) || !(slash = strrchr(real, '/')))
        real[0] = '\0';
    else
        *slash = '\0';
}

rd_status rd__toolkit_include(const char *header, const char *library, int version, char *folder, size_t room,
                              rd_error *err)
{
    search s = {.header = header, .folder = folder, .room = room};
    char beside[PATH_MAX], numbered[64];
    folder_of(library, beside);
    snprintf(numbered, sizeof numbered, "/usr/local/cuda-%d.%d", version / 1000, version % 1000 / 10);
    /* lib/libnvrtc.so; Debian's lib/TRIPLE/libnvrtc.so */
    if (look(&s, beside, "/../include") || look(&s, beside, "/../../include") ||
        look(&s, getenv("CUDA_HOME"), "/include") || look(&s, getenv("CUDA_PATH"), "/include") ||
        look(&s, numbered, "/include") || look(&s, "/usr/local/cuda", "/include") ||
        look(&s, "/opt/cuda", "/include") || look(&s, "/usr", "/include"))
        return RD_OK;
    return rd__fail(err, RD_EDEVICE,
                    "CUDA's header %s was not found; install the toolkit's headers or set CUDA_HOME (looked in %s)",
                    header, s.tried);
}
