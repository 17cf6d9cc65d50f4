/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepared.c - see prepared.h. A job is in the list, or belongs to the thread that took it: so two equal requests at a
 * time have a job each. Those that came back longest ago go first when there are too many, or too much is on the
 * device.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/serve/prepared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* each holds its graph and what is on the device */

typedef struct entry {
    struct entry *next; /* the one that came back before */
    char *key;
    serve_ready ready;
    uint64_t bytes;
} entry;

struct serve_prepared {
    pthread_mutex_t mutex;
    entry *first;
    uint64_t limit;
};

serve_prepared *serve_prepared_new(uint64_t bytes)
{
    serve_prepared *prepared = calloc(1, sizeof *prepared);
    if (!prepared)
        return NULL;
    prepared->limit = bytes;
    pthread_mutex_init(&prepared->mutex, NULL);
    return prepared;
}

/* Not with the mutex: a job that is destroyed may have to wait for the device. */
static void destroy_all(entry *all)
{
    for (entry *next; all; all = next) {
        next = all->next;
        rd_job_destroy(all->ready.job);
        free(all->key);
        free(all);
    }
}

void serve_prepared_clear(serve_prepared *prepared)
{
    pthread_mutex_lock(&prepared->mutex);
    entry *all = prepared->first;
    prepared->first = NULL;
    pthread_mutex_unlock(&prepared->mutex);
    destroy_all(all);
}

void serve_prepared_free(serve_prepared *prepared)
{
    if (!prepared)
        return;
    serve_prepared_clear(prepared);
    pthread_mutex_destroy(&prepared->mutex);
    free(prepared);
}

char *serve_prepared_key(const serve_request *request, const char *input_key)
{
    size_t room = strlen(request->app) + strlen(input_key) + 32, used;
    for (uint32_t i = 0; i < request->settings; i++)
        room += strlen(request->key[i]) + strlen(request->value[i]) + 2;
    char *key = malloc(room);
    if (!key)
        return NULL;
    used = (size_t)snprintf(key, room, "%s\n%u\n", request->app, request->workers);
    for (uint32_t i = 0; i < request->settings; i++)
        used += (size_t)snprintf(key + used, room - used, "%s=%s\n", request->key[i], request->value[i]);
    snprintf(key + used, room - used, "%s", input_key);
    return key;
}

int serve_prepared_take(serve_prepared *prepared, const char *key, serve_ready *ready)
{
    pthread_mutex_lock(&prepared->mutex);
    entry **at = &prepared->first;
    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    entry *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&prepared->mutex);
    if (!found)
        return 0;
    *ready = found->ready;
    free(found->key);
    free(found);
    return 1;
}

void serve_prepared_put(serve_prepared *prepared, const char *key, serve_ready ready, uint64_t bytes)
{
    entry *mine = calloc(1, sizeof *mine);
    char *copy = strdup(key);
    if (!mine || !copy || bytes > prepared->limit) {
        rd_job_destroy(ready.job);
        free(copy);
        free(mine);
        return;
    }
    *mine = (entry){.key = copy, .ready = ready, .bytes = bytes};
    pthread_mutex_lock(&prepared->mutex);
    mine->next = prepared->first;
    prepared->first = mine;
    entry **at = &prepared->first;
    uint64_t count = 0, sum = 0;
    while (*at && ++count <= MOST && (sum += (*at)->bytes) <= prepared->limit)
        at = &(*at)->next;
    entry *rest = *at;
    *at = NULL;
    pthread_mutex_unlock(&prepared->mutex);
    destroy_all(rest);
}
