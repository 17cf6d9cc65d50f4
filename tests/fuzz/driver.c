/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver.c - a main for fuzz targets where clang's libFuzzer is not there; any compiler with ASan and UBSan will do.
 *
 *   fuzz_NAME [-runs=N] [-max_total_time=SECONDS] [-max_len=BYTES] [-timeout=SECONDS] [-seed=N]
 *             [-artifact_prefix=PATH] FOLDER...          or    fuzz_NAME FILE...
 *
 * The options are libFuzzer's, and other options of it are ignored. Every file in the folders is a seed: it is given to
 * the target as it is, then changed ones are (mutate.c), until there were so many runs or so much time. With files
 * instead, these are run and nothing else, to see a failure again. The same seeds and the same -seed give the same
 * inputs; 0 or none takes one from the clock and says it.
 *
 * It is not guided by coverage: it never learns that an input went where none went before, and does not grow a corpus.
 * So it is good for many cheap inputs that are near to the seeds, and no better than its seeds; libFuzzer is preferred
 * where there is one.
 *
 * Nothing is written before a run. The input is in memory, and when the target fails its bytes go to the artifact
 * prefix
 * + "crash-HASH" ("timeout-HASH" when it takes too long) by open and write alone: from ASan's death callback, or from a
 * signal's handler for abort() and for UBSan, which is told to abort as well.
 */
#define _XOPEN_SOURCE 700
#include "mutate.h"

#include <dirent.h>
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
const char *__ubsan_default_options(void);

enum { EXIT_FOUND = 77, PATH_ROOM = 4096, SEED_MAX = 1 << 20 };

static struct {
    unsigned long long runs, seed;
    size_t most;
    unsigned seconds, timeout;
    int no_end;
} option = {.most = 4096, .timeout = 1200, .no_end = 1};

static fuzz_pool pool;
static unsigned long long done;
static double started;

/* UBSan's runtime is apart from ASan's with some compilers, and then has no callback. It asks this by name. */
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

/* ---- When the target fails: only what a signal handler may call ---- */

static const uint8_t *volatile running; /* NULL between runs */
static volatile size_t running_bytes;
static volatile sig_atomic_t kept, run_number, seen_run, ticks;
static char artifact[PATH_ROOM]; /* the prefix, with room behind it */
static size_t artifact_prefix;

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody is there to be told */
}

static void keep_input(const char *kind)
{
    static const char digit[] = "0123456789abcdef";
    const uint8_t *data = (const uint8_t *)running;
    const size_t bytes = running_bytes;
    size_t at = artifact_prefix, put = 0;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    if (!data || kept)
        return;
    kept = 1;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ data[i]) * 0x100000001b3u;
    while (*kind)
        artifact[at++] = *kind++;
    for (int shift = 60; shift >= 0; shift -= 4)
        artifact[at++] = digit[hash >> shift & 15];
    artifact[at] = '\0';
    const int fd = open(artifact, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while (fd >= 0 && put < bytes) {
        const ssize_t n = write(fd, data + put, bytes - put);
        if (n <= 0)
            break;
        put += (size_t)n;
    }
    if (fd >= 0 && close(fd) == 0 && put == bytes)
        say("fuzz: the input is kept in ");
    else
        say("fuzz: the input could NOT be kept in ");
    say(artifact);
    say("\n");
}

static void on_death(void)
{
    keep_input("crash-");
}

static void on_signal(int number)
{
    say(number == SIGABRT ? "fuzz: the target aborted\n" : "fuzz: the target got a signal\n");
    keep_input("crash-");
    _exit(EXIT_FOUND);
}

/* Sixty times in the time that an input may take: is it still the same one? */
static void on_tick(int number)
{
    (void)number;
    ticks = seen_run == run_number ? ticks + 1 : 0;
    seen_run = run_number;
    if (running && ticks >= 60) {
        say("fuzz: the target takes too long\n");
        keep_input("timeout-");
        _exit(EXIT_FOUND);
    }
}

static void watch(void)
{
    static const int fatal[] = {SIGABRT, SIGILL, SIGTRAP, SIGSYS}; /* ASan has the others, and says more of them */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &action, NULL);
    __asan_set_death_callback(on_death);
    if (option.timeout) {
        const long step = (long)option.timeout * 1000000 / 60;
        const struct timeval period = {step / 1000000, step % 1000000};
        action = (struct sigaction){.sa_handler = on_tick, .sa_flags = SA_RESTART};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &(struct itimerval){period, period}, NULL);
    }
}

/* ---- Runs ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void run(const uint8_t *data, size_t bytes)
{
    running_bytes = bytes;
    running = data;
    LLVMFuzzerTestOneInput(data, bytes);
    running = NULL;
    run_number = (run_number + 1) & 0xffff;
    done++;
}

static void report(const char *how)
{
    const double seconds = now() - started;
    fprintf(stderr, "%s %llu runs in %.1f s, %.0f runs/s\n", how, done, seconds,
            seconds > 0 ? (double)done / seconds : 0);
}

/* The clock is asked, and progress told, after powers of two and then after each 2^20. */
static int goes_on(void)
{
    if (!option.no_end && done >= option.runs)
        return 0;
    if (done % 256 == 0 && option.seconds && now() - started >= option.seconds)
        return 0;
    if (done >= 1 << 16 && ((done & (done - 1)) == 0 || done % (1 << 20) == 0))
        report("fuzz:");
    return 1;
}

