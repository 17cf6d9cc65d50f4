/* SPDX-License-Identifier: Apache-2.0 */
/* ids.c - vertex names to numbers; see ids.h. */
#include "graph/read/ids.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

static int grow(rd__ids *ids)
{
    uint64_t slots = ids->slots ? 2 * ids->slots : 1024;
    rd__id_slot *slot = rd__array_alloc(slots * sizeof *slot);
    uint64_t *id = rd__array_alloc(slots / 2 * sizeof *id);
    if (!slot || !id) {
        rd__array_free(slot);
        rd__array_free(id);
        return 0;
    }
    memset(slot, 0, (size_t)slots * sizeof *slot);
    if (ids->count)
        memcpy(id, ids->id, (size_t)ids->count * sizeof *id);
    for (uint64_t i = 0; i < ids->count; i++) {
        uint64_t at = rd__mix64(id[i]) & (slots - 1);
        while (slot[at].place)
            at = (at + 1) & (slots - 1);
        slot[at] = (rd__id_slot){id[i], i + 1};
    }
    rd__ids_free(&(rd__ids){.id = ids->id, .slot = ids->slot});
    ids->id = id;
    ids->slot = slot;
    ids->slots = slots;
    return 1;
}

/* Where this id is, or would go. */
static uint64_t find(const rd__ids *ids, uint64_t id)
{
    uint64_t at = rd__mix64(id) & (ids->slots - 1);
    while (ids->slot[at].place && ids->slot[at].id != id)
        at = (at + 1) & (ids->slots - 1);
    return at;
}

uint32_t rd__ids_number(rd__ids *ids, uint64_t id)
{
    uint64_t at = ids->slots ? find(ids, id) : 0;
    if (ids->slots && ids->slot[at].place)
        return (uint32_t)(ids->slot[at].place - 1);
    if (ids->count >= RD_VERTEX_MAX)
        return RD_NONE;
    if (ids->count == ids->slots / 2) {
        if (!grow(ids))
            return RD_NONE;
        at = find(ids, id);
    }
    ids->id[ids->count] = id;
    ids->slot[at] = (rd__id_slot){id, ++ids->count};
    return (uint32_t)ids->count - 1;
}

void rd__ids_free(rd__ids *ids)
{
    rd__array_free(ids->id);
    rd__array_free(ids->slot);
    memset(ids, 0, sizeof *ids);
}

void rd__ids_clear(rd__ids *ids)
{
    if (ids->slots)
        memset(ids->slot, 0, (size_t)ids->slots * sizeof *ids->slot);
    ids->count = 0;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t place_of(const uint64_t *ids, uint64_t count, uint64_t id)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

rd_status rd__ids_merge(rd__ids *tables, unsigned count, uint64_t **ids, uint64_t *ids_count, uint32_t ***map,
                        rd_error *err)
{
    uint64_t total = 0, kept = 0;
    for (unsigned t = 0; t < count; t++)
        total += tables[t].count;
    RD_TRY(rd__array_new(ids, "the original vertex numbers", total, sizeof **ids, err));
    for (unsigned t = 0; t < count; t++) {
        if (tables[t].count)
            memcpy(*ids + kept, tables[t].id, (size_t)tables[t].count * sizeof **ids);
        kept += tables[t].count;
    }
    qsort(*ids, (size_t)total, sizeof **ids, compare);
    kept = 0;
    for (uint64_t i = 0; i < total; i++)
        if (kept == 0 || (*ids)[kept - 1] != (*ids)[i])
            (*ids)[kept++] = (*ids)[i];
    *ids_count = kept;
    rd_status status = RD_OK;
    *map = rd__calloc(count, sizeof **map);
    if (!*map)
        status = rd__fail_memory(err, "vertex names", count * sizeof **map);
    else if (kept > RD_VERTEX_MAX)
        status = rd__fail(err, RD_EINPUT, "there are more than %u different vertices", RD_VERTEX_MAX);
    for (unsigned t = 0; status == RD_OK && t < count; t++) {
        status = rd__array_new(&(*map)[t], "vertex names", tables[t].count, sizeof ***map, err);
        for (uint64_t i = 0; status == RD_OK && i < tables[t].count; i++)
            (*map)[t][i] = place_of(*ids, kept, tables[t].id[i]);
        rd__ids_free(&tables[t]);
    }
    if (status != RD_OK) {
        rd__array_free(*ids);
        rd__ids_map_free(*map, count);
        *ids = NULL;
        *map = NULL;
    }
    return status;
}

void rd__ids_map_free(uint32_t **map, unsigned count)
{
    for (unsigned t = 0; map && t < count; t++)
        rd__array_free(map[t]);
    rd__free(map);
}
