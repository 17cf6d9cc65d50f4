/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.c - a run on ranks (or on one, by itself) is written to a folder now and then, from which it goes on when
 * it was killed. When: whoever calls this has brought all ranks to a cut, where no message is under way, so what the
 * ranks have is all there is.
 *
 * Checkpoint k. Each rank writes its part to part-k-RANK, which takes that name when it is on the disk. All say whether
 * that went well. If so, rank 0 writes the manifest: it is replaced as a whole, and whoever reads the folder finds the
 * parts of the manifest that he sees, those of k - 1 until that moment and those of k from it on. Then the parts of
 * k - 1 go. If it did not go well somewhere, nothing else happens: the manifest names the parts of k - 1, and the run
 * goes on. A run that is killed in between leaves parts without a manifest, which the next checkpoint of that number
 * replaces.
 *
 * What a part has is listed by those who have it, for writing and for reading alike (sched/freeze.h), behind the app,
 * the input, the rank, how many there are, and the number, which all have to be the same again.
 */
#define _POSIX_C_SOURCE 200809L
#include "job/checkpoint.h"

#include "core/log.h"
#include "core/memory.h"
#include "job/manifest.h"
#include "job/ranks.h"
#include "raddle/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, MOST_MANIFEST = 1 << 20 };

struct rd__checkpoint {
    char *folder, *note;
    double every;
    int resumes;      /* the next run goes on from the folder */
    uint64_t number;  /* of the last complete one; 0: there is none */
    double began;     /* rd_now() at which the run would have begun, had it been one */
    double last;      /* and when the last one was complete, or the run went on */
    uint64_t written; /* in this run */
    double write_s;   /* that took */
    double before_s;  /* that the run had taken when it was written */
};

typedef struct cut {
    rd_job *job;
    rd_report *report;
    rd__freeze_fn *move;
    void *user;
    uint64_t number;
} cut;

static void manifest_path(const char *folder, char *path)
{
    snprintf(path, PATH, "%s/manifest", folder);
}

static void part_path(const rd_job *job, uint64_t number, uint32_t rank, char *path)
{
    snprintf(path, PATH, "%s/part-%llu-%u", job->checkpoint->folder, (unsigned long long)number, rank);
}

/* ---- The public side ---- */

int rd_app_takes_checkpoints(const char *name)
{
    const rd__app *app = name ? rd__app_find(name) : NULL;
    if (!app || !app->ranks || app->engines) /* an own app: resume would have to find its file */
        return 0;
    const rd__ranks_kind kind = app->ranks->kind;
    return kind == RD__RANKS_LEAST || kind == RD__RANKS_SHARE || kind == RD__RANKS_BOUND;
}

static rd_status read_manifest(const char *path, char *text, size_t *bytes, rd_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return rd__fail(err, RD_EIO, "%s: there is no checkpoint: %s", path,
                        errno == ENOENT ? "the run wrote none yet, or has ended" : strerror(errno));
    *bytes = fread(text, 1, MOST_MANIFEST - 1, file);
    const int failed = ferror(file);
    fclose(file);
    text[*bytes] = 0;
    return failed ? rd__fail(err, RD_EIO, "%s: cannot be read", path) : RD_OK;
}

rd_status rd_checkpoint_read(const char *folder, rd_checkpoint *checkpoint, rd_error *err)
{
    char path[PATH], *text = rd__malloc(MOST_MANIFEST);
    size_t bytes = 0;
    rd_status status = text ? RD_OK : rd__fail_memory(err, "a checkpoint's manifest", MOST_MANIFEST);
    if (status == RD_OK && (!folder || !checkpoint))
        status = rd__fail(err, RD_EARG, "rd_checkpoint_read needs a folder and a place for what is there");
    if (status == RD_OK) {
        *checkpoint = (rd_checkpoint){.number = 0};
        manifest_path(folder, path);
        status = read_manifest(path, text, &bytes, err);
    }
    if (status == RD_OK)
        status = rd__manifest_parse(text, bytes, path, checkpoint, err);
    rd__free(text);
    return status;
}

void rd__checkpoint_free(rd_job *job)
{
    if (!job->checkpoint)
        return;
    rd__free(job->checkpoint->folder);
    rd__free(job->checkpoint->note);
    rd__free(job->checkpoint);
    job->checkpoint = NULL;
}

