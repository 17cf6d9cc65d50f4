/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_scene.c - readers of scenes. FUZZ_KIND obj: what comes before the first byte of zero is a library of materials,
 * what follows the scene that uses it; ply: a scene. A scene that is good has only triangles with finite corners and
 * materials that exist.
 */
#include "fuzz.h"

#include "ray/scene.h"

static void check(const rd__scene *scene)
{
    for (uint32_t i = 0; i < scene->triangles; i++) {
        const rd__triangle *t = &scene->triangle[i];
        if (t->material >= scene->materials)
            abort();
        for (int c = 0; c < 3; c++)
            if (!isfinite(t->corner[c].x) || !isfinite(t->corner[c].y) || !isfinite(t->corner[c].z))
                abort();
    }
}

static rd_status read_obj(rd__scene *scene, const char *text, size_t bytes, rd_error *err)
{
    const size_t materials = strlen(text);
    if (materials < bytes) {
        RD_TRY(rd__mtl_read(scene, "fuzz.mtl", text, err));
        text += materials + 1;
        bytes -= materials + 1;
    }
    /* the folder does not exist, so mtllib finds nothing */
    return rd__obj_read(scene, "/no/such/folder/fuzz.obj", text, bytes, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    rd__scene scene = {.source = "fuzz"};
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    rd_status status = strcmp(fuzz_kind(), "ply") == 0 ? rd__ply_read(&scene, "fuzz.ply", text, bytes, &err)
                                                       : read_obj(&scene, text, bytes, &err);
    if (status == RD_OK)
        status = rd__scene_finish(&scene, &err);
    fuzz_check(status, &err);
    if (status == RD_OK)
        check(&scene);
    rd__scene_free(&scene);
    free(text);
    fuzz_end();
    return 0;
}
