/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - own apps on the command line. */
#ifndef RD_CLI_RUN_H
#define RD_CLI_RUN_H

#include "cli/cli.h"

/* Registers the app in a file. Messages about it then name the command and the file. @return 0, or an exit code after
 * printing what is wrong. */
int cli_own_app(const char *command, const char *path, const rd_app_info **app);

#endif
