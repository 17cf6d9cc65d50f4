/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - the stack machine. Words and registers are signed bytes; values between are wider. */
#include "fairness/machine.h"

#include <stdio.h>
#include <string.h>

enum { STACK = 512, PATIENCE = 20000 }; /* operations between two points */

typedef struct machine {
    const rd_fairness *m;
    uint8_t *word; /* of the state */
    uint8_t *reg;  /* of the thread */
    fair_fault *fault;
    int top; /* values on the stack */
    int stack[STACK];
} machine;

static int fail(machine *x, fair_fault_kind kind, int value)
{
    x->fault->kind = kind;
    x->fault->value = value;
    return 0;
}

static int fits(machine *x, int value)
{
    return value >= -128 && value <= 127 ? 1 : fail(x, FAIR_OUT_OF_RANGE, value);
}

static int binary(machine *x, fair_binary kind)
{
    const int b = x->stack[--x->top], a = x->stack[--x->top];
    int value = 0;
    switch (kind) {
    case FAIR_PLUS: value = a + b; break;
    case FAIR_MINUS: value = a - b; break;
    case FAIR_TIMES: value = a * b; break;
    case FAIR_OVER:
    case FAIR_MODULO:
        if (b == 0)
            return fail(x, FAIR_BY_ZERO, 0);
        value = kind == FAIR_OVER ? a / b : a % b;
        break;
    case FAIR_EQUAL: value = a == b; break;
    case FAIR_UNEQUAL: value = a != b; break;
    case FAIR_LESS: value = a < b; break;
    case FAIR_LESS_EQUAL: value = a <= b; break;
    case FAIR_GREATER: value = a > b; break;
    case FAIR_GREATER_EQUAL: value = a >= b; break;
    case FAIR_AND: value = a && b; break;
    case FAIR_OR_ELSE: value = a || b; break;
    }
    if (value < -100000 || value > 100000) /* so that products of values stay numbers */
        return fail(x, FAIR_OUT_OF_RANGE, value);
    x->stack[x->top++] = value;
    return 1;
}

/* The word that an operation is about. @return NULL: there is none. */
static uint8_t *place(machine *x, const int16_t *operand)
{
    if (operand[1] == 0)
        return x->word + operand[0];
    const int index = x->stack[--x->top];
    if (index < 0 || index >= operand[1]) {
        fail(x, FAIR_NO_SUCH_WORD, index);
        return NULL;
    }
    return x->word + operand[0] + index;
}

/* Operations that change a word: value is on the stack, the old one is pushed by all but FAIR_SET. */
static int change(machine *x, fair_op op, const int16_t *operand)
{
    const int value = x->stack[--x->top], expected = op == FAIR_CAS ? x->stack[--x->top] : 0;
    uint8_t *at = place(x, operand);
    if (!at)
        return 0;
    const int old = (int8_t)*at;
    int now = value;
    if (op == FAIR_ADD)
        now = old + value;
    else if (op == FAIR_MAX)
        now = old > value ? old : value;
    else if (op == FAIR_OR)
        now = old | value;
    else if (op == FAIR_CAS)
        now = old == expected ? value : old;
    if (!fits(x, now))
        return 0;
    *at = (uint8_t)now;
    if (op != FAIR_SET)
        x->stack[x->top++] = old;
    return 1;
}

static int push_word(machine *x, const int16_t *operand)
{
    const uint8_t *at = place(x, operand);
    if (at)
        x->stack[x->top++] = (int8_t)*at;
    return at != NULL;
}

