/* SPDX-License-Identifier: Apache-2.0 */
/* info_parts.h - raddle info of a graph in parts; what raddle partition reports too. */
#ifndef RD_CLI_INFO_PARTS_H
#define RD_CLI_INFO_PARTS_H

/* @return an exit code; -1: it is no folder of parts. */
int info_parts(const char *folder, int json);

#endif
