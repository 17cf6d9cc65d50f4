/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - see compile.h.
 *
 * The compiler is $RADDLE_CC (words, as "ccache gcc"), else the first of cc, gcc and clang on the path. It is started
 * without a shell, reads one text (source.h) from its standard input, and writes into a folder that mkdtemp made, mode
 * 700, which is gone when it has ended. Source and messages are files without a name (memfd): nothing waits for a pipe.
 *
 * What it made goes into the cache of programs and from there to the loader. The loader wants a file: it gets a memfd
 * that holds the very bytes that the cache has checked (owner, mode, checksum: cache.c), so nobody can exchange them in
 * between, and a folder that forbids programs does not matter.
 */
#define _GNU_SOURCE /* memfd_create */
#include "device/cpu/compile.h"
#include "device/cpu/ahead.h"
#include "device/cpu/leave.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/temporary.h"
#include "device/cache.h"
#include "device/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_WORDS = 48, WORDS_ROOM = 1024, PATH_ROOM = 1024, LINE_ROOM = 4096, MESSAGE_ROOM = 900, IMAGE_MAX = 1 << 28 };

/* ---- The compiler ---- */

typedef struct compiler {
    char text[WORDS_ROOM]; /* its words, each ended by NUL */
    char *word[8];
    int words;
    char path[PATH_ROOM]; /* of the program itself */
    struct stat info;
} compiler;

/* Looks for an executable file as execvp would. */
static int find_on_path(const char *name, char *path, struct stat *info)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        const int n = snprintf(path, PATH_ROOM, "%s", name);
        return n < PATH_ROOM && access(path, X_OK) == 0 && stat(path, info) == 0 && S_ISREG(info->st_mode);
    }
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        const size_t length = strcspn(at, ":");
        const int n = snprintf(path, PATH_ROOM, "%.*s/%s", (int)length, at, name);
        if (length && n < PATH_ROOM && access(path, X_OK) == 0 && stat(path, info) == 0 && S_ISREG(info->st_mode))
            return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}

static rd_status find_compiler(compiler *cc, rd_error *err)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    const char *asked = getenv("RADDLE_CC");
    *cc = (compiler){.words = 0};
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

static int write_all(int fd, const char *data, size_t bytes)
{
    while (bytes) {
        const ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        data += n;
        bytes -= (size_t)n;
    }
    return 1;
}

