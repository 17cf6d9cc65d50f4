/* SPDX-License-Identifier: Apache-2.0 */
/* parse.h - what the parts of the parser share: parse.c (declarations), statements.c, expressions.c. */
#ifndef RD_FAIRNESS_PARSE_H
#define RD_FAIRNESS_PARSE_H

#include "fairness/lex.h"
#include "fairness/model.h"

enum { FAIR_DEPTH = 96, FAIR_BREAKS = 64 };

typedef struct fair_parser {
    rd_fairness *m;
    fair_tokens tokens;
    rd_error *err;
    fair_code code;   /* of the thread or rule at hand; room for FAIR_CODE */
    int me;           /* its number; -1: none, and no registers */
    uint16_t line;    /* of the statement at hand */
    uint32_t touches; /* shared words that it touches so far */
    int is_spec;      /* an assertion or a ghost's value: may look at anything */
    uint32_t depth;   /* of brackets, blocks and defs */
    uint32_t loops;   /* around the statement */
    uint32_t breaks;  /* places to be told where the loop ends */
    uint16_t break_at[FAIR_BREAKS];
} fair_parser;

/* A value that is known now takes no operations but one push. */
typedef struct fair_value {
    int is_constant, value;
} fair_value;

/* "source:line: ..." @return RD_EINPUT. */
__attribute__((format(printf, 2, 3))) rd_status rd__fair_error(fair_parser *p, const char *format, ...);
rd_status rd__fair_emit(fair_parser *p, int value);
rd_status rd__fair_deeper(fair_parser *p);
/* The name at hand, which is taken; NULL when it is not declared or no name. */
const fair_name *rd__fair_name(fair_parser *p);

rd_status rd__fair_expression(fair_parser *p, fair_value *value);
/* An expression that is known now, from low to high. */
rd_status rd__fair_constant(fair_parser *p, int low, int high, int *value);
/* [ "[" index "]" ] after the name of a word. *base and *size: operands of the operation on it. */
rd_status rd__fair_place(fair_parser *p, const fair_name *name, int *base, int *size);
/* Statements up to a word that ends a block, which is not taken. */
rd_status rd__fair_statements(fair_parser *p);

#endif
