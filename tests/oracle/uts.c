/* SPDX-License-Identifier: Apache-2.0 */
/* uts.c - trees of the unbalanced tree search, counted serially: SHA-1 as in RFC 3174, children as in the paper (S.
 * Olivier and others, UTS: An Unbalanced Tree Search Benchmark, 2006). */
#include "problems.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 60000, CHILDREN_MOST = 100 };

static uint32_t rotated(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* Of `words` big-endian words, at most 13, so one block. */
static void sha1(const uint32_t *message, uint32_t words, uint32_t digest[5])
{
    static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint32_t w[80] = {0}, x[5];
    memcpy(w, message, words * sizeof *w);
    w[words] = 0x80000000;
    w[15] = 32 * words;
    for (int t = 16; t < 80; t++)
        w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(x, start, sizeof x);
    for (int t = 0; t < 80; t++) {
        const uint32_t parity = x[1] ^ x[2] ^ x[3], choice = (x[1] & x[2]) | (~x[1] & x[3]);
        const uint32_t majority = (x[1] & x[2]) | (x[1] & x[3]) | (x[2] & x[3]);
        const uint32_t f = t < 20 ? choice : t / 20 == 2 ? majority : parity;
        const uint32_t next = rotated(x[0], 5) + f + x[4] + w[t] + k[t / 20];
        x[4] = x[3];
        x[3] = x[2];
        x[2] = rotated(x[1], 30);
        x[1] = x[0];
        x[0] = next;
    }
    for (int i = 0; i < 5; i++)
        digest[i] = start[i] + x[i];
}

struct tree {
    int binomial;
    const char *form;
    double children, probability;
    uint32_t depth, m, seed;
};

static double mean_children(const struct tree *t, uint32_t depth)
{
    const double b = t->children, d = depth, most = t->depth;
    if (depth == 0)
        return b;
    if (strcmp(t->form, "fixed") == 0)
        return d < most ? b : 0;
    if (strcmp(t->form, "linear") == 0)
        return b * (1 - d / most);
    if (strcmp(t->form, "expdec") == 0)
        return b * pow(d, -log(b) / log(most));
    return d > 5 * most ? 0 : pow(b, sin(2 * 3.141592653589793 * d / most));
}

static uint32_t children_of(const struct tree *t, uint32_t depth, uint32_t word)
{
    const double u = (word & 0x7fffffff) / 2147483648.0;
    if (t->binomial)
        return depth == 0 ? (uint32_t)t->children : u < t->probability ? t->m : 0;
    const double p = 1 / (1 + mean_children(t, depth)), count = floor(log(1 - u) / log(1 - p));
    return !(count > 0) ? 0 : count > CHILDREN_MOST ? CHILDREN_MOST : (uint32_t)count;
}

/* @return the nodes below and with this one, or more than NODES_MOST for a tree that is too large here. */
static uint64_t count_nodes(const struct tree *t, const uint32_t digest[5], uint32_t depth, uint64_t before)
{
    uint64_t count = 1;
    const uint32_t children = children_of(t, depth, digest[4]);
    for (uint32_t i = 0; i < children && before + count <= NODES_MOST && depth < 2000; i++) {
        uint32_t message[6], child[5];
        memcpy(message, digest, 20);
        message[5] = i;
        sha1(message, 6, child);
        count += count_nodes(t, child, depth + 1, before + count);
    }
    return depth < 2000 ? count : NODES_MOST + 1;
}

void uts_draw(work *w, rng *r)
{
    static const char *const forms[] = {"fixed", "linear", "cyclic", "expdec"};
    uint64_t count;
    do {
        struct tree t = {.seed = (uint32_t)rng_sized(r, 0, INT32_MAX), .form = forms[rng_below(r, 4)]};
        char number[32];
        t.binomial = rng_chance(r, 40);
        if (t.binomial) {
            t.m = (uint32_t)rng_sized(r, 1, 100);
            t.children = (double)rng_sized(r, 1, 300);
            snprintf(number, sizeof number, "%.6f", rng_real(r) / t.m);
            t.probability = strtod(number, NULL);
            snprintf(w->input, sizeof w->input, "bin:%.0f:%s:%u:%u", t.children, number, t.m, t.seed);
        } else {
            t.depth = (uint32_t)rng_between(r, 2, 9);
            snprintf(number, sizeof number, "%.3f", 1.1 + 4 * rng_real(r));
            t.children = strtod(number, NULL);
            snprintf(w->input, sizeof w->input, "geo:%s:%s:%u:%u", t.form, number, t.depth, t.seed);
        }
        uint32_t root[6] = {0, 0, 0, 0, t.seed}, digest[5];
        sha1(root, 5, digest);
        count = count_nodes(&t, digest, 0, 0);
    } while (count > NODES_MOST);
    *(uint64_t *)(w->answer = room(1, sizeof(uint64_t))) = count;
}
