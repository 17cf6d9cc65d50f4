/* SPDX-License-Identifier: Apache-2.0 */
/* compile.h - kernel source to machine code for one NVIDIA architecture, by NVRTC; needs no GPU. */
#ifndef RD_DEVICE_CUDA_COMPILE_H
#define RD_DEVICE_CUDA_COMPILE_H

#include "device/device.h"

/* @return 1 when NVRTC could be opened; else 0 and the reason. */
int rd__nvrtc_open(char *reason, size_t room);
/* Version of the NVRTC that is open, as 1000 * major + 10 * minor. */
int rd__nvrtc_version(void);
/* arch: 90 for compute capability 9.0. *image (freed with rd__free): a cubin, or PTX for the driver to finish when this
 * NVRTC is older than the GPU. use_cache: look in and add to the program cache. */
rd_status rd__nvrtc_compile(const rd__program_spec *spec, int arch, int use_cache, char **image, size_t *bytes,
                            rd_error *err);

/* PTX, for drivers of this architecture and of newer ones to finish. */
rd_status rd__nvrtc_compile_ptx(const rd__program_spec *spec, int arch, char **image, size_t *bytes, rd_error *err);
/* The constants that a program is compiled with; text has RD__CUDA_OPTIONS_ROOM bytes. Needs no NVRTC. */
enum { RD__CUDA_OPTIONS_ROOM = 2048 };
rd_status rd__cuda_options(const rd__program_spec *spec, char *text, rd_error *err);

#endif
