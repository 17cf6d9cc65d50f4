/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h - a model after it was read: words, registers, and for each thread a list of operations for a stack machine.
 * docs/progress.md has the language.
 *
 * A state is a string of bytes: the words, then a block for each thread: the point where it
 * is, with the top bit set once it has made a step, and its registers. Zeros fill it up to a multiple of eight. Point 0
 * is the end. A point is a place in the code where the next step begins: a statement that touches a shared word, or
 * `skip`. A step runs from a point up to the next one, so what only concerns registers and ghosts goes with the step
 * before it. What comes before a thread's first point is done before anything starts.
 *
 * `me` is a constant of the thread whose code is made: threads that do not use it have the same code, byte by byte, and
 * that is how symmetry is found (footprint.c).
 */
#ifndef RD_FAIRNESS_MODEL_H
#define RD_FAIRNESS_MODEL_H

#include "core/memory.h"
#include "raddle/fairness.h"

enum {
    FAIR_THREADS = RD_FAIRNESS_THREADS,
    FAIR_WORDS = 64, /* a mask has a bit for each */
    FAIR_REGS = 8,
    FAIR_POINTS = 127, /* of a thread; the top bit of the byte is FAIR_STARTED */
    FAIR_STARTED = 0x80,
    FAIR_CODE = 4096, /* operations and operands of a thread */
    FAIR_NAMES = 96,
    FAIR_NAME = 24,                                                         /* bytes of a name */
    FAIR_STATE = (FAIR_WORDS + FAIR_THREADS * (1 + FAIR_REGS) + 7) / 8 * 8, /* most bytes of a state */
    FAIR_RULES = 16,                                                        /* invariants and final conditions */
};

/* Operations; what they take from the code, and what they do to the stack. */
typedef enum fair_op {
    FAIR_END,     /* of the thread, or of a condition whose value is on the stack */
    FAIR_POINT,   /* number */
    FAIR_PUSH,    /* value */
    FAIR_REG,     /* register: pushes it */
    FAIR_SET_REG, /* register: pops */
    FAIR_WORD,    /* base, size: pops an index unless size is 0, pushes the word */
    FAIR_SET,     /* base, size: pops a value, then an index unless size is 0 */
    FAIR_ADD,     /* base, size: likewise; pushes the old value, as the next ones do */
    FAIR_SWAP,
    FAIR_MAX,
    FAIR_OR,
    FAIR_CAS,    /* base, size: pops the new value, the expected one, then an index unless size is 0 */
    FAIR_DROP,   /* pops */
    FAIR_JUMP,   /* where */
    FAIR_UNLESS, /* where: pops, jumps when it is 0 */
    FAIR_ASSERT, /* pops; 0 is a fault */
    FAIR_NOT,
    FAIR_NEGATE,
    FAIR_BINARY, /* kind (fair_binary): pops two, pushes one */
} fair_op;

typedef enum fair_binary {
    FAIR_PLUS,
    FAIR_MINUS,
    FAIR_TIMES,
    FAIR_OVER,
    FAIR_MODULO,
    FAIR_EQUAL,
    FAIR_UNEQUAL,
    FAIR_LESS,
    FAIR_LESS_EQUAL,
    FAIR_GREATER,
    FAIR_GREATER_EQUAL,
    FAIR_AND,
    FAIR_OR_ELSE,
} fair_binary;

typedef struct fair_code {
    int16_t *op;
    uint16_t *line; /* of each place in op */
    uint32_t count;
    uint16_t point[FAIR_POINTS + 1]; /* where point p is; 1 .. points */
    uint32_t points;
} fair_code;

/* What a step that begins at a point may do, and what its thread may do from there on: footprint.c. */
typedef struct fair_step {
    uint64_t reads, writes;             /* words, in this step */
    uint64_t later_reads, later_writes; /* in this one and all that may follow */
    uint8_t is_plain;                   /* it ends no thread, touches no ghost and nothing that a rule looks at */
    uint8_t live;                       /* registers whose values matter at this point */
} fair_step;

typedef enum fair_kind { FAIR_CONST, FAIR_SHARED, FAIR_GHOST, FAIR_REGISTER, FAIR_DEF } fair_kind;

typedef struct fair_name {
    char text[FAIR_NAME];
    fair_kind kind;
    int32_t value; /* of a constant; the first word; the register; the first token of a def */
    int16_t size;  /* of an array; 0: one word */
} fair_name;

typedef struct fair_rule {
    fair_code code;
    uint16_t line;
    uint8_t is_final;
    uint64_t reads;
} fair_rule;

struct rd_fairness {
    char *source, *text;
    fair_name name[FAIR_NAMES];
    uint32_t names;
    uint32_t threads, words, regs; /* words: ghosts too */
    uint64_t ghosts;               /* which words are */
    int8_t first_word[FAIR_WORDS], first_reg[FAIR_REGS];
    fair_code code[FAIR_THREADS];
    fair_step *step[FAIR_THREADS]; /* of each point, from 0 on */
    fair_rule rule[FAIR_RULES];
    uint32_t rules;
    uint8_t group[FAIR_THREADS]; /* the first thread with the same code; registers start alike in all */
    uint8_t is_symmetric;        /* some group has two */
    uint32_t bytes;              /* of a state */
};

/* Places that an operation takes in the code. */
static inline uint32_t rd__fair_length(fair_op op)
{
    switch (op) {
    case FAIR_WORD:
    case FAIR_SET:
    case FAIR_ADD:
    case FAIR_SWAP:
    case FAIR_MAX:
    case FAIR_OR:
    case FAIR_CAS: return 3;
    case FAIR_END:
    case FAIR_DROP:
    case FAIR_ASSERT:
    case FAIR_NOT:
    case FAIR_NEGATE: return 1;
    default: return 2;
    }
}

static inline uint32_t fair_block(const rd_fairness *m, uint32_t thread)
{
    return m->words + thread * (1 + m->regs);
}

/* Threads that have a step to make, and those that made one. */
static inline uint32_t fair_enabled(const rd_fairness *m, const uint8_t *state)
{
    uint32_t mask = 0;
    for (uint32_t t = 0; t < m->threads; t++)
        mask |= (uint32_t)((state[fair_block(m, t)] & (FAIR_STARTED - 1)) != 0) << t;
    return mask;
}

static inline uint32_t fair_started(const rd_fairness *m, const uint8_t *state)
{
    uint32_t mask = 0;
    for (uint32_t t = 0; t < m->threads; t++)
        mask |= (uint32_t)((state[fair_block(m, t)] & FAIR_STARTED) != 0) << t;
    return mask;
}

/* Reads a model; checks and footprints are not made yet. */
rd_status rd__fair_parse(rd_fairness *model, const char *const *settings, rd_error *err);
/* Finds what steps touch, which registers live, which threads are alike; makes the first state. */
rd_status rd__fair_footprint(rd_fairness *model, rd_error *err);

#endif
