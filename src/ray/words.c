/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - numbers in text files. See words.h. */
#include "ray/words.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *rd__word_show(const rd__words *w, char shown[RD__WORD_SHOWN])
{
    char *out = shown;
    for (const char *at = w->word; *at && at < w->word + 40; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c >= 32 && c < 127)
            *out++ = *at;
        else
            out += snprintf(out, 5, "\\x%02x", c);
    }
    *out = '\0';
    return shown;
}

static rd_status parse(const rd__words *w, const char *what, float *value, rd_error *err)
{
    char *end, shown[RD__WORD_SHOWN];
    const double number = rd__strtod(w->word, &end);
    const int wrong = *end || end == w->word || !isfinite((float)number);
    if (wrong && w->discreet)
        return rd__fail(err, RD_EINPUT, "%s:%u: %s: not a finite number", w->path, w->line, what);
    if (wrong)
        return rd__fail(err, RD_EINPUT, "%s:%u: %s: '%s' is not a finite number", w->path, w->line, what,
                        rd__word_show(w, shown));
    *value = (float)number;
    return RD_OK;
}

rd_status rd__word_float(rd__words *w, const char *what, float *value, rd_error *err)
{
    if (!rd__word_next(w))
        return rd__fail(err, RD_EINPUT, "%s:%u: %s: a number is missing", w->path, w->line, what);
    return parse(w, what, value, err);
}

rd_status rd__word_floats(rd__words *w, const char *what, float *value, int count, rd_error *err)
{
    for (int i = 0; i < count; i++)
        RD_TRY(rd__word_float(w, what, &value[i], err));
    return RD_OK;
}
