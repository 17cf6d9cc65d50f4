/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.h - an open CUDA device, and the entries of its table that stand in files of their own. */
#ifndef RD_DEVICE_CUDA_H
#define RD_DEVICE_CUDA_H

#include "device/cuda/driver.h"

enum {
    RD__CUDA_STAGE = 64 << 10,
    RD__CUDA_INBOX = 256 << 10,
    RD__CUDA_STOPS = 4096,
    RD__CUDA_PEEK = 256 << 10,
    RD__CUDA_READS = 2
};

#define CU_TRY(call, device)                                                                                           \
    do {                                                                                                               \
        int code_ = (call);                                                                                            \
        if (code_ != CU_SUCCESS)                                                                                       \
            return rd__cuda_fail(err, code_, #call, device);                                                           \
    } while (0)

/* Commands that run in order, and what belongs to them. */
typedef struct rd__cuda_queue {
    void *stream, *begin, *end;
    unsigned long long control;  /* RD__CUDA_STOPS words (stops.c), */
    unsigned long long heard;    /* and as many of launches that listen, with */
    struct rd__cuda_stop *image; /* the host's, pinned; 0 and NULL of who is beside, which nobody asks */
    uint32_t stops;              /* of which so many have been used */
    char *stage; /* RD__CUDA_STAGE bytes, pinned, so that small reads do not pay for staging in the driver */
    struct {
        unsigned long long from; /* a buffer's address */
        uint64_t at;
    } begun[RD__CUDA_READS];          /* reads behind launches, and where in the stage they go */
    uint32_t reads;                   /* so many of them */
    char *inbox;                      /* pinned: small writes on their way, */
    uint64_t inbox_used;              /* as many bytes, since the stream was last idle */
    struct rd__cuda_copiers *copiers; /* upload.c; NULL until something large was written */
} rd__cuda_queue;

typedef struct rd__cuda_device {
    rd_device base;
    int device, arch;
    void *context, *control_stream;
    void *quick_stream;      /* which writes stop words too, and nothing else; NULL: only the other one does */
    uint32_t *one;           /* pinned: what stop words are set to */
    void *peek;              /* RD__CUDA_PEEK bytes, pinned: rd__cuda_peek */
    rd__cuda_queue queue[2]; /* of whoever entered the device, and of who is beside, if it lends */
} rd__cuda_device;

/* This thread's. */
rd__cuda_queue *rd__cuda_queue_of(rd__cuda_device *device);

/* Every entry makes the device's context current and gives back what was current before, so a program may use CUDA
 * itself. */
rd_status rd__cuda_enter(rd__cuda_device *device, rd_error *err);
rd_status rd__cuda_leave(rd_status status);

/* Of the table rd__backend (device.h): buffers.c, */
rd_status rd__cuda_alloc(rd__buffer *buffer, rd_error *err);
void rd__cuda_free(rd__buffer *buffer);
rd_status rd__cuda_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err);
rd_status rd__cuda_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err);
rd_status rd__cuda_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err);
rd_status rd__cuda_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err);
rd_status rd__cuda_peek(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err);
rd_status rd__cuda_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err);
/* upload.c: for write. *done: 0 when there was no pinned memory to do it by. */
rd_status rd__cuda_upload(rd__cuda_device *device, unsigned long long to, uint64_t bytes, const void *data, int *done,
                          rd_error *err);
void rd__cuda_upload_close(rd__cuda_queue *queue);
/* stops.c */
rd_status rd__cuda_ask_stop(rd_device *base, rd_error *err);
int rd__cuda_call_stop(rd_device *base);
rd_status rd__cuda_forget_call(rd_device *base, rd_error *err);
/* kernels.c */
rd_status rd__cuda_load(rd_device *base, const rd__program_spec *spec, rd__program **out, rd_error *err);
rd_status rd__cuda_compile(const rd__program_spec *spec, rd_error *err);
void rd__cuda_unload(rd__program *program);
rd_status rd__cuda_kernel(rd__program *program, const char *name, rd__kernel **out, rd_error *err);
rd_status rd__cuda_resident(rd__kernel *kernel, uint32_t *groups, rd_error *err);
rd_status rd__cuda_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                          rd_error *err);
rd_status rd__cuda_launch_some(rd__kernel *kernel, uint32_t groups, uint32_t first, uint32_t present,
                               const rd__arg *args, uint32_t count, rd_error *err);
/* Of a queue: its stream is there. heard: launches may listen. */
rd_status rd__cuda_stops_open(rd__cuda_queue *queue, int heard, const char *name, rd_error *err);
void rd__cuda_stops_close(rd__cuda_queue *queue);
/* @return the address that launches given now have as their stop word. */
unsigned long long rd__cuda_stop_word(const rd__cuda_device *device, const rd__cuda_queue *queue);
/* A few words, in the order of the thread's stream; the caller has entered the device. */
rd_status rd__cuda_write_few(rd__cuda_device *device, unsigned long long to, uint64_t bytes, const void *data,
                             rd_error *err);

#endif
