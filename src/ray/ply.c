/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ply.c - the Stanford polygon format: ascii, binary_little_endian and binary_big_endian. Of element vertex: x y z, and
 * nx ny nz when there; of element face: the list vertex_indices (or vertex_index), a fan of triangles; of element
 * tristrips the same list, strips of triangles, each ended by -1. All other properties and elements are read over.
 * Messages name the line (ascii) or the element and its number (binary).
 */
#include "ray/scene.h"
#include "ray/words.h"

#include "core/log.h"
#include "core/memory.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROPERTIES = 64, ELEMENTS = 16 };
enum ply_format { PLY_ASCII, PLY_LITTLE, PLY_BIG };

typedef struct ply_property {
    char name[32];
    int type;    /* index into types */
    int counter; /* type of a list's count; -1: no list */
} ply_property;

typedef struct ply_element {
    char name[32];
    uint64_t count;
    ply_property property[PROPERTIES];
    int properties;
} ply_element;

typedef struct ply_state {
    rd__scene *scene;
    rd__words w; /* header, and the body when it is ascii */
    const char *end;
    enum ply_format format;
    ply_element element[ELEMENTS];
    int elements;
    rd__vec *vertex, *normal, *colour; /* normal, colour NULL: none */
    uint32_t vertices;
    const char *now; /* element that is read, and which of them */
    uint64_t number;
} ply_state;

static const struct {
    const char *name[2];
    int bytes;
    char kind; /* i signed, u unsigned, f real */
} types[] = {{{"char", "int8"}, 1, 'i'},     {{"uchar", "uint8"}, 1, 'u'},   {{"short", "int16"}, 2, 'i'},
             {{"ushort", "uint16"}, 2, 'u'}, {{"int", "int32"}, 4, 'i'},     {{"uint", "uint32"}, 4, 'u'},
             {{"float", "float32"}, 4, 'f'}, {{"double", "float64"}, 8, 'f'}};

/* ---- Header ---- */

static rd_status bad(const ply_state *ply, rd_error *err, const char *what)
{
    char shown[RD__WORD_SHOWN];
    return rd__fail(err, RD_EINPUT, "%s:%u: header: %s ('%s')", ply->w.path, ply->w.line, what,
                    rd__word_show(&ply->w, shown));
}

static int find_type(const char *name)
{
    for (int i = 0; i < (int)(sizeof types / sizeof types[0]); i++)
        if (strcmp(types[i].name[0], name) == 0 || strcmp(types[i].name[1], name) == 0)
            return i;
    return -1;
}

static rd_status read_property(ply_state *ply, rd_error *err)
{
    if (ply->elements == 0)
        return bad(ply, err, "a property before the first element");
    ply_element *element = &ply->element[ply->elements - 1];
    if (element->properties == PROPERTIES)
        return bad(ply, err, "too many properties");
    ply_property *property = &element->property[element->properties++];
    property->counter = -1;
    rd__word_next(&ply->w);
    if (strcmp(ply->w.word, "list") == 0) {
        rd__word_next(&ply->w);
        property->counter = find_type(ply->w.word);
        if (property->counter < 0 || types[property->counter].kind == 'f')
            return bad(ply, err, "no integer type for the length of a list");
        rd__word_next(&ply->w);
    }
    property->type = find_type(ply->w.word);
    if (property->type < 0)
        return bad(ply, err, "no type of PLY");
    if (!rd__word_next(&ply->w))
        return bad(ply, err, "a property without a name");
    snprintf(property->name, sizeof property->name, "%.31s", ply->w.word);
    return RD_OK;
}

static rd_status read_element(ply_state *ply, rd_error *err)
{
    if (ply->elements == ELEMENTS)
        return bad(ply, err, "too many elements");
    ply_element *element = &ply->element[ply->elements++];
    rd__word_next(&ply->w);
    snprintf(element->name, sizeof element->name, "%.31s", ply->w.word);
    rd__word_next(&ply->w);
    unsigned long long count;
    int used = 0;
    if (sscanf(ply->w.word, "%19llu%n", &count, &used) != 1 || ply->w.word[used] || ply->w.word[0] == '-')
        return bad(ply, err, "no number of elements");
    if (count > INT32_MAX)
        return bad(ply, err, "more than 2^31 elements of a kind");
    element->count = count;
    return RD_OK;
}

