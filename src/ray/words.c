/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - numbers in text files. See words.h. */
#include "ray/words.h"

#include <math.h>
#include <stdlib.h>

static rd_status parse(const rd__words *w, const char *what, float *value, rd_error *err)
{
    char *end;
    const double number = strtod(w->word, &end);
    if (*end || end == w->word || !isfinite((float)number))
        return rd__fail(err, RD_EINPUT, "%s:%u: %s: '%.40s' is not a finite number", w->path, w->line, what, w->word);
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

rd_status rd__word_more(rd__words *w, const char *what, float *value, rd_error *err)
{
    return rd__word_next(w) ? parse(w, what, value, err) : RD_OK;
}
