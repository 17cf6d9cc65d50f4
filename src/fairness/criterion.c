/* SPDX-License-Identifier: Apache-2.0 */
/*
 * criterion.c - thread fairness criteria, after T. Sorensen's thesis (Imperial College London, 2018, chapter 6). A
 * scheduler with the criterion C lets an infinite execution happen only if, for each thread t: when from some moment on
 * t is enabled and C(t) holds, then t makes infinitely many steps. The weaker the criterion, the stronger the
 * scheduler.
 *
 *   C = or-chain of and-chains of: not C, (C), true, false, started(V), enabled(V), V < V (and <= > >= == !=),
 *       some v: C, all v: C          V: t, a name after some or all, or a number
 */
#include "fairness/criterion.h"
#include "fairness/lex.h"

#include <string.h>

#define HSA  "all u: u >= t or not enabled(u)"
#define OBE  "started(t)"
#define LOBE "some u: u >= t and started(u)"

static const rd_name_text names[] = {
    {"opencl", "false"}, {"hsa", HSA},     {"obe", OBE}, {"hsa+obe", "(" HSA ") or " OBE},
    {"lobe", LOBE},      {"fair", "true"}, {NULL, NULL},
};

const rd_name_text *rd_fairness_schedulers(void)
{
    return names;
}

enum { TRUE, FALSE, NOT, AND, OR, STARTED, ENABLED, SOME, ALL, COMPARE }; /* COMPARE + which comparison */
static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">=", NULL};
enum { NUMBER = 128 }; /* an operand from here on is a number; below, a variable */

typedef struct parser {
    fair_criterion *c;
    fair_tokens tokens;
    rd_error *err;
    const fair_token *variable[1 + FAIR_VARIABLES]; /* 0 is t */
    uint32_t variables;
    uint32_t depth;
} parser;

static rd_status any(parser *p, uint8_t *node);

static rd_status make(parser *p, int kind, uint8_t left, uint8_t right, uint8_t *node)
{
    if (p->c->nodes == FAIR_NODES)
        return rd__fail(p->err, RD_EARG, "%s: a criterion of more than %d parts", p->tokens.source, FAIR_NODES);
    *node = (uint8_t)p->c->nodes;
    p->c->node[p->c->nodes++] = (fair_node){(uint8_t)kind, left, right};
    return RD_OK;
}

static rd_status operand(parser *p, uint8_t *value)
{
    const fair_token *token = fair_peek(&p->tokens);
    if (token->kind == FAIR_TOKEN_NUMBER) {
        p->tokens.next++;
        *value = (uint8_t)(NUMBER + token->value);
        return RD_OK;
    }
    for (uint32_t i = p->variables; token->kind == FAIR_TOKEN_NAME && i-- > 0;) {
        const fair_token *v = p->variable[i];
        const char *name = v ? v->at : "t";
        if (token->length == (v ? v->length : 1) && memcmp(token->at, name, token->length) == 0) {
            p->tokens.next++;
            *value = (uint8_t)i;
            return RD_OK;
        }
    }
    return rd__fair_expected(&p->tokens, "true, false, not, started, enabled, some, all, t or a number", p->err);
}

static rd_status comparison(parser *p, uint8_t *node)
{
    uint8_t left, right;
    RD_TRY(operand(p, &left));
    for (int i = 0; comparisons[i]; i++)
        if (rd__fair_take(&p->tokens, comparisons[i])) {
            RD_TRY(operand(p, &right));
            p->c->uses_order |= i >= 2 || left >= NUMBER || right >= NUMBER;
            return make(p, COMPARE + i, left, right, node);
        }
    return rd__fair_expected(&p->tokens, "a comparison", p->err);
}

static rd_status quantifier(parser *p, int kind, uint8_t *node)
{
    uint8_t body;
    const fair_token *token = fair_peek(&p->tokens);
    if (token->kind != FAIR_TOKEN_NAME)
        return rd__fair_expected(&p->tokens, "a name for a thread", p->err);
    if (p->variables > FAIR_VARIABLES)
        return rd__fail(p->err, RD_EARG, "%s: more than %d of some and all inside each other", p->tokens.source,
                        FAIR_VARIABLES);
    p->variable[p->variables++] = token;
    p->tokens.next++;
    RD_TRY(rd__fair_need(&p->tokens, ":", p->err));
    RD_TRY(any(p, &body));
    p->variables--;
    return make(p, kind, (uint8_t)p->variables, body, node);
}

static rd_status of_thread(parser *p, int kind, uint8_t *node)
{
    uint8_t value;
    RD_TRY(rd__fair_need(&p->tokens, "(", p->err));
    RD_TRY(operand(p, &value));
    p->c->uses_order |= value >= NUMBER;
    RD_TRY(rd__fair_need(&p->tokens, ")", p->err));
    return make(p, kind, value, 0, node);
}

