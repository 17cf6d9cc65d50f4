/* SPDX-License-Identifier: Apache-2.0 */
/* heap_layout.k.h - the words that the heap's host and kernel sides share. Plain numbers: both include it. */
#ifndef RD_HEAP_LAYOUT_H
#define RD_HEAP_LAYOUT_H

/* A node's state: who may do what with its keys. heap.k.h has the protocol. */
#define HEAP_EMPTY  0 /* holds nothing */
#define HEAP_FULL   1 /* holds k keys; nobody works on it */
#define HEAP_BUSY   2 /* some group owns it */
#define HEAP_TARGET 3 /* promised to an insertion that is on its way down */
#define HEAP_MARKED 4 /* the same, and a deletion waits for those keys */
#define HEAP_HANDED 5 /* the items are a deletion's, which alone may read them */

/* The head, one 64-bit word: serving (20 bits) | nodes (33 bits) | keys in the partial buffer (11 bits). It is changed
 * by additions alone, so that its fields can be changed by several groups at once. */
#define HEAP_SERVING_SHIFT 44
#define HEAP_SIZE_SHIFT    11
#define HEAP_SERVING_ONE   (1ull << HEAP_SERVING_SHIFT)
#define HEAP_SIZE_ONE      (1ull << HEAP_SIZE_SHIFT)
#define HEAP_SERVING_MASK  0xfffffu
#define HEAP_SIZE_OF(h)    ((rd_u32)((h) >> HEAP_SIZE_SHIFT))
#define HEAP_PARTIAL_OF(h) ((rd_u32)(h)&0x7ffu)
#define HEAP_NODES_MAX     0x7fffffffu
#define HEAP_K_MIN         1
#define HEAP_K_MAX         2048

/* Control words of 64 bits; those that many groups hit lie on lines of their own. */
#define HEAP_HEAD   0
#define HEAP_TICKET 16 /* tickets to the head handed out */
#define HEAP_OUT    32 /* keys that deletions have put out */
#define HEAP_PHASE  48 /* HEAP_PHASE_... */
#define HEAP_STATS  64
#define HEAP_WORDS  96

/* What may happen now. Insertions from below and deletions do not go together: see heap.k.h. */
#define HEAP_PHASE_MIXED  0
#define HEAP_PHASE_INSERT 1

/* Beside the items of an insertion (argument batch): they come in random numbers, of so many at most. */
#define HEAP_RAGGED 0x80000000u

/* Of the pipeline: words for each level. */
#define HEAP_LEVELS_MAX 32
#define HEAP_OP_NODE    0 /* where the operation stands; 0: none */
#define HEAP_OP_SLOT    1 /* where an insertion is to end */
#define HEAP_OP_WORDS   2

/* Statistics, from HEAP_STATS on. */
#define HEAP_INSERTS  0 /* operations */
#define HEAP_DELETES  1
#define HEAP_LEVELS   2 /* nodes they worked on */
#define HEAP_MERGES   3
#define HEAP_SKIPS    4 /* merges that a look at the ends saved */
#define HEAP_HANDOVER 5 /* insertions whose keys went to a waiting deletion */
#define HEAP_REFUSED  6 /* operations in the wrong phase */
#define HEAP_FAULTS   7 /* of heap_check */
#define HEAP_COUNTS   8

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define HEAP_ARGS(buf, arg)                                    \
    buf(heap_item, heap_items)                                 \
    buf(rd_u32, heap_states)                                   \
    buf(rd_u64, heap_control)                                  \
    arg(rd_u32, heap_node) /* k; on GPUs equal to HEAP_NODE */ \
    arg(rd_u32, heap_nodes) /* nodes there is room for, with node 0 */
#define HEAP_PUT_ARGS(buf, arg) HEAP_ARGS(buf, arg) \
    buf(const heap_item, in)                        \
    arg(rd_u64, in_count)                           \
    arg(rd_u32, batch) /* items an insertion, at most k; HEAP_RAGGED */
#define HEAP_MIX_ARGS(buf, arg) HEAP_PUT_ARGS(buf, arg) \
    buf(heap_item, out)                                 \
    arg(rd_u64, out_count)
#define HEAP_STEP_ARGS(buf, arg) HEAP_MIX_ARGS(buf, arg)           \
    buf(rd_u32, ops) /* HEAP_OP_WORDS for each level */            \
    buf(heap_item, carry) /* k items for each level */             \
    arg(rd_u32, first) /* the parity of the levels whose turn is */ \
    arg(rd_u32, enter) /* the node that an insertion which enters is for; of heap_fetch: the last node; 0: none */
#define HEAP_COPY_ARGS(buf, arg) \
    buf(const rd_u32, from)      \
    buf(rd_u32, to)              \
    arg(rd_u64, words)
/* clang-format on */

#endif
