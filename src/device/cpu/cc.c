/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cc.c - see cc.h.
 *
 * The compiler is $RADDLE_CC (words, as "ccache gcc"), else the first of cc, gcc and clang on the path. It is started
 * without a shell, reads one text (source.h) from its standard input, and writes into a folder that mkdtemp made, mode
 * 700, which is gone when it has ended. Source and messages are files without a name (memfd): nothing waits for a pipe.
 *
 * Somebody waits for it, and nearly all of its time goes into optimising. So a text that says where (rd_kernel_apart of
 * dialect/cpu.h) is compiled in two parts at the same time, from the same text: one kernel, which often runs seldom
 * itself, so that it need not be optimised much, and the rest. Both together take up to a tenth longer than the
 * whole, by the processor.
 *
 * As in the build (Makefile, BRANCHES) jumps are kept off multiples of 32 bytes on x86. gcc has its assembler do it,
 * clang has an option, old ones have neither; which it is shows when one says no, within a few ms.
 */
#define _GNU_SOURCE /* memfd_create */
#include "device/cpu/cc.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/sink.h"
#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define BRANCHES_WORD "mbranches-within-32B-boundaries"
static const char *const BRANCHES[] = {
#if defined(__x86_64__)
    "-Wa,-" BRANCHES_WORD, "-" BRANCHES_WORD,
#endif
    ""};

enum { MAX_WORDS = 64, OTHER_WORDS = 8, LINE_ROOM = 4096, MESSAGE_ROOM = 900, IMAGE_MAX = 1 << 28 };

/* ---- The compiler ---- */

/* Looks for an executable file as execvp would. */
static int find_on_path(const char *name, char *path, struct stat *info)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        const int n = snprintf(path, RD__CPU_CC_PATH, "%s", name);
        return n < RD__CPU_CC_PATH && access(path, X_OK) == 0 && stat(path, info) == 0 && S_ISREG(info->st_mode);
    }
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        const size_t length = strcspn(at, ":");
        const int n = snprintf(path, RD__CPU_CC_PATH, "%.*s/%s", (int)length, at, name);
        if (length && n < RD__CPU_CC_PATH && access(path, X_OK) == 0 && stat(path, info) == 0 && S_ISREG(info->st_mode))
            return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}

rd_status rd__cpu_cc_find(rd__cpu_cc *cc, rd_error *err)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *asked = getenv("RADDLE_CC");
    *cc = (rd__cpu_cc){.words = 0};
    if (asked && *asked) {
        char *rest = cc->text;
        if (snprintf(cc->text, sizeof cc->text, "%s", asked) >= (int)sizeof cc->text)
            return rd__fail(err, RD_EBUILD, "RADDLE_CC is too long");
        for (char *word = strtok_r(rest, " ", &rest); word && cc->words < 8; word = strtok_r(NULL, " ", &rest))
            cc->word[cc->words++] = word;
        if (cc->words && find_on_path(cc->word[0], cc->path, &cc->info))
            return RD_OK;
        return rd__fail(err, RD_EBUILD,
                        "RADDLE_CC names the C compiler '%.100s', and there is no such program; own tasks run on GPUs "
                        "without one",
                        asked);
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (find_on_path(usual[i], cc->path, &cc->info)) {
            snprintf(cc->text, sizeof cc->text, "%s", usual[i]);
            cc->word[cc->words++] = cc->text;
            return RD_OK;
        }
    return rd__fail(err, RD_EBUILD,
                    "the CPU runs own tasks, and what proves their results, with the system's C compiler, and there is "
                    "none (cc, gcc, clang); install one or name it in RADDLE_CC. GPUs run tasks without");
}

/* ---- Files without a name ---- */

rd_status rd__cpu_memory_file(const char *what, const char *data, size_t bytes, int *out, rd_error *err)
{
    const int fd = memfd_create(what, MFD_CLOEXEC);
    if (fd < 0 || rd__write_all(fd, data, bytes) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        rd__fail(err, RD_EBUILD, "%s: a file in memory cannot be made: %s", what, strerror(errno));
        if (fd >= 0)
            close(fd);
        return RD_EBUILD;
    }
    *out = fd;
    return RD_OK;
}

