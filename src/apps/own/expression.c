/* SPDX-License-Identifier: Apache-2.0 */
/* expression.c - see expression.h. Recursive descent; brackets may be nested MOST_NESTED deep. */
#include "apps/own/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NESTED = 32 };

typedef struct reader {
    const char *text, *at, *where;
    int known, nested;
    rd__value_fn names;
    const void *user;
    rd_error *err;
} reader;

static rd_status sum(reader *r, uint64_t *value);

static void skip(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static rd_status bad(reader *r, const char *what)
{
    return rd__fail(r->err, RD_EINPUT, "%s: '%.80s' %s", r->where, r->text, what);
}

static rd_status number(reader *r, uint64_t *value)
{
    const int base = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X') ? 16 : 10;
    r->at += base == 16 ? 2 : 0;
    if (!isxdigit((unsigned char)*r->at))
        return bad(r, "has a number without digits");
    uint64_t x = 0;
    for (; isxdigit((unsigned char)*r->at) && (base == 16 || isdigit((unsigned char)*r->at)); r->at++) {
        const char c = (char)tolower((unsigned char)*r->at);
        const uint64_t digit = (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        if (x > (UINT64_MAX - digit) / (uint64_t)base)
            return bad(r, "has a number of more than 64 bits");
        x = x * (uint64_t)base + digit;
    }
    while (*r->at == 'u' || *r->at == 'U' || *r->at == 'l' || *r->at == 'L') /* as in C */
        r->at++;
    if (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.')
        return bad(r, "has a number that is not whole");
    *value = x;
    return RD_OK;
}

static rd_status name(reader *r, uint64_t *value)
{
    char word[RD__OWN_NAME_ROOM];
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    if (length < sizeof word) {
        memcpy(word, r->at, length);
        word[length] = '\0';
        r->at += length;
        if (r->names(r->user, word, value))
            return RD_OK;
    }
    if (length < sizeof word &&
        (strcmp(word, "vertices") == 0 || strcmp(word, "edges") == 0 || strcmp(word, "max_degree") == 0))
        return rd__fail(
            r->err, RD_EINPUT,
            "%s: '%.80s' names '%s', and this app takes no graph: those of models frontier and sweep do, and "
            "others that have RD_ROWS, RD_TARGETS or RD_WEIGHTS",
            r->where, r->text, word);
    return rd__fail(r->err, RD_EINPUT,
                    "%s: '%.80s' names '%.*s', which is neither an option that is a whole number nor known (vertices, "
                    "edges, max_degree, gpu, RD_NONE); macros are not followed here",
                    r->where, r->text, length < sizeof word ? (int)strlen(word) : 31,
                    length < sizeof word ? word : r->at);
}

static rd_status factor(reader *r, uint64_t *value)
{
    skip(r);
    if (*r->at == '(') {
        if (r->nested++ == MOST_NESTED)
            return bad(r, "is nested too deep");
        r->at++;
        RD_TRY(sum(r, value));
        r->nested--;
        skip(r);
        if (*r->at != ')')
            return bad(r, "has a bracket that does not close");
        r->at++;
        return RD_OK;
    }
    if (isdigit((unsigned char)*r->at))
        return number(r, value);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return name(r, value);
    return bad(r, "is no whole number, name or sum of those (+ - * / % < and brackets)");
}

static rd_status product(reader *r, uint64_t *value)
{
    RD_TRY(factor(r, value));
    for (skip(r); *r->at == '*' || *r->at == '/' || *r->at == '%'; skip(r)) {
        const char sign = *r->at++;
        uint64_t other = 0;
        RD_TRY(factor(r, &other));
        if (r->known)
            continue;
        if (sign == '*' && other && *value > UINT64_MAX / other)
            return bad(r, "is more than 64 bits hold");
        if (sign != '*' && !other)
            return bad(r, "divides by 0");
        *value = sign == '*' ? *value * other : sign == '/' ? *value / other : *value % other;
    }
    return RD_OK;
}

static rd_status total(reader *r, uint64_t *value)
{
    RD_TRY(product(r, value));
    for (skip(r); *r->at == '+' || *r->at == '-'; skip(r)) {
        const char sign = *r->at++;
        uint64_t other = 0;
        RD_TRY(product(r, &other));
        if (r->known)
            continue;
        if (sign == '+' ? *value > UINT64_MAX - other : other > *value)
            return bad(r, sign == '+' ? "is more than 64 bits hold" : "is less than 0");
        *value = sign == '+' ? *value + other : *value - other;
    }
    return RD_OK;
}

/* One comparison at most: there is no sense in a < b < c. */
static rd_status sum(reader *r, uint64_t *value)
{
    uint64_t other = 0;
    RD_TRY(total(r, value));
    if (*r->at != '<')
        return RD_OK;
    r->at++;
    RD_TRY(total(r, &other));
    *value = *value < other;
    return RD_OK;
}

rd_status rd__expression(const char *text, const char *where, int known, rd__value_fn names, const void *user,
                         uint64_t *value, rd_error *err)
{
    reader r = {.text = text, .at = text, .where = where, .known = known, .names = names, .user = user, .err = err};
    *value = 0;
    RD_TRY(sum(&r, value));
    skip(&r);
    if (*r.at)
        return bad(&r, "goes on where a sum should end");
    if (known)
        *value = 0;
    return RD_OK;
}
