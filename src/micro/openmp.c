/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openmp.c - see openmp.h. What GCC makes of
 *
 *     #pragma omp parallel
 *     #pragma omp single
 *     fib(n)            where fib(n) is two tasks for fib(n - 1) and fib(n - 2), and a taskwait
 *
 * written out: calls of libgomp's functions, which keep their meaning from version to version. So no compiler option is
 * needed, and a command that never asks for the peer does not load it.
 */
#include "micro/openmp.h"

#include "core/memory.h"
#include "core/library.h"
#include "raddle/tool.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_N = 60 };

struct rd__openmp {
    void (*parallel)(void (*body)(void *), void *data, unsigned threads, unsigned flags);
    bool (*single)(void);
    void (*task)(void (*body)(void *), void *data, void (*copy)(void *, void *), long bytes, long align, bool deferred,
                 unsigned flags, void **depends, int priority, void *detach);
    void (*wait)(void);
    unsigned threads;
    uint32_t n;
    uint64_t value; /* of the last run */
};

struct call {
    rd__openmp *openmp;
    uint64_t *value;
    uint32_t n;
};

static void fib(void *data)
{
    const struct call *const call = data;
    rd__openmp *const openmp = call->openmp;
    uint64_t left = 0, right = 0;
    if (call->n < 2) {
        *call->value = call->n;
        return;
    }
    struct call first = {openmp, &left, call->n - 1}, second = {openmp, &right, call->n - 2};
    /* the library copies the calls */
    openmp->task(fib, &first, NULL, sizeof first, _Alignof(struct call), true, 0, NULL, 0, NULL);
    openmp->task(fib, &second, NULL, sizeof second, _Alignof(struct call), true, 0, NULL, 0, NULL);
    openmp->wait();
    *call->value = left + right;
}

/* In all threads; the others help until the region ends. */
static void region(void *data)
{
    rd__openmp *const openmp = data;
    struct call whole = {openmp, &openmp->value, openmp->n};
    if (openmp->single())
        fib(&whole);
}

static rd_status load(rd__openmp *openmp, rd_error *err)
{
    static const char *const names[] = {"libgomp.so.1", NULL};
    char reason[200];
    void *library = rd__library_open(names, reason, sizeof reason);
    if (!library)
        return rd__fail(err, RD_EDEVICE, "OpenMP's library cannot be opened: %s", reason);
    if (!rd__library_symbol(library, "GOMP_parallel", &openmp->parallel) ||
        !rd__library_symbol(library, "GOMP_single_start", &openmp->single) ||
        !rd__library_symbol(library, "GOMP_task", &openmp->task) ||
        !rd__library_symbol(library, "GOMP_taskwait", &openmp->wait))
        return rd__fail(err, RD_EDEVICE, "this libgomp lacks a function; that of GCC 4.9 or later is wanted");
    return RD_OK;
}

rd_status rd__openmp_open(const rd_device *device, uint32_t n, rd__openmp **out, rd_error *err)
{
    *out = NULL;
    if (!device->caps.shares_host || n > MOST_N)
        return rd__fail(err, RD_EDEVICE, "OpenMP's tasks are a peer on CPUs, for a fib of at most %d", MOST_N);
    rd__openmp *openmp = rd__calloc(1, sizeof *openmp);
    if (!openmp)
        return rd__fail_memory(err, "OpenMP", sizeof *openmp);
    openmp->threads = device->info.compute_units;
    openmp->n = n;
    const rd_status status = load(openmp, err);
    if (status != RD_OK) {
        rd__openmp_close(openmp);
        return status;
    }
    *out = openmp;
    return RD_OK;
}

rd_status rd__openmp_run(rd__openmp *openmp, double *seconds, uint64_t *tasks, rd_error *err)
{
    uint64_t right = 0, next = 1; /* fib of n, and of n + 1 */
    for (uint32_t i = 0; i < openmp->n; i++) {
        next += right;
        right = next - right;
    }
    openmp->value = 0;
    const double began = rd_now();
    openmp->parallel(region, openmp, openmp->threads, 0);
    *seconds = rd_now() - began;
    *tasks = 2 * next - 1; /* a binary tree of calls with so many leaves */
    return openmp->value == right ? RD_OK
                                  : rd__fail(err, RD_EWRONG, "OpenMP: fib of %u is %llu, not %llu", openmp->n,
                                             (unsigned long long)right, (unsigned long long)openmp->value);
}

void rd__openmp_close(rd__openmp *openmp)
{
    rd__free(openmp);
}
