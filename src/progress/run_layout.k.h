/* SPDX-License-Identifier: Apache-2.0 */
/* run_layout.k.h - what host and kernel of run.k.c agree on. */
#ifndef RD_PROGRESS_RUN_LAYOUT_H
#define RD_PROGRESS_RUN_LAYOUT_H

/* A step is a kind and the word that it is about: kind + PROGRESS_KINDS * word. */
#define PROGRESS_END    0u /* of the list */
#define PROGRESS_SET    1u
#define PROGRESS_AWAIT  2u
#define PROGRESS_UNLESS 3u /* leaves, unless the word is set */
#define PROGRESS_LOCK   4u
#define PROGRESS_UNLOCK 5u
#define PROGRESS_KINDS  8u
#define PROGRESS_WORDS  3u /* of a copy: x, y, lock */

#define PROGRESS_STEPS   2u  /* of a thread */
#define PROGRESS_THREADS 5u  /* of a copy, at most */
#define PROGRESS_IDLE    ~0u /* the role of a group that has none */
#define PROGRESS_DONE    255u
#define PROGRESS_FAT     6144u /* words of group memory that a heavy group takes */

/* Words of `out`. */
#define PROGRESS_OUT_ENDED   0u  /* threads that came to their end */
#define PROGRESS_OUT_STEPS   32u /* steps that were made by all */
#define PROGRESS_OUT_GAVE_UP 64u /* 1: for so many polls nobody made a step */
#define PROGRESS_OUT_SLOW    96u /* steps that took more than a quarter of that */
#define PROGRESS_OUT_COUNT   128u

/* clang-format off */
#define PROGRESS_ARGS(buf, arg)                                      \
    buf(const rd_u32, code) /* PROGRESS_STEPS a thread */            \
    buf(const rd_u32, role) /* of each group: 8 * copy + thread */   \
    buf(rd_u32, word)       /* PROGRESS_WORDS a copy, `apart` */     \
    buf(rd_u32, at)         /* 8 a copy: where each thread is */     \
    buf(rd_u32, out)                                                 \
    arg(rd_u32, apart)      /* words from one word to the next */    \
    arg(rd_u32, limit)      /* polls without anybody's step */       \
    arg(rd_u32, jitter)     /* most turns of delay before a step */  \
    arg(rd_u32, seed)       /* of the delays */
/* clang-format on */

#endif
