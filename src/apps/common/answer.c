/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - see answer.h. */
#include "apps/common/answer.h"

#include <inttypes.h>
#include <math.h>

void rd__answer_reached(const rd_result *result, const char *far, char *text, size_t room)
{
    uint64_t reached = 0;
    uint32_t farthest = 0;
    float longest = 0;
    const int real = result->kind == RD_RESULT_F32;
    for (uint64_t v = 0; v < result->count; v++)
        if (real && result->real[v] < INFINITY) {
            reached++;
            longest = result->real[v] > longest ? result->real[v] : longest;
        } else if (!real && result->word[v] != RD_NONE) {
            reached++;
            farthest = result->word[v] > farthest ? result->word[v] : farthest;
        }
    const int length = rd__snprintf(text, room, "%" PRIu64 " of %" PRIu64 " vertices reached", reached, result->count);
    if (real && far && reached && length > 0 && (size_t)length < room)
        rd__snprintf(text + length, room - (size_t)length, ", the farthest at %s %.7g", far, (double)longest);
    else if (far && reached && length > 0 && (size_t)length < room)
        rd__snprintf(text + length, room - (size_t)length, ", the farthest at %s %" PRIu32, far, farthest);
}
