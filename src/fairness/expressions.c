/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expressions.c - expressions: or, and, not, comparisons, + -, * / %, unary minus, numbers, names, and operations on a
 * shared word that give its old value. What is known now is computed now, so that flag[me] is one certain word, and
 * who does not use `me` has the same code as others.
 */
#include "fairness/parse.h"

#include <string.h>

static rd_status binary_value(fair_parser *p, fair_binary kind, int a, int b, int *value)
{
    switch (kind) {
    case FAIR_PLUS: *value = a + b; break;
    case FAIR_MINUS: *value = a - b; break;
    case FAIR_TIMES: *value = a * b; break;
    case FAIR_OVER:
    case FAIR_MODULO:
        if (b == 0)
            return rd__fair_error(p, "division by zero");
        *value = kind == FAIR_OVER ? a / b : a % b;
        break;
    case FAIR_EQUAL: *value = a == b; break;
    case FAIR_UNEQUAL: *value = a != b; break;
    case FAIR_LESS: *value = a < b; break;
    case FAIR_LESS_EQUAL: *value = a <= b; break;
    case FAIR_GREATER: *value = a > b; break;
    case FAIR_GREATER_EQUAL: *value = a >= b; break;
    case FAIR_AND: *value = a && b; break;
    case FAIR_OR_ELSE: *value = a || b; break;
    }
    if (*value < -1000 || *value > 1000)
        return rd__fair_error(p, "%d is too large for a constant", *value);
    return RD_OK;
}

static rd_status push(fair_parser *p, fair_value *value, int number)
{
    *value = (fair_value){1, number};
    RD_TRY(rd__fair_emit(p, FAIR_PUSH));
    return rd__fair_emit(p, number);
}

rd_status rd__fair_place(fair_parser *p, const fair_name *name, int *base, int *size)
{
    const uint32_t mark = p->code.count;
    fair_value index;
    *base = name->value;
    *size = name->size;
    if (name->size == 0)
        return rd__fair_is(&p->tokens, "[") ? rd__fair_error(p, "'%s' is not an array", name->text) : RD_OK;
    RD_TRY(rd__fair_need(&p->tokens, "[", p->err));
    RD_TRY(rd__fair_expression(p, &index));
    RD_TRY(rd__fair_need(&p->tokens, "]", p->err));
    if (index.is_constant) {
        if (index.value < 0 || index.value >= name->size)
            return rd__fair_error(p, "%s[%d] is not there: %s has %d words", name->text, index.value, name->text,
                                  name->size);
        p->code.count = mark;
        *base += index.value;
        *size = 0;
    }
    return RD_OK;
}

/* Operations that read, change and write one word at once. */
static const struct {
    const char *name;
    fair_op op;
    int arguments;
} atomics[] = {{"add", FAIR_ADD, 1},    {"swap", FAIR_SWAP, 1}, {"max", FAIR_MAX, 1},
               {"or_bits", FAIR_OR, 1}, {"cas", FAIR_CAS, 2},   {NULL, FAIR_END, 0}};

static rd_status atomic(fair_parser *p, int which)
{
    int base, size;
    fair_value unused;
    if (p->is_spec)
        return rd__fair_error(p, "'%s' changes a word: it cannot be part of what is only looked at",
                              atomics[which].name);
    RD_TRY(rd__fair_need(&p->tokens, "(", p->err));
    const fair_name *name = rd__fair_name(p);
    if (!name || name->kind != FAIR_SHARED)
        return rd__fair_error(p, "the first argument of '%s' is a shared word", atomics[which].name);
    RD_TRY(rd__fair_place(p, name, &base, &size));
    for (int i = 0; i < atomics[which].arguments; i++) {
        RD_TRY(rd__fair_need(&p->tokens, ",", p->err));
        RD_TRY(rd__fair_expression(p, &unused));
    }
    p->touches++;
    RD_TRY(rd__fair_emit(p, (int)atomics[which].op));
    RD_TRY(rd__fair_emit(p, base));
    RD_TRY(rd__fair_emit(p, size));
    return rd__fair_need(&p->tokens, ")", p->err);
}

static rd_status look(fair_parser *p, const fair_name *name)
{
    int base, size;
    if (name->kind == FAIR_GHOST && !p->is_spec)
        return rd__fair_error(p, "'%s' is a ghost: what a thread does may not depend on it", name->text);
    RD_TRY(rd__fair_place(p, name, &base, &size));
    p->touches += name->kind == FAIR_SHARED && !p->is_spec;
    RD_TRY(rd__fair_emit(p, FAIR_WORD));
    RD_TRY(rd__fair_emit(p, base));
    return rd__fair_emit(p, size);
}

