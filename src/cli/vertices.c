/* SPDX-License-Identifier: Apache-2.0 */
/* vertices.c - see vertices.h. */
#include "cli/vertices.h"

#include "raddle/ranks.h"

#include <stdlib.h>
#include <string.h>

rd_status cli_find_vertex(const rd_graph *graph, uint64_t name, uint32_t *vertex, rd_error *err)
{
    const rd_graph_part part = rd_graph_get_part(graph);
    const rd_status status = rd_graph_part_find(graph, name, vertex, err);
    if (status != RD_OK || *vertex != RD_NONE)
        return status;
    if (part.vertices == 0 || part.named)
        snprintf(err->text, sizeof err->text, "the graph has no vertex called %llu", (unsigned long long)name);
    else
        snprintf(err->text, sizeof err->text, "source %llu is out of range: the graph has the vertices %llu to %llu",
                 (unsigned long long)name, (unsigned long long)rd_graph_name(graph, 0),
                 (unsigned long long)rd_graph_name(graph, part.vertices - 1));
    return err->status = RD_EARG;
}

int cli_takes_vertices(const rd_app_info *app, const char *key)
{
    for (const rd_option_info *option = app->options; option && option->key; option++)
        if (strcmp(option->key, key) == 0)
            return option->value && strncmp(option->value, "VERT", 4) == 0; /* VERTEX, VERTICES */
    return 0;
}

/* The word at *list up to its comma. @return 0: it is no number. */
static int take_name(const char **list, uint64_t *name)
{
    char word[24];
    const size_t length = strcspn(*list, ",");
    if (length >= sizeof word)
        return 0;
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    return rd_parse_u64(word, name);
}

rd_status cli_set_vertices(rd_job *job, const rd_graph *graph, const char *key, const char *names, rd_error *err)
{
    size_t words = 1, used = 0;
    for (const char *at = names; *at; at++)
        words += *at == ',';
    const size_t room = words * 12; /* ten digits and a comma */
    char *text = malloc(room);
    if (!text) {
        snprintf(err->text, sizeof err->text, "out of host memory: a list of vertices");
        return err->status = RD_ENOMEM;
    }
    rd_status status = RD_OK;
    int good = 1;
    for (const char *at = names; status == RD_OK && good; at++) {
        uint64_t name;
        uint32_t vertex = 0;
        good = take_name(&at, &name);
        if (good)
            status = cli_find_vertex(graph, name, &vertex, err);
        used += (size_t)snprintf(text + used, room - used, "%s%u", used ? "," : "", vertex);
        if (*at == '\0')
            break;
    }
    if (status == RD_OK) /* what is no list of numbers, the app says what it takes */
        status = rd_job_set(job, key, good ? text : names, err);
    free(text);
    return status;
}
