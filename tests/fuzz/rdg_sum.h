/* SPDX-License-Identifier: Apache-2.0 */
/* rdg_sum.h - the checksum in the header of an .rdg made right: it is no secret, and with a wrong one nothing behind
 * the header is looked at. */
#ifndef RD_FUZZ_RDG_SUM_H
#define RD_FUZZ_RDG_SUM_H

#include "graph/rdg.h"

#include <string.h>

static inline void fuzz_rdg_sum(char *data, size_t bytes)
{
    rd__rdg_header header;
    if (bytes < sizeof header)
        return;
    memcpy(&header, data, sizeof header);
    header.header_sum = rd__rdg_header_sum(&header);
    memcpy(data, &header, sizeof header);
}

#endif
