/* SPDX-License-Identifier: Apache-2.0 */
/* build_info.c - how this library was built. The Makefile defines RD_COMMIT and RD_FEATURES. */
#include "raddle.h"

#ifndef RD_COMMIT
#define RD_COMMIT "unknown"
#endif
#ifndef RD_FEATURES
#define RD_FEATURES "none"
#endif
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

const char *rd_build_info(void)
{
    return "commit " RD_COMMIT ", " COMPILER ", with: " RD_FEATURES;
}
