/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi.c - was this process started as one of several, and by which MPI? Opens the shim for it (shim.mpi.c): the file
 * that RADDLE_MPI names, else libraddle-openmpi.so or libraddle-mpich.so, beside the program or the library, in
 * ../lib/ from there, or where the loader looks. The launcher tells by the environment which MPI it speaks; MPICH's
 * children speak PMI, as do Intel's and Cray's MPI.
 */
#define _GNU_SOURCE /* dladdr */
#include "ranks/ranks.h"

#include "core/library.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef rd__transport *(*open_fn)(uint32_t version, char *reason, size_t room);

static const struct launcher {
    const char *variable, *rank;
    const char *flavour; /* "": it does not tell */
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "openmpi"},
    {"PMI_SIZE", "PMI_RANK", "mpich"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "mpich"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", ""},
    {NULL, NULL, NULL},
};

static const struct launcher *find_launcher(uint32_t *ranks)
{
    for (const struct launcher *launcher = launchers; launcher->variable; launcher++) {
        const char *text = getenv(launcher->variable);
        uint64_t number;
        if (text && rd_parse_u64(text, &number) && number && number <= UINT32_MAX) {
            *ranks = (uint32_t)number;
            return launcher;
        }
    }
    *ranks = 0;
    return NULL;
}

uint32_t rd_ranks_launched(uint32_t *rank)
{
    uint32_t ranks;
    uint64_t number = 0;
    const struct launcher *launcher = find_launcher(&ranks);
    const char *text = launcher ? getenv(launcher->rank) : NULL;
    if (rank)
        *rank = text && rd_parse_u64(text, &number) && number < ranks ? (uint32_t)number : 0;
    return ranks;
}

/* The folder of the program or shared library that this code is in, with its '/'; empty when that is not known. */
static void own_folder(char *path, size_t room)
{
    Dl_info info;
    uint32_t (*const here)(uint32_t *) = rd_ranks_launched;
    void *address;
    memcpy(&address, &here, sizeof address); /* ISO C has no such cast; POSIX promises that it works */
    snprintf(path, room, "%s", dladdr(address, &info) && info.dli_fname ? info.dli_fname : "");
    char *name = strrchr(path, '/');
    path[name ? name + 1 - path : 0] = 0;
}

/* Symbols are for all: parts of Open MPI are opened later and look for what they need there. */
static void *open_flavour(const char *flavour, char *reason, size_t room)
{
    char folder[512], path[3][600];
    own_folder(folder, sizeof folder);
    snprintf(path[0], sizeof path[0], "%slibraddle-%s.so", folder, flavour);
    snprintf(path[1], sizeof path[1], "%s../lib/libraddle-%s.so", folder, flavour);
    snprintf(path[2], sizeof path[2], "libraddle-%s.so", flavour);
    return rd__library_open_for_all((const char *const[]){path[0], path[1], path[2], NULL}, reason, room);
}

static void *open_shim(const char *flavour, char *reason, size_t room)
{
    const char *asked = getenv("RADDLE_MPI");
    if (asked && *asked)
        return rd__library_open_for_all((const char *const[]){asked, NULL}, reason, room);
    if (*flavour)
        return open_flavour(flavour, reason, room);
    void *library = open_flavour("openmpi", reason, room);
    return library ? library : open_flavour("mpich", reason, room);
}

rd_status rd_ranks_open_mpi(rd_ranks **out, rd_error *err)
{
    uint32_t launched;
    char reason[RD_ERROR_TEXT / 2] = "";
    if (!out)
        return rd__fail(err, RD_EARG, "rd_ranks_open_mpi needs a place to put the ranks");
    *out = NULL;
    const struct launcher *launcher = find_launcher(&launched);
    void *library = open_shim(launcher ? launcher->flavour : "", reason, sizeof reason);
    if (!library)
        return rd__fail(err, RD_EDEVICE,
                        "MPI cannot be used: %s. Build where mpicc is installed (make says which MPIs it found), or "
                        "name the file by RADDLE_MPI",
                        reason);
    open_fn open;
    void *address = dlsym(library, RD_TRANSPORT_SYMBOL);
    memcpy(&open, &address, sizeof address);
    rd_ranks *ranks = rd__calloc(1, sizeof *ranks);
    if (!address || !ranks) {
        rd__free(ranks);
        return address ? rd__fail_memory(err, "ranks", sizeof *ranks)
                       : rd__fail(err, RD_EDEVICE, "the file named by RADDLE_MPI is no shim of raddle: it has no %s",
                                  RD_TRANSPORT_SYMBOL);
    }
    ranks->transport = open(RD_TRANSPORT_VERSION, reason, sizeof reason);
    if (!ranks->transport) {
        rd__free(ranks);
        return rd__fail(err, RD_EDEVICE, "MPI cannot be used: %s", reason);
    }
    *out = ranks;
    if (launched && launched != ranks->transport->ranks)
        return rd__fail(err, RD_EDEVICE,
                        "%s says that there are %u ranks and %s finds %u: this process was started by another MPI than "
                        "the one it uses; name the right shim by RADDLE_MPI",
                        launcher->variable, launched, ranks->transport->name, ranks->transport->ranks);
    return RD_OK;
}
