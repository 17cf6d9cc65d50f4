/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.c - how large the buffers of a knapsack are: as its options say, else by input and device. */
#include "apps/knapsack/state.h"

uint32_t rd__knapsack_bits(uint64_t number)
{
    uint32_t bits = 0;
    for (; number; number >>= 1)
        bits++;
    return bits;
}

/* The table: (level, weight) as one number of key_bits; a slot holds those that its index does not say, and a number
 * of value_bits beside them. */
static void size_table(const rd_job *job, int gpu, knapsack_sizes *sizes)
{
    const knapsack_state *own = job->state;
    const uint64_t span = own->core.prefix[2ull * own->core.count] + 1, levels = own->core.count + 1ull;
    sizes->key_bits = span > UINT64_MAX / levels ? 65 : rd__knapsack_bits(span * levels);
    sizes->value_bits = own->core.most >> 61 ? 64 : rd__knapsack_bits(3 * own->core.most + 1);
    /* By default a slot for every so many nodes that there could be; clearing costs time on small inputs. */
    const uint32_t sparse = gpu ? 4 : 7, most = gpu ? 28 : 26;
    const uint32_t wanted = sizes->key_bits > sparse ? sizes->key_bits - sparse : 0;
    const uint64_t slots = own->table_size == KNAPSACK_ASK ? 1ull << (wanted < most ? wanted : most) : own->table_size;
    sizes->table_bits = slots ? rd__knapsack_bits(slots) - 1 : 0;
    if (sizes->table_bits > sizes->key_bits)
        sizes->table_bits = sizes->key_bits;
    if (sizes->key_bits > 64 || sizes->key_bits - sizes->table_bits + sizes->value_bits > 64)
        sizes->table_bits = 0; /* sums so large that a slot could not hold them */
}

/* As many things of so many bytes as fit one of `parts` of what is free, from 2^14 to 2^22. */
static uint64_t share_of_memory(const rd_job *job, uint64_t parts, uint64_t bytes)
{
    const uint64_t limit = job->device ? rd__device_memory_limit(job->device) : 0;
    const uint64_t count = limit / parts / bytes;
    return limit == 0 ? 1u << 16 : count < 1u << 14 ? 1u << 14 : count > 1u << 22 ? 1u << 22 : count;
}

knapsack_sizes rd__knapsack_sizes(const rd_job *job)
{
    const knapsack_state *own = job->state;
    const int gpu = job->device && job->device->info.is_gpu;
    const uint64_t pool = own->pool != KNAPSACK_ASK ? own->pool
                          : gpu                     ? 1u << 20
                                                    : share_of_memory(job, 64, 8 * KNAPSACK_TASK_WORDS);
    const uint64_t trail = own->trail_size != KNAPSACK_ASK ? own->trail_size : gpu ? 1u << 26 : 1u << 24;
    knapsack_sizes sizes = {0};
    sizes.slots = (uint32_t)((pool + 31) / 32 * 32);
    sizes.trail = own->core.count < 64 ? 1 : trail < KNAPSACK_ROOT ? (uint32_t)trail : KNAPSACK_ROOT - 1;
    size_table(job, gpu, &sizes);
    return sizes;
}
