/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_util.h - what made-up CUDA drivers of tests have in common: device memory is memory of cmocka's. */
#ifndef RD_TESTS_CUDA_UTIL_H
#define RD_TESTS_CUDA_UTIL_H

#include "device/cuda/driver.h"

static inline char *memory(unsigned long long address)
{
    return (char *)(uintptr_t)address;
}

static inline int push(void *context)
{
    (void)context;
    return CU_SUCCESS;
}

static inline int pop(void **context)
{
    *context = NULL;
    return CU_SUCCESS;
}

static inline int mem_alloc(unsigned long long *address, size_t bytes)
{
    *address = (uintptr_t)test_malloc(bytes);
    return CU_SUCCESS;
}

#endif
