/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - an execution as a picture for Graphviz: states are boxes, steps are arrows, the circle closes. */
#include "cli/fairness/fairness.h"

/* Text inside quotes. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void put_run(FILE *out, uint32_t number, const char *title, const rd_fairness_run *run)
{
    fprintf(out, "    subgraph cluster_%u {\n        label=\"", number);
    put_text(out, title);
    fprintf(out, "\";\n        s%u_0 [label=\"", number);
    put_text(out, run->first);
    fprintf(out, "\"];\n");
    for (uint32_t i = 0; i < run->steps; i++) {
        const rd_fairness_step *step = &run->step[i];
        const int returns = run->prefix < run->steps && i + 1 == run->steps;
        if (!returns) {
            fprintf(out, "        s%u_%u [label=\"", number, i + 1);
            put_text(out, step->state);
            fprintf(out, "\"];\n");
        }
        fprintf(out, "        s%u_%u -> s%u_%u [label=\"%u: ", number, i, number, returns ? run->prefix : i + 1,
                step->thread);
        put_text(out, step->text);
        fprintf(out, "\"%s];\n", i >= run->prefix ? ", color=red" : "");
    }
    fprintf(out, "    }\n");
}

int fairness_write_dot(const fairness_job *job, const rd_fairness_report *report)
{
    char title[300];
    rd_output *output;
    rd_error err = {.status = RD_OK};
    if (rd_output_open(job->dot, RD_OUTPUT_REPLACE, &output, &err) != RD_OK)
        return cli_fail("fairness", &err);
    FILE *out = rd_output_stream(output);
    fprintf(out, "digraph fairness {\n    node [shape=box, fontname=monospace];\n    edge [fontname=monospace];\n");
    if (report->unsafe)
        put_run(out, 0, report->fault, &report->run);
    for (uint32_t k = 0; !report->unsafe && k < report->verdicts; k++) {
        snprintf(title, sizeof title, "%s under %s%s", job->model, report->verdict[k].scheduler,
                 report->verdict[k].starves ? "" : ": starvation-free");
        put_run(out, k, title, &report->verdict[k].run);
    }
    fprintf(out, "}\n");
    return rd_output_close(output, RD_OK, &err) == RD_OK ? 0 : cli_fail("fairness", &err);
}
