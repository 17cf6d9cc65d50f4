/* SPDX-License-Identifier: Apache-2.0 */
/* constants.h - RD_CONSTANTS: 1 where a program is compiled for a run, so that numbers which its host chose can be
 * constants (-DNAME=...) in it. 0 on the CPU: its programs are compiled before, and have them as arguments. */
#ifndef RD_DIALECT_CONSTANTS_H
#define RD_DIALECT_CONSTANTS_H

#if defined(RD_TARGET_CPU)
#define RD_CONSTANTS 0
#else
#define RD_CONSTANTS 1
#endif

#endif
