/* SPDX-License-Identifier: Apache-2.0 */
/* opencl.h - an open OpenCL device, and the entries of its table that stand in files of their own. */
#ifndef RD_DEVICE_OPENCL_H
#define RD_DEVICE_OPENCL_H

#include "core/hash.h"
#include "device/opencl/api.h"

enum { RD__OPENCL_STAGE = 64 << 10, RD__OPENCL_READS = 2 };

/* Commands that run in order, and what belongs to them. */
typedef struct rd__opencl_queue {
    void *queue, *control;
    void *spare, *asked; /* of GPUs: the next control, and one whose launches may still look at it; NULL: none */
    uint32_t idle;       /* all launches have left */
    void *stage;         /* the driver's own memory, where control words are read to: RD__OPENCL_STAGE bytes, */
    void *staged;        /* where that is; NULL: there is none */
    void *reading;       /* the event of the last such read, which comes after the launches; NULL: none */
    void *begun[RD__OPENCL_READS]; /* buffers whose words are read there, */
    uint32_t reads;                /* so many of them */
    struct rd__opencl_word *word;  /* of CPUs: the host's memory behind control, and all that were before it; or NULL */
    void *first, *last;            /* events of launches since time_begin; may be the same one */
    double began;                  /* that, by the host's clock */
} rd__opencl_queue;

/* Built programs that the device keeps for the next job: program.c. */
enum { RD__OPENCL_KEPT = 16 };

typedef struct rd__opencl_kept {
    rd__hash key;
    void *program; /* NULL: none yet */
} rd__opencl_kept;

typedef struct rd__opencl_device {
    rd_device base;
    const rd__opencl_api *cl;
    rd__opencl_id id;
    void *context, *control_queue;
    rd__opencl_queue lane[2]; /* of whoever entered the device, and of who is beside, if it lends */
    rd__opencl_kept kept[RD__OPENCL_KEPT];
    uint32_t kept_next; /* where the next one goes: the oldest makes room */
} rd__opencl_device;

/* This thread's. */
rd__opencl_queue *rd__opencl_lane(rd__opencl_device *device);

/* Of the table rd__backend (device.h): buffers.c, */
rd_status rd__opencl_alloc(rd__buffer *buffer, rd_error *err);
void rd__opencl_free(rd__buffer *buffer);
rd_status rd__opencl_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err);
rd_status rd__opencl_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err);
rd_status rd__opencl_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err);
rd_status rd__opencl_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err);
rd_status rd__opencl_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err);
void rd__opencl_forget_read(const rd__opencl_device *device, rd__opencl_queue *lane);
/* opencl.c: the word by which launches were asked to leave, which they have, can be used again. */
void rd__opencl_take_back(rd__opencl_device *device, rd__opencl_queue *lane);
/* kernels.c */
rd_status rd__opencl_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err);
void rd__opencl_unload(rd__program *program);
rd_status rd__opencl_kernel(rd__program *program, const char *name, rd__kernel **out, rd_error *err);
rd_status rd__opencl_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err);
rd_status rd__opencl_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                            rd_error *err);

#endif
