/* SPDX-License-Identifier: Apache-2.0 */
/*
 * multi_queue.h - a relaxed priority queue for the threads of a CPU, to compare with: a few binary heaps a thread, each
 * with a lock. An insertion goes to a random heap; a deletion looks at two and takes the lesser top. So what comes out
 * is near the least, not the least. H. Rihani, P. Sanders, R. Dementiev, "MultiQueues", 2015.
 */
#ifndef RD_CLI_MULTI_QUEUE_H
#define RD_CLI_MULTI_QUEUE_H

#include <stdint.h>

typedef struct multi_queue multi_queue;

/* For `threads` threads and `room` keys in all. NULL: memory is out. */
multi_queue *multi_queue_new(uint32_t threads, uint64_t room);
void multi_queue_free(multi_queue *queue);
/* All threads insert the count keys, or delete as many to key[]. @return seconds, below 0 when a thread did not start.
 */
double multi_queue_insert(multi_queue *queue, const uint32_t *key, uint64_t count);
double multi_queue_delete(multi_queue *queue, uint32_t *key, uint64_t count);

#endif
