/* SPDX-License-Identifier: Apache-2.0 */
/* resume.h - the words of a command line, in a checkpoint and back: see resume.c. */
#ifndef RD_CLI_RESUME_H
#define RD_CLI_RESUME_H

/* A word a line, from argv[1] on; to be freed. NULL: memory is out. */
char *resume_note(int argc, char **argv);

#endif