/* Can checkpoints be written there? One that is there is not written over. */
static rd_status look_at_folder(const char *folder, int resume, rd_error *err)
{
    char path[PATH];
    struct stat info;
    manifest_path(folder, path);
    if (resume)
        return RD_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return rd__fail(err, RD_EIO, "%s: cannot be made: %s", folder, strerror(errno));
    if (stat(path, &info) == 0)
        return rd__fail(err, RD_EARG,
                        "%s has a checkpoint of an earlier run: 'raddle resume' goes on from it; remove the folder "
                        "to begin anew",
                        folder);
    return rd__sink_check(path, RD__SINK_REPLACE, err);
}

rd_status rd_job_set_checkpoint(rd_job *job, const rd_checkpoint_options *options, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_set_checkpoint", err));
    rd__job_release(job); /* another kernel runs */
    rd__checkpoint_free(job);
    if (!options)
        return RD_OK;
    if (options->size != sizeof *options || !options->folder || !isfinite(options->every) || options->every < 0)
        return rd__fail(err, RD_EARG,
                        "rd_checkpoint_options: size is to be that of the struct, folder a name, and "
                        "every a number of seconds");
    if (!rd_app_takes_checkpoints(job->app->info.name))
        return rd__fail(err, RD_EARG, "%s writes no checkpoints", job->app->info.name);
    if (!job->ranks)
        return rd__fail(err, RD_EARG, "checkpoints are of ranks: call rd_job_set_ranks first; one rank will do");
    if (strlen(options->folder) > PATH - 64)
        return rd__fail(err, RD_EARG, "the name of the folder for checkpoints is too long");
    RD_TRY(look_at_folder(options->folder, options->resume, err));
    struct rd__checkpoint *new = rd__calloc(1, sizeof *new);
    if (!new)
        return rd__fail_memory(err, "checkpoints", sizeof *new);
    new->folder = rd__strdup(options->folder);
    new->note = rd__strdup(options->note ? options->note : "");
    new->every = options->every;
    new->resumes = options->resume != 0;
    job->checkpoint = new;
    if (new->folder &&new->note)
        return RD_OK;
    rd__checkpoint_free(job);
    return rd__fail_memory(err, "checkpoints", strlen(options->folder));
}

/* ---- A part ---- */

/* What the run has counted so far. */
static rd_status move_report(rd_report *report, rd__freeze *freeze, rd_error *err)
{
    uint64_t *const field[] = {&report->tasks,        &report->edges,       &report->rounds,
                               &report->launches,     &report->pulled,      &report->tasks_needed,
                               &report->reservations, &report->empty_polls, &report->sum};
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++)
        RD_TRY(rd__freeze_bytes(freeze, field[i], sizeof *field[i], err));
    return RD_OK;
}

static rd_status move_part(void *user, rd__freeze *freeze, rd_error *err)
{
    const cut *at = user;
    RD_TRY(rd__job_freeze_head(at->job, freeze, err));
    RD_TRY(rd__freeze_same(freeze, "the number of ranks", rd_ranks_count(at->job->ranks), err));
    RD_TRY(rd__freeze_same(freeze, "the rank", rd_ranks_rank(at->job->ranks), err));
    RD_TRY(rd__freeze_same(freeze, "the number of the checkpoint", at->number, err));
    RD_TRY(move_report(at->report, freeze, err));
    RD_TRY(at->move(at->user, freeze, err));
    return rd__freeze_end(freeze, err);
}

/* ---- Writing ---- */

uint64_t rd__checkpoint_due(const rd_job *job)
{
    const struct rd__checkpoint *own = job->checkpoint;
    return own && rd_ranks_rank(job->ranks) == 0 && rd_now() - own->last >= own->every;
}

/* The names in the folder are on the disk before the manifest is. A file system that cannot do that does without. */
static void flush_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* Rank 0, when all parts are there. */
static rd_status complete(rd_job *job, uint64_t number, rd_error *err)
{
    struct rd__checkpoint *own = job->checkpoint;
    char path[PATH];
    rd_checkpoint now = {
        .ranks = rd_ranks_count(job->ranks), .number = number, .seconds = rd_now() - own->began, .note = own->note};
    snprintf(now.app, sizeof now.app, "%s", job->app->info.name);
    flush_folder(own->folder);
    manifest_path(own->folder, path);
    RD_TRY(rd__manifest_write(path, &now, err));
    flush_folder(own->folder);
    return RD_OK;
}

