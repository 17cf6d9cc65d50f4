/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shares.c - how much of the work is whose. Ranks have different devices, and who has a part that is too large for it
 * keeps all others waiting. So parts of graphs are cut, and tasks are given away, in the proportion of the ranks'
 * shares; all are the same until somebody says otherwise.
 *
 * By device: an estimate, from what a device says of itself, so that the parts of a graph are the same in each run. A
 * core counts 1 and a multiprocessor of a GPU 2 (an H200 has 132 of them and does bfs at the pace of about 150 cores,
 * and counting trees at that of several times as many). What a rank adds has to be worth the messages that it costs.
 * Ranks with less than a SLOWth of what the fastest has are left out, unless there are so many of them that together
 * they have more than one part in FEW of what the others have.
 */
#include "ranks/ranks.h"

#include "core/memory.h"
#include "raddle/device.h"

#include <math.h>
#include <string.h>

enum { SLOW = 8, FEW = 4 };
static const double gpu_unit = 2;

double rd_device_estimate(const rd_device *device)
{
    const rd_device_info *info = rd_device_get_info(device);
    return (info->compute_units ? info->compute_units : 1) * (info->is_gpu ? gpu_unit : 1);
}

/* Each rank hears what every other one has. */
static rd_status hear_all(rd_ranks *ranks, double own, double *list, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    for (uint32_t r = 0; r < count; r++)
        deal[r] = (rd__deal){&own, sizeof own};
    rd_status status = rd__ranks_deal(ranks, deal, deal + count, err);
    for (uint32_t r = 0; r < count && status == RD_OK; r++)
        if (deal[count + r].bytes == sizeof own)
            memcpy(&list[r], deal[count + r].data, sizeof own);
        else
            status = rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no share", r,
                              (unsigned long long)deal[count + r].bytes);
    rd__deals_free(deal + count, count);
    rd__free(deal);
    return status;
}

/* Takes the list. Where all are alike there is none: parts are then cut by whole numbers. */
static rd_status use(rd_ranks *ranks, double *list, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    double total = 0;
    int alike = 1;
    for (uint32_t r = 0; r < count; r++) {
        total += list[r];
        alike &= list[r] == list[0];
    }
    rd__free(ranks->share);
    ranks->share = NULL;
    if (!(total > 0)) {
        rd__free(list);
        return rd__fail(err, RD_EARG, "the shares of all ranks are 0: who is to do it?");
    }
    for (uint32_t r = 0; r < count; r++)
        list[r] /= total;
    if (alike)
        rd__free(list);
    else
        ranks->share = list;
    return RD_OK;
}

/* @return what ranks are to have that have such devices. */
static void leave_out_slow(double *list, uint32_t count)
{
    double most = 0, fast = 0, slow = 0;
    for (uint32_t r = 0; r < count; r++)
        most = list[r] > most ? list[r] : most;
    for (uint32_t r = 0; r < count; r++)
        *(list[r] * SLOW < most ? &slow : &fast) += list[r];
    for (uint32_t r = 0; r < count && slow * FEW < fast; r++)
        list[r] = list[r] * SLOW < most ? 0 : list[r];
}

static rd_status set(rd_ranks *ranks, double own, int by_device, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    if (!ranks)
        return RD_OK;
    double *list = rd__calloc(count, sizeof *list);
    if (!list)
        return rd__fail_memory(err, "shares of ranks", count * sizeof *list);
    const rd_status status = hear_all(ranks, own, list, err);
    if (status != RD_OK) {
        rd__free(list);
        return status;
    }
    if (by_device)
        leave_out_slow(list, count);
    return use(ranks, list, err);
}

rd_status rd_ranks_set_share(rd_ranks *ranks, double share, rd_error *err)
{
    if (!(share >= 0) || isinf(share))
        return rd__fail(err, RD_EARG, "the share of a rank is 0 or more");
    return set(ranks, share, 0, err);
}

rd_status rd_ranks_share_by_device(rd_ranks *ranks, const rd_device *device, rd_error *err)
{
    if (!device)
        return rd__fail(err, RD_EARG, "rd_ranks_share_by_device needs a device");
    return set(ranks, rd_device_estimate(device), 1, err);
}

double rd_ranks_get_share(const rd_ranks *ranks, uint32_t rank)
{
    if (rank >= rd_ranks_count(ranks))
        return 0;
    return ranks && ranks->share ? ranks->share[rank] : 1.0 / rd_ranks_count(ranks);
}

uint32_t rd_ranks_alone(const rd_ranks *ranks)
{
    for (uint32_t r = 0; r < rd_ranks_count(ranks); r++)
        if (rd_ranks_get_share(ranks, r) == 1)
            return r;
    return RD_NONE;
}

double rd__ranks_before(const rd_ranks *ranks, uint32_t rank)
{
    const uint32_t count = rd_ranks_count(ranks);
    double sum = 0;
    if (!ranks->share)
        return (double)rank / count;
    int more = 0; /* does anybody from here on have one? */
    for (uint32_t r = rank; r < count; r++)
        more |= ranks->share[r] > 0;
    for (uint32_t r = 0; r < rank; r++)
        sum += ranks->share[r];
    return more ? sum : 1;
}

uint32_t rd__ranks_first(const rd_ranks *ranks)
{
    uint32_t first = 0;
    for (uint32_t r = 1; r < rd_ranks_count(ranks); r++)
        first = rd_ranks_get_share(ranks, r) > rd_ranks_get_share(ranks, first) ? r : first;
    return first;
}