static rd_status read_format(ply_state *ply, rd_error *err)
{
    rd__word_next(&ply->w);
    if (strcmp(ply->w.word, "ascii") == 0)
        ply->format = PLY_ASCII;
    else if (strcmp(ply->w.word, "binary_little_endian") == 0)
        ply->format = PLY_LITTLE;
    else if (strcmp(ply->w.word, "binary_big_endian") == 0)
        ply->format = PLY_BIG;
    else
        return bad(ply, err, "no format of PLY");
    return RD_OK;
}

static rd_status read_header(ply_state *ply, rd_error *err)
{
    int formats = 0;
    while (rd__line_next(&ply->w)) {
        if (!rd__word_next(&ply->w) || strcmp(ply->w.word, "comment") == 0 || strcmp(ply->w.word, "obj_info") == 0)
            continue;
        if (strcmp(ply->w.word, "end_header") == 0) {
            if (!formats)
                return bad(ply, err, "there is no format line");
            rd__line_next(&ply->w); /* now at the first byte of the body */
            return RD_OK;
        }
        if (strcmp(ply->w.word, "format") == 0) {
            formats++;
            RD_TRY(read_format(ply, err));
        } else if (strcmp(ply->w.word, "element") == 0) {
            RD_TRY(read_element(ply, err));
        } else if (strcmp(ply->w.word, "property") == 0) {
            RD_TRY(read_property(ply, err));
        } else {
            return bad(ply, err, "no statement of PLY");
        }
    }
    return bad(ply, err, "end_header is missing");
}

/* ---- Body ---- */

static rd_status read_ascii(ply_state *ply, double *value, rd_error *err)
{
    float number = 0;
    while (!rd__word_next(&ply->w)) /* values may be spread over lines as they like */
        if (!rd__line_next(&ply->w))
            return rd__fail(err, RD_EINPUT, "%s:%u: the file ends within %s %llu", ply->w.path, ply->w.line, ply->now,
                            (unsigned long long)ply->number);
    char *end, shown[RD__WORD_SHOWN];
    *value = rd__strtod(ply->w.word, &end);
    number = (float)*value;
    if (*end || !isfinite(number))
        return rd__fail(err, RD_EINPUT, "%s:%u: %s %llu: '%s' is not a finite number", ply->w.path, ply->w.line,
                        ply->now, (unsigned long long)ply->number, rd__word_show(&ply->w, shown));
    return RD_OK;
}

static rd_status read_binary(ply_state *ply, int type, double *value, rd_error *err)
{
    unsigned char byte[8];
    uint64_t bits = 0;
    const int bytes = types[type].bytes;
    if (ply->end - ply->w.at < bytes)
        return rd__fail(err, RD_EINPUT, "%s: the file ends within %s %llu", ply->w.path, ply->now,
                        (unsigned long long)ply->number);
    memcpy(byte, ply->w.at, (size_t)bytes);
    ply->w.at += bytes;
    for (int i = 0; i < bytes; i++)
        bits |= (uint64_t)byte[i] << 8 * (ply->format == PLY_BIG ? bytes - 1 - i : i);
    if (types[type].kind == 'f') {
        float single;
        const uint32_t low = (uint32_t)bits;
        if (bytes == 4) {
            memcpy(&single, &low, sizeof single);
            *value = (double)single;
        } else {
            memcpy(value, &bits, sizeof *value);
        }
        if (!isfinite((float)*value))
            return rd__fail(err, RD_EINPUT, "%s: %s %llu has a number that is not finite", ply->w.path, ply->now,
                            (unsigned long long)ply->number);
    } else {
        const uint64_t sign = types[type].kind == 'i' ? 1ull << (8 * bytes - 1) : 0;
        *value = (double)(int64_t)((bits ^ sign) - sign);
    }
    return RD_OK;
}

static rd_status read_value(ply_state *ply, int type, double *value, rd_error *err)
{
    return ply->format == PLY_ASCII ? read_ascii(ply, value, err) : read_binary(ply, type, value, err);
}

