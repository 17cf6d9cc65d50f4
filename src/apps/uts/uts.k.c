/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uts.k.c - unbalanced tree search: how many nodes has a tree whose shape only its own hash values tell? After
 * S. Olivier and others, "UTS: an unbalanced tree search benchmark", 2006. A node is the SHA-1 value of its parent's
 * value and its number among the children; its own value says how many children it has. So the tree is the same
 * everywhere, and no one can know what is below a node without going there.
 *
 * A task is the children `next` .. `count` - 1 of a node. It makes one of them, spawns the others as one task, and the
 * children of the one as another: two at most, however many children there are, and the older one is the larger.
 *
 * How many children: thresholds, made by the host in double precision. A node of a geometric tree, at depth d and with
 * value h (31 bits), has as many children as row d of the table has entries at most h. A node of a binomial tree has m
 * children when its value is below the one threshold.
 *
 * raddle uts T3 makes the table of any tree. As an own file (raddle run uts.k.c --root 42) it is a binomial tree, T3
 * unless options say otherwise; whoever runs it from C binds `table` for geometric ones.
 */
#define RD_TASK_WORDS    7 /* the parent's value, next << 16 | count, the depth of the children */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_NONE
#include "model/forkjoin.k.h"

RD_APP(uts, "unbalanced tree search: counts the nodes of a tree that only hash values tell")
RD_OPTION(rd_u32, root, 42, "the seed of the tree")
RD_OPTION(rd_u32, first, 2000, 1, 65535, "binomial: children of the root")
RD_OPTION(rd_u32, m, 8, 0, 100, "binomial: children of a node that has some; 0: a geometric tree")
RD_OPTION(rd_u32, threshold, 268167021, 0, 2147483648, "binomial: values below it have children, of 2^31")
RD_OPTION(rd_u32, rows, 1, 1, 65536, "geometric: depths in the table; the last row is for all below too")
RD_OPTION(rd_u32, width, 1, 1, 65536, "geometric: entries a row, ended by 2^31 or more")
RD_ARRAY(rd_u32, table, rows *width, threshold)
RD_SAMPLE("first=100 m=8 threshold=257698037")

rd_fn rd_u32 uts_rotate(rd_u32 x, rd_u32 n)
{
    return x << n | x >> (32 - n);
}

/* One round of SHA-1; then five, after which each value is back in its variable. Written out, because the message
 * schedule stays in registers only where every index is a constant. */
/* clang-format off */
#define UTS_MIX(i) \
    ((i) < 16 ? w[(i) & 15] \
              : (w[(i) & 15] = uts_rotate(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^ w[(i) & 15], 1)))
#define UTS_ROUND(a, b, c, d, e, F, i) \
    e += uts_rotate(a, 5) + F(b, c, d) + UTS_MIX(i); \
    b = uts_rotate(b, 30);
#define UTS_FIVE(F, i) \
    UTS_ROUND(a, b, c, d, e, F, i) \
    UTS_ROUND(e, a, b, c, d, F, i + 1) \
    UTS_ROUND(d, e, a, b, c, F, i + 2) \
    UTS_ROUND(c, d, e, a, b, F, i + 3) \
    UTS_ROUND(b, c, d, e, a, F, i + 4)
#define UTS_TWENTY(F, i) \
    UTS_FIVE(F, i) \
    UTS_FIVE(F, i + 5) \
    UTS_FIVE(F, i + 10) \
    UTS_FIVE(F, i + 15)
#define UTS_CHOOSE(b, c, d)   (((b & (c ^ d)) ^ d) + 0x5a827999u)
#define UTS_PARITY_1(b, c, d) ((b ^ c ^ d) + 0x6ed9eba1u)
#define UTS_MAJORITY(b, c, d) (((b & c) | (d & (b | c))) + 0x8f1bbcdcu)
#define UTS_PARITY_2(b, c, d) ((b ^ c ^ d) + 0xca62c1d6u)
/* clang-format on */

