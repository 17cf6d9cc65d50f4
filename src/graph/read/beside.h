/* SPDX-License-Identifier: Apache-2.0 */
/* beside.h - files that are named by other files. */
#ifndef RD_GRAPH_BESIDE_H
#define RD_GRAPH_BESIDE_H

#include "core/error.h"

/* Opens for reading a plain file below the folder of the file `beside` ("-": the current folder). Whoever wrote the
 * name may not be whoever runs this: names that go up or start at the root, links that lead out of the folder, and
 * whatever is not a plain file are refused. The message does not repeat `beside`. */
rd_status rd__open_beside(const char *beside, const char *name, int *fd, rd_error *err);

#endif
