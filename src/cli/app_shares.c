/* SPDX-License-Identifier: Apache-2.0 */
/* app_shares.c - how much each rank gets, before graphs are cut: what --shares says, else by device. Where one rank is
 * to have all of it, it runs as if there were no others, who wait: see app_ranks.h. */
#include "cli/app_ranks.h"

#include <stdlib.h>
#include <string.h>

/* The number of this rank in "3,1,0". @return 0: it is no list of as many numbers as there are ranks. */
static int own_share(const app_run *run, double *share)
{
    const uint32_t rank = rd_ranks_rank(run->ranks), count = rd_ranks_count(run->ranks);
    const char *at = run->shares;
    for (uint32_t r = 0; r < count; r++) {
        char number[32];
        double value;
        const size_t length = strcspn(at, ",");
        if (length >= sizeof number)
            return 0;
        memcpy(number, at, length);
        number[length] = 0;
        if (!rd_parse_double(number, &value) || !(value >= 0) || value > 1e9)
            return 0;
        *share = r == rank ? value : *share;
        at += length + (at[length] == ',');
        if (r + 1 == count)
            return at[0] == 0 && (length == 0 || at[-1] != ',');
    }
    return 0;
}

/* Parts in a folder are cut already. */
static int is_cut(const app_run *run)
{
    rd_parts parts;
    if (!rd_app_takes_graph(run->app) || !run->spec || rd_parts_read(run->spec, &parts, NULL) != RD_OK)
        return 0;
    rd_parts_free(&parts);
    return 1;
}

int app_share(app_run *run, uint32_t *alone)
{
    rd_error err = {.status = RD_OK};
    double share = 0;
    *alone = RD_NONE;
    if (run->shares && !own_share(run, &share))
        return cli_usage(run->app->name, "--shares wants a number for each of the %u ranks, as in 3,1: not '%s'",
                         rd_ranks_count(run->ranks), run->shares);
    const int code = cli_device_choice_open(&run->choice, run->app->name, &run->device);
    if (code)
        return code;
    /* A run that goes on from a checkpoint, maybe on other devices, is to have the same parts. */
    if (!run->shares && run->checkpoint)
        return 0;
    if ((run->shares ? rd_ranks_set_share(run->ranks, share, &err)
                     : rd_ranks_share_by_device(run->ranks, run->device, &err)) != RD_OK)
        return cli_fail(run->app->name, &err);
    if (!run->checkpoint && !run->window && !is_cut(run))
        *alone = rd_ranks_alone(run->ranks);
    return 0;
}

int app_run_alone(app_run *run, uint32_t alone, int (*whole)(app_run *run))
{
    rd_error err = {.status = RD_OK};
    rd_ranks *ranks = run->ranks;
    uint64_t wrong = 0;
    if (rd_ranks_rank(ranks) == alone) {
        run->ranks = NULL;
        run->alone_of = ranks;
        const int code = whole(run);
        if (code && code != CLI_WRONG)
            return code; /* who called stops the others */
        wrong = code == CLI_WRONG;
    } else {
        rd_device_close(run->device);
        run->device = NULL;
    }
    if (rd_ranks_sum(ranks, &wrong, 1, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    return wrong ? CLI_WRONG : 0;
}