/* Full light, of colours of that type. */
static double brightest(int type)
{
    return types[type].kind == 'f' ? 1 : types[type].bytes == 2 ? 65535 : 255;
}

static rd_status read_vertex(ply_state *ply, const ply_element *element, rd_error *err)
{
    static const char *const name[] = {"x", "y", "z", "nx", "ny", "nz", "red", "green", "blue"};
    enum { NAMES = sizeof name / sizeof name[0] };
    float at[NAMES] = {0};
    for (int p = 0; p < element->properties; p++) {
        double value, count = 1;
        if (element->property[p].counter >= 0)
            RD_TRY(read_value(ply, element->property[p].counter, &count, err));
        for (double i = 0; i < count; i++) {
            RD_TRY(read_value(ply, element->property[p].type, &value, err));
            for (int n = 0; n < NAMES; n++)
                if (strcmp(element->property[p].name, name[n]) == 0)
                    at[n] = (float)(n < 6 ? value : value / brightest(element->property[p].type));
        }
    }
    ply->vertex[ply->number] = rd__vec_of(at[0], at[1], at[2]);
    if (ply->normal)
        ply->normal[ply->number] = rd__vec_of(at[3], at[4], at[5]);
    if (ply->colour)
        ply->colour[ply->number] = rd__vec_of(fmaxf(0, at[6]), fmaxf(0, at[7]), fmaxf(0, at[8]));
    return RD_OK;
}

/* Of what is a fan or a strip: the last three corners. */
typedef struct ply_corners {
    rd__vec at[3], normal[3], colour[3];
    uint64_t count; /* that came, or since the strip began */
} ply_corners;

/* One corner more, and from the third on a triangle. A fan forgets its middle corner; a strip its first and its middle
 * one in turn, so that all triangles are seen from the same side. */
static rd_status add_corner(ply_state *ply, ply_corners *c, int strip, uint32_t vertex, rd_error *err)
{
    const int last = c->count < 3 ? (int)c->count : 2, gone = strip && c->count % 2 ? 0 : 1;
    if (c->count >= 3) {
        c->at[gone] = c->at[2];
        c->normal[gone] = c->normal[2];
        c->colour[gone] = c->colour[2];
    }
    c->at[last] = ply->vertex[vertex];
    c->normal[last] = ply->normal ? ply->normal[vertex] : rd__vec_of(0, 0, 0);
    c->colour[last] = ply->colour ? ply->colour[vertex] : rd__vec_of(-1, -1, -1);
    return ++c->count < 3 ? RD_OK
                          : rd__scene_add_tinted(ply->scene, c->at, ply->normal ? c->normal : NULL, c->colour, 0, err);
}

/* The corners of one face or of strips, one after another. */
static rd_status read_corners(ply_state *ply, const ply_property *property, double count, int strip, rd_error *err)
{
    ply_corners corners = {.count = 0};
    if (count < 3 && !strip)
        return rd__fail(err, RD_EINPUT, "%s: face %llu has %.0f corners; at least three make a face", ply->w.path,
                        (unsigned long long)ply->number, count);
    for (double i = 0; i < count; i++) {
        double index;
        RD_TRY(read_value(ply, property->type, &index, err));
        if (strip)
            RD_TRY(rd__scene_tell(ply->scene, (uint64_t)i, err)); /* a file may have one list of millions */
        if (strip && index == -1)
            corners.count = 0;
        else if (!(index >= 0 && index < ply->vertices) || index != floor(index))
            return rd__fail(err, RD_EINPUT, "%s: %s %llu names vertex %.9g of %u that came before; they count from 0",
                            ply->w.path, ply->now, (unsigned long long)ply->number, index, ply->vertices);
        else
            RD_TRY(add_corner(ply, &corners, strip, (uint32_t)index, err));
    }
    return RD_OK;
}

