/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.h - drivers and the like are opened at run time, so that one binary runs everywhere. A back end lists the
 * functions it needs as an X-macro file (FN(return type, name, (parameters))) and gets a struct of pointers.
 */
#ifndef RD_CORE_LIBRARY_H
#define RD_CORE_LIBRARY_H

#include <stddef.h>

/* Opens the first of names (ended by NULL) that can be opened. @return the handle, or NULL with the loader's last
 * message in reason. */
void *rd__library_open(const char *const *names, char *reason, size_t room);
/* The same, and what it has is seen by all that is opened later: for libraries with parts that look for it. */
void *rd__library_open_for_all(const char *const *names, char *reason, size_t room);
/* Writes the address of symbol into *function (a function pointer). @return 1 when it is there. */
int rd__library_symbol(void *library, const char *symbol, void *function);
/* @return the file that a function of an open library (a function pointer, as above) came from, or NULL. */
const char *rd__library_file(const void *function);

#endif
