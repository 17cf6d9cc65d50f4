/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - finds in the text of an own app what the host has to know: declarations RD_NAME(...), #define and #include
 * lines, and which functions it defines. Runs nothing and follows no #if, but that of RD_CHECK. */
#ifndef RD_APPS_OWN_SCAN_H
#define RD_APPS_OWN_SCAN_H

#include "core/error.h"

enum { RD__DECLARED_MOST = 8 };

/* Whoever listens. Texts are valid during the call only; each may fail, which ends the scan. */
typedef struct rd__scan_events {
    /* RD_NAME(arg, arg) outside functions: arguments without blanks around them, strings with their quotes. */
    rd_status (*declaration)(void *user, unsigned line, const char *name, char *const *arg, int count, rd_error *err);
    rd_status (*define)(void *user, unsigned line, const char *name, const char *value, rd_error *err);
    rd_status (*include)(void *user, unsigned line, const char *path, rd_error *err);
    /* A name before a bracket, outside functions: a definition, or a prototype. */
    rd_status (*function)(void *user, unsigned line, const char *name, rd_error *err);
    void (*f64)(void *user); /* rd_f64 outside #ifdef RD_CHECK, any number of times */
    void *user;
} rd__scan_events;

/* Scans text, and puts blanks in place of its declarations and comments: what is left is for compilers, with every line
 * where it was. file: for messages. */
rd_status rd__scan(const char *file, char *text, const rd__scan_events *events, rd_error *err);

#endif
