/* SPDX-License-Identifier: Apache-2.0 */
/* skeletons.h - what `raddle new` writes: tools/skeleton/own/MODEL.txt inside the binary, with @name@ for the name. */
#ifndef RD_CLI_SKELETONS_H
#define RD_CLI_SKELETONS_H

typedef struct cli_skeleton {
    const char *name; /* the path */
    const char *text;
} cli_skeleton;

extern const cli_skeleton cli_skeletons[]; /* generated; ended by name NULL */

#endif
