/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deque_layout.k.h - what host and kernels share of the deque in deque.k.h. Plain numbers: both include it.
 *
 * A deque is DEQUE_LINE words of control, of which its user may have those from DEQUE_USER on, and 2^shift slots for
 * items of some words; word w of slot s lies at item[w << shift | s]. All zero is an empty deque.
 */
#ifndef RD_SCHED_DEQUE_LAYOUT_H
#define RD_SCHED_DEQUE_LAYOUT_H

/* The first four words are one sector of 32 bytes: a thief's look costs one access to memory. */
#define DEQUE_HEAD 0 /* 64 bits: tag, index */
#define DEQUE_TAIL 2
#define DEQUE_LOCK 3
#define DEQUE_USER 8
#define DEQUE_LINE 32

/* Kinds. */
#define DEQUE_LOCK_FREE 0
#define DEQUE_BLOCKING  1

#endif
