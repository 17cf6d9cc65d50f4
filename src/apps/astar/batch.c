/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - see batch.h. */
#include "apps/astar/batch.h"

#include "apps/astar/way.h"
#include "core/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rd__astar_batch_free(rd__astar_batch *batch)
{
    rd__astar_scen_free(&batch->scen);
    rd__array_free(batch->length);
    rd__array_free(batch->start);
    rd__array_free(batch->cell);
    *batch = (rd__astar_batch){0};
}

void rd__astar_batch_restart(rd__astar_batch *batch)
{
    batch->done = batch->as_published = batch->longer = batch->shorter = batch->no_path = 0;
    batch->start[0] = 0;
}

rd_status rd__astar_batch_open(rd__astar_batch *batch, const char *path, const rd__astar_grid *grid,
                               const rd__watch *watch, rd_error *err)
{
    rd__astar_batch_free(batch);
    rd_status status = rd__astar_scen_open(path, watch, &batch->scen, err);
    if (status == RD_OK)
        status = rd__astar_scen_fit(&batch->scen, grid, err);
    const uint64_t count = batch->scen.count;
    if (status == RD_OK)
        status = rd__array_new(&batch->length, "lengths of paths", count, sizeof *batch->length, err);
    if (status == RD_OK)
        status = rd__array_new(&batch->start, "beginnings of paths", count + 1, sizeof *batch->start, err);
    if (status == RD_OK)
        rd__astar_batch_restart(batch);
    else
        rd__astar_batch_free(batch);
    return status;
}

uint32_t rd__astar_batch_cell(const rd__astar_batch *batch, const rd__astar_grid *grid, uint64_t scenario, int goal)
{
    const rd__astar_scenario *item = &batch->scen.item[scenario];
    return item->y[goal] * grid->width + item->x[goal];
}

/* Is this length the published one, but for what its digits leave out? There are five to eight after the point, some
 * from sums of rounded roots. */
static int is_published(double length, double published)
{
    return fabs(length - published) <= 1e-3 + 1e-5 * published;
}

rd_status rd__astar_batch_add(rd__astar_batch *batch, const rd__astar_grid *grid, const uint32_t *path, uint64_t count,
                              rd_error *err)
{
    const uint64_t used = batch->start[batch->done];
    const double published = batch->scen.item[batch->done].length, length = rd__astar_length(grid, path, count);
    if (used + count > batch->room) {
        const uint64_t room = 2 * (used + count);
        RD_TRY(rd__array_grow(&batch->cell, "paths of scenarios", used, room, sizeof *batch->cell, err));
        batch->room = room;
    }
    if (count)
        memcpy(batch->cell + used, path, count * sizeof *path);
    const int same = count && is_published(length, published);
    if (!same && batch->as_published == batch->done)
        batch->first_other = batch->done;
    batch->as_published += (uint64_t)same;
    batch->no_path += count == 0;
    batch->longer += count && !same && length > published;
    batch->shorter += count && !same && length < published;
    batch->length[batch->done] = count ? (float)length : -1.0f;
    batch->start[++batch->done] = used + count;
    return RD_OK;
}

/* What the first scenario that is not as published has. */
static void describe_other(const rd__astar_batch *batch, char *text, size_t room)
{
    const rd__astar_scenario *item = &batch->scen.item[batch->first_other];
    const double length = (double)batch->length[batch->first_other];
    if (length < 0)
        rd__snprintf(text, room, "line %" PRIu64 ": no path, published %.8g", item->line, item->length);
    else
        rd__snprintf(text, room, "line %" PRIu64 ": %.8g, published %.8g", item->line, length, item->length);
}

void rd__astar_batch_answer(const rd__astar_batch *batch, char *text, size_t room)
{
    char other[80];
    if (batch->as_published == batch->done) {
        rd__snprintf(text, room, "%" PRIu64 " scenarios, each path as long as published", batch->done);
        return;
    }
    describe_other(batch, other, sizeof other);
    rd__snprintf(text, room, "%" PRIu64 " of %" PRIu64 " scenarios as long as published; %s", batch->as_published,
                 batch->done, other);
}

rd_status rd__astar_batch_check(const rd__astar_batch *batch, const rd__astar_grid *grid, const rd__astar_rules *rules,
                                const rd__watch *watch, rd_error *err)
{
    char other[80];
    for (uint64_t i = 0; i < batch->done; i++) {
        const uint32_t *path = batch->cell + batch->start[i];
        const uint64_t count = batch->start[i + 1] - batch->start[i];
        const rd__astar_claim claim = {.source = rd__astar_batch_cell(batch, grid, i, 0),
                                       .target = rd__astar_batch_cell(batch, grid, i, 1),
                                       .path = path,
                                       .count = count,
                                       .cost = rd__astar_length(grid, path, count)};
        if (rd__watch_stops(watch, "checking", i, batch->done, "scenarios"))
            return rd__fail(err, RD_ECANCELLED, "stopped while checking scenarios");
        const rd_status status = rd__astar_check(grid, rules, &claim, err);
        if (status != RD_OK) {
            char what[300];
            rd__snprintf(what, sizeof what, "%s", err ? err->text : "");
            return rd__fail(err, status, "%s:%" PRIu64 ": %s", batch->scen.file, batch->scen.item[i].line, what);
        }
    }
    if (batch->as_published == batch->done)
        return RD_OK;
    describe_other(batch, other, sizeof other);
    return rd__fail(err, RD_EWRONG, "astar: %" PRIu64 " of %" PRIu64 " lengths are not as published; %s, %s",
                    batch->done - batch->as_published, batch->done, batch->scen.file, other);
}