static rd_status memory_file(const char *what, const char *data, size_t bytes, int *out, rd_error *err)
{
    const int fd = memfd_create(what, MFD_CLOEXEC);
    if (fd < 0 || !write_all(fd, data, bytes) || lseek(fd, 0, SEEK_SET) != 0) {
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

/* Constants of spec, "-DA=1 -DB=2", as words behind the others. */
static int add_words(char *text, char **word, int count)
{
    char *rest = text;
    for (char *at = strtok_r(text, " ", &rest); at && count < MAX_WORDS - 1; at = strtok_r(NULL, " ", &rest))
        word[count++] = at;
    return count;
}

static rd_status run_compiler(const compiler *cc, char **word, int source, int messages, int *code, rd_error *err)
{
    posix_spawn_file_actions_t files;
    pid_t child = 0;
    int status = 0;
    if (posix_spawn_file_actions_init(&files) != 0)
        return rd__fail_memory(err, "the start of a compiler", sizeof files);
    int failed = posix_spawn_file_actions_adddup2(&files, source, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, 2);
    failed = failed ? failed : posix_spawn(&child, cc->path, &files, NULL, word, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed)
        return rd__fail(err, RD_EBUILD, "the C compiler %s cannot be started: %s", cc->path, strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return rd__fail(err, RD_EBUILD, "the C compiler %s was lost: %s", cc->path, strerror(errno));
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return RD_OK;
}

/* What the compiler said, of which the first messages go into the error and all of it to the log. */
static rd_status refused(const rd__program_spec *spec, const compiler *cc, int code, int messages, rd_error *err)
{
    size_t bytes = 0;
    char *text = read_file(messages, 1 << 20, &bytes);
    const char *said = text && bytes ? text : "(it said nothing)";
    if (bytes > MESSAGE_ROOM)
        rd__log(RD_LOG_ERROR, "%s on %s:\n%s", cc->path, spec->name, said);
    rd__fail(err, RD_EBUILD, "%s could not compile %s (exit status %d):\n%.*s", cc->word[0], spec->own->name, code,
             MESSAGE_ROOM, said);
    rd__free(text);
    return RD_EBUILD;
}

static rd_status compile_to(const rd__program_spec *spec, const compiler *cc, const char *options, const char *text,
                            const char *path, rd_error *err)
{
    char constants[LINE_ROOM], *word[MAX_WORDS];
    int count = 0, source = -1, messages = -1, code = 0;
    snprintf(constants, sizeof constants, "%s", options);
    for (; count < cc->words; count++)
        word[count] = cc->word[count];
    count = add_words(constants, word, count);
    word[count] = NULL;
    rd_status status = memory_file("kernel source", text, strlen(text), &source, err);
    if (status == RD_OK)
        status = memory_file("messages", "", 0, &messages, err);
    if (status == RD_OK)
        status = run_compiler(cc, word, source, messages, &code, err);
    if (status == RD_OK && (code != 0 || access(path, R_OK) != 0))
        status = refused(spec, cc, code, messages, err);
    if (source >= 0)
        close(source);
    if (messages >= 0)
        close(messages);
    return status;
}

/* Compiles, in a folder that is nobody else's. */
static rd_status compile(const rd__program_spec *spec, const compiler *cc, const char *flags, const char *text,
                         char **image, size_t *bytes, rd_error *err)
{
    const char *base = getenv("TMPDIR");
    char folder[PATH_ROOM], path[PATH_ROOM + 16], options[LINE_ROOM];
    snprintf(folder, sizeof folder, "%s/raddle-XXXXXX", base && *base == '/' && strlen(base) < 512 ? base : "/tmp");
    if (!mkdtemp(folder))
        return rd__fail(err, RD_EBUILD, "a folder for the compiler cannot be made (%s): %s", folder, strerror(errno));
    snprintf(path, sizeof path, "%s/own.so", folder);
    const int folder_ticket = rd__temporary_add(AT_FDCWD, folder, RD__TEMPORARY_FOLDER);
    const int ticket = rd__temporary_add(AT_FDCWD, path, RD__TEMPORARY_SCRATCH);
    snprintf(options, sizeof options, "%s -o %s -x c - -lm", flags, path);
    rd__log(RD_LOG_INFO, "compiling %s with %s", spec->name, cc->path);
    rd_status status = strchr(folder, ' ') ? rd__fail(err, RD_EBUILD, "TMPDIR (%s) has a space in it", folder)
                                           : compile_to(spec, cc, options, text, path, err);
    const int fd = status == RD_OK ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (status == RD_OK) {
        *image = fd >= 0 ? read_file(fd, IMAGE_MAX, bytes) : NULL;
        if (!*image)
            status = rd__fail(err, RD_EBUILD, "what the compiler made of %s cannot be read", spec->own->name);
    }
    if (fd >= 0)
        close(fd);
    (void)unlink(path);
    (void)rmdir(folder);
    rd__temporary_forget(ticket);
    rd__temporary_forget(folder_ticket);
    return status;
}

/* ---- Loading ---- */

static rd__cpu_lane *get_self(void)
{
    return rd__cpu_self;
}

/* The loader takes two files of one name for the same: the descriptor, which is the name, stays open as long as the
 * library. */
typedef struct loaded {
    void *handle;
    int fd;
} loaded;

void rd__cpu_own_unload(void *library)
{
    loaded *own = library;
    if (!own)
        return;
    if (own->handle)
        (void)dlclose(own->handle);
    if (own->fd >= 0)
        close(own->fd);
    rd__free(own);
}

static rd_status open_image(const rd__program_spec *spec, const char *image, size_t bytes, loaded *own, rd_error *err)
{
    char path[64];
    RD_TRY(memory_file("own program", image, bytes, &own->fd, err));
    snprintf(path, sizeof path, "/proc/self/fd/%d", own->fd);
    own->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *said = own->handle ? NULL : dlerror();
    if (!own->handle)
        return rd__fail(err, RD_EBUILD, "the program made of %s cannot be loaded: %s", spec->own->name,
                        said ? said : "no reason given");
    return RD_OK;
}

static rd__cpu_hooks make_hooks(void)
{
    rd__cpu_hooks hooks = {.get_self = get_self,
                           .group_barrier = rd__cpu_group_barrier,
                           .group_memory = rd__cpu_group_memory,
                           .pause = rd__cpu_pause,
                           .idle = rd__cpu_idle,
                           .wait = rd__cpu_wait,
                           .breach = rd__cpu_leave_breach};
#ifdef RD_CPU_THREAD_POINTER
    hooks.self = (char *)&rd__cpu_self - (char *)__builtin_thread_pointer();
#endif
    return hooks;
}

static rd_status load(const rd__program_spec *spec, const char *image, size_t bytes, void **library,
                      const rd__cpu_kernel_entry **table, rd_error *err)
{
    const rd__cpu_hooks hooks = make_hooks();
    const rd__cpu_kernel_entry *(*entry)(const rd__cpu_hooks *) = NULL;
    loaded *own = rd__calloc(1, sizeof *own);
    if (!own)
        return rd__fail_memory(err, "a program", sizeof *own);
    own->fd = -1;
    rd_status status = open_image(spec, image, bytes, own, err);
    void *address = status == RD_OK ? dlsym(own->handle, "rd__cpu_own_table") : NULL;
    memcpy(&entry, &address, sizeof entry); /* ISO C has no cast from object to function pointer; POSIX does */
    if (status == RD_OK && !entry)
        status = rd__fail(err, RD_EBUILD, "the program made of %s has no kernels", spec->own->name);
    if (status != RD_OK) {
        rd__cpu_own_unload(own);
        return status;
    }
    *library = own;
    *table = entry(&hooks);
    return RD_OK;
}

rd_status rd__cpu_own_load(const rd__program_spec *spec, int wide, int debug, int use_cache, void **library,
                           const rd__cpu_kernel_entry **table, rd_error *err)
{
    /* As the build compiles the library's own kernels. Groups of several lanes are for tests: half of it will do. Loops
     * are aligned: by where they happened to lie fib was up to 4 % slower than the library's. */
    char flags[WORDS_ROOM], *text = NULL, *image = NULL;
    compiler cc;
    size_t bytes = 0;
    *library = NULL;
    const rd__cpu_hooks hooks = make_hooks();
    *table = wide || debug ? NULL : rd__cpu_ahead_find(spec, &hooks);
    if (*table)
        return RD_OK;
    const int n = snprintf(flags, sizeof flags,
                           "-std=gnu11 -%s -w -fPIC -shared -fvisibility=hidden "
                           "-fno-math-errno -fno-trapping-math -falign-loops=32 "
                           "-DRD_TARGET_CPU=1 -DRD_CPU_OWN=1 -DRD_CPU_WIDE=%d %s%s %s",
                           wide ? "O1" : "O3", wide, debug ? "-DRD_CPU_DEBUG=1 " : "",
                           spec->constants ? spec->constants : "", spec->defines ? spec->defines : "");
    if (n < 0 || (size_t)n >= sizeof flags)
        return rd__fail(err, RD_EARG, "too many constants for program %s", spec->name);
    RD_TRY(find_compiler(&cc, err));
    RD_TRY(rd__source_assemble(spec->root, spec->own, spec->engine, 1, &text, err));
    rd__hash key = {{0, 0}};
    rd__hash_text(&key, "cpu");
    rd__hash_text(&key, text);
    rd__hash_text(&key, flags);
    rd__hash_text(&key, cc.path);
    for (int i = 1; i < cc.words; i++)
        rd__hash_text(&key, cc.word[i]);
    rd__hash_add(&key, &cc.info.st_size, sizeof cc.info.st_size);
    rd__hash_add(&key, &cc.info.st_mtim, sizeof cc.info.st_mtim);
    void *found = NULL;
    rd_status status = RD_OK;
    const int hit = use_cache && rd__cache_get(&key, &found, &bytes);
    if (hit)
        image = found;
    else
        status = compile(spec, &cc, flags, text, &image, &bytes, err);
    if (status == RD_OK)
        status = load(spec, image, bytes, library, table, err);
    if (status == RD_OK && !hit && use_cache)
        rd__cache_put(&key, image, bytes);
    rd__free(image);
    rd__free(text);
    return status;
}
