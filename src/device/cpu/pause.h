/* SPDX-License-Identifier: Apache-2.0 */
/* pause.h - a turn of a loop that waits for a word in memory. */
#ifndef RD_DEVICE_CPU_PAUSE_H
#define RD_DEVICE_CPU_PAUSE_H

static inline void rd__cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile(
        "isb" ::
            : "memory"); /* yields the pipeline for some tens of cycles; the yield hint does nothing on most cores */
#endif
}

#endif
