/* SPDX-License-Identifier: Apache-2.0 */
/* fair.c - a test in the language of `raddle fairness`. Orders are left out: there every step is sequentially
 * consistent. A barrier is a word that all add to and wait at. */
#include "litmus/litmus.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct paper {
    char *text;
    size_t bytes, used;
} paper;

__attribute__((format(printf, 2, 3))) static void put(paper *p, const char *format, ...)
{
    va_list args;
    if (p->used >= p->bytes)
        return;
    va_start(args, format);
    const int n = vsnprintf(p->text + p->used, p->bytes - p->used, format, args);
    va_end(args);
    p->used = n < 0 ? p->bytes : p->used + (size_t)n;
}

static void put_op(paper *p, const rd__lit_op *op, uint32_t threads)
{
    const char word = "xyz"[op->word];
    const uint32_t reg = op->reg;
    switch (op->kind) {
    case RD__LIT_STORE: put(p, "    %c = %u\n", word, op->value); return;
    case RD__LIT_LOAD:
        if (op->guard)
            put(p, "    if t%u != 0\n", op->guard - 1u);
        put(p, "    t%u = %c; g%u = t%u\n", reg, word, reg, reg);
        if (op->guard)
            put(p, "    end\n");
        return;
    case RD__LIT_XCHG: put(p, "    t%u = swap(%c, %u); g%u = t%u\n", reg, word, op->value, reg, reg); return;
    case RD__LIT_ADD: put(p, "    t%u = add(%c, %u); g%u = t%u\n", reg, word, op->value, reg, reg); return;
    case RD__LIT_BARRIER: put(p, "    come += 1\n    await come == %u\n", threads); return;
    default: return; /* a fence: nothing is out of order here */
    }
}

int rd_litmus_model(const rd_litmus_test *test, char *text, size_t bytes)
{
    const rd_litmus_test *known = test ? rd_litmus_get(rd__lit_number(test)) : NULL;
    paper p = {text, bytes, 0};
    if (!known || !text || !bytes)
        return 0;
    const rd__lit_program *program = rd__lit_program_of(rd__lit_number(test));
    put(&p, "# %s: %s\nthreads %u\nword x, y, z, come\nghost g0, g1, g2, g3\nreg t0, t1, t2, t3\n", test->name,
        test->text, test->threads);
    for (uint32_t t = 0; t < program->threads; t++) {
        put(&p, "thread %u\n", t);
        for (uint32_t i = 0; program->op[t][i].kind; i++)
            put_op(&p, &program->op[t][i], program->threads);
        put(&p, "end\n");
    }
    return p.used < bytes;
}
