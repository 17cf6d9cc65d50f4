/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ray.c - the suite `bench ray`: schemes x tile sizes x views on four scenes, stealing without tasks, the octree,
 * primary rays alone, and Embree's primary rays on the same mesh and cores where it was there at build time. Work is
 * rays.
 */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { ID_SCENE = 1, ID_QUICK, ID_SIZE, ID_VIEW };
enum { SCENES_MAX = 16 };

static const cli_option ray_options[] = {
    {"scene", 'g', "SCENE", "a file or generator; several times for several scenes", ID_SCENE},
    {"quick", 0, NULL, "small scenes and pictures", ID_QUICK},
    {"size", 0, "PIXELS", "width and height of the picture [1024, on GPUs 2048]", ID_SIZE},
    {"view", 0, "0|1|2", "only this view of the scenes [all three]", ID_VIEW},
    {NULL, 0, NULL, NULL, 0},
};
/* Even, two between, uneven. */
static const char *const standard[] = {"hills:512", "terrain:512", "flake:4", "corner:4", NULL};
static const char *const quick[] = {"hills:32", "terrain:32", "flake:1", "corner:1", NULL};

/* Of the command that runs: one at a time in a process. */
static const char *scenes[SCENES_MAX + 1];
static size_t scene_count;
static int quick_wanted;
static uint64_t size_wanted, view_wanted = UINT64_MAX; /* all of them */

/* A scene takes a second to make: its job is kept for the cases that follow on the same device. */
static struct kept_job {
    rd_device *device;
    const char *scene;
    rd_job *job;
} kept[BENCH_DEVICES_MAX];

typedef struct ray_case {
    rd_job *job;     /* of kept */
    rd_micro *micro; /* of the peer */
    rd_report report;
    uint64_t side;
} ray_case;

static int take(int id, const char *value)
{
    switch (id) {
    case ID_SCENE:
        if (scene_count == SCENES_MAX)
            return cli_usage("bench", "at most %d scenes at a time", SCENES_MAX);
        scenes[scene_count++] = value;
        break;
    case ID_QUICK: quick_wanted = 1; break;
    case ID_VIEW: return cli_take_u64("bench", "view", value, 0, 2, &view_wanted) ? 0 : CLI_BAD_USAGE;
    case ID_SIZE: return cli_take_u64("bench", "size", value, 16, 16384, &size_wanted) ? 0 : CLI_BAD_USAGE;
    }
    return 0;
}

static uint64_t side_of(const rd_device *device)
{
    return size_wanted ? size_wanted : quick_wanted ? 64 : rd_device_get_info(device)->is_gpu ? 2048 : 1024;
}

static rd_status keep_job(bench_case *self, rd_device *device, rd_job **job, rd_error *err)
{
    struct kept_job *k = kept;
    while (k < kept + BENCH_DEVICES_MAX - 1 && k->device && k->device != device)
        k++;
    if (k->device != device || strcmp(k->scene, self->text[0]) != 0) {
        rd_job_destroy(k->job);
        *k = (struct kept_job){.scene = self->text[0]};
        rd_status status = rd_job_create(device, "ray", &k->job, err);
        if (status == RD_OK)
            status = rd_job_set_input(k->job, self->text[0], err);
        if (status != RD_OK) {
            rd_job_destroy(k->job);
            *k = (struct kept_job){.device = NULL};
            return status;
        }
        k->device = device;
    }
    *job = k->job;
    return RD_OK;
}

/* text[1]: settings "key=value key=value". Every case sets the same keys, since jobs are kept. */
static rd_status set_all(bench_case *self, rd_job *job, uint64_t side, rd_error *err)
{
    char text[160], size[24], *rest = text;
    snprintf(size, sizeof size, "%llux%llu", (unsigned long long)side, (unsigned long long)side);
    snprintf(text, sizeof text, "%s", self->text[1]);
    rd_status status = rd_job_set(job, "size", size, err);
    if (status == RD_OK)
        status = rd_job_set(job, "launch", "persistent", err);
    for (char *word; status == RD_OK && (word = rest)[0];) {
        rest = word + strcspn(word, " ");
        if (*rest)
            *rest++ = '\0';
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        status = rd_job_set(job, word, value, err);
    }
    return status;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    ray_case *own = calloc(1, sizeof *own);
    self->data = own;
    if (!own) {
        snprintf(err->text, sizeof err->text, "out of host memory: a benchmark case");
        return err->status = RD_ENOMEM;
    }
    own->side = side_of(device);
    if (self->text[2]) {
        const rd_micro_options options = {.size = sizeof options, .count = (uint32_t)own->side, .input = self->text[0]};
        return rd_micro_open(device, self->text[2], &options, &own->micro, err);
    }
    rd_status status = keep_job(self, device, &own->job, err);
    return status == RD_OK ? set_all(self, own->job, own->side, err) : status;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    ray_case *own = self->data;
    if (own->micro) {
        rd_micro_report report = {0};
        rd_status status = rd_micro_run(own->micro, &report, err);
        sample->kernel_s = report.kernel_s;
        sample->total_s = report.total_s;
        sample->work = report.count;
        return status;
    }
    const double started = rd_now();
    rd_status status = rd_job_run(own->job, &own->report, err);
    sample->total_s = rd_now() - started;
    sample->kernel_s = own->report.kernel_s;
    sample->work = (uint64_t)bench_measured(&own->report, "rays");
    return status;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    const ray_case *own = self->data;
    return own->micro ? RD_OK : rd_job_check(own->job, err);
}

