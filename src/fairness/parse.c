/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - the declarations of a model; the code of each thread is made anew from its steps, since `me` differs. */
#include "fairness/parse.h"

#include "raddle/tool.h"

#include <stdarg.h>
#include <string.h>

rd_status rd__fair_error(fair_parser *p, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return rd__fail(p->err, RD_EINPUT, "%s:%u: %s", p->tokens.source, p->line, text);
}

rd_status rd__fair_emit(fair_parser *p, int value)
{
    if (p->code.count == FAIR_CODE)
        return rd__fair_error(p, "the steps of a thread are too long");
    p->code.op[p->code.count] = (int16_t)value;
    p->code.line[p->code.count++] = p->line;
    return RD_OK;
}

rd_status rd__fair_deeper(fair_parser *p)
{
    if (p->depth == FAIR_DEPTH)
        return rd__fair_error(p, "too many brackets or blocks inside each other, or a def that uses itself");
    p->depth++;
    return RD_OK;
}

const fair_name *rd__fair_name(fair_parser *p)
{
    const fair_token *token = fair_peek(&p->tokens);
    for (uint32_t i = 0; i < p->m->names && token->kind == FAIR_TOKEN_NAME; i++)
        if (rd__fair_take(&p->tokens, p->m->name[i].text))
            return &p->m->name[i];
    return NULL;
}

static int is_reserved(const fair_parser *p)
{
    static const char *const words[] = {
        "const", "threads", "word",  "ghost", "reg",    "invariant", "final",   "def",    "thread", "end",  "if",
        "elif",  "else",    "while", "until", "repeat", "await",     "break",   "assert", "skip",   "stop", "me",
        "and",   "or",      "not",   "add",   "swap",   "cas",       "or_bits", "max",    NULL};
    for (int i = 0; words[i]; i++)
        if (rd__fair_is(&p->tokens, words[i]))
            return 1;
    return 0;
}

static rd_status new_name(fair_parser *p, fair_kind kind, fair_name **name)
{
    const fair_token *token = fair_peek(&p->tokens);
    if (token->kind != FAIR_TOKEN_NAME || is_reserved(p))
        return rd__fair_expected(&p->tokens, "a new name", p->err);
    if (token->length >= FAIR_NAME)
        return rd__fair_error(p, "a name has at most %d characters", FAIR_NAME - 1);
    if (rd__fair_name(p))
        return rd__fair_error(p, "'%.*s' is declared twice", token->length, token->at);
    if (p->m->names == FAIR_NAMES)
        return rd__fair_error(p, "more than %d names", FAIR_NAMES);
    *name = &p->m->name[p->m->names++];
    **name = (fair_name){.kind = kind};
    memcpy((*name)->text, token->at, token->length);
    p->tokens.next++;
    return RD_OK;
}

/* A setting of this constant replaces its value. */
static rd_status apply_setting(fair_parser *p, fair_name *name, const char *const *settings)
{
    const size_t length = strlen(name->text);
    for (; settings && *settings; settings++) {
        const char *value = *settings + length + 1;
        uint64_t number;
        if (strncmp(*settings, name->text, length) != 0 || (*settings)[length] != '=')
            continue;
        if (!rd_parse_u64(value, &number) || number > FAIR_NUMBER_MOST)
            return rd__fail(p->err, RD_EARG, "'%s': a constant is set to a number from 0 to %d", *settings,
                            FAIR_NUMBER_MOST);
        name->value = (int32_t)number;
    }
    return RD_OK;
}

static rd_status check_settings(fair_parser *p, const char *const *settings)
{
    for (; settings && *settings; settings++) {
        int found = 0;
        for (uint32_t i = 0; i < p->m->names; i++) {
            const size_t length = strlen(p->m->name[i].text);
            found |= p->m->name[i].kind == FAIR_CONST && strncmp(*settings, p->m->name[i].text, length) == 0 &&
                     (*settings)[length] == '=';
        }
        if (!found)
            return rd__fail(p->err, RD_EARG, "'%s' sets no constant of %s: NAME=VALUE, and 'const NAME' in the model",
                            *settings, p->tokens.source);
    }
    return RD_OK;
}

static rd_status const_line(fair_parser *p, const char *const *settings)
{
    fair_name *name;
    int value;
    RD_TRY(new_name(p, FAIR_CONST, &name));
    RD_TRY(rd__fair_need(&p->tokens, "=", p->err));
    RD_TRY(rd__fair_constant(p, -128, 127, &value));
    name->value = value;
    return apply_setting(p, name, settings);
}

