/* SPDX-License-Identifier: Apache-2.0 */
/* app_switches.c - what a job changed by itself in a trial, before it or on its way: told by --explain, and in records.
 */
#include "cli/app.h"

#include <inttypes.h>

enum { MOST = 8 }; /* in one run */

/* Those of the trial; runs of the job are its trials. @return how many. */
static size_t switches_of(const app_run *run, size_t index, rd_switch *list)
{
    size_t count = 0, mine = 0;
    if (rd_job_switches(run->job, list, MOST, &count, NULL) != RD_OK)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].run == index + 1)
            list[mine++] = list[i];
    return mine;
}

static void print_switch(const rd_switch *it, FILE *out)
{
    char from[32], to[32];
    rd_format_seconds(it->from_s, from, sizeof from);
    rd_format_seconds(it->to_s, to, sizeof to);
    if (it->in_run)
        fprintf(out, "%-10s run %" PRIu64 ": %s %s %s %s %s after %s: %s (%s more)\n", "switch:", it->run,
                it->from_sched, it->from_launch, it->kind, it->to_sched, it->to_launch, from, it->reason, to);
    else
        fprintf(out, "%-10s run %" PRIu64 " %s %s %s: %s (%s; %s %s usually takes %s)\n", "learned:", it->run, it->kind,
                it->to_sched, it->to_launch, it->reason, to, it->from_sched, it->from_launch, from);
}

void app_print_switches(const app_run *run, size_t index, FILE *out)
{
    rd_switch list[MOST];
    const size_t count = switches_of(run, index, list);
    for (size_t i = 0; i < count; i++)
        print_switch(&list[i], out);
}

void app_json_switches(const app_run *run, size_t index, rd_json *json)
{
    rd_switch list[MOST];
    const size_t count = switches_of(run, index, list);
    if (!count)
        return;
    rd_json_array(json, "switches");
    for (size_t i = 0; i < count; i++) {
        rd_json_object(json, NULL);
        rd_json_bool(json, "in_run", list[i].in_run);
        rd_json_text(json, "kind", list[i].kind);
        rd_json_text(json, "from_sched", list[i].from_sched);
        rd_json_text(json, "from_launch", list[i].from_launch);
        rd_json_text(json, "to_sched", list[i].to_sched);
        rd_json_text(json, "to_launch", list[i].to_launch);
        rd_json_double(json, "from_s", list[i].from_s);
        rd_json_double(json, "to_s", list[i].to_s);
        rd_json_text(json, "reason", list[i].reason);
        rd_json_close_object(json);
    }
    rd_json_close_array(json);
}
