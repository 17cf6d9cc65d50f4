/* SPDX-License-Identifier: Apache-2.0 */
/* bits.h - numbers as words: for words that hold now the one, now the other. */
#ifndef RD_DIALECT_BITS_H
#define RD_DIALECT_BITS_H

typedef union {
    rd_u32 u;
    rd_f32 f;
} rd_word;

rd_fn rd_u32 rd_as_u32(rd_f32 x)
{
    rd_word w;
    w.f = x;
    return w.u;
}

rd_fn rd_f32 rd_as_f32(rd_u32 bits)
{
    rd_word w;
    w.u = bits;
    return w.f;
}

#ifdef RD_HAS_F64
typedef union {
    rd_u64 u;
    rd_f64 f;
} rd_word64;

rd_fn rd_u64 rd_as_u64(rd_f64 x)
{
    rd_word64 w;
    w.f = x;
    return w.u;
}

rd_fn rd_f64 rd_as_f64(rd_u64 bits)
{
    rd_word64 w;
    w.u = bits;
    return w.f;
}
#endif

#endif