/* "=" value { ":" value }: the last one is that of all that follow. */
static rd_status first_values(fair_parser *p, int8_t *first, uint32_t count)
{
    int value = 0;
    uint32_t i = 0;
    if (rd__fair_take(&p->tokens, "="))
        do {
            RD_TRY(rd__fair_constant(p, -128, 127, &value));
            if (i == count)
                return rd__fair_error(p, "more values than words");
            first[i++] = (int8_t)value;
        } while (rd__fair_take(&p->tokens, ":"));
    while (i < count)
        first[i++] = (int8_t)value;
    return RD_OK;
}

/* name [ "[" size "]" ] and values of words and ghosts; registers have no size */
static rd_status item(fair_parser *p, fair_kind kind)
{
    rd_fairness *m = p->m;
    fair_name *name;
    int size = 0;
    RD_TRY(new_name(p, kind, &name));
    if (kind == FAIR_REGISTER) {
        if (m->regs == FAIR_REGS)
            return rd__fair_error(p, "more than %d registers", FAIR_REGS);
        name->value = (int32_t)m->regs++;
        return first_values(p, &m->first_reg[name->value], 1);
    }
    if (rd__fair_take(&p->tokens, "[")) {
        RD_TRY(rd__fair_constant(p, 1, FAIR_WORDS, &size));
        RD_TRY(rd__fair_need(&p->tokens, "]", p->err));
    }
    const uint32_t count = size ? (uint32_t)size : 1;
    if (m->words + count > FAIR_WORDS)
        return rd__fair_error(p, "more than %d words, ghosts counted", FAIR_WORDS);
    name->size = (int16_t)size;
    name->value = (int32_t)m->words;
    for (uint32_t i = 0; i < count; i++)
        m->ghosts |= (uint64_t)(kind == FAIR_GHOST) << m->words++;
    return first_values(p, &m->first_word[name->value], count);
}

static rd_status items(fair_parser *p, fair_kind kind)
{
    do {
        RD_TRY(item(p, kind));
    } while (rd__fair_take(&p->tokens, ","));
    return RD_OK;
}

/* What was made becomes *code, with no room to spare. */
static rd_status keep_code(fair_parser *p, fair_code *code)
{
    RD_TRY(rd__fair_emit(p, FAIR_END));
    *code = p->code;
    code->op = rd__malloc(code->count * sizeof *code->op);
    code->line = rd__malloc(code->count * sizeof *code->line);
    if (!code->op || !code->line)
        return rd__fail_memory(p->err, "the code of a model", code->count * 4ull);
    memcpy(code->op, p->code.op, code->count * sizeof *code->op);
    memcpy(code->line, p->code.line, code->count * sizeof *code->line);
    return RD_OK;
}

static void new_code(fair_parser *p, int me)
{
    p->code.count = p->code.points = 0;
    p->me = me;
    p->loops = p->breaks = 0;
}

static rd_status rule_line(fair_parser *p, int is_final)
{
    fair_value unused;
    if (p->m->rules == FAIR_RULES)
        return rd__fair_error(p, "more than %d conditions", FAIR_RULES);
    fair_rule *rule = &p->m->rule[p->m->rules];
    *rule = (fair_rule){.line = p->line, .is_final = (uint8_t)is_final};
    new_code(p, -1);
    p->is_spec = 1;
    RD_TRY(rd__fair_expression(p, &unused));
    p->is_spec = 0;
    p->m->rules++; /* from here on its memory is freed with the model */
    return keep_code(p, &rule->code);
}

/* def NAME ... end: only where it is; it is read where it is used. */
static rd_status def_block(fair_parser *p)
{
    fair_name *name;
    RD_TRY(new_name(p, FAIR_DEF, &name));
    name->value = (int32_t)p->tokens.next;
    for (int open = 1; open; p->tokens.next++) {
        if (fair_peek(&p->tokens)->kind == FAIR_TOKEN_END || rd__fair_is(&p->tokens, "def") ||
            rd__fair_is(&p->tokens, "thread"))
            return rd__fair_expected(&p->tokens, "'end'", p->err);
        open += rd__fair_is(&p->tokens, "if") || rd__fair_is(&p->tokens, "while") || rd__fair_is(&p->tokens, "repeat");
        open -= rd__fair_is(&p->tokens, "end") || rd__fair_is(&p->tokens, "until");
    }
    return RD_OK;
}

