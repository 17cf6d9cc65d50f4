/* SPDX-License-Identifier: Apache-2.0 */
/* texts.c - the apps with inputs of their own: fib, nqueens, sum, sort and ray here, the larger ones in problems.c. */
#include "problems.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int is(const work *w, const char *app)
{
    return strcmp(w->config->app->name, app) == 0;
}

/* ---- Counts ---- */

static void draw_fib(work *w, rng *r)
{
    const uint64_t n = rng_chance(r, 10) ? rng_below(r, 25) : rng_below(r, 19);
    uint64_t a = 0, b = 1;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t next = a + b;
        a = b;
        b = next;
    }
    snprintf(w->input, sizeof w->input, "%" PRIu64, n);
    *(uint64_t *)(w->answer = room(1, sizeof(uint64_t))) = a;
}

static void draw_nqueens(work *w, rng *r)
{
    static const uint64_t known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
    const uint64_t n = rng_between(r, 1, rng_chance(r, 10) ? 10 : 8);
    snprintf(w->input, sizeof w->input, "%" PRIu64, n);
    work_set(w, "cutoff", "%" PRIu64, rng_chance(r, 20) ? rng_sized(r, 0, 20) : rng_below(r, n + 1));
    *(uint64_t *)(w->answer = room(1, sizeof(uint64_t))) = known[n];
}

static void draw_sum(work *w, rng *r)
{
    const int two = rng_chance(r, 50);
    const uint64_t n = two ? rng_sized(r, 1, 120) : rng_sized(r, 0, 5000);
    snprintf(w->input, sizeof w->input, "sc%d:%" PRIu64 ":%" PRIu64, two ? 2 : 1, n, rng_sized(r, 1, 200));
    *(uint64_t *)(w->answer = room(1, sizeof(uint64_t))) = two ? n * (n + 1) / 2 : n + 1;
}

/* ---- Sort ---- */

struct sorting {
    int kind;
    uint64_t count;
};
enum { RANDOM, SORTED, REVERSE, EQUAL, RANDOM_MOST = 30000 };

static void draw_sort(work *w, rng *r)
{
    static const char *const kinds[] = {"random", "sorted", "reverse", "equal"};
    struct sorting *s = w->answer = room(1, sizeof *s);
    s->kind = rng_chance(r, 50) ? RANDOM : (int)rng_below(r, 4);
    s->count = rng_sized(r, 0, RANDOM_MOST);
    snprintf(w->input, sizeof w->input, "%s:%" PRIu64, kinds[s->kind], s->count);
    work_set(w, "cutoff", "%" PRIu64, rng_chance(r, 30) ? 0 : rng_sized(r, 4, rng_chance(r, 10) ? UINT32_MAX : 600));
}

/* The app's random numbers are splitmix64's finaliser over RD_SEED + i: known words, so the answer is known too. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int compare_words(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int judge_sort(const work *w, const rd_result *result, char *why)
{
    const struct sorting *s = w->answer;
    uint32_t *right = room(s->count, sizeof *right);
    int good = result->count == s->count;
    for (uint64_t i = 0; i < s->count; i++)
        right[i] = (uint32_t)(s->kind == RANDOM ? mixed(RD_SEED + i) : s->kind == EQUAL ? 7 : i + (s->kind == REVERSE));
    if (s->count)
        qsort(right, s->count, sizeof *right, compare_words);
    uint64_t i = 0;
    while (good && i < s->count && result->word[i] == right[i])
        i++;
    good = good && i == s->count;
    if (!good)
        snprintf(why, WHY_MOST, "element %" PRIu64 " of %" PRIu64 " (of %" PRIu64 ") is wrong", i, result->count,
                 s->count);
    free(right);
    return good;
}

/* ---- Ray: no second tracer here, but all schedules, structures and devices have to give the same picture ---- */

struct picture {
    char name[2 * TEXT_MOST];
    uint64_t count;
    float *pixel;
};
enum { PICTURES = 64 };
static struct picture pictures[PICTURES]; /* of a cpu:1 with one tile after another */
static rd_device *serial_device;
static pthread_mutex_t pictures_lock = PTHREAD_MUTEX_INITIALIZER; /* cases run on two threads at times */

static void draw_ray(work *w, rng *r)
{
    static const char *const scenes[] = {"box:4",   "box:8",    "flake:1:4", "terrain:6",
                                         "hills:5", "corner:1", "terrain:1"};
    static const char *const sizes[] = {"1x1", "33x17", "40x40", "64x48", "7x90"};
    static const char *const cutoffs[] = {"0.01", "0", "0.2"};
    snprintf(w->input, sizeof w->input, "%s", scenes[rng_below(r, 7)]);
    work_set(w, "size", "%s", sizes[rng_below(r, 5)]);
    work_set(w, "depth", "%d", rng_chance(r, 70) ? 5 : rng_chance(r, 50) ? 1 : 9);
    work_set(w, "cutoff", "%s", cutoffs[rng_below(r, 3)]);
    work_set(w, "shadows", "%d", rng_chance(r, 80));
    work_set(w, "view", "%d", (int)rng_below(r, 3));
}

