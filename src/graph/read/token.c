/* SPDX-License-Identifier: Apache-2.0 */
/*
 * token.c - weights. A decimal number is digits times a power of ten; it is whole when the power can be brought to zero
 * or more by dropping zeros from the digits. No floating point is involved but for rounding and real weights, and no
 * locale. A real weight is rounded twice, to a double and to a float; what a float was written as, with nine digits, is
 * nearer to it than both roundings together.
 */
#include "graph/read/token.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { EXPONENT_MAX = 100000 };

struct decimal {
    uint64_t digits;
    long exponent;
    int negative;
    int inexact; /* digits that did not fit were not all zero */
};

/* @return the end of the number, or NULL when there is none. */
static const char *scan_decimal(const char *c, struct decimal *number)
{
    int any = 0, after_point = 0;
    if (*c == '-' || *c == '+')
        number->negative = *c++ == '-';
    for (;; c++) {
        if (*c == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        if (*c < '0' || *c > '9')
            break;
        any = 1;
        if (number->digits < 100000000000000000ull) {
            number->digits = number->digits * 10 + (uint64_t)(*c - '0');
            number->exponent -= after_point;
        } else {
            number->inexact |= *c != '0';
            number->exponent += !after_point;
        }
    }
    if (any && (*c == 'e' || *c == 'E')) {
        long exponent = 0;
        int negative = 0;
        c++;
        if (*c == '-' || *c == '+')
            negative = *c++ == '-';
        if (*c < '0' || *c > '9')
            return NULL;
        for (; *c >= '0' && *c <= '9'; c++)
            if (exponent < EXPONENT_MAX)
                exponent = exponent * 10 + (*c - '0');
        number->exponent += negative ? -exponent : exponent;
    }
    return any && rd__is_break(*c) ? c : NULL;
}

/* @return 1 and the magnitude when it is whole and below 2^32; 0 when it is not whole; 2 when it is too large. */
static int whole(struct decimal number, uint64_t *magnitude)
{
    if (number.digits == 0 && !number.inexact) {
        *magnitude = 0;
        return 1;
    }
    for (; number.exponent < 0 && number.digits % 10 == 0; number.exponent++)
        number.digits /= 10;
    if (number.exponent < 0 || number.inexact)
        return number.exponent >= 0 ? 2 : 0;
    for (; number.exponent > 0 && number.digits < 1ull << 32; number.exponent--)
        number.digits *= 10;
    *magnitude = number.digits;
    return number.digits < 1ull << 32 ? 1 : 2;
}

static int too_large(rd__fault *fault, const char *at)
{
    return rd__expected(fault, at, "a weight from -2147483648 to 2147483647");
}

/* The number as a double: powers of ten up to 22 are exact, and so is the quotient but for its rounding. */
static double value_of(const struct decimal *number)
{
    const double digits = (double)number->digits, power = (double)labs(number->exponent);
    const double size = number->exponent < 0 ? digits / pow(10, power) : digits * pow(10, power);
    return number->negative ? -size : size;
}

static int take_real(const struct decimal *number, const char *start, int32_t *weight, rd__fault *fault)
{
    const double value = number->digits ? value_of(number) : 0;
    if (!(fabs(value) <= (double)FLT_MAX))
        return rd__expected(fault, start, "a weight from %g to %g", -(double)FLT_MAX, (double)FLT_MAX);
    *weight = rd_weight_word((float)value);
    return 1;
}

int rd__take_weight(const char **at, rd__weight_use use, int32_t *weight, rd__fault *fault)
{
    const char *start = rd__skip_blanks(*at);
    struct decimal number = {0};
    uint64_t magnitude = 0;
    *at = start;
    const char *end = scan_decimal(start, &number);
    if (!end)
        return rd__expected(fault, start, "a weight");
    if (use == RD__WEIGHT_DROP) {
        *weight = 0;
        *at = end;
        return 1;
    }
    if (use == RD__WEIGHT_REAL) {
        *at = end;
        return take_real(&number, start, weight, fault);
    }
    int is_whole = whole(number, &magnitude);
    if (is_whole == 0 && use == RD__WEIGHT_ROUND) {
        double value = round((double)number.digits * pow(10, (double)number.exponent));
        magnitude = value < 4294967296.0 ? (uint64_t)value : UINT64_MAX;
    } else if (is_whole == 0) {
        fault->fraction = 1;
        return rd__expected(fault, start,
                            "a whole number as weight (--real-weights takes fractions, --round-weights rounds them)");
    } else if (is_whole == 2) {
        return too_large(fault, start);
    }
    if (magnitude > (number.negative ? 2147483648u : 2147483647u))
        return too_large(fault, start);
    *weight = (int32_t)(number.negative ? -(int64_t)magnitude : (int64_t)magnitude);
    *at = end;
    return 1;
}