/* All of a file. @return NULL when it cannot be read. */
static char *read_file(int fd, size_t most, size_t *bytes)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || info.st_size < 0 || (uint64_t)info.st_size > most)
        return NULL;
    char *data = rd__malloc((size_t)info.st_size + 1);
    size_t used = 0;
    while (data && used < (size_t)info.st_size) {
        const ssize_t n = pread(fd, data + used, (size_t)info.st_size - used, (off_t)used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    if (data)
        data[used] = '\0';
    *bytes = used;
    return data;
}

/* ---- Compiling ---- */

/* Words of text, "-DA=1 -DB=2", behind the others. */
static int add_words(char *text, char **word, int count)
{
    char *rest = text;
    for (char *at = strtok_r(text, " ", &rest); at && count < MAX_WORDS - 1; at = strtok_r(NULL, " ", &rest))
        word[count++] = at;
    return count;
}

/* One start of the compiler. */
typedef struct call {
    const char *flags;               /* its words, but for files: a path may have spaces in it */
    const char *text;                /* what it reads; NULL: nothing */
    char *object[2];                 /* what it links; NULL: nothing */
    char path[RD__CPU_CC_PATH + 16]; /* what it makes */
    int ticket;                      /* ... which an interrupt removes */
    int source, messages;            /* files without a name; -1: none */
    pid_t child;                     /* 0: not started */
    int code;                        /* its exit status */
} call;

static void call_new(call *c, const char *flags, const char *text, const char *folder, const char *name)
{
    *c = (call){.flags = flags, .text = text, .source = -1, .messages = -1};
    snprintf(c->path, sizeof c->path, "%s/%s", folder, name);
    c->ticket = rd__temporary_add(AT_FDCWD, c->path, RD__TEMPORARY_SCRATCH);
}

static void call_free(call *c)
{
    if (c->source >= 0)
        close(c->source);
    if (c->messages >= 0)
        close(c->messages);
    (void)unlink(c->path);
    rd__temporary_forget(c->ticket);
}

static rd_status spawn(const rd__cpu_cc *cc, char **word, call *c, rd_error *err)
{
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0)
        return rd__fail_memory(err, "the start of a compiler", sizeof files);
    int failed = posix_spawn_file_actions_adddup2(&files, c->source, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, c->messages, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, c->messages, 2);
    failed = failed ? failed : posix_spawn(&c->child, cc->path, &files, NULL, word, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed) {
        c->child = 0;
        return rd__fail(err, RD_EBUILD, "the C compiler %s cannot be started: %s", cc->path, strerror(failed));
    }
    return RD_OK;
}

static rd_status call_start(const rd__cpu_cc *cc, call *c, rd_error *err)
{
    static char output[] = "-o", mathematics[] = "-lm";
    char line[LINE_ROOM], *word[MAX_WORDS + OTHER_WORDS];
    int count = 0;
    snprintf(line, sizeof line, "%s", c->flags);
    for (; count < cc->words; count++)
        word[count] = cc->word[count];
    count = add_words(line, word, count);
    word[count++] = output;
    word[count++] = c->path;
    for (int i = 0; i < 2 && c->object[i]; i++)
        word[count++] = c->object[i];
    word[count++] = mathematics; /* behind what calls it; ignored where nothing is linked */
    word[count] = NULL;
    const char *text = c->text ? c->text : "";
    RD_TRY(rd__cpu_memory_file("kernel source", text, strlen(text), &c->source, err));
    RD_TRY(rd__cpu_memory_file("messages", "", 0, &c->messages, err));
    return spawn(cc, word, c, err);
}

static rd_status call_wait(const rd__cpu_cc *cc, call *c, rd_error *err)
{
    int status = 0;
    while (c->child && waitpid(c->child, &status, 0) < 0)
        if (errno != EINTR)
            return rd__fail(err, RD_EBUILD, "the C compiler %s was lost: %s", cc->path, strerror(errno));
    c->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return RD_OK;
}

/* @return the first line that is an error, else all. */
static const char *first_error(const char *said, int *length)
{
    const char *from = strstr(said, "error:");
    while (from && from > said && from[-1] != '\n')
        from--;
    from = from ? from : said;
    *length = (int)strcspn(from, "\n");
    return from;
}

/* What the compiler said: in the error, or where there is no room for it all of it in the log and the first in the
 * error. */
static rd_status refused(const rd__cpu_cc *cc, const char *name, const call *c, rd_error *err)
{
    size_t bytes = 0;
    char *text = read_file(c->messages, 1 << 20, &bytes);
    const char *said = text && bytes ? text : "(it said nothing)";
    int length = MESSAGE_ROOM;
    if (bytes > MESSAGE_ROOM) {
        rd__log(RD_LOG_ERROR, "%s on %s:\n%s", cc->path, name, said);
        said = first_error(said, &length);
    }
    rd__fail(err, RD_EBUILD, "%s could not compile %s (exit status %d)%s:\n%.*s", cc->word[0], name, c->code,
             bytes > MESSAGE_ROOM ? ", first" : "", length < MESSAGE_ROOM ? length : MESSAGE_ROOM, said);
    rd__free(text);
    return RD_EBUILD;
}

