/* SPDX-License-Identifier: Apache-2.0 */
/* texts.h - the texts of built-in models inside the binary. */
#ifndef RD_FAIRNESS_TEXTS_H
#define RD_FAIRNESS_TEXTS_H

typedef struct rd__fairness_text {
    const char *name; /* path below src/ */
    const char *text;
} rd__fairness_text;

extern const rd__fairness_text rd__fairness_texts[]; /* written by tools/embed.c; ended by name NULL */

#endif