static void describe_case(const bench_case *self, rd_json *json)
{
    const ray_case *own = self->data;
    rd_json_text(json, "primitive", "ray");
    rd_json_text(json, "scene", self->text[0]);
    rd_json_text(json, "settings", self->text[2] ? self->text[2] : self->text[1]);
    rd_json_u64(json, "width", own->side);
    rd_json_u64(json, "height", own->side);
    if (own->micro)
        return;
    rd_json_text(json, "sched", own->report.sched);
    rd_json_text(json, "launch", own->report.launch);
    rd_json_u64(json, "groups", own->report.groups);
    rd_json_u64(json, "lanes", own->report.lanes);
    rd_json_u64(json, "tasks", own->report.tasks);
    for (uint32_t i = 0; i < own->report.measures; i++)
        rd_json_double(json, own->report.measure[i].name, own->report.measure[i].value);
}

static void close_case(bench_case *self)
{
    ray_case *own = self->data;
    if (own)
        rd_micro_close(own->micro);
    free(own);
    self->data = NULL;
}

static rd_status add(bench_list *list, const char *scene, const char *label, const char *settings, const char *peer,
                     rd_error *err)
{
    bench_case item = {.unit = "rays",
                       .open = open_case,
                       .run = run_case,
                       .check = check_case,
                       .describe = describe_case,
                       .close = close_case,
                       .text = {scene, settings, peer}};
    snprintf(item.name, sizeof item.name, "%.60s/%.60s", scene, label);
    return bench_add(list, &item, err);
}

#define PICTURE " depth=8 shadows=1 share=1"
/* Each picture under every scheme; the first view's cases are named without it. */
#define SCHEMES(tile, view, label)                                                                                     \
    {"static/" tile label, "schedule=static tile=" tile " accel=bvh view=" view PICTURE, NULL},                        \
        {"central/" tile label, "schedule=central tile=" tile " accel=bvh view=" view PICTURE, NULL},                  \
        {"steal/" tile label, "schedule=steal tile=" tile " accel=bvh view=" view PICTURE, NULL},                      \
    {                                                                                                                  \
        "hardware/" tile label, "schedule=hardware tile=" tile " accel=bvh view=" view PICTURE, NULL                   \
    }
#define TILES(view, label) SCHEMES("8", view, label), SCHEMES("16", view, label), SCHEMES("32", view, label)
#define MORE_TILES         SCHEMES("2", "0", ""), SCHEMES("4", "0", ""), SCHEMES("64", "0", ""), SCHEMES("128", "0", "")
static const struct {
    const char *label, *settings, *peer;
} parts[] = {
    TILES("0", ""),
    TILES("1", "/view1"),
    TILES("2", "/view2"),
    MORE_TILES,
    {"fixed/8", "schedule=fixed tile=8 accel=bvh view=0" PICTURE, NULL}, /* one share of tiles a worker */
    {"fixed/16", "schedule=fixed tile=16 accel=bvh view=0" PICTURE, NULL},
    {"fixed/32", "schedule=fixed tile=32 accel=bvh view=0" PICTURE, NULL},
    {"units/16", "schedule=steal tile=16 accel=bvh view=0 depth=8 shadows=1 share=0", NULL}, /* no task is stolen */
    {"octree", "schedule=steal tile=16 accel=octree view=0" PICTURE, NULL},
    {"primary", "schedule=steal tile=16 accel=bvh view=0 depth=1 shadows=0 share=1", NULL},
    {"embree", "", "embree/single"},
    {"embree-packets", "", "embree/packets"},
};

/* What has no view is seen from the first one. */
static int is_wanted(const char *settings)
{
    const char *view = strstr(settings, "view=");
    return view_wanted == UINT64_MAX || view_wanted == (uint64_t)(view ? view[5] - '0' : 0);
}

static rd_status cases(bench_list *list, rd_error *err)
{
    for (const char *const *scene = scene_count ? scenes : quick_wanted ? quick : standard; *scene; scene++)
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            rd_status status = RD_OK;
            if (is_wanted(parts[i].settings) && (!parts[i].peer || strstr(rd_build_info(), "embree")))
                status = add(list, *scene, parts[i].label, parts[i].settings, parts[i].peer, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

static void close_suite(void)
{
    for (size_t i = 0; i < BENCH_DEVICES_MAX; i++)
        rd_job_destroy(kept[i].job);
    memset(kept, 0, sizeof kept);
}

const bench_suite bench_suite_ray = {
    .name = "ray",
    .summary = "ray tracing: scenes x schemes x tiles x views, octree; Embree if built with it",
    .options = ray_options,
    .take = take,
    .cases = cases,
    .close = close_suite,
};