/* Runs from `at` to the next point or the end. @return its number, 0 for the end, -1 for a fault. */
static int run(machine *x, const fair_code *code, uint32_t at)
{
    const int16_t *op = code->op;
    int right = 1;
    for (int patience = PATIENCE; patience; patience--) {
        const uint32_t here = at;
        switch ((fair_op)op[at]) {
        case FAIR_END: return 0;
        case FAIR_POINT: return op[at + 1];
        case FAIR_PUSH: x->stack[x->top++] = op[at + 1]; break;
        case FAIR_REG: x->stack[x->top++] = (int8_t)x->reg[op[at + 1]]; break;
        case FAIR_SET_REG:
            right = fits(x, x->stack[--x->top]);
            x->reg[op[at + 1]] = (uint8_t)x->stack[x->top];
            break;
        case FAIR_WORD: right = push_word(x, op + at + 1); break;
        case FAIR_SET:
        case FAIR_ADD:
        case FAIR_SWAP:
        case FAIR_MAX:
        case FAIR_OR:
        case FAIR_CAS: right = change(x, (fair_op)op[at], op + at + 1); break;
        case FAIR_DROP: x->top--; break;
        case FAIR_JUMP: at = (uint32_t)op[at + 1]; continue;
        case FAIR_UNLESS: at = x->stack[--x->top] ? at + 2 : (uint32_t)op[at + 1]; continue;
        case FAIR_ASSERT: right = x->stack[--x->top] ? 1 : fail(x, FAIR_FAILED_ASSERT, 0); break;
        case FAIR_NOT: x->stack[x->top - 1] = !x->stack[x->top - 1]; break;
        case FAIR_NEGATE: x->stack[x->top - 1] = -x->stack[x->top - 1]; break;
        case FAIR_BINARY: right = binary(x, (fair_binary)op[at + 1]); break;
        }
        if (!right) {
            x->fault->line = code->line[here];
            return -1;
        }
        at += rd__fair_length((fair_op)op[at]);
    }
    x->fault->line = code->line[at];
    fail(x, FAIR_NO_STEP, 0);
    return -1;
}

static int advance(const rd_fairness *m, uint8_t *state, uint32_t t, uint32_t at, uint32_t started, fair_fault *fault)
{
    uint8_t *block = state + fair_block(m, t);
    machine x;
    x.m = m;
    x.word = state;
    x.reg = block + 1;
    x.fault = fault;
    x.top = 0;
    const int next = run(&x, &m->code[t], at);
    if (next < 0)
        return 0;
    block[0] = (uint8_t)((uint32_t)next | started);
    const uint32_t live = m->step[t][next].live; /* a value that nobody will look at is not part of the state */
    for (uint32_t r = 0; r < m->regs; r++)
        block[1 + r] = live >> r & 1 ? block[1 + r] : 0;
    return 1;
}

int rd__fair_step(const rd_fairness *m, uint8_t *state, uint32_t t, fair_fault *fault)
{
    const uint32_t point = state[fair_block(m, t)] & (FAIR_STARTED - 1);
    return advance(m, state, t, m->code[t].point[point] + 2u, FAIR_STARTED, fault);
}

int rd__fair_begin(const rd_fairness *m, uint8_t *state, uint32_t t, fair_fault *fault)
{
    return advance(m, state, t, 0, 0, fault);
}

int rd__fair_look(const rd_fairness *m, const uint8_t *state, uint32_t enabled, fair_fault *fault)
{
    uint8_t copy[FAIR_WORDS];
    machine x;
    if (m->rules == 0)
        return 1;
    memcpy(copy, state, m->words);
    x.m = m;
    x.word = copy;
    x.reg = NULL;
    x.fault = fault;
    for (uint32_t i = 0; i < m->rules; i++) {
        const fair_rule *rule = &m->rule[i];
        if (rule->is_final && enabled)
            continue;
        x.top = 0;
        if (run(&x, &rule->code, 0) < 0)
            return 0;
        if (x.stack[0] == 0) {
            fault->line = rule->line;
            return fail(&x, rule->is_final ? FAIR_FAILED_FINAL : FAIR_FAILED_INVARIANT, 0);
        }
    }
    return 1;
}

void rd__fair_describe(const rd_fairness *m, const fair_fault *fault, char *text, size_t bytes)
{
    static const char *const what[] = {"nothing is wrong",
                                       "the assertion fails",
                                       "a word has no room (-128 to 127) for the value ",
                                       "there is no word at index ",
                                       "division by zero",
                                       "a loop goes on without a step: put 'skip' in it",
                                       "the invariant does not hold",
                                       "the final condition does not hold when all threads are at their end"};
    char value[16] = "";
    if (fault->kind == FAIR_OUT_OF_RANGE || fault->kind == FAIR_NO_SUCH_WORD)
        snprintf(value, sizeof value, "%d", fault->value);
    snprintf(text, bytes, "%.60s:%u: %s%s", m->source, fault->line, what[fault->kind], value);
}
