/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lattice.c - a box of A x B x C points that meets itself at its sides, each joined to the 26 around it: the stencil of
 * simulations in three dimensions. Point (x, y, z) is vertex (z B + y) A + x. No vertex differs from another, unless
 * each edge is there with a probability only: then the parts that hang together are clusters as of spins.
 */
#include "graph/gen/gen.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct lattice {
    uint64_t size[3];
    uint64_t stream, below; /* below 2^32: each edge is kept with that probability */
};

/* The same both ways: by a number of the pair. */
static int is_kept(const struct lattice *lattice, uint64_t v, uint64_t other)
{
    const uint64_t pair = v < other ? v << 32 | other : other << 32 | v;
    return lattice->below >> 32 || rd__draw(lattice->stream, pair) >> 32 < lattice->below;
}

/* The place itself and the two beside it, ascending. */
static void around(uint64_t at, uint64_t size, uint64_t place[3])
{
    place[0] = at == 0 ? 0 : at + 1 == size ? 0 : at - 1;
    place[1] = at == 0 ? 1 : at + 1 == size ? size - 2 : at;
    place[2] = at == 0 ? size - 1 : at + 1 == size ? size - 1 : at + 1;
}

static uint64_t lattice_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct lattice *lattice = arg;
    const uint64_t width = lattice->size[0], height = lattice->size[1];
    uint64_t x[3], y[3], z[3], count = 0;
    around(v % width, width, x);
    around(v / width % height, height, y);
    around(v / (width * height), lattice->size[2], z);
    if (!out && lattice->below >> 32)
        return 26;
    for (unsigned i = 0; i < 27; i++) {
        const uint64_t other = (z[i / 9] * height + y[i / 3 % 3]) * width + x[i % 3];
        if (other != v && is_kept(lattice, v, other)) {
            if (out)
                out[count] = (uint32_t)other;
            count++;
        }
    }
    return count;
}

rd_status rd__gen_lattice(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct lattice lattice = {{1, 1, 1}, rd__stream(options->seed, "lattice"), 0};
    double p;
    uint64_t *size = lattice.size;
    if (args->count && strchr(args->part[0], 'x')) {
        RD_TRY(rd__gen_sizes(args, 0, 3, size, err));
    } else {
        RD_TRY(rd__gen_number(args, 0, "N", 3, 1625, 0, &size[0], err));
        size[1] = size[2] = size[0];
    }
    for (unsigned axis = 0; axis < 3; axis++)
        if (size[axis] < 3)
            return rd__fail(err, RD_EARG,
                            "each side must be 3 or more, or a point would be next to itself; the syntax is %s",
                            args->syntax);
    /* each factor is below 2^32, so two of them cannot overflow; the third only after the first two are known to fit */
    const uint64_t plane = size[0] * size[1], vertices = plane > RD_VERTEX_MAX ? plane : plane * size[2];
    RD_TRY(rd__gen_fraction(args, 1, "P", 1, &p, err));
    lattice.below = rd__threshold(p);
    if (p < 1)
        rd__snprintf(args->source, sizeof args->source, "lattice:%" PRIu64 "x%" PRIu64 "x%" PRIu64 ":%g seed=%" PRIu64,
                     size[0], size[1], size[2], p, options->seed);
    else
        snprintf(args->source, sizeof args->source, "lattice:%" PRIu64 "x%" PRIu64 "x%" PRIu64, size[0], size[1],
                 size[2]);
    RD_TRY(rd__gen_fits(args, vertices, 26 * vertices, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)vertices, lattice_row, &lattice, options, graph, err);
}