static void remove_parts(const rd_job *job, uint64_t number)
{
    char path[PATH];
    for (uint32_t r = 0; number && r < rd_ranks_count(job->ranks); r++) {
        part_path(job, number, r, path);
        (void)unlink(path); /* what cannot be removed is in nobody's way */
    }
}

/* All files that are parts or were to become ones, also of runs that were killed while they wrote. */
static void clear_folder(const char *folder)
{
    static const char *const ours[] = {"part-", ".part-", ".manifest."};
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
            if (strncmp(entry->d_name, ours[i], strlen(ours[i])) == 0)
                (void)unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
}

rd_status rd__checkpoint_write(rd_job *job, rd__freeze_fn *move, void *user, rd_report *report, rd_error *err)
{
    struct rd__checkpoint *own = job->checkpoint;
    const double began = rd_now();
    cut at = {job, report, move, user, own->number + 1};
    char path[PATH];
    rd_error why = {.status = RD_OK};
    part_path(job, at.number, rd_ranks_rank(job->ranks), path);
    uint64_t bad = rd__freeze_to(path, move_part, &at, &why) != RD_OK;
    RD_TRY(rd_ranks_sum(job->ranks, &bad, 1, err));
    if (!bad && rd_ranks_rank(job->ranks) == 0)
        bad = complete(job, at.number, &why) != RD_OK;
    RD_TRY(rd_ranks_sum(job->ranks, &bad, 1, err)); /* so that nobody takes a part for complete that is not */
    if (bad) {
        if (why.status != RD_OK)
            rd__log(RD_LOG_WARN, "a checkpoint could not be written; the run goes on, and the one before stays: %s",
                    why.text);
    } else {
        if (rd_ranks_rank(job->ranks) == 0)
            remove_parts(job, own->number);
        own->number = at.number;
        own->written++;
    }
    own->last = rd_now();
    own->write_s += own->last - began;
    job->ranks->waited = 0;
    return RD_OK;
}

/* ---- Going on ---- */

static rd_status load(rd_job *job, cut *at, rd_error *err)
{
    struct rd__checkpoint *own = job->checkpoint;
    const uint32_t ranks = rd_ranks_count(job->ranks);
    rd_checkpoint there;
    char path[PATH];
    RD_TRY(rd_checkpoint_read(own->folder, &there, err));
    rd_free(there.note);
    if (strcmp(there.app, job->app->info.name) != 0)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint is of %s, not of %s", own->folder, there.app,
                        job->app->info.name);
    if (there.ranks != ranks)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint is of %u rank%s, and here %s %u", own->folder, there.ranks,
                        there.ranks == 1 ? "" : "s", ranks == 1 ? "is" : "are", ranks);
    own->number = at->number = there.number;
    own->before_s = there.seconds;
    own->began = rd_now() - there.seconds;
    part_path(job, there.number, rd_ranks_rank(job->ranks), path);
    return rd__freeze_from(path, move_part, at, err);
}

rd_status rd__checkpoint_begin(rd_job *job, rd__freeze_fn *move, void *user, rd_report *report, int *resumed,
                               rd_error *err)
{
    struct rd__checkpoint *own = job->checkpoint;
    cut at = {job, report, move, user, 0};
    *resumed = own && own->resumes;
    if (!own)
        return RD_OK;
    own->number = own->written = 0;
    own->write_s = own->before_s = 0;
    own->began = rd_now();
    if (own->resumes)
        RD_TRY(load(job, &at, err));
    own->resumes = 0; /* a run after this one begins anew */
    own->last = rd_now();
    return RD_OK;
}

void rd__checkpoint_end(rd_job *job, rd_report *report)
{
    const struct rd__checkpoint *own = job->checkpoint;
    char path[PATH];
    if (!own)
        return;
    if (rd_ranks_rank(job->ranks) == 0) {
        manifest_path(own->folder, path);
        (void)unlink(path); /* first: parts without it are none */
        clear_folder(own->folder);
    }
    rd__measure(report, "checkpoints", (double)own->written);
    rd__measure(report, "checkpoint_s", own->write_s);
    if (own->before_s > 0)
        rd__measure(report, "before_s", own->before_s);
}
