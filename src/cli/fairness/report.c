/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - what a check found, for people and as JSON. */
#include "cli/fairness/fairness.h"

#include <string.h>

const char *fairness_weakest(const rd_fairness_report *report, char text[64])
{
    const rd_name_text *names = rd_fairness_schedulers(); /* the report has these, in this order; 1 and 2 are beside */
    snprintf(text, 64, "none: it has no end");            /* each other, else the order is that of strength */
    for (uint32_t k = 0; k < report->verdicts; k++)
        if (!report->verdict[k].starves) {
            const int both = k == 1 && !report->verdict[2].starves;
            snprintf(text, 64, "%s%s%s", names[k].name, both ? " or " : "", both ? names[2].name : "");
            break;
        }
    return text;
}

/* One line a step, a column a thread; the circle has a line at its left. */
static void print_run(const rd_fairness_run *run, uint32_t threads)
{
    int widest = 9;
    for (uint32_t i = 0; i < run->steps; i++) {
        const int length = (int)strlen(run->step[i].text);
        widest = length > widest ? length : widest;
    }
    printf("      step ");
    for (uint32_t t = 0; t < threads; t++)
        printf(" %u", t);
    printf("  line  %-*s  words after it\n", widest, "statement");
    printf("         0 ");
    for (uint32_t t = 0; t < threads; t++)
        printf(" .");
    printf("        %-*s  %s\n", widest, "", run->first);
    for (uint32_t i = 0; i < run->steps; i++) {
        const rd_fairness_step *step = &run->step[i];
        const char *mark = i < run->prefix ? "    " : i == run->prefix ? ",-> " : i + 1 == run->steps ? "'-- " : "|   ";
        printf("  %s%4u ", mark, i + 1);
        for (uint32_t t = 0; t < threads; t++)
            printf(" %c", t == step->thread ? 'o' : '.');
        printf("  %4u  %-*s  %s\n", step->line, widest, step->text, step->state);
    }
}

static void print_threads(const char *what, uint32_t mask)
{
    if (!mask)
        return;
    printf("  thread%s", (mask & (mask - 1)) ? "s" : "");
    for (uint32_t t = 0; t < RD_FAIRNESS_THREADS; t++)
        if (mask >> t & 1)
            printf(" %u", t);
    printf(": %s\n", what);
}

static void print_verdict(const char *model, const rd_fairness_verdict *verdict, uint32_t threads)
{
    const rd_fairness_run *run = &verdict->run;
    printf("%s under %s: %s\n", model, verdict->scheduler, verdict->starves ? "STARVES" : "starvation-free");
    if (!verdict->starves)
        return;
    if (run->steps == 0) {
        printf("  (to show how, more memory is needed)\n");
        return;
    }
    print_run(run, threads);
    if (run->prefix + 1 == run->steps)
        printf("  Step %u repeats for ever", run->steps);
    else
        printf("  Steps %u to %u repeat for ever", run->prefix + 1, run->steps);
    printf("%s.\n", run->enabled & ~run->executing ? "" : ", though every thread is run: the program has no end");
    print_threads("at work in the circle, and never done", run->executing);
    print_threads("never begun", run->enabled & ~run->started & ~run->executing);
    print_threads("begun, and never run again", run->enabled & run->started & ~run->executing);
}

static uint64_t rate(uint64_t count, double seconds)
{
    return seconds > 0 ? (uint64_t)((double)count / seconds) : 0;
}

static void print_stats(const rd_fairness_report *report)
{
    char bytes[32], each[2][32];
    printf("states       %llu\ntransitions  %llu\n", (unsigned long long)report->states,
           (unsigned long long)report->transitions);
    printf("time         %.3f s on %u threads, %s states/s\n", report->seconds, report->threads,
           rd_format_count(rate(report->states, report->seconds), each[0], sizeof each[0]));
    printf("processor    %.3f s, %s states/s\n", report->processor_seconds,
           rd_format_count(rate(report->states, report->processor_seconds), each[1], sizeof each[1]));
    printf("memory       %s\n", rd_format_bytes(report->bytes, bytes, sizeof bytes));
    printf("reductions  %s%s%s\n", report->used_symmetry ? " symmetry" : "",
           report->used_partial_order ? " partial-order" : "",
           report->used_symmetry || report->used_partial_order ? "" : " none");
}

