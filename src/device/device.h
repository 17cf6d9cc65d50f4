/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - what schedulers and apps see of a device: buffers, programs, launches, time. A back end fills the table
 * rd__backend; nothing above this room knows which one it talks to.
 *
 * A device runs commands in the order they are given (fill, launch, write); read and rd__device_wait come back when all
 * earlier ones are done, write as soon as the data may be changed again. Small writes and fills may be kept until a
 * command comes that may see them, and be done together then (chores.h). Each kernel gets, before its own arguments, a
 * word through which rd__device_wait asks it to leave early. That word belongs to the launches given up to the request:
 * those given later get another one, so however late a kernel leaves, or if it never does, no other launch is taken for
 * the one that was to stop.
 */
#ifndef RD_DEVICE_H
#define RD_DEVICE_H

#include "core/error.h"

typedef struct rd__backend rd__backend;
struct rd__own_source; /* source.h */
struct rd__turns;      /* turns.h */
struct rd__chores;     /* chores.h */

/* What a device can do beyond its numbers. The back end fills it when it opens the device: whoever decides by it need
 * not know which back end that is. */
typedef struct rd__device_caps {
    uint8_t leaves_cores;      /* of a CPU: it does not use all processors, so who waits need not sleep */
    uint8_t shares_host;       /* its threads and memory are this process's: buffers may be used in place */
    uint8_t fixed_width;       /* programs are compiled for groups of info.max_group lanes, and no others */
    uint8_t cores;             /* groups of one lane: few of them, and each a core with its own cache */
    uint8_t coresident;        /* a cooperative launch can be had: all its groups are resident, or it is refused */
    uint8_t slow_wide_compile; /* a CPU whose compiler turns lanes into loops, for seconds or minutes a width; and
                                  groups that wait do not yield their cores, so on a busy machine a barrier may last as
                                  long as the system lets a thread run */
    uint8_t toolkit;           /* takes CUDA C++ with headers of the CUDA toolkit (rd__program_spec), for peers */
    uint8_t grid_sync;         /* ... which may use the toolkit's own barrier of a grid */
    uint8_t lends;             /* a job may run on some of its workers beside another one: turns.h */
    uint8_t peeks;             /* words can be read while its kernels run: rd__buffer_peek */
    uint8_t loops;             /* repeats launches by itself until a kernel ends that: rd__kernel_loop */
    uint8_t chores;            /* a command costs enough for small ones to be done together: chores.h */
    uint8_t only_compiles;     /* programs are compiled for it, and none is launched: rd__device_images */
} rd__device_caps;

/* May launches that one waits for be asked to leave by others, whose look it would take too? One of them is about it;
 * they were: wait.c. */
enum { RD__WAY_SHUT, RD__WAY_OPEN, RD__WAY_BUSY, RD__WAY_ASKED };

struct rd_device {
    const rd__backend *backend;
    rd_device_info info;
    rd__device_caps caps;
    uint64_t allocated; /* bytes in buffers now; atomic */
    uint32_t use_cache;
    double grace_seconds;     /* how long a kernel that was asked to leave may take; 0: ever, its threads are our own */
    uint32_t forced;          /* how often kernels were made to leave: what they worked on is not to be used again */
    uint32_t stuck;           /* a kernel did not leave when it was asked to: it may run for ever. Atomic */
    uint32_t generation;      /* rd__fork_generation() where it was opened: its threads live only there */
    uint32_t holders;         /* the caller until rd_device_close, and each job, heap and microbenchmark; atomic */
    uint32_t closed;          /* by rd_device_close; atomic */
    uint32_t busy;            /* 1 between rd__device_enter and rd__device_leave; atomic */
    const char *worker;       /* the thread that entered it; atomic */
    const char *beside;       /* the thread that has some of its workers, beside that one; atomic */
    struct rd__turns *turns;  /* of jobs that share it; NULL: none ever did. Atomic */
    uint32_t nudged[2];       /* whoever waits for kernels is to look up, and who is beside; atomic */
    uint32_t way;             /* RD__WAY_...: of launches that whoever entered it waits for; atomic */
    uint32_t requests;        /* of others, that those leave: the number of the last one, never 0. Atomic, as is */
    uint32_t asker;           /* the processor that it came from */
    uint8_t in_turn, hears;   /* that one took a turn; its launches look for calls (call_stop). Its thread's own, */
    uint8_t called;           /* but for whoever asks while the way is open: they were called */
    double asked_at, idle_at; /* rd_now() when that one had last asked its launches to make way, and found it idle; its
                                 thread's own */
    struct rd__chores *chores; /* NULL: small writes and fills are commands as others are. Atomic */
    uint32_t chores_known;     /* whether that is so; atomic */
    uint64_t commands;         /* that drivers were given for queues, of who entered it and of who is beside; atomic */
    uint64_t copied;           /* bytes that were written and read; atomic */
    uint32_t promise_known;    /* promise.h: its record was looked for; */
    char broken_by[160];       /* the program that showed that it does not run on who has begun, or "" */
};