static rd_status named(fair_parser *p, fair_value *value)
{
    if (rd__fair_is(&p->tokens, "me") || rd__fair_is(&p->tokens, "threads")) {
        const int is_me = rd__fair_take(&p->tokens, "me");
        p->tokens.next += !is_me;
        if (is_me ? p->me < 0 : p->m->threads == 0)
            return rd__fair_error(p, is_me ? "'me' is no thread here" : "the number of threads is not known yet");
        return push(p, value, is_me ? p->me : (int)p->m->threads);
    }
    for (int i = 0; atomics[i].name; i++)
        if (rd__fair_take(&p->tokens, atomics[i].name))
            return atomic(p, i);
    const fair_token *token = fair_peek(&p->tokens);
    const fair_name *name = rd__fair_name(p);
    if (!name)
        return rd__fair_error(p, "'%.*s' is not declared", token->length > 40 ? 40 : token->length, token->at);
    switch (name->kind) {
    case FAIR_CONST: return push(p, value, name->value);
    case FAIR_REGISTER:
        if (p->me < 0)
            return rd__fair_error(p, "'%s' is a register: each thread has its own", name->text);
        RD_TRY(rd__fair_emit(p, FAIR_REG));
        return rd__fair_emit(p, name->value);
    case FAIR_DEF: return rd__fair_error(p, "'%s' is a list of steps, not a value", name->text);
    default: return look(p, name);
    }
}

static rd_status primary(fair_parser *p, fair_value *value)
{
    const fair_token *token = fair_peek(&p->tokens);
    *value = (fair_value){0, 0};
    RD_TRY(rd__fair_deeper(p));
    if (token->kind == FAIR_TOKEN_NUMBER) {
        p->tokens.next++;
        RD_TRY(push(p, value, token->value));
    } else if (token->kind == FAIR_TOKEN_NAME) {
        RD_TRY(named(p, value));
    } else if (rd__fair_take(&p->tokens, "(")) {
        RD_TRY(rd__fair_expression(p, value));
        RD_TRY(rd__fair_need(&p->tokens, ")", p->err));
    } else {
        return rd__fair_expected(&p->tokens, "a value", p->err);
    }
    p->depth--;
    return RD_OK;
}

/* `not` and unary minus: word and op. */
static rd_status unary(fair_parser *p, fair_value *value)
{
    const int is_not = rd__fair_take(&p->tokens, "not"), is_minus = !is_not && rd__fair_take(&p->tokens, "-");
    if (!is_not && !is_minus)
        return primary(p, value);
    const uint32_t mark = p->code.count;
    RD_TRY(rd__fair_deeper(p));
    RD_TRY(unary(p, value));
    p->depth--;
    if (value->is_constant) {
        p->code.count = mark;
        return push(p, value, is_not ? !value->value : -value->value);
    }
    return rd__fair_emit(p, is_not ? FAIR_NOT : FAIR_NEGATE);
}

static const struct {
    const char *sign;
    fair_binary kind;
    int level;
} signs[] = {{"or", FAIR_OR_ELSE, 0},    {"and", FAIR_AND, 1},          {"==", FAIR_EQUAL, 2}, {"!=", FAIR_UNEQUAL, 2},
             {"<=", FAIR_LESS_EQUAL, 2}, {">=", FAIR_GREATER_EQUAL, 2}, {"<", FAIR_LESS, 2},   {">", FAIR_GREATER, 2},
             {"+", FAIR_PLUS, 3},        {"-", FAIR_MINUS, 3},          {"*", FAIR_TIMES, 4},  {"/", FAIR_OVER, 4},
             {"%", FAIR_MODULO, 4},      {NULL, FAIR_PLUS, 0}};

static int sign_at(fair_parser *p, int level)
{
    for (int i = 0; signs[i].sign; i++)
        if (signs[i].level == level && rd__fair_take(&p->tokens, signs[i].sign))
            return i;
    return -1;
}

static rd_status chain(fair_parser *p, int level, fair_value *left)
{
    const uint32_t mark = p->code.count;
    if (level == 5)
        return unary(p, left);
    RD_TRY(chain(p, level + 1, left));
    for (int sign = sign_at(p, level); sign >= 0; sign = sign_at(p, level)) {
        fair_value right;
        int value = 0; /* set where there is no error, which gcc -O2 does not see */
        RD_TRY(chain(p, level + 1, &right));
        if (left->is_constant && right.is_constant) {
            RD_TRY(binary_value(p, signs[sign].kind, left->value, right.value, &value));
            p->code.count = mark;
            RD_TRY(push(p, left, value));
        } else {
            left->is_constant = 0;
            RD_TRY(rd__fair_emit(p, FAIR_BINARY));
            RD_TRY(rd__fair_emit(p, (int)signs[sign].kind));
        }
    }
    return RD_OK;
}

rd_status rd__fair_expression(fair_parser *p, fair_value *value)
{
    RD_TRY(rd__fair_deeper(p));
    RD_TRY(chain(p, 0, value));
    p->depth--;
    return RD_OK;
}

rd_status rd__fair_constant(fair_parser *p, int low, int high, int *value)
{
    const uint32_t mark = p->code.count;
    fair_value found;
    RD_TRY(rd__fair_expression(p, &found));
    if (!found.is_constant)
        return rd__fair_error(p, "a number that is known beforehand is needed here");
    if (found.value < low || found.value > high)
        return rd__fair_error(p, "%d is not from %d to %d", found.value, low, high);
    p->code.count = mark;
    *value = found.value;
    return RD_OK;
}
