/* SPDX-License-Identifier: Apache-2.0 */
/* source.h - kernel text inside the binary, and one text made of a root and all it includes. */
#ifndef RD_DEVICE_SOURCE_H
#define RD_DEVICE_SOURCE_H

#include "core/error.h"

typedef struct rd__source_file {
    const char *name; /* as in #include "name" */
    const char *text;
} rd__source_file;

extern const rd__source_file rd__source_files[]; /* generated; ended by name NULL */

/* A kernel root that is not in the library: a program's own file. */
typedef struct rd__own_source {
    const char *name;   /* for messages: that of the file */
    const char *before; /* what goes before it: its kernel arguments */
    const char *text;
    const char *model;              /* the embedded file of its model, behind which */
    const char *behind;             /* this goes: what its functions look like */
    const rd_app_program *programs; /* that were compiled ahead of time, for the CPU */
    size_t program_count;
} rd__own_source;

/* The text of a root, and of an engine behind it unless that is NULL. own: the root is this one, not an embedded file.
 * system: lines #include <name> stay; else they are left out. Replaces each line #include "name" by the
 * embedded file of that name, the first time it is met; later ones vanish, as with an include guard, wherever they
 * stand: a file that two branches of an #if need is included after them, not in each. #line directives keep the
 * compiler's messages pointing at the real files. *text is freed with rd__free. */
rd_status rd__source_assemble(const char *root, const rd__own_source *own, const char *engine, int system, char **text,
                              rd_error *err);

#endif