/* thread N, thread FROM..TO, thread *: which ones. An empty range is none. */
static rd_status which_threads(fair_parser *p, int *from, int *to)
{
    const int last = (int)p->m->threads - 1;
    if (p->m->threads == 0)
        return rd__fair_error(p, "the line 'threads N' comes first");
    *from = 0;
    *to = last;
    if (rd__fair_take(&p->tokens, "*"))
        return RD_OK;
    new_code(p, -1);
    RD_TRY(rd__fair_constant(p, 0, last + 1, from));
    *to = *from;
    if (rd__fair_take(&p->tokens, ".."))
        RD_TRY(rd__fair_constant(p, -1, last, to));
    if (*to > last)
        return rd__fair_error(p, "there is no thread %d: the last is %d", *to, last);
    return RD_OK;
}

static rd_status thread_block(fair_parser *p)
{
    int from, to;
    RD_TRY(which_threads(p, &from, &to));
    const uint32_t body = p->tokens.next;
    const uint16_t line = p->line;
    for (int t = from; t <= to || t == from; t++) {
        p->tokens.next = body;
        p->line = line;
        if (t <= to && p->m->code[t].op)
            return rd__fair_error(p, "thread %d has steps already", t);
        new_code(p, t <= to ? t : 0);
        RD_TRY(rd__fair_statements(p));
        RD_TRY(rd__fair_need(&p->tokens, "end", p->err));
        if (t <= to)
            RD_TRY(keep_code(p, &p->m->code[t]));
    }
    return RD_OK;
}

static rd_status threads_line(fair_parser *p)
{
    int count;
    if (p->m->threads)
        return rd__fair_error(p, "the number of threads is given twice");
    RD_TRY(rd__fair_constant(p, 1, FAIR_THREADS, &count));
    p->m->threads = (uint32_t)count;
    return RD_OK;
}

static rd_status declaration(fair_parser *p, const char *const *settings)
{
    fair_tokens *tokens = &p->tokens;
    p->line = fair_peek(tokens)->line;
    new_code(p, -1);
    if (rd__fair_take(tokens, "const"))
        return const_line(p, settings);
    if (rd__fair_take(tokens, "threads"))
        return threads_line(p);
    if (rd__fair_take(tokens, "word"))
        return items(p, FAIR_SHARED);
    if (rd__fair_take(tokens, "ghost"))
        return items(p, FAIR_GHOST);
    if (rd__fair_take(tokens, "reg"))
        return items(p, FAIR_REGISTER);
    if (rd__fair_take(tokens, "invariant"))
        return rule_line(p, 0);
    if (rd__fair_take(tokens, "final"))
        return rule_line(p, 1);
    if (rd__fair_take(tokens, "def"))
        return def_block(p);
    if (rd__fair_take(tokens, "thread"))
        return thread_block(p);
    return rd__fair_expected(tokens, "const, threads, word, ghost, reg, invariant, final, def or thread", p->err);
}

static rd_status declarations(fair_parser *p, const char *const *settings)
{
    fair_tokens *tokens = &p->tokens;
    while (fair_peek(tokens)->kind != FAIR_TOKEN_END) {
        if (fair_peek(tokens)->kind != FAIR_TOKEN_LINE)
            RD_TRY(declaration(p, settings));
        if (fair_peek(tokens)->kind != FAIR_TOKEN_LINE && fair_peek(tokens)->kind != FAIR_TOKEN_END)
            return rd__fair_expected(tokens, "the end of the line", p->err);
        tokens->next += fair_peek(tokens)->kind == FAIR_TOKEN_LINE;
    }
    p->line = fair_peek(tokens)->line;
    if (p->m->threads == 0)
        return rd__fair_error(p, "there is no line 'threads N'");
    for (uint32_t t = 0; t < p->m->threads; t++)
        if (!p->m->code[t].op)
            return rd__fair_error(p, "thread %u has no steps: 'thread %u' or 'thread *' is missing", t, t);
    return check_settings(p, settings);
}

rd_status rd__fair_parse(rd_fairness *model, const char *const *settings, rd_error *err)
{
    fair_parser p = {.m = model, .err = err, .me = -1, .line = 1};
    rd_status status = rd__fair_lex(&p.tokens, model->source, model->text, err);
    p.code.op = rd__malloc(FAIR_CODE * sizeof *p.code.op);
    p.code.line = rd__malloc(FAIR_CODE * sizeof *p.code.line);
    if (status == RD_OK && (!p.code.op || !p.code.line))
        status = rd__fail_memory(err, "the code of a model", FAIR_CODE * 4ull);
    if (status == RD_OK)
        status = declarations(&p, settings);
    rd__free(p.code.op);
    rd__free(p.code.line);
    rd__free(p.tokens.token);
    return status;
}
