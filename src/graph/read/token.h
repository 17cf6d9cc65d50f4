/* SPDX-License-Identifier: Apache-2.0 */
/*
 * token.h - numbers in lines of text. Lines end in '\n', so scanning needs no end pointer: every loop stops there at
 * the latest. Functions advance *at past what they took; on failure they leave it where the fault is.
 */
#ifndef RD_GRAPH_TOKEN_H
#define RD_GRAPH_TOKEN_H

#include "graph/read/text.h"

static inline const char *rd__skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

static inline int rd__is_break(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0;
}

/* Blanks, then a whole number without sign, then a blank or the end of the line. @return 0 when there is none; 2 when
 * it is too large. */
static inline int rd__take_u64(const char **at, uint64_t *value)
{
    const char *start = rd__skip_blanks(*at), *c = start;
    uint64_t sum = 0;
    for (unsigned digit; (digit = (unsigned)((unsigned char)*c - '0')) < 10; c++)
        sum = sum * 10 + digit;
    *at = start;
    if (c == start || !rd__is_break(*c))
        return 0;
    if (c - start > 19) /* 10^19 - 1 fits; leading zeros so long are not worth caring for */
        return 2;
    *value = sum;
    *at = c;
    return 1;
}

/* @return 1 at the end of the line, but for blanks. */
static inline int rd__at_line_end(const char **at)
{
    *at = rd__skip_blanks(*at);
    return **at == '\n' || **at == 0;
}

static inline const char *rd__next_line(const char *at)
{
    while (*at != '\n')
        at++;
    return at + 1;
}

/* A vertex number from least to most. */
static inline int rd__take_vertex(const char **at, uint64_t least, uint64_t most, uint32_t *vertex, rd__fault *fault)
{
    const char *start = *at;
    uint64_t value = 0;
    if (rd__take_u64(at, &value) == 1 && value >= least && value <= most) {
        *vertex = (uint32_t)value;
        return 1;
    }
    *at = rd__skip_blanks(start);
    return rd__expected(fault, *at, "a vertex number from %llu to %llu", (unsigned long long)least,
                        (unsigned long long)most);
}

/* What becomes of the weights in a file. */
typedef enum {
    RD__WEIGHT_WHOLE, /* must be whole numbers */
    RD__WEIGHT_ROUND, /* are rounded to the nearest, halves away from zero */
    RD__WEIGHT_REAL,  /* are 32-bit floats */
    RD__WEIGHT_DROP,  /* others take their place: any number will do */
} rd__weight_use;

static inline rd__weight_use rd__weight_use_of(const rd_graph_options *options)
{
    if (options->weight_max > 0 && !options->keep_weights)
        return RD__WEIGHT_DROP;
    if (options->real_weights)
        return RD__WEIGHT_REAL;
    return options->round_weights ? RD__WEIGHT_ROUND : RD__WEIGHT_WHOLE;
}

/* A weight of 32 bits, of floats the word of rd_weight_word. Decimal points and exponents are taken when the value is
 * whole, or becomes so. */
int rd__take_weight(const char **at, rd__weight_use use, int32_t *weight, rd__fault *fault);

#endif
