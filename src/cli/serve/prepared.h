/* SPDX-License-Identifier: Apache-2.0 */
/* prepared.h - jobs of `raddle serve` that were run and wait for the same request to come again: their input is on the
 * device, their programs are loaded. */
#ifndef RD_CLI_SERVE_PREPARED_H
#define RD_CLI_SERVE_PREPARED_H

#include "cli/serve/protocol.h"

typedef struct serve_prepared serve_prepared;

/* A job, and the graph that it holds; or NULL. */
typedef struct serve_ready {
    rd_job *job;
    const rd_graph *graph;
} serve_ready;

/* bytes: at most so many on the device, in all. @return NULL: out of memory. */
serve_prepared *serve_prepared_new(uint64_t bytes);
void serve_prepared_free(serve_prepared *prepared);
/* All that makes two requests the same job, the state of the file that is its input included: by whom it is freed, or
 * NULL when there is no memory. */
char *serve_prepared_key(const serve_request *request, const char *input_key);
/* Takes a job of this key, for the caller alone. @return 0: there is none. */
int serve_prepared_take(serve_prepared *prepared, const char *key, serve_ready *ready);
/* Keeps a job that was run and has so much on the device, or destroys it. */
void serve_prepared_put(serve_prepared *prepared, const char *key, serve_ready ready, uint64_t bytes);
/* Destroys all that nobody has taken: memory is needed. */
void serve_prepared_clear(serve_prepared *prepared);

#endif
