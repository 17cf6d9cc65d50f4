/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h - programs and kernels of a CUDA device, for those who launch them: cuda/kernels.c, cuda/loops.c. */
#ifndef RD_DEVICE_CUDA_KERNELS_H
#define RD_DEVICE_CUDA_KERNELS_H

#include "device/cuda/cuda.h"

/* What a kernel gets: the word that asks it to stop, then its arguments. The driver wants an array of pointers. */
typedef struct rd__cuda_params {
    uint32_t count;
    union {
        uint64_t u64;
        uint32_t u32;
        float f32;
    } value[RD__MAX_ARGS + 1];
    void *pointer[RD__MAX_ARGS + 1];
} rd__cuda_params;

/* A graph that repeats launches, kept for the next time: loops.c. */
typedef struct rd__cuda_loop {
    void *graph, *exec;
    rd__kernel *kernel;
    uint32_t groups, count;
    rd__cuda_params params; /* of its first launch */
} rd__cuda_loop;

struct rd__program {
    rd__cuda_device *device;
    void *module;
    uint32_t lanes;
    rd__kernel *kernels;
    unsigned long long places; /* rd_place of dialect/cuda.h; 0: launches are of all groups */
    uint32_t place[2];         /* what it holds when the stream has come to its end */
    rd__cuda_loop loop;
};

struct rd__kernel {
    rd__program *program;
    void *function;
    int blocks; /* that fit a multiprocessor, once it was asked for; 0: it was not */
    char name[64];
    rd__kernel *next;
};

/* Fills in the values; rd__cuda_point then makes pointers to them, where they are now. */
rd_status rd__cuda_values(const rd__kernel *kernel, const rd__arg *args, uint32_t count, rd__cuda_params *params,
                          rd_error *err);
void rd__cuda_point(rd__cuda_params *params);
/* Groups of the launches given from now on: the first of them, and how many are left out. */
rd_status rd__cuda_set_place(rd__program *program, uint32_t first, uint32_t absent, rd_error *err);

/* As rd__kernel_loop. */
rd_status rd__cuda_loop_launch(const rd__loop *loop, rd_error *err);
/* Can the driver do that? */
int rd__cuda_can_loop(void);
/* The caller has entered the device. */
void rd__cuda_loop_close(rd__cuda_loop *loop);

#endif