/* Runs all of them at the same time. The first that fails has the word: what is wrong with a text, all say. */
static rd_status run_calls(const rd__cpu_cc *cc, const char *name, call *calls, int count, rd_error *err)
{
    rd_status status = RD_OK;
    for (int i = 0; i < count && status == RD_OK; i++)
        status = call_start(cc, &calls[i], err);
    for (int i = 0; i < count; i++) {
        const rd_status ended = call_wait(cc, &calls[i], status == RD_OK ? err : NULL);
        status = status == RD_OK ? ended : status;
        if (status == RD_OK && (calls[i].code != 0 || access(calls[i].path, R_OK) != 0))
            status = refused(cc, name, &calls[i], err);
    }
    return status;
}

/* In two parts. A function of the user's that is not static is in both: one of them will do. */
static rd_status in_parts(const rd__cpu_cc *cc, const rd__cpu_cc_task *task, const char *folder, call *whole,
                          rd_error *err)
{
    char flags[2][LINE_ROOM];
    call part[2];
    for (int i = 0; i < 2; i++) {
        snprintf(flags[i], sizeof flags[i], "%s %s -c -DRD_CPU_PART=%d -x c -", task->flags, i ? task->second : "",
                 i + 1);
        call_new(&part[i], flags[i], task->text, folder, i ? "2.o" : "1.o");
    }
    rd_status status = run_calls(cc, task->name, part, 2, err);
    whole->flags = "-shared -Wl,-z,muldefs";
    whole->object[0] = part[0].path;
    whole->object[1] = part[1].path;
    if (status == RD_OK)
        status = run_calls(cc, task->name, whole, 1, err);
    call_free(&part[0]);
    call_free(&part[1]);
    return status;
}

static rd_status as_one(const rd__cpu_cc *cc, const rd__cpu_cc_task *task, call *whole, rd_error *err)
{
    char flags[LINE_ROOM];
    snprintf(flags, sizeof flags, "%s -shared -x c -", task->flags);
    whole->flags = flags;
    whole->text = task->text;
    return run_calls(cc, task->name, whole, 1, err);
}

/* Into *whole, with the first form of BRANCHES that the compiler knows. */
static rd_status compile(const rd__cpu_cc *cc, const rd__cpu_cc_task *task, const char *folder, call *whole,
                         rd_error *err)
{
    rd_status status = RD_OK;
    for (size_t form = 0; form < sizeof BRANCHES / sizeof BRANCHES[0]; form++) {
        char flags[RD__CPU_CC_WORDS + 64];
        rd_error said;
        rd__cpu_cc_task formed = *task;
        snprintf(flags, sizeof flags, "%s %s", BRANCHES[form], task->flags);
        formed.flags = flags;
        call_new(whole, NULL, NULL, folder, "own.so");
        status = task->second ? in_parts(cc, &formed, folder, whole, &said) : as_one(cc, &formed, whole, &said);
        if (status == RD_OK || !*BRANCHES[form] || !strstr(said.text, BRANCHES_WORD)) {
            if (status != RD_OK && err)
                *err = said;
            break;
        }
        call_free(whole);
    }
    return status;
}

rd_status rd__cpu_cc_run(const rd__cpu_cc *cc, const rd__cpu_cc_task *task, char **image, size_t *bytes, rd_error *err)
{
    const char *base = getenv("TMPDIR");
    char folder[RD__CPU_CC_PATH];
    call whole;
    snprintf(folder, sizeof folder, "%s/raddle-XXXXXX", base && *base == '/' && strlen(base) < 512 ? base : "/tmp");
    if (!mkdtemp(folder))
        return rd__fail(err, RD_EBUILD, "a folder for the compiler cannot be made (%s): %s; name another one in TMPDIR",
                        folder, strerror(errno));
    const int ticket = rd__temporary_add(AT_FDCWD, folder, RD__TEMPORARY_FOLDER);
    rd_status status = compile(cc, task, folder, &whole, err);
    const int fd = status == RD_OK ? open(whole.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (status == RD_OK) {
        *image = fd >= 0 ? read_file(fd, IMAGE_MAX, bytes) : NULL;
        if (!*image)
            status = rd__fail(err, RD_EBUILD, "what the compiler made of %s cannot be read", task->name);
    }
    if (fd >= 0)
        close(fd);
    call_free(&whole);
    (void)rmdir(folder);
    rd__temporary_forget(ticket);
    return status;
}