static rd_status primary(parser *p, uint8_t *node)
{
    uint8_t inner;
    if (p->depth++ > 40)
        return rd__fail(p->err, RD_EARG, "%s: too many brackets", p->tokens.source);
    rd_status status;
    if (rd__fair_take(&p->tokens, "not")) {
        RD_TRY(primary(p, &inner));
        status = make(p, NOT, inner, 0, node);
    } else if (rd__fair_take(&p->tokens, "(")) {
        RD_TRY(any(p, node));
        status = rd__fair_need(&p->tokens, ")", p->err);
    } else if (rd__fair_take(&p->tokens, "true")) {
        status = make(p, TRUE, 0, 0, node);
    } else if (rd__fair_take(&p->tokens, "false")) {
        status = make(p, FALSE, 0, 0, node);
    } else if (rd__fair_take(&p->tokens, "started")) {
        status = of_thread(p, STARTED, node);
    } else if (rd__fair_take(&p->tokens, "enabled")) {
        status = of_thread(p, ENABLED, node);
    } else if (rd__fair_take(&p->tokens, "some")) {
        status = quantifier(p, SOME, node);
    } else if (rd__fair_take(&p->tokens, "all")) {
        status = quantifier(p, ALL, node);
    } else {
        status = comparison(p, node);
    }
    p->depth--;
    return status;
}

static rd_status chain(parser *p, uint8_t *node)
{
    uint8_t right;
    RD_TRY(primary(p, node));
    while (rd__fair_take(&p->tokens, "and")) {
        RD_TRY(primary(p, &right));
        RD_TRY(make(p, AND, *node, right, node));
    }
    return RD_OK;
}

static rd_status any(parser *p, uint8_t *node)
{
    uint8_t right;
    RD_TRY(chain(p, node));
    while (rd__fair_take(&p->tokens, "or")) {
        RD_TRY(chain(p, &right));
        RD_TRY(make(p, OR, *node, right, node));
    }
    return RD_OK;
}

static rd_status parse(parser *p, const char *text)
{
    RD_TRY(rd__fair_lex(&p->tokens, "criterion", text, p->err));
    RD_TRY(any(p, &p->c->root));
    if (fair_peek(&p->tokens)->kind != FAIR_TOKEN_END)
        return rd__fair_expected(&p->tokens, "the end, 'and' or 'or'", p->err);
    return RD_OK;
}

rd_status rd__fair_criterion(fair_criterion *criterion, const char *text, rd_error *err)
{
    parser p = {.c = criterion, .err = err, .variables = 1};
    rd_error inner = {RD_OK, ""};
    *criterion = (fair_criterion){.text = text};
    p.err = &inner;
    for (const rd_name_text *name = names; name->name; name++)
        if (strcmp(name->name, text) == 0)
            text = name->text;
    const rd_status status = parse(&p, text);
    rd__free(p.tokens.token);
    if (status == RD_ENOMEM)
        return rd__fail(err, status, "%s", inner.text);
    if (status != RD_OK)
        return rd__fail(err, RD_EARG,
                        "'%.100s' is neither a scheduler (opencl, hsa, obe, hsa+obe, lobe, fair) nor a "
                        "criterion: %.300s",
                        text, inner.text);
    return RD_OK;
}

rd_status rd_fairness_scheduler_check(const char *text, rd_error *err)
{
    fair_criterion criterion;
    if (!text)
        return rd__fail(err, RD_EARG, "rd_fairness_scheduler_check: text is NULL");
    return rd__fair_criterion(&criterion, text, err);
}

typedef struct moment {
    const fair_criterion *c;
    uint32_t threads, enabled, started;
    int variable[1 + FAIR_VARIABLES];
} moment;

static int value_of(const moment *now, uint8_t operand_)
{
    return operand_ >= NUMBER ? operand_ - NUMBER : now->variable[operand_];
}

static int in(uint32_t mask, int thread)
{
    return thread < FAIR_THREADS && (mask >> thread & 1);
}

static int compare(int kind, int a, int b)
{
    const int values[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    return values[kind];
}

static int holds(moment *now, uint8_t index)
{
    const fair_node *n = &now->c->node[index];
    switch (n->kind) {
    case TRUE: return 1;
    case FALSE: return 0;
    case NOT: return !holds(now, n->left);
    case AND: return holds(now, n->left) && holds(now, n->right);
    case OR: return holds(now, n->left) || holds(now, n->right);
    case STARTED: return in(now->started, value_of(now, n->left));
    case ENABLED: return in(now->enabled, value_of(now, n->left));
    case SOME:
    case ALL:
        for (uint32_t t = 0; t < now->threads; t++) {
            now->variable[n->left] = (int)t;
            if (holds(now, n->right) == (n->kind == SOME))
                return n->kind == SOME;
        }
        return n->kind == ALL;
    default: return compare(n->kind - COMPARE, value_of(now, n->left), value_of(now, n->right));
    }
}

uint32_t rd__fair_promised(const fair_criterion *criterion, uint32_t threads, uint32_t enabled, uint32_t started)
{
    moment now = {.c = criterion, .threads = threads, .enabled = enabled, .started = started};
    uint32_t mask = 0;
    for (uint32_t t = 0; t < threads; t++) {
        now.variable[0] = (int)t;
        if (enabled >> t & 1)
            mask |= (uint32_t)holds(&now, criterion->root) << t;
    }
    return mask;
}
