/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - the trees of UTS counted serially, as the original program does: SHA-1 over bytes, children by
 * floating point, a stack of nodes. */
#include "apps/uts/check.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

/* ---- SHA-1 of a short message, byte by byte (FIPS 180-4) ---- */

static uint32_t left(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void sha1(const uint8_t *message, size_t bytes, uint8_t *digest)
{
    uint8_t block[64] = {0};
    uint32_t w[80], h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    memcpy(block, message, bytes); /* bytes < 56 */
    block[bytes] = 0x80;
    block[62] = (uint8_t)(bytes * 8 >> 8);
    block[63] = (uint8_t)(bytes * 8);
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int t = 0; t < 80; t++) {
        uint32_t f, k;
        if (t < 20) {
            f = (b & c) ^ (~b & d);
            k = 0x5a827999;
        } else if (t < 40) {
            f = b ^ c ^ d;
            k = 0x6ed9eba1;
        } else if (t < 60) {
            f = (b & c) ^ (b & d) ^ (c & d);
            k = 0x8f1bbcdc;
        } else {
            f = b ^ c ^ d;
            k = 0xca62c1d6;
        }
        const uint32_t temp = left(a, 5) + f + e + k + w[t];
        e = d;
        d = c;
        c = left(b, 30);
        b = a;
        a = temp;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    for (int i = 0; i < 20; i++)
        digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void put_word(uint8_t *bytes, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* ---- Children ---- */

static double expected(const uts_tree *tree, uint32_t depth)
{
    const double b0 = tree->b0, d = (double)depth, most = (double)tree->depth;
    if (depth == 0)
        return b0;
    switch (tree->form) {
    case UTS_EXPDEC: return b0 * pow(d, -log(b0) / log(most));
    case UTS_CYCLIC: return depth > 5 * tree->depth ? 0 : pow(b0, sin(2.0 * 3.141592653589793 * d / most));
    case UTS_FIXED: return depth < tree->depth ? b0 : 0;
    case UTS_LINEAR: break;
    }
    return b0 * (1.0 - d / most);
}

uint32_t rd__uts_children(const uts_tree *tree, uint32_t depth, uint32_t h)
{
    const double u = (double)h / 2147483648.0;
    if (tree->kind == UTS_BINOMIAL)
        return u < tree->q ? tree->m : 0;
    const double p = 1.0 / (1.0 + expected(tree, depth));
    const double count = floor(log(1.0 - u) / log(1.0 - p));
    return !(count > 0) ? 0 : count > UTS_MOST_CHILDREN ? UTS_MOST_CHILDREN : (uint32_t)count;
}

/* ---- Counting ---- */

struct node {
    uint8_t digest[20];
    uint32_t depth;
};

static uint32_t children_of(const uts_tree *tree, const struct node *node)
{
    const uint8_t *d = node->digest + 16;
    const uint32_t h = ((uint32_t)d[0] << 24 | (uint32_t)d[1] << 16 | (uint32_t)d[2] << 8 | d[3]) & 0x7fffffff;
    if (tree->kind == UTS_BINOMIAL && node->depth == 0)
        return (uint32_t)tree->b0;
    return rd__uts_children(tree, node->depth, h);
}

static rd_status count_nodes(const uts_tree *tree, uint64_t most, uint64_t *count, rd_error *err)
{
    size_t used = 1, room = 4096;
    uint8_t message[24] = {0};
    struct node *stack = rd__malloc(room * sizeof *stack);
    if (!stack)
        return rd__fail_memory(err, "nodes of the checker", room * sizeof *stack);
    put_word(message + 16, tree->seed);
    sha1(message, 20, stack[0].digest);
    stack[0].depth = 0;
    *count = 0;
    while (used && *count <= most) {
        const struct node node = stack[--used];
        const uint32_t children = children_of(tree, &node);
        ++*count;
        if (used + children > room) {
            room = 2 * room + children;
            struct node *grown = rd__realloc(stack, room * sizeof *stack);
            if (!grown) {
                rd__free(stack);
                return rd__fail_memory(err, "nodes of the checker", room * sizeof *stack);
            }
            stack = grown;
        }
        memcpy(message, node.digest, 20);
        for (uint32_t i = 0; i < children; i++) {
            put_word(message + 20, i);
            sha1(message, 24, stack[used].digest);
            stack[used++].depth = node.depth + 1;
        }
    }
    rd__free(stack);
    return RD_OK;
}

rd_status rd__uts_check(const uts_tree *tree, uint64_t nodes, rd_error *err)
{
    enum { COUNTED = 20000000 }; /* larger ones take too long; their numbers are published */
    uint64_t count = tree->published;
    if (!count || count <= COUNTED)
        RD_TRY(count_nodes(tree, nodes, &count, err));
    if (tree->published && count <= nodes && count != tree->published)
        return rd__fail(err, RD_EWRONG, "uts: the tree has %llu nodes, but the checker counts %llu",
                        (unsigned long long)tree->published, (unsigned long long)count);
    if (count != nodes)
        return rd__fail(err, RD_EWRONG, "uts: %llu nodes were found; there are %s%llu", (unsigned long long)nodes,
                        count > nodes ? "more than " : "", (unsigned long long)(count > nodes ? nodes : count));
    return RD_OK;
}