void fairness_print(const fairness_job *job, const rd_fairness_report *report)
{
    char text[64];
    if (report->unsafe) {
        printf("%s: UNSAFE: %s\n", job->model, report->fault);
        if (report->run.steps)
            print_run(&report->run, report->model_threads);
        printf("  What comes after this was not looked at.\n");
    } else if (job->schedulers) {
        for (uint32_t k = 0; k < report->verdicts; k++)
            print_verdict(job->model, &report->verdict[k], report->model_threads);
    } else {
        printf("%s: %llu states; assertions hold\n", job->model, (unsigned long long)report->states);
        for (uint32_t k = 0; k < report->verdicts; k++)
            printf("  %-8s %s\n", report->verdict[k].scheduler,
                   report->verdict[k].starves ? "starves" : "starvation-free");
        if (report->verdicts)
            printf("weakest scheduler it needs: %s\n", fairness_weakest(report, text));
    }
    if (job->stats)
        print_stats(report);
}

/* ---- JSON ---- */

static void json_steps(rd_json *json, const char *key, const rd_fairness_run *run, uint32_t from, uint32_t to)
{
    rd_json_array(json, key);
    for (uint32_t i = from; i < to; i++) {
        rd_json_object(json, NULL);
        rd_json_u64(json, "thread", run->step[i].thread);
        rd_json_u64(json, "line", run->step[i].line);
        rd_json_text(json, "statement", run->step[i].text);
        rd_json_text(json, "state", run->step[i].state);
        rd_json_close_object(json);
    }
    rd_json_close_array(json);
}

static void json_mask(rd_json *json, const char *key, uint32_t mask)
{
    rd_json_array(json, key);
    for (uint32_t t = 0; t < RD_FAIRNESS_THREADS; t++)
        if (mask >> t & 1)
            rd_json_u64(json, NULL, t);
    rd_json_close_array(json);
}

static void json_verdict(rd_json *json, const rd_fairness_verdict *verdict)
{
    const rd_fairness_run *run = &verdict->run;
    rd_json_object(json, NULL);
    rd_json_text(json, "scheduler", verdict->scheduler);
    rd_json_bool(json, "starves", verdict->starves);
    if (run->steps) {
        rd_json_text(json, "first_state", run->first);
        json_steps(json, "prefix", run, 0, run->prefix);
        json_steps(json, "cycle", run, run->prefix, run->steps);
        json_mask(json, "executing", run->executing);
        json_mask(json, "never_begun", run->enabled & ~run->started & ~run->executing);
        json_mask(json, "never_run_again", run->enabled & run->started & ~run->executing);
    }
    rd_json_close_object(json);
}

void fairness_print_json(const fairness_job *job, const rd_fairness_report *report)
{
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "fairness");
    rd_json_text(&json, "model", job->model);
    rd_json_u64(&json, "model_threads", report->model_threads);
    rd_json_u64(&json, "states", report->states);
    rd_json_u64(&json, "transitions", report->transitions);
    rd_json_double(&json, "seconds", report->seconds);
    rd_json_double(&json, "processor_s", report->processor_seconds);
    rd_json_u64(&json, "memory_bytes", report->bytes);
    rd_json_u64(&json, "threads", report->threads);
    rd_json_bool(&json, "symmetry", report->used_symmetry);
    rd_json_bool(&json, "partial_order", report->used_partial_order);
    rd_json_bool(&json, "safe", !report->unsafe);
    if (report->unsafe) {
        rd_json_text(&json, "fault", report->fault);
        rd_json_text(&json, "first_state", report->run.first);
        json_steps(&json, "steps", &report->run, 0, report->run.steps);
    } else {
        rd_json_array(&json, "verdicts");
        for (uint32_t k = 0; k < report->verdicts; k++)
            json_verdict(&json, &report->verdict[k]);
        rd_json_close_array(&json);
    }
    rd_json_end(&json);
}
