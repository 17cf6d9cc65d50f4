/* SPDX-License-Identifier: Apache-2.0 */
/*
 * temporary.h - the names of files that must not outlive the process, where a signal handler can find them. tool.h has
 * the public face: rd_temporary_add for a path, rd_temporaries_remove for the handler.
 */
#ifndef RD_CORE_TEMPORARY_H
#define RD_CORE_TEMPORARY_H

#include "raddle/tool.h"

typedef enum rd__temporary_kind {
    RD__TEMPORARY_OUTPUT,  /* an output that is being written and is not complete */
    RD__TEMPORARY_SCRATCH, /* a file of the program's own */
    RD__TEMPORARY_FOLDER,  /* likewise a folder, removed when the files are gone */
} rd__temporary_kind;

/* name is in `folder`, a descriptor that stays open until the name is forgotten, or AT_FDCWD. @return a ticket; -1 when
 * there is no room: such a file is written all the same, only a signal does not remove it. */
int rd__temporary_add(int folder, const char *name, rd__temporary_kind kind);
/* Forgets the name and leaves the file alone. Takes -1. */
void rd__temporary_forget(int ticket);

#endif