static struct picture *find_picture(const work *w)
{
    char name[sizeof pictures[0].name];
    size_t used = (size_t)snprintf(name, sizeof name, "%s", w->input);
    for (size_t i = 0; i < w->count && used < sizeof name; i++)
        used += (size_t)snprintf(name + used, sizeof name - used, " %s=%s", w->key[i], w->value[i]);
    uint64_t hash = 5381;
    for (const char *c = name; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    struct picture *p = &pictures[hash % PICTURES];
    if (strcmp(p->name, name) != 0) {
        free(p->pixel);
        *p = (struct picture){0};
        memcpy(p->name, name, sizeof name);
    }
    return p;
}

static rd_status render(const work *w, rd_job *job, struct picture *p, rd_error *err)
{
    rd_result result;
    rd_status status = rd_job_set_input(job, w->input, err);
    for (size_t i = 0; status == RD_OK && i < w->count; i++)
        status = rd_job_set(job, w->key[i], w->value[i], err);
    if (status == RD_OK && (status = rd_job_set(job, "schedule", "static", err)) == RD_OK &&
        (status = rd_job_run(job, NULL, err)) == RD_OK)
        status = rd_job_result(job, &result, err);
    if (status == RD_OK) {
        p->count = result.count;
        p->pixel = room(p->count, sizeof *p->pixel);
        memcpy(p->pixel, result.real, p->count * sizeof *p->pixel);
    }
    return status;
}

static int judge_ray_locked(const work *w, const rd_result *result, char *why)
{
    rd_error err = {0};
    rd_job *job = NULL;
    struct picture *p = find_picture(w);
    uint64_t differ = 0, first = 0;
    if (!p->pixel) {
        rd_status status = serial_device ? RD_OK : rd_device_open("cpu:1", NULL, &serial_device, &err);
        if (status == RD_OK)
            status = rd_job_create(serial_device, "ray", &job, &err);
        if (status == RD_OK)
            status = render(w, job, p, &err);
        rd_job_destroy(job);
        if (status != RD_OK) {
            snprintf(why, WHY_MOST, "the serial picture: %.500s", err.text);
            return 0;
        }
    }
    if (p->count != result->count) {
        snprintf(why, WHY_MOST, "the picture has %" PRIu64 " numbers, not %" PRIu64, result->count, p->count);
        return 0;
    }
    for (uint64_t i = 0; i < p->count; i += 4) { /* the tolerance is that of docs/ray.md */
        const float *a = &result->real[i], *b = &p->pixel[i];
        int other = a[3] != b[3];
        for (int k = 0; k < 3; k++)
            other |= !(fabsf(a[k] - b[k]) <= 0.01f * (1 + fabsf(b[k])));
        if (other && !differ++)
            first = i / 4;
    }
    if (differ <= 3 + p->count / 4 / 100)
        return 1;
    snprintf(why, WHY_MOST, "%" PRIu64 " of %" PRIu64 " pixels differ from the serial picture, the first is %" PRIu64,
             differ, p->count / 4, first);
    return 0;
}

static int judge_ray(const work *w, const rd_result *result, char *why)
{
    pthread_mutex_lock(&pictures_lock);
    const int good = judge_ray_locked(w, result, why);
    pthread_mutex_unlock(&pictures_lock);
    return good;
}

void text_close(void)
{
    for (int i = 0; i < PICTURES; i++) {
        free(pictures[i].pixel);
        pictures[i] = (struct picture){0};
    }
    rd_device_close(serial_device);
    serial_device = NULL;
}

/* ---- All of them ---- */

void text_draw(work *w, rng *r)
{
    if (is(w, "fib"))
        draw_fib(w, r);
    else if (is(w, "nqueens"))
        draw_nqueens(w, r);
    else if (is(w, "sum"))
        draw_sum(w, r);
    else if (is(w, "sort"))
        draw_sort(w, r);
    else if (is(w, "ray"))
        draw_ray(w, r);
    else if (is(w, "uts"))
        uts_draw(w, r);
    else if (is(w, "knapsack"))
        knapsack_draw(w, r);
    else if (is(w, "astar"))
        astar_draw(w, r);
    size_t used = (size_t)snprintf(w->text, sizeof w->text, "%s", w->input);
    for (size_t i = 0; i < w->count && used < sizeof w->text; i++)
        used += (size_t)snprintf(w->text + used, sizeof w->text - used, " %s=%s", w->key[i], w->value[i]);
}

static int judge_count(const work *w, const rd_result *result, char *why)
{
    const uint64_t right = *(const uint64_t *)w->answer;
    if (result->count == 1 && result->kind == RD_RESULT_U64 && result->wide[0] == right)
        return 1;
    snprintf(why, WHY_MOST, "the result is %" PRIu64 ", and should be %" PRIu64, result->wide[0], right);
    return 0;
}

int text_judge(const work *w, const rd_result *result, const rd_report *report, int partial, char *why)
{
    if (is(w, "fib") || is(w, "nqueens") || is(w, "sum") || is(w, "uts"))
        return judge_count(w, result, why);
    if (is(w, "sort"))
        return judge_sort(w, result, why);
    if (is(w, "ray"))
        return judge_ray(w, result, why);
    if (is(w, "knapsack"))
        return knapsack_judge(w, result, report, partial, why);
    if (is(w, "astar"))
        return astar_judge(w, result, why);
    snprintf(why, WHY_MOST, "the oracle has no answer for the app %s: add one to tests/oracle/texts.c",
             w->config->app->name);
    return 0;
}
