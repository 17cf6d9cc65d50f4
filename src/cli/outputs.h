/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.h - names of output files: what is wrong with one is said before the work, not after it. */
#ifndef RD_CLI_OUTPUTS_H
#define RD_CLI_OUTPUTS_H

#include "cli/cli.h"

/* @return "-" for the other names of standard output, so that a report makes room for it; else path. */
const char *cli_output_name(const char *path);

/* first is a file to be replaced, second another output of the same command; either may be NULL. @return 0, or an exit
 * code after printing that first cannot be written or that they are the same. */
int cli_check_outputs(const char *command, const char *first, const char *second);

#endif
