/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statements.c - the steps of a thread. A statement that touches a shared word gets a point before it: there the step
 * begins. It may touch one, because that is what an atomic operation of a device does.
 */
#include "fairness/parse.h"

#include <string.h>

/* Room for a point before what follows. */
static rd_status open_step(fair_parser *p, uint32_t *mark)
{
    *mark = p->code.count;
    p->touches = 0;
    RD_TRY(rd__fair_emit(p, FAIR_POINT));
    return rd__fair_emit(p, 0);
}

/* What stands behind the mark is complete: the point gets its number, or goes. No jump is inside. */
static rd_status close_step(fair_parser *p, uint32_t mark, int always)
{
    fair_code *code = &p->code;
    if (p->touches > 1)
        return rd__fair_error(p, "a step touches one shared word, and this one touches %u: split it", p->touches);
    if (p->touches == 0 && !always) {
        memmove(code->op + mark, code->op + mark + 2, (code->count - mark - 2) * sizeof *code->op);
        code->count -= 2;
        return RD_OK;
    }
    if (code->points == FAIR_POINTS)
        return rd__fair_error(p, "thread %d has more than %d steps", p->me, FAIR_POINTS);
    code->point[++code->points] = (uint16_t)mark;
    code->op[mark + 1] = (int16_t)code->points;
    return RD_OK;
}

/* "if it is 0, go ..." *hole: the place to write where; 0 when the value is known: then no code is made. */
static rd_status condition(fair_parser *p, fair_value *value, uint32_t *hole)
{
    uint32_t mark;
    p->line = fair_peek(&p->tokens)->line;
    RD_TRY(open_step(p, &mark));
    RD_TRY(rd__fair_expression(p, value));
    *hole = 0;
    if (value->is_constant) {
        p->code.count = mark;
        return RD_OK;
    }
    RD_TRY(rd__fair_emit(p, FAIR_UNLESS));
    RD_TRY(rd__fair_emit(p, 0));
    RD_TRY(close_step(p, mark, 0));
    *hole = p->code.count - 1;
    return RD_OK;
}

static void fill(fair_parser *p, uint32_t hole, uint32_t where)
{
    p->code.op[hole] = (int16_t)where;
}

static rd_status jump(fair_parser *p, uint32_t where)
{
    RD_TRY(rd__fair_emit(p, FAIR_JUMP));
    return rd__fair_emit(p, (int)where);
}

static rd_status end_line(fair_parser *p)
{
    const fair_token *token = fair_peek(&p->tokens);
    if (token->kind != FAIR_TOKEN_LINE && token->kind != FAIR_TOKEN_END)
        return rd__fair_expected(&p->tokens, "the end of the line", p->err);
    p->tokens.next += token->kind == FAIR_TOKEN_LINE;
    return RD_OK;
}

/* Statements that are read, and left out of the code when they can never be reached. */
static rd_status part(fair_parser *p, int is_dead)
{
    const uint32_t count = p->code.count, points = p->code.points, breaks = p->breaks;
    RD_TRY(rd__fair_statements(p));
    if (is_dead) {
        p->code.count = count;
        p->code.points = points;
        p->breaks = breaks;
    }
    return RD_OK;
}

static rd_status if_statement(fair_parser *p);

/* What follows the first part of an `if`. */
static rd_status other_part(fair_parser *p)
{
    if (rd__fair_take(&p->tokens, "elif")) {
        RD_TRY(rd__fair_deeper(p));
        RD_TRY(if_statement(p));
        p->depth--;
        return RD_OK;
    }
    RD_TRY(rd__fair_need(&p->tokens, "else", p->err));
    RD_TRY(end_line(p));
    RD_TRY(rd__fair_statements(p));
    return rd__fair_need(&p->tokens, "end", p->err);
}

