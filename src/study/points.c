/* SPDX-License-Identifier: Apache-2.0 */
/* points.c - the points of a study, by test and configuration. Names are kept once. */
#include "study/study.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { NONE = -1, FIRST_ROOM = 8 };

/* Makes room for one more. */
static rd_status grow(void *list, size_t used, size_t *room, size_t size, rd_error *err)
{
    void *items;
    if (used < *room)
        return RD_OK;
    const size_t more = *room ? 2 * *room : FIRST_ROOM;
    memcpy(&items, list, sizeof items); /* list points to a pointer of some kind */
    items = rd__realloc(items, more * size);
    if (!items)
        return rd__fail_memory(err, "points of a study", more * size);
    memcpy(list, &items, sizeof items);
    *room = more;
    return RD_OK;
}

static rd_status add_name(rd__study_names *names, const char *name, size_t length, rd_error *err)
{
    RD_TRY(grow(&names->name, names->count, &names->room, sizeof *names->name, err));
    char *const copy = rd__malloc(length + 1);
    if (!copy)
        return rd__fail_memory(err, "names of a study", length + 1);
    memcpy(copy, name, length);
    copy[length] = '\0';
    names->name[names->count++] = copy;
    return RD_OK;
}

static long find_name(const rd__study_names *names, const char *name, size_t length)
{
    for (size_t i = 0; i < names->count; i++)
        if (strncmp(names->name[i], name, length) == 0 && names->name[i][length] == '\0')
            return (long)i;
    return NONE;
}

static rd_status place_of(rd__study_names *names, const char *name, size_t length, size_t *place, rd_error *err)
{
    const long known = find_name(names, name, length);
    *place = known == NONE ? names->count : (size_t)known;
    return known == NONE ? add_name(names, name, length, err) : RD_OK;
}

/* From device `from` on; model NULL: of any. */
static long find_device(const rd_study *study, const char *name, const char *model, size_t from)
{
    for (size_t i = from; i < study->devices.count; i++)
        if (strcmp(study->devices.name[i], name) == 0 && (!model || strcmp(study->models.name[i], model) == 0))
            return (long)i;
    return NONE;
}

static void drop_last(rd__study_names *names)
{
    rd__free(names->name[--names->count]);
}

static rd_status add_device(rd_study *study, const char *name, const char *model, rd_error *err)
{
    char label[96];
    unsigned same = 1;
    for (size_t i = 0; i < study->devices.count; i++)
        same += strcmp(study->devices.name[i], name) == 0;
    const int length =
        same > 1 ? snprintf(label, sizeof label, "%.64s#%u", name, same) : snprintf(label, sizeof label, "%.64s", name);
    RD_TRY(add_name(&study->labels, label, (size_t)length, err));
    rd_status status = add_name(&study->models, model, strlen(model), err);
    if (status == RD_OK) {
        status = add_name(&study->devices, name, strlen(name), err);
        if (status != RD_OK)
            drop_last(&study->models);
    }
    if (status != RD_OK) /* the three go together */
        drop_last(&study->labels);
    return status;
}

static rd_status place_of_device(rd_study *study, const char *name, const char *model, size_t *place, rd_error *err)
{
    const long known = find_device(study, name, model, 0);
    *place = known == NONE ? study->devices.count : (size_t)known;
    return known == NONE ? add_device(study, name, model, err) : RD_OK;
}

/* The set of bits of "a,b,c". Names that are new get the next ones. */
static rd_status bits_of(rd_study *study, const char *config, uint32_t *on, rd_error *err)
{
    *on = strcmp(config, RD_STUDY_DEFAULTS) == 0 ? RD__STUDY_DEFAULTS : 0;
    for (const char *at = config; *at && *on != RD__STUDY_DEFAULTS;) {
        const size_t length = strcspn(at, ",");
        size_t place;
        if (length == 0)
            return rd__fail(err, RD_EINPUT, "a configuration names a switch without a name: '%s'", config);
        RD_TRY(place_of(&study->switches, at, length, &place, err));
        if (place >= RD_STUDY_SWITCHES)
            return rd__fail(err, RD_EINPUT, "a study has at most %d switches; '%s' is one too many", RD_STUDY_SWITCHES,
                            at);
        *on |= 1u << place;
        at += length + (at[length] == ',');
    }
    return RD_OK;
}

static rd__study_test *find_test(const rd_study *study, size_t device, size_t app, size_t input)
{
    for (size_t i = 0; i < study->tests; i++)
        if (study->test[i].device == device && study->test[i].app == app && study->test[i].input == input)
            return &study->test[i];
    return NULL;
}

static rd__study_entry *find_entry(const rd__study_test *test, uint32_t on)
{
    for (size_t i = 0; test && i < test->entries; i++)
        if (test->entry[i].on == on)
            return &test->entry[i];
    return NULL;
}

static rd_status place_in(rd_study *study, const rd__study_test *where, uint32_t on, rd__study_entry **entry,
                          rd_error *err)
{
    rd__study_test *test = find_test(study, where->device, where->app, where->input);
    if (!test) {
        RD_TRY(grow(&study->test, study->tests, &study->room, sizeof *study->test, err));
        test = &study->test[study->tests++];
        *test = *where;
    }
    *entry = find_entry(test, on);
    if (*entry)
        return RD_OK;
    RD_TRY(grow(&test->entry, test->entries, &test->room, sizeof *test->entry, err));
    *entry = &test->entry[test->entries++];
    **entry = (rd__study_entry){.on = on};
    return RD_OK;
}