/* Whoever keeps a device beyond a call holds it; the last one to drop it frees it. Both take NULL. */
void rd__device_hold(rd_device *device);
void rd__device_drop(rd_device *device);
/* Before work on a device: RD_EDEVICE when it was closed, when this process is a fork of the one that opened it, or
 * when it is at work already, in another thread or in whom we are called back from. */
rd_status rd__device_enter(rd_device *device, rd_error *err);
/* @return 1 when it has entered the device; 0: someone else has. */
int rd__device_try_enter(rd_device *device);
/* @return 1 when this thread has entered it, or some of it: we are called back. */
int rd__device_is_mine(const rd_device *device);
/* This thread has some of the device's workers, beside whoever entered it. One at a time: turns.h. */
void rd__device_enter_beside(rd_device *device);
void rd__device_leave_beside(rd_device *device);
int rd__device_is_beside(const rd_device *device);
/* Ends what rd__device_enter began. @return status */
rd_status rd__device_leave(rd_device *device, rd_status status);
/* @return 1 when what belongs to the device can be given back here. In a child of fork() a driver's objects cannot:
 * they go when the child ends. The CPU's are memory. Nor can they where a kernel does not leave: drivers would wait. */
int rd__device_owns(const rd_device *device);
/* @return 1 when a kernel did not leave when it was asked to, and still has not so many seconds later. */
int rd__device_is_stuck(rd_device *device, double seconds);
/* RD_EDEVICE after rd_device_close. */
rd_status rd__device_is_open(const rd_device *device, rd_error *err);
/* RD_EDEVICE in a process forked from the one that opened the device. */
rd_status rd__device_is_here(const rd_device *device, rd_error *err);

typedef struct rd__buffer {
    rd_device *device; /* NULL: not allocated */
    const char *name;  /* for messages; static */
    uint64_t bytes;
    uint32_t borrowed; /* memory of the caller, used in place: not counted, not freed */
    union {
        void *host;       /* cpu */
        uint64_t address; /* cuda: CUdeviceptr */
        void *object;     /* opencl: cl_mem */
    } at;
} rd__buffer;

/* A program is a kernel root, with the kernels of an engine behind it where it has one, and constants. Those that the
 * library knows by name are listed when it is built: tools/programs.sh. */
typedef struct rd__program_spec {
    const char *name;
    const char *root;                 /* kernel source file */
    const struct rd__own_source *own; /* its text, where it is not one of the library's; or NULL */
    const char *engine;               /* another one, to follow it; or NULL */
    const char *constants; /* of the engine, as "-DA=1 -DB=2"; or NULL. The CPU's programs have them compiled in */
    uint32_t lanes;        /* lanes in a group; the CPU takes 1 or its own W */
    const char *defines;   /* more constants as "-DA=1 -DB=2", or NULL; the CPU's are compiled in */
    uint8_t places;        /* launches may be of some of their groups only: rd__kernel_launch_some. The CPU's always */
    /* CUDA, for peers not written in the dialect: a header of the installed toolkit to go before the source; or NULL */
    const char *toolkit_header;
} rd__program_spec;

typedef struct rd__program rd__program;
typedef struct rd__kernel rd__kernel;

typedef struct rd__arg {
    enum { RD__ARG_BUFFER, RD__ARG_U32, RD__ARG_U64, RD__ARG_F32, RD__ARG_LIST } kind;
    union {
        const rd__buffer *buffer;
        uint32_t u32;
        uint64_t u64;
        float f32;
        struct {
            const void *data; /* copied by the launch, as the numbers are */
            size_t bytes;
        } list; /* a struct; not for the CPU */
    } as;
} rd__arg;
#define RD__BUFFER(b)  ((rd__arg){.kind = RD__ARG_BUFFER, .as.buffer = (b)})
#define RD__U32(x)     ((rd__arg){.kind = RD__ARG_U32, .as.u32 = (x)})
#define RD__U64(x)     ((rd__arg){.kind = RD__ARG_U64, .as.u64 = (x)})
#define RD__F32(x)     ((rd__arg){.kind = RD__ARG_F32, .as.f32 = (x)})
#define RD__LIST(p, n) ((rd__arg){.kind = RD__ARG_LIST, .as.list = {(p), (n)}})
#define RD__MAX_ARGS   32

