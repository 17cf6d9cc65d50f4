/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_limits.k.h - numbers that apps of sweeps, their scheduler and the host share. Plain numbers: all include it. */
#ifndef RD_MODEL_SWEEP_LIMITS_K_H
#define RD_MODEL_SWEEP_LIMITS_K_H

#define RD_SWEEP_SCALARS_MOST 8
#define RD_SWEEP_END          0xffffffffu /* the phase after the last */

#endif
