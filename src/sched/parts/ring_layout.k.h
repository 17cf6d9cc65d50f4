/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring_layout.k.h - what host and kernels share of the ring in parts/ring.k.h. Plain numbers: both include it.
 *
 * A ring has 2^shift slots of 64 bits, 1 <= shift < 32. Ticket t uses slot t mod 2^shift in lap t >> shift. The upper
 * half of a slot says what it is: 2 * lap, free for the ticket of that lap; 2 * lap + 1, full: the lower half is the
 * token of that ticket. Laps count modulo 2^(32 - shift), as tickets do modulo 2^32. To make a ring that starts at a
 * ticket in slot 0, fill every word with QUEUE_FREE(ticket, shift).
 *
 * A ring of tokens of n words has n * 2^shift such words. Of two, the first words of all slots lie before all second
 * ones: neighbour lanes, which have neighbour tickets, touch neighbour words. More of them lie side by side, slot after
 * slot: one address is enough for all.
 */
#ifndef RD_SCHED_QUEUE_LAYOUT_H
#define RD_SCHED_QUEUE_LAYOUT_H

#define QUEUE_FREE(ticket, shift) ((ticket) >> (shift) << 1)
#define QUEUE_FULL(ticket, shift) (QUEUE_FREE(ticket, shift) | 1u)

/* Kinds, for QUEUE_KIND when a program is compiled. */
#define QUEUE_RETRY_FREE 0
#define QUEUE_CAS        1 /* one compare-and-swap a token */
#define QUEUE_AN         2 /* one compare-and-swap for any number of tokens */

#endif