/* if .. elif .. else .. end: each part but the last jumps to the end, through a chain of jumps. */
static rd_status if_statement(fair_parser *p)
{
    uint32_t hole, leave = 0;
    fair_value value;
    RD_TRY(condition(p, &value, &hole));
    RD_TRY(end_line(p));
    RD_TRY(part(p, value.is_constant && !value.value));
    if (rd__fair_take(&p->tokens, "end")) {
        if (hole)
            fill(p, hole, p->code.count);
        return RD_OK;
    }
    const uint32_t count = p->code.count, points = p->code.points, breaks = p->breaks;
    if (hole) {
        RD_TRY(jump(p, 0));
        leave = p->code.count - 1;
        fill(p, hole, p->code.count);
    }
    RD_TRY(other_part(p));
    if (hole) {
        fill(p, leave, p->code.count);
    } else if (value.value) { /* never reached */
        p->code.count = count;
        p->code.points = points;
        p->breaks = breaks;
    }
    return RD_OK;
}

static void fill_breaks(fair_parser *p, uint32_t from)
{
    while (p->breaks > from)
        fill(p, p->break_at[--p->breaks], p->code.count);
}

static rd_status while_statement(fair_parser *p)
{
    const uint32_t start = p->code.count, breaks = p->breaks;
    uint32_t hole;
    fair_value value;
    RD_TRY(condition(p, &value, &hole));
    RD_TRY(end_line(p));
    p->loops++;
    RD_TRY(part(p, value.is_constant && !value.value));
    RD_TRY(rd__fair_need(&p->tokens, "end", p->err));
    p->loops--;
    if (!value.is_constant || value.value)
        RD_TRY(jump(p, start));
    if (hole)
        fill(p, hole, p->code.count);
    fill_breaks(p, breaks);
    return RD_OK;
}

static rd_status repeat_statement(fair_parser *p)
{
    const uint32_t start = p->code.count, breaks = p->breaks;
    uint32_t hole;
    fair_value value;
    RD_TRY(end_line(p));
    p->loops++;
    RD_TRY(rd__fair_statements(p));
    RD_TRY(rd__fair_need(&p->tokens, "until", p->err));
    p->loops--;
    RD_TRY(condition(p, &value, &hole));
    if (hole)
        fill(p, hole, start);
    else if (!value.value)
        RD_TRY(jump(p, start));
    fill_breaks(p, breaks);
    return RD_OK;
}

static rd_status await_statement(fair_parser *p)
{
    const uint32_t start = p->code.count;
    uint32_t hole;
    fair_value value;
    RD_TRY(condition(p, &value, &hole));
    if (p->touches == 0)
        return rd__fair_error(p, "await looks at no shared word: nobody could end it");
    fill(p, hole, start);
    return RD_OK;
}

static rd_status break_statement(fair_parser *p)
{
    if (p->loops == 0)
        return rd__fair_error(p, "break stands in no loop");
    if (p->breaks == FAIR_BREAKS)
        return rd__fair_error(p, "more than %d breaks", FAIR_BREAKS);
    RD_TRY(jump(p, 0));
    p->break_at[p->breaks++] = (uint16_t)(p->code.count - 1);
    return RD_OK;
}

static rd_status assert_statement(fair_parser *p)
{
    fair_value unused;
    p->is_spec = 1;
    RD_TRY(rd__fair_expression(p, &unused));
    p->is_spec = 0;
    return rd__fair_emit(p, FAIR_ASSERT);
}

/* name(): the steps of a def, as if they stood here. */
static rd_status call(fair_parser *p, const fair_name *def)
{
    RD_TRY(rd__fair_need(&p->tokens, "(", p->err));
    RD_TRY(rd__fair_need(&p->tokens, ")", p->err));
    const uint32_t back = p->tokens.next, loops = p->loops;
    RD_TRY(rd__fair_deeper(p));
    p->tokens.next = (uint32_t)def->value;
    p->loops = 0;
    RD_TRY(rd__fair_statements(p));
    RD_TRY(rd__fair_need(&p->tokens, "end", p->err));
    p->depth--;
    p->loops = loops;
    p->tokens.next = back;
    return RD_OK;
}

