/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - a buffer full of one word, by all threads of a pool. */
#include "device/cpu/pool.h"

#include <string.h>

void rd__cpu_fill(const rd__cpu_command *command, uint32_t index, uint32_t threads)
{
    uint64_t part = (command->count + threads - 1) / threads, from = part * index;
    uint64_t to = from + part < command->count ? from + part : command->count;
    if (command->word == 0 || command->word == UINT32_MAX) {
        if (from < to)
            memset(command->words + from, (int)(command->word & 0xff), (to - from) * sizeof *command->words);
        return;
    }
    for (uint64_t i = from; i < to; i++)
        command->words[i] = command->word;
}
