/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.c - one line that says how far long work is. Redrawn with a carriage return and spaces, no escape
 * sequences, so any terminal will do.
 */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "core/text.h"
#include "raddle/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 78 };
static const double FIRST_AFTER = 1.0, REDRAW_AFTER = 0.1; /* seconds */

void rd_progress_line_init(rd_progress_line *line, FILE *out, int enabled)
{
    if (!line)
        return;
    memset(line, 0, sizeof *line);
    line->out = out;
    line->enabled = enabled && out && isatty(fileno(out)) == 1;
}

static void draw(rd_progress_line *line, double elapsed, uint64_t done, uint64_t total, const char *unit)
{
    char text[256], so_far[32], all[32], left[40];
    rd_format_count(done, so_far, sizeof so_far);
    if (total > 0) {
        double share = done < total ? (double)done / (double)total : 1;
        rd_format_count(total, all, sizeof all);
        int used =
            rd__snprintf(text, sizeof text, "%s: %3.0f %%, %s of %s %s", line->what, 100 * share, so_far, all, unit);
        double rest = share > 0 ? elapsed / share - elapsed : 0;
        if (done > 0 && used > 0 && used < (int)sizeof text) {
            /* Whole seconds: the estimate is no better. */
            if (rest < 120)
                rd__snprintf(left, sizeof left, "%.0f s", rest);
            else
                rd_format_seconds(rest, left, sizeof left);
            snprintf(text + used, sizeof text - (size_t)used, ", %s left", left);
        }
    } else if (done == 0) { /* under way, and nobody has counted yet */
        snprintf(text, sizeof text, "%s: running, %s", line->what, rd_format_seconds(elapsed, left, sizeof left));
    } else {
        snprintf(text, sizeof text, "%s: %s %s, %s", line->what, so_far, unit,
                 rd_format_seconds(elapsed, left, sizeof left));
    }
    fprintf(line->out, "\r%-*.*s", WIDTH, WIDTH, text);
    fflush(line->out);
    line->shown = 1;
}

int rd_progress_line_fn(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    rd_progress_line *line = user;
    if (!line)
        return 0;
    if (line->enabled) {
        what = what ? what : "working";
        double now = rd_now();
        if (strncmp(line->what, what, sizeof line->what - 1) != 0) {
            snprintf(line->what, sizeof line->what, "%s", what);
            line->started = now;
        }
        if (now - line->started >= FIRST_AFTER && now - line->drawn >= REDRAW_AFTER) {
            draw(line, now - line->started, done, total, unit ? unit : "");
            line->drawn = now;
        }
    }
    /* Relaxed: partner is a signal handler, on any thread, that says no more than this. */
    return line->stop && __atomic_load_n(line->stop, __ATOMIC_RELAXED);
}

void rd_progress_line_clear(rd_progress_line *line)
{
    if (!line)
        return;
    if (line->shown) {
        fprintf(line->out, "\r%*s\r", WIDTH, "");
        fflush(line->out);
    }
    line->shown = 0;
    line->what[0] = '\0'; /* the next work starts its own second of silence */
}