/* Launches that the device repeats by itself: `count` of a kernel, whose argument number `step` counts them from 0,
 * then one group of `tail`, which has the same arguments and `count` in that place; and all of these again, until a
 * tail says rd_loop_end. Each launch comes after the one before it. Both are of one program, made with -DRD_LOOPS=1. */
typedef struct rd__loop {
    rd__kernel *kernel, *tail;
    uint32_t groups, step, count;
    const rd__arg *args;
    uint32_t arg_count;
} rd__loop;

typedef struct rd__device_sink {
    rd_status (*add)(void *user, const rd_device_info *info);
    void *user;
} rd__device_sink;

struct rd__backend {
    const char *name;
    /* Reports each device of this back end, or one entry with usable = 0 and the reason. */
    rd_status (*probe)(rd__device_sink *sink, rd_error *err);
    /* Opens by what follows "NAME" in the device name ("" or ":0" or ":0.1"). */
    rd_status (*open)(const char *which, const rd_device_options *options, rd_device **device, rd_error *err);
    void (*close)(rd_device *device);
    /* buffer has device, name and bytes set; bytes > 0. */
    rd_status (*alloc)(rd__buffer *buffer, rd_error *err);
    void (*free)(rd__buffer *buffer);
    /* Uses the caller's memory in place for reading. NULL where the device has its own memory. */
    rd_status (*borrow)(rd__buffer *buffer, const void *data, rd_error *err);
    rd_status (*write)(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err);
    rd_status (*read)(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err);
    /* As rd__buffer_read_begin and rd__buffer_read_end; NULL where a read costs no more after a wait than before. */
    rd_status (*read_begin)(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err);
    rd_status (*read_end)(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err);
    /* (optional) As rd__buffer_peek, of devices that peek. */
    rd_status (*peek)(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err);
    rd_status (*fill)(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err);
    rd_status (*load)(rd_device *device, const rd__program_spec *spec, rd__program **program, rd_error *err);
    /* (optional) Compiles for a usual device of this kind, where none is here. RD_EDEVICE: there is no compiler. */
    rd_status (*compile)(const rd__program_spec *spec, rd_error *err);
    /* (optional) As rd__device_images. */
    const struct rd__image *(*images)(const rd_device *device, uint32_t *count);
    /* (optional) As rd__program_write. */
    rd_status (*write_ahead)(const rd__program_spec *spec, char **text, uint64_t key[2], rd_error *err);
    void (*unload)(rd__program *program);
    /* As rd__kernel_find, rd__kernel_resident, rd__kernel_launch: */
    rd_status (*kernel)(rd__program *program, const char *name, rd__kernel **kernel, rd_error *err);
    rd_status (*resident)(rd__kernel *kernel, uint32_t *groups, rd_error *err);
    rd_status (*launch)(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                        rd_error *err);
    /* (optional) Of devices that lend. A launch of so many groups, of which so many run, from `first` on; group 0 comes
     * after the last. Kernels see all. NULL: those for which there is no room wait for it, or for others to leave. */
    rd_status (*launch_some)(rd__kernel *kernel, uint32_t groups, uint32_t first, uint32_t present, const rd__arg *args,
                             uint32_t count, rd_error *err);
    /* As rd__kernel_loop, of devices that loop. */
    rd_status (*loop)(const rd__loop *loop, rd_error *err);
    /* (optional) Of devices that lend: this thread's commands are run by so many of the device's workers from now on.
     * The first ones are those of whoever entered the device, the last ones of who is beside. NULL: launches are of so
     * many groups as should be, and the device places them. */
    rd_status (*use)(rd_device *device, uint32_t workers, rd_error *err);
    /* Waits until all commands are done (*idle is 1) or rd_now() is `until`, which may be INFINITY; if it is not, also
     * until the device is nudged. */
    rd_status (*idle_by)(rd_device *device, double until, int *idle, rd_error *err);
    /* (optional) Wakes whoever is in idle_by, from any thread. NULL: it looks at `nudged` by itself. */
    void (*rouse)(rd_device *device);
    /* Asks all launches of this thread given so far to leave; those given from now on are not asked. By a thread that
     * has none (rd__device_is_mine): those of whoever entered the device, which is in idle_by and stays there, or waits
     * behind it for this to return; it does not wait, and fails where it would have to. */
    rd_status (*ask_stop)(rd_device *device, rd_error *err);
    /* (optional) The same of launches that `hear`, given by whoever entered the device in turn, without a driver; by
     * who may call ask_stop in its place. @return 0: it cannot. After it whoever waits calls ask_stop too, for the
     * same launches, or, when they have left, forget_call: then those given next are not asked. */
    int (*call_stop)(rd_device *device);
    rd_status (*forget_call)(rd_device *device, rd_error *err);
    /* (optional) Makes launches of own programs leave that were asked and did not: what they worked on is lost. */
    rd_status (*force)(rd_device *device, rd_error *err);
    double grace_seconds; /* the device's, when it is opened */
    /* As rd__time_begin, rd__time_mark, rd__time_end: */
    rd_status (*time_begin)(rd_device *device, rd_error *err);
    rd_status (*time_mark)(rd_device *device, rd_error *err);
    rd_status (*time_end)(rd_device *device, double *seconds, rd_error *err);
};

