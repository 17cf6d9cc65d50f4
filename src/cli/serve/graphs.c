/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graphs.c - see graphs.h. A graph is known by what it was read from, how, and by the file's time and size, so one that
 * was changed is read anew. Who wants a graph that another job is reading waits for it; nobody else does. Jobs hold
 * their graphs, so one may be dropped here while it is used: its memory goes with the last job.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/serve/graphs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct entry {
    struct entry *next;
    char *key;
    rd_graph *graph;      /* NULL: it is being read */
    uint64_t bytes, used; /* used: when, in calls */
} entry;

struct serve_graphs {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    entry *first;
    uint64_t limit, bytes, calls, dropped;
    void (*pressed)(void *user);
    void *user;
};

serve_graphs *serve_graphs_new(uint64_t bytes, void (*pressed)(void *user), void *user)
{
    serve_graphs *graphs = calloc(1, sizeof *graphs);
    if (!graphs)
        return NULL;
    graphs->limit = bytes;
    graphs->pressed = pressed;
    graphs->user = user;
    pthread_mutex_init(&graphs->mutex, NULL);
    pthread_cond_init(&graphs->changed, NULL);
    return graphs;
}

static void drop(serve_graphs *graphs, entry *which)
{
    entry **at = &graphs->first;
    while (*at != which)
        at = &(*at)->next;
    *at = which->next;
    graphs->bytes -= which->bytes;
    rd_graph_destroy(which->graph);
    free(which->key);
    free(which);
}

void serve_graphs_free(serve_graphs *graphs)
{
    if (!graphs)
        return;
    while (graphs->first)
        drop(graphs, graphs->first);
    pthread_cond_destroy(&graphs->changed);
    pthread_mutex_destroy(&graphs->mutex);
    free(graphs);
}

char *serve_input_key(const char *input, const rd_graph_options *options)
{
    struct stat file = {0};
    const size_t room = strlen(input) + 128;
    char *key = malloc(room);
    const int is_file = stat(input, &file) == 0;
    if (key)
        snprintf(key, room, "%d %d %lld.%09ld %lld %s", options->symmetrize, options->weight_max,
                 is_file ? (long long)file.st_mtim.tv_sec : 0, is_file ? file.st_mtim.tv_nsec : 0,
                 is_file ? (long long)file.st_size : 0, input);
    return key;
}

static entry *find(const serve_graphs *graphs, const char *key)
{
    entry *at = graphs->first;
    while (at && strcmp(at->key, key) != 0)
        at = at->next;
    return at;
}

/* Makes room by dropping those that were not used for longest; `keep` stays. */
static void make_room(serve_graphs *graphs, const entry *keep)
{
    entry *oldest = keep ? graphs->first : NULL;
    while (graphs->bytes > graphs->limit && oldest) {
        oldest = NULL;
        for (entry *at = graphs->first; at; at = at->next)
            if (at != keep && at->graph && (!oldest || at->used < oldest->used))
                oldest = at;
        if (oldest) {
            drop(graphs, oldest);
            graphs->dropped++;
        }
    }
}

static rd_status out_of_memory(rd_error *err)
{
    err->status = RD_ENOMEM;
    snprintf(err->text, sizeof err->text, "out of host memory: a graph");
    return RD_ENOMEM;
}

/* With the mutex, which is given back while the graph is read. @return the entry, or NULL with the reason. */
static entry *read_new(serve_graphs *graphs, char *key, const char *input, const rd_graph_options *options,
                       rd_error *err)
{
    entry *mine = calloc(1, sizeof *mine);
    if (!mine) {
        free(key);
        (void)out_of_memory(err);
        return NULL;
    }
    mine->key = key;
    mine->next = graphs->first;
    graphs->first = mine;
    pthread_mutex_unlock(&graphs->mutex);
    rd_graph *graph = NULL;
    const rd_status status = rd_graph_open(input, options, &graph, err);
    const rd_csr csr = rd_graph_csr(graph);
    pthread_mutex_lock(&graphs->mutex);
    pthread_cond_broadcast(&graphs->changed);
    mine->graph = graph;
    mine->bytes = graph ? 8 * (csr.vertices + 1ull) + (csr.weight ? 8 : 4) * csr.edges : 0;
    graphs->bytes += mine->bytes;
    make_room(graphs, mine);
    if (status == RD_OK && graphs->bytes <= graphs->limit)
        return mine;
    if (status == RD_OK) {
        char need[32], have[32];
        err->status = RD_ENOMEM;
        snprintf(err->text, sizeof err->text, "%.200s takes %s, and the server may have %s of graphs (serve --memory)",
                 input, rd_format_bytes(mine->bytes, need, sizeof need),
                 rd_format_bytes(graphs->limit, have, sizeof have));
    }
    drop(graphs, mine);
    return NULL;
}

rd_status serve_graphs_give(serve_graphs *graphs, rd_job *job, const char *input, rd_graph_options options,
                            const rd_graph **graph, rd_error *err)
{
    char *key = serve_input_key(input, &options);
    if (!key)
        return out_of_memory(err);
    pthread_mutex_lock(&graphs->mutex);
    const uint64_t before = graphs->dropped;
    entry *at = find(graphs, key);
    while (at && !at->graph) { /* another job is reading it */
        pthread_cond_wait(&graphs->changed, &graphs->mutex);
        at = find(graphs, key); /* it may have failed */
    }
    if (at)
        free(key);
    else
        at = read_new(graphs, key, input, &options, err);
    rd_status status = err->status;
    if (at) {
        at->used = ++graphs->calls;
        status = rd_job_set_graph(job, at->graph, err);
        *graph = at->graph;
    }
    const int pressed = graphs->dropped != before;
    pthread_mutex_unlock(&graphs->mutex);
    if (pressed)
        graphs->pressed(graphs->user);
    return status;
}
