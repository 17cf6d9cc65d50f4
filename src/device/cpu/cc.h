/* SPDX-License-Identifier: Apache-2.0 */
/* cc.h - the system's C compiler: which one it is, and what it makes of a text. */
#ifndef RD_DEVICE_CPU_CC_H
#define RD_DEVICE_CPU_CC_H

#include "core/error.h"

#include <sys/stat.h>

enum { RD__CPU_CC_WORDS = 1024, RD__CPU_CC_PATH = 1024 };

typedef struct rd__cpu_cc {
    char text[RD__CPU_CC_WORDS]; /* its words, each ended by NUL */
    char *word[8];
    int words;
    char path[RD__CPU_CC_PATH]; /* of the program itself */
    struct stat info;
} rd__cpu_cc;

rd_status rd__cpu_cc_find(rd__cpu_cc *cc, rd_error *err);

typedef struct rd__cpu_cc_task {
    const char *name;  /* of the user's file, for messages */
    const char *flags; /* words */
    const char *text;
    const char *second; /* NULL; or it is compiled in two parts, RD_CPU_PART 1 and 2, of which these are flags of
                         * the second */
} rd__cpu_cc_task;

/* What programs in the cache were made by, but for compiler, flags and text: another way, another word. */
#define RD__CPU_CC_WAY "cpu, branches kept within 32 bytes"

/* Makes a library of a text; *image is freed with rd__free. RD_EBUILD: it refused; err has its first messages. */
rd_status rd__cpu_cc_run(const rd__cpu_cc *cc, const rd__cpu_cc_task *task, char **image, size_t *bytes, rd_error *err);

/* A file without a name that holds these bytes. */
rd_status rd__cpu_memory_file(const char *what, const char *data, size_t bytes, int *out, rd_error *err);

#endif