/* word = expression, word += expression; and the same for registers and ghosts. */
static rd_status assignment(fair_parser *p, const fair_name *name)
{
    uint32_t mark;
    int base = 0, size = 0;
    fair_value unused;
    RD_TRY(open_step(p, &mark));
    if (name->kind != FAIR_REGISTER)
        RD_TRY(rd__fair_place(p, name, &base, &size));
    const int adds = rd__fair_take(&p->tokens, "+=");
    if (!adds)
        RD_TRY(rd__fair_need(&p->tokens, "=", p->err));
    if (adds && name->kind == FAIR_REGISTER) {
        RD_TRY(rd__fair_emit(p, FAIR_REG));
        RD_TRY(rd__fair_emit(p, name->value));
    }
    p->is_spec = name->kind == FAIR_GHOST;
    RD_TRY(rd__fair_expression(p, &unused));
    p->is_spec = 0;
    if (name->kind == FAIR_REGISTER) {
        if (adds) {
            RD_TRY(rd__fair_emit(p, FAIR_BINARY));
            RD_TRY(rd__fair_emit(p, FAIR_PLUS));
        }
        RD_TRY(rd__fair_emit(p, FAIR_SET_REG));
        RD_TRY(rd__fair_emit(p, name->value));
        return close_step(p, mark, 0);
    }
    p->touches += name->kind == FAIR_SHARED;
    RD_TRY(rd__fair_emit(p, adds ? FAIR_ADD : FAIR_SET));
    RD_TRY(rd__fair_emit(p, base));
    RD_TRY(rd__fair_emit(p, size));
    if (adds)
        RD_TRY(rd__fair_emit(p, FAIR_DROP));
    return close_step(p, mark, 0);
}

static rd_status skip_statement(fair_parser *p)
{
    uint32_t mark;
    RD_TRY(open_step(p, &mark));
    return close_step(p, mark, 1);
}

/* An atomic operation whose old value nobody wants. */
static rd_status atomic_statement(fair_parser *p)
{
    uint32_t mark;
    fair_value unused;
    RD_TRY(open_step(p, &mark));
    RD_TRY(rd__fair_expression(p, &unused));
    RD_TRY(rd__fair_emit(p, FAIR_DROP));
    if (p->touches == 0)
        return rd__fair_error(p, "this does nothing");
    return close_step(p, mark, 0);
}

static rd_status stop_statement(fair_parser *p)
{
    return rd__fair_emit(p, FAIR_END);
}

static const struct {
    const char *word;
    rd_status (*parse)(fair_parser *p);
} keywords[] = {{"if", if_statement},       {"while", while_statement}, {"repeat", repeat_statement},
                {"await", await_statement}, {"break", break_statement}, {"assert", assert_statement},
                {"skip", skip_statement},   {"stop", stop_statement},   {NULL, NULL}};

static rd_status statement(fair_parser *p)
{
    const fair_token *token = fair_peek(&p->tokens);
    p->line = token->line;
    for (int i = 0; keywords[i].word; i++)
        if (rd__fair_take(&p->tokens, keywords[i].word))
            return keywords[i].parse(p);
    if (token->kind != FAIR_TOKEN_NAME)
        return rd__fair_expected(&p->tokens, "a statement", p->err);
    const uint32_t here = p->tokens.next;
    const fair_name *name = rd__fair_name(p);
    if (name && name->kind == FAIR_DEF)
        return call(p, name);
    if (name && name->kind == FAIR_CONST)
        return rd__fair_error(p, "'%s' is a constant", name->text);
    if (name)
        return assignment(p, name);
    p->tokens.next = here;
    return atomic_statement(p);
}

rd_status rd__fair_statements(fair_parser *p)
{
    RD_TRY(rd__fair_deeper(p));
    for (;;) {
        while (fair_peek(&p->tokens)->kind == FAIR_TOKEN_LINE)
            p->tokens.next++;
        if (fair_peek(&p->tokens)->kind == FAIR_TOKEN_END)
            return rd__fair_expected(&p->tokens, "'end'", p->err);
        if (rd__fair_is(&p->tokens, "end") || rd__fair_is(&p->tokens, "else") || rd__fair_is(&p->tokens, "elif") ||
            rd__fair_is(&p->tokens, "until"))
            break;
        RD_TRY(statement(p));
        RD_TRY(end_line(p));
    }
    p->depth--;
    return RD_OK;
}
