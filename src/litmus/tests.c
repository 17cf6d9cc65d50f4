/* SPDX-License-Identifier: Apache-2.0 */
/* tests.c - the shapes of tests.k.h for the host: as lists of operations, and as text. */
#include "litmus/litmus.h"
#include "litmus/tests.k.h"

#include <stdio.h>
#include <string.h>
#include <pthread.h>

#define ST(order, w, x)        {RD__LIT_STORE, RD__LIT_##order, w, x, 0, 0},
#define LD(order, w, reg)      {RD__LIT_LOAD, RD__LIT_##order, w, 0, reg, 0},
#define XCHG(order, w, x, reg) {RD__LIT_XCHG, RD__LIT_##order, w, x, reg, 0},
#define ADD(order, w, x, reg)  {RD__LIT_ADD, RD__LIT_##order, w, x, reg, 0},
#define PST(w, x)              {RD__LIT_STORE, RD__LIT_plain, w, x, 0, 0},
#define PLD(w, reg)            {RD__LIT_LOAD, RD__LIT_plain, w, 0, reg, 0},
#define PLDIF(guard, w, reg)   {RD__LIT_LOAD, RD__LIT_plain, w, 0, reg, guard + 1},
#define FENCE_SC()             {RD__LIT_FENCE, RD__LIT_sc, 0, 0, 0, 0},
#define FENCE_REL()            {RD__LIT_FENCE, RD__LIT_rel, 0, 0, 0, 0},
#define BAR()                  {RD__LIT_BARRIER, 0, 0, 0, 0, 0},
#define NO_MORE                                                                                                        \
    {                                                                                                                  \
        RD__LIT_END, 0, 0, 0, 0, 0                                                                                     \
    }

/* clang-format off */
#define PROGRAM(name, scope, threads, words, registers, a, b, c, d) \
    {threads, words, registers, {{a NO_MORE}, {b NO_MORE}, {c NO_MORE}, {d NO_MORE}}},
#define ABOUT(name, scope, threads, words, registers, a, b, c, d) \
    {#name, scopes[scope], threads, registers, words, ""},
#define SCOPE(name, scope, threads, words, registers, a, b, c, d) scope,
/* clang-format on */

static const rd__lit_program programs[] = {LITMUS_TESTS(PROGRAM)};
static const uint8_t scope_of[] = {LITMUS_TESTS(SCOPE)};
#define TESTS (sizeof programs / sizeof programs[0])

#define scopes ((const char *const[]){"", "group", "grid"})
static rd_litmus_test tests[TESTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- Text ---- */

static int op_text(const rd__lit_op *op, char *text, size_t bytes)
{
    static const char *const orders[] = {" plain", "", " acq", " rel", " fen", " acqrel", " sc"};
    const char word = "xyz"[op->word];
    const char *order = orders[op->order];
    switch (op->kind) {
    case RD__LIT_STORE: return snprintf(text, bytes, "%c = %u%s", word, op->value, order);
    case RD__LIT_LOAD:
        if (op->guard)
            return snprintf(text, bytes, "if r%u: r%u = %c%s", op->guard - 1u, op->reg, word, order);
        return snprintf(text, bytes, "r%u = %c%s", op->reg, word, order);
    case RD__LIT_XCHG: return snprintf(text, bytes, "r%u = xchg(%c, %u)%s", op->reg, word, op->value, order);
    case RD__LIT_ADD: return snprintf(text, bytes, "r%u = add(%c, %u)%s", op->reg, word, op->value, order);
    case RD__LIT_FENCE: return snprintf(text, bytes, "fence%s", order);
    default: return snprintf(text, bytes, "barrier");
    }
}

static void program_text(const rd__lit_program *program, char *text, size_t bytes)
{
    size_t used = 0;
    for (uint32_t t = 0; t < program->threads && used < bytes; t++)
        for (uint32_t i = 0; program->op[t][i].kind && used < bytes; i++) {
            used += (size_t)snprintf(text + used, bytes - used, "%s", i ? "; " : t ? " | " : "");
            if (used < bytes)
                used += (size_t)op_text(&program->op[t][i], text + used, bytes - used);
        }
}

static void fill(void)
{
    const rd_litmus_test about[] = {LITMUS_TESTS(ABOUT)};
    memcpy(tests, about, sizeof tests);
    for (size_t i = 0; i < TESTS; i++)
        program_text(&programs[i], tests[i].text, sizeof tests[i].text);
}

const rd_litmus_test *rd_litmus_get(size_t i)
{
    (void)pthread_once(&once, fill);
    return i < TESTS ? &tests[i] : NULL;
}

size_t rd__lit_number(const rd_litmus_test *test)
{
    for (size_t i = 0; i < TESTS; i++)
        if (rd_litmus_get(i) == test)
            return i;
    return TESTS;
}

const rd__lit_program *rd__lit_program_of(size_t i)
{
    return &programs[i];
}

uint32_t rd__lit_scope(size_t i)
{
    return scope_of[i];
}

char *rd_litmus_outcome(const rd_litmus_test *test, uint32_t outcome, char *text, size_t bytes)
{
    size_t used = 0;
    if (!text || !bytes)
        return text;
    text[0] = '\0';
    for (uint32_t i = 0; test && i < RD_LITMUS_REGISTERS + RD_LITMUS_WORDS && used < bytes; i++) {
        const uint32_t is_word = i >= RD_LITMUS_REGISTERS, value = outcome >> 2 * i & 3;
        if (is_word ? i - RD_LITMUS_REGISTERS >= test->words : i >= test->registers)
            continue;
        if (is_word)
            used += (size_t)snprintf(text + used, bytes - used, "%s%c=%u", used ? " " : "",
                                     "xyz"[i - RD_LITMUS_REGISTERS], value);
        else
            used += (size_t)snprintf(text + used, bytes - used, "%sr%u=%u", used ? " " : "", i, value);
    }
    return text;
}

rd_status rd_litmus_allowed(const rd_litmus_test *test, rd_litmus_table *table, rd_error *err)
{
    const size_t number = rd__lit_number(test);
    if (number == TESTS || !table)
        return rd__fail(err, RD_EARG, "rd_litmus_allowed needs one of the tests and a place for its table");
    return rd__lit_allowed(&programs[number], table, err);
}
