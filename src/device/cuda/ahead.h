/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.h - own programs for NVIDIA's GPUs that are compiled ahead of time, into the program that uses the library. */
#ifndef RD_DEVICE_CUDA_AHEAD_H
#define RD_DEVICE_CUDA_AHEAD_H

#include "device/device.h"

/* @return 1 when what follows "cuda" names an architecture: ":sm_90", ":compute_80". */
int rd__cuda_is_ahead(const char *which);
/* A device that is not there: it takes jobs as a GPU of that architecture would, compiles what they load and keeps it
 * (rd__device_images), and launches nothing. */
rd_status rd__cuda_ahead_open(const char *which, rd_device **device, rd_error *err);
/* @return the machine code, or PTX, that the caller brought for this program and a GPU of this architecture; NULL: none
 * that this library would make of it. */
const void *rd__cuda_ahead_find(const rd__program_spec *spec, int arch, size_t *bytes);
/* @return 1 when the caller brought any. */
int rd__cuda_ahead_has(const rd__program_spec *spec);

#endif