/* SHA-1 of one message of at most 24 bytes: the words m, `words` of them. */
rd_fn void uts_sha1(const rd_u32 *m, rd_u32 words, rd_u32 *out)
{
    rd_u32 w[16];
    RD_UNROLL
    for (rd_u32 i = 0; i < 16; i++)
        w[i] = i < words ? m[i < 6 ? i : 0] : i == words ? 0x80000000u : i == 15 ? 32 * words : 0;
    rd_u32 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;
    UTS_TWENTY(UTS_CHOOSE, 0)
    UTS_TWENTY(UTS_PARITY_1, 20)
    UTS_TWENTY(UTS_MAJORITY, 40)
    UTS_TWENTY(UTS_PARITY_2, 60)
    out[0] = a + 0x67452301u;
    out[1] = b + 0xefcdab89u;
    out[2] = c + 0x98badcfeu;
    out[3] = d + 0x10325476u;
    out[4] = e + 0xc3d2e1f0u;
}

rd_fn rd_u32 uts_children(const rd_app *a, const rd_u32 *value, rd_u32 depth)
{
    const rd_u32 h = value[4] & 0x7fffffffu;
    rd_global const rd_u32 *row = a->table + (depth < a->rows ? depth : a->rows - 1) * a->width;
    rd_u32 count = 0;
    if (a->m)
        return depth == 0 ? a->first : h < rd_ld_const(&a->table[0]) ? a->m : 0;
    while (rd_ld_const(&row[count]) <= h)
        count++;
    return count;
}

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    RD_UNROLL
    for (rd_u32 k = 0; k < 5; k++)
        t->word[k] = 0;
    t->word[5] = 1; /* one child of nothing: the root */
    t->word[6] = 0;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 next = t->word[5] >> 16, count = t->word[5] & 0xffff, depth = t->word[6];
    rd_u32 message[6], value[5];
    RD_UNROLL
    for (rd_u32 k = 0; k < 5; k++)
        message[k] = t->word[k];
    message[4] = depth ? message[4] : a->root;
    message[5] = next;
    uts_sha1(message, depth ? 6 : 5, value);
    rd_result(w, 1);
    if (next + 1 < count) {
        t->word[5] = (next + 1) << 16 | count;
        rd_spawn(w, t);
    }
    const rd_u32 children = uts_children(a, value, depth);
    if (children) {
        rd_task below;
        RD_UNROLL
        for (rd_u32 k = 0; k < 5; k++)
            below.word[k] = value[k];
        below.word[5] = children;
        below.word[6] = depth + 1;
        rd_spawn(w, &below);
    }
}

#ifdef RD_CHECK
#include <stdlib.h>
/* The same nodes one after another, with the hash that the tasks have: raddle uts -v has another one. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    rd_u64 nodes = 0, used = 1, room = 1024;
    rd_u32(*rest)[7] = malloc(room * sizeof *rest); /* as a task: children that are still to be visited */
    for (rd_u32 k = 0; k < 7 && rest; k++)
        rest[0][k] = k == 5;
    while (used && rest) {
        rd_u32 *t = rest[used - 1], value[5], message[6];
        const rd_u32 next = t[5] >> 16, count = t[5] & 0xffff, depth = t[6];
        for (rd_u32 k = 0; k < 5; k++)
            message[k] = k == 4 && !depth ? a->root : t[k];
        message[5] = next;
        uts_sha1(message, depth ? 6 : 5, value);
        nodes++;
        t[5] = (next + 1) << 16 | count;
        used -= next + 1 >= count;
        const rd_u32 children = uts_children(a, value, depth);
        if (!children)
            continue;
        if (used == room) {
            void *more = realloc(rest, 2 * room * sizeof *rest);
            if (!more)
                break; /* and the counts differ */
            rest = more;
            room *= 2;
        }
        for (rd_u32 k = 0; k < 5; k++)
            rest[used][k] = value[k];
        rest[used][5] = children;
        rest[used++][6] = depth + 1;
    }
    free(rest);
    return c->sum == nodes ? RD_RIGHT : 0;
}
#endif