extern const rd__backend rd__cpu_backend, rd__cuda_backend, rd__opencl_backend;

/* By back ends: a command was given to a driver, for a queue of the device. */
void rd__device_count(rd_device *device);

/* Buffers. After a failed alloc the buffer is empty; freeing an empty buffer is fine. Zero bytes are rounded up to one
 * word, so that every kernel argument is a real address. */
rd_status rd__buffer_alloc(rd_device *device, rd__buffer *buffer, const char *name, uint64_t bytes, rd_error *err);
/* A buffer that holds data: in place where the device can, else a copy. */
rd_status rd__buffer_from(rd_device *device, rd__buffer *buffer, const char *name, uint64_t bytes, const void *data,
                          rd_error *err);
void rd__buffer_free(rd__buffer *buffer);
/* @return bytes that this thread has allocated, on any device, less those it has freed; to compare with later. */
uint64_t rd__buffer_balance(void);
/* @return the buffer's memory, where the device works in the host's own; NULL: it has to be copied. What was written or
 * launched before may still have to come: rd__buffer_settle waits for it. */
void *rd__buffer_in_place(const rd__buffer *buffer);
rd_status rd__buffer_settle(const rd__buffer *buffer, rd_error *err);
rd_status rd__buffer_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err);
rd_status rd__buffer_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err);
/* A read from the start of a buffer in two steps, for control words: the first, given behind launches, does not wait;
 * the second, after a wait, need not ask the device again. Between the two nothing else is asked of the device but,
 * `also`, such a read of another buffer. */
rd_status rd__buffer_read_begin(const rd__buffer *buffer, uint64_t bytes, int also, rd_error *err);
rd_status rd__buffer_read_end(const rd__buffer *buffer, uint64_t bytes, void *data, rd_error *err);
/* On devices that peek: 32-bit words as they are while launches go on, by the thread that waits for them. Each is one
 * that it held at some time between the call and its return, if kernels change it by atomics only; of two words nothing
 * is said. Comes back however long kernels run. */
rd_status rd__buffer_peek(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t *data, rd_error *err);
/* Sets 32-bit words; in order with launches, does not wait. */
rd_status rd__buffer_fill(rd__buffer *buffer, uint32_t word, rd_error *err);
rd_status rd__buffer_fill_part(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err);
/* @return bytes a plan may use: free memory, or all of it when the device does not say what is free. */
uint64_t rd__device_memory_limit(const rd_device *device);

rd_status rd__program_load(rd_device *device, const rd__program_spec *spec, rd__program **program, rd_error *err);
void rd__program_unload(rd_device *device, rd__program *program);
/* Compiles it for a kind of device that need not be here, by the name of its back end. RD_EDEVICE: that cannot be done.
 */
rd_status rd__program_compile(const char *kind, const rd__program_spec *spec, rd_error *err);
/* An own program as C source, to be compiled into the caller's program, and the key by which it is known there. *text
 * is freed with rd__free. */
