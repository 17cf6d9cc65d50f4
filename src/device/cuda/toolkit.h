/* SPDX-License-Identifier: Apache-2.0 */
/* toolkit.h - headers of the installed CUDA toolkit, for peers that are written in CUDA C++; Raddle's own kernels
 * include none. */
#ifndef RD_DEVICE_CUDA_TOOLKIT_H
#define RD_DEVICE_CUDA_TOOLKIT_H

#include "core/error.h"

/* The folder that has `header`: beside the library (libnvrtc), whose version it then has, else in CUDA_HOME or
 * CUDA_PATH, else where toolkits are installed. version: as of rd__nvrtc_version. @return RD_EDEVICE when there is
 * none, and the text says where it was looked for. */
rd_status rd__toolkit_include(const char *header, const char *library, int version, char *folder, size_t room,
                              rd_error *err);

#endif