static rd_status read_other(ply_state *ply, const ply_element *element, rd_error *err)
{
    const int strips = strcmp(element->name, "tristrips") == 0, faces = strips || strcmp(element->name, "face") == 0;
    for (int p = 0; p < element->properties; p++) {
        const ply_property *property = &element->property[p];
        double value, count = 1;
        const int corners =
            faces && (strcmp(property->name, "vertex_indices") == 0 || strcmp(property->name, "vertex_index") == 0);
        if (property->counter >= 0)
            RD_TRY(read_value(ply, property->counter, &count, err));
        if (count < 0)
            return rd__fail(err, RD_EINPUT, "%s: %s %llu has a list of %.0f values", ply->w.path, ply->now,
                            (unsigned long long)ply->number, count);
        if (corners)
            RD_TRY(read_corners(ply, property, count, strips, err));
        for (double i = 0; i < count && !corners; i++)
            RD_TRY(read_value(ply, property->type, &value, err));
    }
    return RD_OK;
}

static int has_property(const ply_element *element, const char *name)
{
    for (int p = 0; p < element->properties; p++)
        if (strcmp(element->property[p].name, name) == 0)
            return 1;
    return 0;
}

/* What one element takes at least: of text, a digit and a blank for each value; a list may be empty. */
static uint64_t least_bytes(const ply_state *ply, const ply_element *element)
{
    uint64_t bytes = 0;
    for (int p = 0; p < element->properties; p++) {
        const ply_property *property = &element->property[p];
        const int type = property->counter >= 0 ? property->counter : property->type;
        bytes += ply->format == PLY_ASCII ? 2 : (uint64_t)types[type].bytes;
    }
    return bytes;
}

static rd_status begin_vertices(ply_state *ply, const ply_element *element, rd_error *err)
{
    if (ply->vertex || !has_property(element, "x") || !has_property(element, "y") || !has_property(element, "z"))
        return rd__fail(err, RD_EINPUT, "%s: header: element vertex comes once and has x, y and z", ply->w.path);
    /* A header cannot ask for more memory than the rest of the file can fill. Where it is little either way, reading on
     * tells more of what is wrong. */
    enum { LITTLE = 1 << 16 };
    if (element->count > LITTLE && element->count > (uint64_t)(ply->end - ply->w.at + 1) / least_bytes(ply, element))
        return rd__fail(err, RD_EINPUT, "%s: the file is too short for %llu vertices", ply->w.path,
                        (unsigned long long)element->count);
    ply->vertices = (uint32_t)element->count;
    RD_TRY(rd__array_new(&ply->vertex, "vertices of a scene", element->count, sizeof *ply->vertex, err));
    if (has_property(element, "nx") && has_property(element, "ny") && has_property(element, "nz"))
        RD_TRY(rd__array_new(&ply->normal, "normals of a scene", element->count, sizeof *ply->normal, err));
    if (has_property(element, "red") && has_property(element, "green") && has_property(element, "blue"))
        RD_TRY(rd__array_new(&ply->colour, "colours of a scene", element->count, sizeof *ply->colour, err));
    return RD_OK;
}

static rd_status read_body(ply_state *ply, rd_error *err)
{
    for (int e = 0; e < ply->elements; e++) {
        const ply_element *element = &ply->element[e];
        const int vertices = strcmp(element->name, "vertex") == 0;
        if (vertices)
            RD_TRY(begin_vertices(ply, element, err));
        ply->now = element->name;
        for (ply->number = 0; ply->number < element->count && element->properties; ply->number++) {
            RD_TRY(rd__scene_tell(ply->scene, ply->number, err));
            RD_TRY(vertices ? read_vertex(ply, element, err) : read_other(ply, element, err));
        }
    }
    return RD_OK;
}

rd_status rd__ply_read(rd__scene *scene, const char *path, const char *text, size_t bytes, rd_error *err)
{
    uint32_t index;
    const rd__material plain = rd__material_default("plain");
    ply_state *ply = rd__calloc(1, sizeof *ply);
    if (!ply)
        return rd__fail_memory(err, "reading a PLY file", sizeof *ply);
    ply->scene = scene;
    ply->w = rd__words_of(path, text);
    ply->end = text + bytes;
    rd_status status = rd__scene_material(scene, &plain, &index, err);
    if (status == RD_OK)
        status = read_header(ply, err);
    if (status == RD_OK)
        status = read_body(ply, err);
    rd__array_free(ply->vertex);
    rd__array_free(ply->normal);
    rd__array_free(ply->colour);
    rd__free(ply);
    return status;
}
