/* SPDX-License-Identifier: Apache-2.0 */
/* target.h - what the name of an output really names. */
#ifndef RD_CORE_TARGET_H
#define RD_CORE_TARGET_H

#include "core/error.h"

enum { RD__NAME_ROOM = 256 }; /* NAME_MAX and the end of the text */

typedef struct rd__target {
    int folder;               /* of the file: a descriptor to open, rename and remove names in */
    char name[RD__NAME_ROOM]; /* of the file in it; never a link */
    int exists;
    uint32_t mode, uid, gid; /* when it exists */
    int is_plain;            /* a regular file, or one that is to be made */
    int descriptor;          /* >= 0: path is another name (/dev/stdout) of this open descriptor of ours */
} rd__target;

/* Follows links, also one that leads to a file yet to be made. */
rd_status rd__target_find(const char *path, rd__target *target, rd_error *err);
void rd__target_close(rd__target *target);

#endif
