/* SPDX-License-Identifier: Apache-2.0 */
/* lex.h - the text of a model, or of a criterion, as tokens. */
#ifndef RD_FAIRNESS_LEX_H
#define RD_FAIRNESS_LEX_H

#include "core/memory.h"

typedef enum fair_token_kind {
    FAIR_TOKEN_END,
    FAIR_TOKEN_LINE, /* end of a line, or a semicolon */
    FAIR_TOKEN_NAME,
    FAIR_TOKEN_NUMBER,
    FAIR_TOKEN_SIGN, /* one or two signs */
} fair_token_kind;

typedef struct fair_token {
    const char *at;
    uint16_t line, length;
    uint8_t kind;
    int16_t value; /* of a number */
} fair_token;

typedef struct fair_tokens {
    const char *source; /* as messages call it */
    fair_token *token;  /* ended by one of kind FAIR_TOKEN_END */
    uint32_t count, next;
} fair_tokens;

enum { FAIR_NUMBER_MOST = 127 };

/* Freed with rd__free(tokens->token), also after a failure. */
rd_status rd__fair_lex(fair_tokens *tokens, const char *source, const char *text, rd_error *err);

static inline const fair_token *fair_peek(const fair_tokens *tokens)
{
    return &tokens->token[tokens->next];
}

/* Is the next token this word or sign? */
int rd__fair_is(const fair_tokens *tokens, const char *text);
/* ... then it is taken. */
int rd__fair_take(fair_tokens *tokens, const char *text);
/* "source:line: expected WHAT, not 'token'". @return RD_EINPUT. */
rd_status rd__fair_expected(const fair_tokens *tokens, const char *what, rd_error *err);
rd_status rd__fair_need(fair_tokens *tokens, const char *text, rd_error *err);

#endif