rd_status rd__program_write(const rd__program_spec *spec, char **text, uint64_t key[2], rd_error *err);
/* What a device that only compiles (cuda:sm_90) has made of the programs that jobs loaded on it. */
typedef struct rd__image {
    const struct rd__own_source *own; /* the app's, or NULL: a program of the library */
    char program[64];
    const char *target; /* "sm_90" */
    uint64_t key[2];    /* by which it is found again */
    const void *data;
    size_t bytes;
    void *made; /* the device's memory that data is, or NULL: the caller brought it */
} rd__image;
/* @return NULL: it is no such device. */
const rd__image *rd__device_images(const rd_device *device, uint32_t *count);
rd_status rd__kernel_find(rd_device *device, rd__program *program, const char *name, rd__kernel **kernel,
                          rd_error *err);
/* How many groups of this kernel can be resident at once; for devices that cannot say, how many keep it busy. */
rd_status rd__kernel_resident(rd_device *device, rd__kernel *kernel, uint32_t *groups, rd_error *err);
/* cooperative: all groups must be resident at once; RD_EDEVICE when they cannot. Does not wait. */
rd_status rd__kernel_launch(rd_device *device, rd__kernel *kernel, uint32_t groups, int cooperative,
                            const rd__arg *args, uint32_t count, rd_error *err);
/* On devices that lend: a launch of which only some groups run, as in the table. Where the device places groups by
 * itself, one of all. */
rd_status rd__kernel_launch_some(rd_device *device, rd__kernel *kernel, uint32_t groups, uint32_t first,
                                 uint32_t present, const rd__arg *args, uint32_t count, rd_error *err);
rd_status rd__device_use(rd_device *device, uint32_t workers, rd_error *err);
/* On devices that loop. Does not wait. */
rd_status rd__kernel_loop(rd_device *device, const rd__loop *loop, rd_error *err);

/* Device time from rd__time_begin to the end of the last launch before the last rd__time_mark. rd__time_end waits. */
rd_status rd__time_begin(rd_device *device, rd_error *err);
rd_status rd__time_mark(rd_device *device, rd_error *err);
rd_status rd__time_end(rd_device *device, double *seconds, rd_error *err);

/* How long to wait for kernels. */
typedef struct rd__limit {
    double deadline;              /* rd_now() after which they are asked to leave, with RD_ETIMEOUT; 0: none */
    int (*cancelled)(void *user); /* asked from time to time; non-zero: likewise, with RD_ECANCELLED. NULL: not asked */
    void *user;
    /* asked likewise; non-zero: kernels are asked to leave, and when they have, the wait has ended well. NULL: not */
    int (*wanted)(void *user);
    void (*asked)(void *user); /* with `wanted`: others have asked them to leave meanwhile (rd__device_ask) */
    double look_by; /* rd_now() by which `wanted` is asked at the latest, if it is not earlier anyway; 0: none */
} rd__limit;
/* Waits until all commands are done. limit: NULL for none. With RD_ETIMEOUT or RD_ECANCELLED the launches were asked to
 * leave, and what they were to compute is not there; usually they have left, which *left says (it may be NULL). */
rd_status rd__device_wait_left(rd_device *device, const rd__limit *limit, int *left, rd_error *err);
rd_status rd__device_wait(rd_device *device, const rd__limit *limit, rd_error *err);
/* Wakes whoever waits with a limit, to look whether it still holds. From any thread. */
void rd__device_nudge(rd_device *device);
/* By one for whom whoever entered the device would make way: asks its launches to leave, if they may, for it would have
 * to be woken for that; else nudges. From any thread. @return 1: they were asked. */
int rd__device_ask(rd_device *device);
/* Have launches been asked by another one than who waits for them, and has that one not seen it yet? A hint. @return
 * the number of the request, 0: no. *processor: where it came from; a hint, too. */
uint32_t rd__device_is_asked(const rd_device *device, uint32_t *processor);
/* The same of this request, for certain: 1, and whoever waits for them does not go on before rd__device_free_way. */
int rd__device_hold_way(rd_device *device, uint32_t request);
void rd__device_free_way(rd_device *device);
/* By whoever entered the device: from here on nobody else asks its launches. For back ends that do so in idle_by.
 * @return 1: somebody has, since it began to wait. */
int rd__device_shut_way(rd_device *device);
/* For back ends that look at `nudged` by themselves: a hint, which the wait takes away. */
int rd__device_is_nudged(const rd_device *device);
/* For back ends that have to ask again and again: lets the processor go once that takes long. */
void rd__device_nap(rd_device *device, double began);

/* The lanes a program gets on this device when the user did not say: what fills it with few groups. */
uint32_t rd__device_default_lanes(const rd_device *device);

#endif
