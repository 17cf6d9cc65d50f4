/* SPDX-License-Identifier: Apache-2.0 */
/* lex.c - tokens: names, numbers, signs of one or two characters, ends of lines. '#' starts a comment. */
#include "fairness/lex.h"

#include "raddle/tool.h"

#include <string.h>

/* Bytes, whatever the locale. */
static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (is_letter(at[n]) || is_digit(at[n]))
        n++;
    return n;
}

static size_t sign_length(const char *at)
{
    static const char *const two[] = {"==", "!=", "<=", ">=", "+=", "..", NULL};
    for (int i = 0; two[i]; i++)
        if (strncmp(at, two[i], 2) == 0)
            return 2;
    return strchr("=<>+-*/%()[],:", *at) ? 1 : 0;
}

static rd_status number(fair_token *token, const char *source, rd_error *err)
{
    uint64_t value;
    char digits[8] = "";
    if (token->length < sizeof digits) {
        memcpy(digits, token->at, token->length);
        digits[token->length] = '\0';
    }
    if (!rd_parse_u64(digits, &value) || value > FAIR_NUMBER_MOST)
        return rd__fail(err, RD_EINPUT, "%s:%u: '%.*s' is not a number from 0 to %d", source, token->line,
                        token->length > 24 ? 24 : token->length, token->at, FAIR_NUMBER_MOST);
    token->value = (int16_t)value;
    return RD_OK;
}

/* The token that begins at a character which is no space and no comment. */
static rd_status one(fair_token *token, const char *source, rd_error *err)
{
    const char c = *token->at;
    size_t length = 1;
    if (c == '\0' || c == '\n' || c == ';') {
        token->kind = c ? FAIR_TOKEN_LINE : FAIR_TOKEN_END;
    } else if (is_letter(c) || is_digit(c)) {
        token->kind = is_digit(c) ? FAIR_TOKEN_NUMBER : FAIR_TOKEN_NAME;
        length = word_length(token->at);
    } else {
        token->kind = FAIR_TOKEN_SIGN;
        length = sign_length(token->at);
        if (length == 0 && c > ' ' && c < 127)
            return rd__fail(err, RD_EINPUT, "%s:%u: '%c' has no meaning here", source, token->line, c);
        if (length == 0)
            return rd__fail(err, RD_EINPUT, "%s:%u: a byte of value %u has no meaning here", source, token->line,
                            (unsigned)(unsigned char)c);
    }
    if (length > 1000)
        return rd__fail(err, RD_EINPUT, "%s:%u: a word of %zu characters", source, token->line, length);
    token->length = (uint16_t)length;
    return token->kind == FAIR_TOKEN_NUMBER ? number(token, source, err) : RD_OK;
}

rd_status rd__fair_lex(fair_tokens *tokens, const char *source, const char *text, rd_error *err)
{
    const size_t bytes = strlen(text);
    uint16_t line = 1;
    *tokens = (fair_tokens){.source = source};
    if (bytes > 60000)
        return rd__fail(err, RD_EINPUT, "%s: %zu bytes are too many for a model: at most 60000", source, bytes);
    tokens->token = rd__calloc(bytes + 1, sizeof *tokens->token);
    if (!tokens->token)
        return rd__fail_memory(err, "the tokens of a model", (bytes + 1) * sizeof *tokens->token);
    for (const char *at = text;;) {
        while (*at == ' ' || *at == '\t' || *at == '\r')
            at++;
        if (*at == '#')
            at += strcspn(at, "\n");
        fair_token *token = &tokens->token[tokens->count];
        *token = (fair_token){.at = at, .line = line};
        RD_TRY(one(token, source, err));
        tokens->count++;
        if (token->kind == FAIR_TOKEN_END)
            return RD_OK;
        line = (uint16_t)(line + (*at == '\n'));
        at += token->length;
    }
}

int rd__fair_is(const fair_tokens *tokens, const char *text)
{
    const fair_token *token = fair_peek(tokens);
    return (token->kind == FAIR_TOKEN_NAME || token->kind == FAIR_TOKEN_SIGN) && strlen(text) == token->length &&
           memcmp(token->at, text, token->length) == 0;
}

int rd__fair_take(fair_tokens *tokens, const char *text)
{
    const int there = rd__fair_is(tokens, text);
    tokens->next += (uint32_t)there;
    return there;
}

rd_status rd__fair_expected(const fair_tokens *tokens, const char *what, rd_error *err)
{
    const fair_token *token = fair_peek(tokens);
    if (token->kind == FAIR_TOKEN_END || token->kind == FAIR_TOKEN_LINE)
        return rd__fail(err, RD_EINPUT, "%s:%u: expected %s, not the end of the %s", tokens->source, token->line, what,
                        token->kind == FAIR_TOKEN_END ? "text" : "line");
    return rd__fail(err, RD_EINPUT, "%s:%u: expected %s, not '%.*s'", tokens->source, token->line, what,
                    token->length > 40 ? 40 : token->length, token->at);
}

rd_status rd__fair_need(fair_tokens *tokens, const char *text, rd_error *err)
{
    char what[32];
    if (rd__fair_take(tokens, text))
        return RD_OK;
    snprintf(what, sizeof what, "'%s'", text);
    return rd__fair_expected(tokens, what, err);
}