static int mutate_all(void)
{
    uint8_t *input = malloc(option.most ? option.most : 1);
    if (!input)
        return 0;
    for (size_t i = 0; i < pool.seeds; i++)
        run(pool.seed[i].data, pool.seed[i].bytes);
    while (goes_on()) {
        const size_t bytes = fuzz_mutate(&pool, input);
        run(input, bytes);
    }
    free(input);
    return 1;
}

/* ---- Seeds ---- */

/* @return NULL when it cannot be read: it is left out. */
static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = file ? malloc(SEED_MAX) : NULL;
    int good = 0;
    if (data) {
        *bytes = fread(data, 1, SEED_MAX, file);
        good = !ferror(file);
    }
    if (file)
        fclose(file);
    if (!good) {
        fprintf(stderr, "fuzz: %s cannot be read and is left out\n", path);
        free(data);
        return NULL;
    }
    uint8_t *fitting = realloc(data, *bytes ? *bytes : 1);
    return fitting ? fitting : data;
}

static int is_plain(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* In the order of their names, so that inputs do not depend on the file system. */
static int add_folder(const char *folder)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, NULL, alphasort);
    int good = 1;
    if (entries < 0) {
        fprintf(stderr, "fuzz: folder %s cannot be read\n", folder);
        return 0;
    }
    for (int i = 0; i < entries; i++) {
        char path[PATH_ROOM];
        size_t bytes = 0;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        uint8_t *data = good && length > 0 && length < PATH_ROOM && is_plain(path) ? read_file(path, &bytes) : NULL;
        if (data && !fuzz_pool_add(&pool, data, bytes)) {
            free(data);
            good = 0;
        }
        free(entry[i]);
    }
    free(entry);
    if (!good)
        fprintf(stderr, "fuzz: there is no memory for the seeds\n");
    return good;
}

static int run_file(const char *path)
{
    size_t bytes = 0;
    uint8_t *data = read_file(path, &bytes);
    if (!data)
        return 0;
    fprintf(stderr, "fuzz: %s\n", path);
    run(data, bytes);
    free(data);
    return 1;
}

/* ---- Options ---- */

static int number(const char *arg, const char *name, unsigned long long *value)
{
    const size_t length = strlen(name);
    char *end;
    if (strncmp(arg, name, length) != 0)
        return 0;
    *value = strtoull(arg + length, &end, 10); /* -1: as many as there are */
    if (end == arg + length || *end) {
        fprintf(stderr, "fuzz: %s: not a number\n", arg);
        exit(2);
    }
    return 1;
}

static void take_option(const char *arg)
{
    static const char prefix[] = "-artifact_prefix=";
    unsigned long long value;
    if (number(arg, "-runs=", &value)) {
        option.runs = value;
        option.no_end = arg[sizeof "-runs=" - 1] == '-';
    } else if (number(arg, "-seed=", &value)) {
        option.seed = value;
    } else if (number(arg, "-max_len=", &value)) {
        option.most = value && value < SEED_MAX ? (size_t)value : SEED_MAX;
    } else if (number(arg, "-max_total_time=", &value)) {
        option.seconds = (unsigned)value;
    } else if (number(arg, "-timeout=", &value)) {
        option.timeout = value < 1000000 ? (unsigned)value : 1000000;
    } else if (strncmp(arg, prefix, sizeof prefix - 1) == 0) {
        artifact_prefix = strlen(arg + sizeof prefix - 1);
        if (artifact_prefix + 64 > sizeof artifact) {
            fprintf(stderr, "fuzz: the artifact prefix is too long\n");
            exit(2);
        }
        memcpy(artifact, arg + sizeof prefix - 1, artifact_prefix);
    }
}

int main(int count, char **arg)
{
    int files = 0, good = 1;
    for (int i = 1; i < count; i++)
        if (arg[i][0] == '-')
            take_option(arg[i]);
        else
            files += is_plain(arg[i]);
    if (!option.seed)
        option.seed = (unsigned long long)time(NULL) ^ (unsigned long long)getpid() << 32;
    if (!fuzz_pool_init(&pool, option.seed, option.most)) {
        fprintf(stderr, "fuzz: there is no memory\n");
        return 2;
    }
    watch();
    started = now();
    for (int i = 1; i < count && good; i++)
        if (arg[i][0] != '-')
            good = !files ? add_folder(arg[i]) : is_plain(arg[i]) ? run_file(arg[i]) : 1;
    if (good && !files) {
        fprintf(stderr, "fuzz: %zu seeds, -seed=%llu, not guided by coverage\n", pool.seeds, option.seed);
        good = fuzz_pool_words(&pool) && mutate_all();
    }
    report("Done");
    fuzz_pool_free(&pool);
    return good ? 0 : 2;
}
