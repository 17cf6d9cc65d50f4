/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_sealed.c - the two texts that end with a hash of themselves: FUZZ_KIND parts, the list of a graph in parts;
 * manifest, what says that a checkpoint is complete. A hash does not keep anybody from writing a wrong text with a
 * right one, so all inputs but one in eight get it here; manifests get their first two lines too.
 */
#include "fuzz.h"

#include "core/hash.h"
#include "graph/part/part.h"
#include "job/manifest.h"

#include <stdio.h>

static int is_manifest(void)
{
    return strcmp(fuzz_kind(), "manifest") == 0;
}

/* Where the last line that begins with "sum " begins; without one, the end. */
static size_t seal_at(const char *text, size_t bytes)
{
    for (size_t at = bytes; at-- > 0;)
        if ((at == 0 || text[at - 1] == '\n') && strncmp(text + at, "sum ", 4) == 0)
            return at;
    return bytes;
}

static char *sealed(const uint8_t *data, size_t bytes, size_t *length)
{
    enum { MORE = 128 };
    char hex[33], *text = malloc(bytes + MORE);
    rd__hash hash = {{0, 0}};
    size_t used = 0;
    if (!text)
        abort();
    if (is_manifest())
        used = (size_t)snprintf(text, MORE, "raddle checkpoint 1\nversion %s\n", rd_version());
    memcpy(text + used, data, bytes);
    used += bytes;
    text[used] = '\0';
    used = seal_at(text, used);
    rd__hash_add(&hash, text, used);
    rd__hash_hex(&hash, hex);
    used += (size_t)snprintf(text + used, MORE / 2, "sum %s\n", hex);
    char *fitting = realloc(text, used + 1); /* so that reading past its end is found */
    *length = used;
    return fitting ? fitting : text;
}

static void check_parts(const rd_parts *parts)
{
    uint64_t first = 0, edges = 0;
    if (!parts->parts || !parts->part || !parts->provenance || parts->from > 1 || parts->cut > parts->edges)
        abort();
    for (uint32_t p = 0; p < parts->parts; p++) {
        if (parts->part[p].first != first)
            abort();
        first += parts->part[p].own;
        edges += parts->part[p].edges;
    }
    if (first != parts->vertices || edges != parts->edges)
        abort();
}

static rd_status read_any(char *text, size_t bytes, rd_error *err)
{
    rd_status status;
    if (is_manifest()) {
        rd_checkpoint checkpoint;
        status = rd__manifest_parse(text, bytes, "fuzz", &checkpoint, err);
        if (status == RD_OK && (!checkpoint.note || !checkpoint.ranks))
            abort();
        rd_free(checkpoint.note);
    } else {
        rd_parts parts;
        status = rd__stored_parse(text, bytes, "fuzz", &parts, err);
        if (status == RD_OK)
            check_parts(&parts);
        rd_parts_free(&parts);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd_error err = {RD_OK, ""};
    size_t length = bytes;
    fuzz_begin();
    char *text = bytes && data[bytes / 2] % 8 == 7 ? fuzz_copy(data, bytes, 1) : sealed(data, bytes, &length);
    fuzz_check(read_any(text, length, &err), &err);
    free(text);
    fuzz_end();
    return 0;
}
