/* SPDX-License-Identifier: Apache-2.0 */
/* open.c - models: read from text, built in, freed. */
#include "fairness/explore.h"
#include "fairness/texts.h"

#include <stdio.h>
#include <string.h>

static const rd_name_text models[] = {
#define MODEL(name, text) {name, text},
#include "fairness/models.def"
#undef MODEL
    {NULL, NULL},
};

const rd_name_text *rd_fairness_models(void)
{
    return models;
}

const char *rd_fairness_model_text(const char *name)
{
    char path[64];
    if (!name || strlen(name) > 40)
        return NULL;
    snprintf(path, sizeof path, "fairness/models/%s.fair", name);
    for (const rd__fairness_text *file = rd__fairness_texts; file->name; file++)
        if (strcmp(file->name, path) == 0)
            return file->text;
    return NULL;
}

static void free_code(fair_code *code)
{
    rd__free(code->op);
    rd__free(code->line);
}

void rd_fairness_close(rd_fairness *model)
{
    if (!model)
        return;
    for (int t = 0; t < FAIR_THREADS; t++) {
        free_code(&model->code[t]);
        rd__free(model->step[t]);
    }
    for (uint32_t i = 0; i < model->rules; i++)
        free_code(&model->rule[i].code);
    rd__free(model->source);
    rd__free(model->text);
    rd__free(model);
}

static rd_status read_model(rd_fairness *m, const char *const *settings, rd_error *err)
{
    uint8_t state[FAIR_STATE];
    fair_fault fault = {FAIR_FINE, 0, 0};
    char text[200];
    RD_TRY(rd__fair_parse(m, settings, err));
    RD_TRY(rd__fair_footprint(m, err));
    if (!rd__fair_first(m, state, &fault)) {
        rd__fair_describe(m, &fault, text, sizeof text);
        return rd__fail(err, RD_EINPUT, "%s, before any step", text);
    }
    return RD_OK;
}

rd_status rd_fairness_open(const char *source, const char *text, const char *const *settings, rd_fairness **model,
                           rd_error *err)
{
    if (!source || !text || !model)
        return rd__fail(err, RD_EARG, "rd_fairness_open: source, text and model are needed");
    *model = NULL;
    rd_fairness *m = rd__calloc(1, sizeof *m);
    if (!m)
        return rd__fail_memory(err, "a model", sizeof *m);
    m->source = rd__strdup(source);
    m->text = rd__strdup(text);
    rd_status status =
        m->source && m->text ? read_model(m, settings, err) : rd__fail_memory(err, "a model", strlen(text) + 1);
    if (status == RD_OK)
        *model = m;
    else
        rd_fairness_close(m);
    return status;
}