rd_status rd_study_create(rd_study **study, rd_error *err)
{
    if (!study)
        return rd__fail(err, RD_EARG, "rd_study_create needs a place to put the study");
    *study = rd__calloc(1, sizeof **study);
    return *study ? RD_OK : rd__fail_memory(err, "a study", sizeof **study);
}

static void free_names(rd__study_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        rd__free(names->name[i]);
    rd__free(names->name);
}

void rd_study_destroy(rd_study *study)
{
    if (!study)
        return;
    for (size_t i = 0; i < study->tests; i++) {
        for (size_t k = 0; k < study->test[i].entries; k++)
            rd__free(study->test[i].entry[k].seconds);
        rd__free(study->test[i].entry);
    }
    rd__free(study->test);
    free_names(&study->devices);
    free_names(&study->models);
    free_names(&study->labels);
    free_names(&study->apps);
    free_names(&study->primitives);
    free_names(&study->inputs);
    free_names(&study->switches);
    free_names(&study->facts_of);
    rd__free(study->fact);
    rd__free(study);
}

static rd_status place_of_app(rd_study *study, const rd_study_point *point, size_t *place, rd_error *err)
{
    const char *const primitive = point->primitive ? point->primitive : point->app;
    RD_TRY(place_of(&study->apps, point->app, strlen(point->app), place, err));
    if (*place < study->primitives.count)
        return RD_OK;
    const rd_status status = add_name(&study->primitives, primitive, strlen(primitive), err);
    if (status != RD_OK) /* the two go together */
        drop_last(&study->apps);
    return status;
}

static int is_whole(const rd_study_point *point)
{
    return point && point->device && point->app && point->input && point->config && (point->seconds || !point->count);
}

rd_status rd_study_add(rd_study *study, const rd_study_point *point, rd_error *err)
{
    rd__study_test where = {.entry = NULL};
    rd__study_entry *entry;
    uint32_t on;
    if (!study || !is_whole(point))
        return rd__fail(err, RD_EARG, "rd_study_add needs a study, and a point with all its names and times");
    for (size_t i = 0; i < point->count; i++)
        if (!(point->seconds[i] > 0 && point->seconds[i] < 1e9))
            return rd__fail(err, RD_EINPUT, "%s on %s, %s, '%s': a run took %g seconds, which is no time", point->app,
                            point->input, point->device, point->config, point->seconds[i]);
    RD_TRY(bits_of(study, point->config, &on, err));
    RD_TRY(place_of_device(study, point->device, point->model ? point->model : "", &where.device, err));
    RD_TRY(place_of_app(study, point, &where.app, err));
    RD_TRY(place_of(&study->inputs, point->input, strlen(point->input), &where.input, err));
    RD_TRY(place_in(study, &where, on, &entry, err));
    const size_t count = entry->count + point->count;
    if (count > entry->room) {
        double *const more = rd__realloc(entry->seconds, count * sizeof *more);
        if (!more)
            return rd__fail_memory(err, "times of a study", count * sizeof *more);
        entry->seconds = more;
        entry->room = count;
    }
    if (point->count)
        memcpy(entry->seconds + entry->count, point->seconds, point->count * sizeof *entry->seconds);
    entry->count = count;
    return RD_OK;
}

int rd__study_bits(const rd_study *study, const char *config, uint32_t *on)
{
    *on = strcmp(config, RD_STUDY_DEFAULTS) == 0 ? RD__STUDY_DEFAULTS : 0;
    for (const char *at = config; *at && *on != RD__STUDY_DEFAULTS;) {
        const size_t length = strcspn(at, ",");
        const long place = length ? find_name(&study->switches, at, length) : NONE;
        if (place == NONE)
            return 0;
        *on |= 1u << place;
        at += length + (at[length] == ',');
    }
    return 1;
}

int rd_study_has(const rd_study *study, const rd_study_point *point)
{
    uint32_t on;
    if (!study || !is_whole(point) || !rd__study_bits(study, point->config, &on))
        return 0;
    const long app = find_name(&study->apps, point->app, strlen(point->app));
    const long input = find_name(&study->inputs, point->input, strlen(point->input));
    long device = find_device(study, point->device, point->model, 0);
    for (; device != NONE; device = find_device(study, point->device, point->model, (size_t)device + 1))
        if (app != NONE && input != NONE &&
            find_entry(find_test(study, (size_t)device, (size_t)app, (size_t)input), on))
            return 1;
    return 0;
}

rd_status rd_study_add_fact(rd_study *study, const char *device, const char *model, const char *name, double value,
                            rd_error *err)
{
    rd__study_fact fact = {.value = value};
    size_t i = 0;
    if (!study || !device || !name)
        return rd__fail(err, RD_EARG, "rd_study_add_fact needs a study, a device and a name");
    RD_TRY(place_of_device(study, device, model ? model : "", &fact.device, err));
    RD_TRY(place_of(&study->facts_of, name, strlen(name), &fact.name, err));
    while (i < study->facts && (study->fact[i].device != fact.device || study->fact[i].name != fact.name))
        i++;
    if (i == study->facts) {
        RD_TRY(grow(&study->fact, study->facts, &study->facts_room, sizeof *study->fact, err));
        study->facts++;
    }
    study->fact[i] = fact;
    return RD_OK;
}

int rd_study_has_fact(const rd_study *study, const char *device, const char *model, const char *name)
{
    if (!study || !device || !name)
        return 0;
    const long where = find_device(study, device, model ? model : "", 0);
    const long what = find_name(&study->facts_of, name, strlen(name));
    for (size_t i = 0; i < study->facts; i++)
        if ((long)study->fact[i].device == where && (long)study->fact[i].name == what)
            return 1;
    return 0;
}
