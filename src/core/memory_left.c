/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_left.c - see memory_left.h. The least of
 *
 *   - the machine's memory: /proc/meminfo;
 *   - control groups: the limits of the process' own group and of each group above it, since all of them hold. Of
 *     version 2 memory.max and memory.high (beyond the one it is killed, beyond the other it hardly gets on), of
 * version 1 memory.limit_in_bytes, where a group above counts unless its memory.use_hierarchy is 0. Both versions may
 * be there at once. What a group uses includes cached files, which give way: they are not counted as used;
 *   - limits of the process: address space (ulimit -v) and data (ulimit -d), less what it has taken of them.
 *
 * Where the groups are: /proc/self/cgroup names the group, /proc/self/mountinfo the folder that shows them, which in a
 * container may show a part of the tree only: the part's root is taken off the group's name, and what is above it
 * cannot be seen. Files that are not there limit nothing. No memory is allocated: who asks may have none.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/memory_left.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 1024, TEXT_ROOM = 64 << 10 };

struct look {
    const char *root;
    uint64_t total, left;
    char text[TEXT_ROOM]; /* of a file */
    char path[PATH_ROOM]; /* of a file in a group's folder */
};

/* Reads the beginning of a file into look->text, with lines whole. @return 1 when there is anything. */
static int slurp(struct look *look, const char *path)
{
    size_t used = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    look->text[0] = '\0';
    if (fd < 0)
        return 0;
    for (ssize_t got = 1; got > 0 && used<TEXT_ROOM - 1; used += got> 0 ? (size_t)got : 0)
        got = read(fd, look->text + used, TEXT_ROOM - 1 - used); /* /proc gives a piece at a time */
    close(fd);
    look->text[used] = '\0';
    return used > 0;
}

static int slurp_below(struct look *look, const char *path)
{
    const int length = snprintf(look->path, sizeof look->path, "%s%s", look->root, path);
    return length > 0 && (size_t)length < sizeof look->path && slurp(look, look->path);
}

/* The number after `key` at the beginning of a line of look->text; UINT64_MAX: none, or a word such as "max". */
static uint64_t number_after(const struct look *look, const char *key)
{
    const size_t length = strlen(key);
    for (const char *line = look->text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, key, length) == 0) {
            const char *at = line + length + strspn(line + length, " \t");
            return *at >= '0' && *at <= '9' ? strtoull(at, NULL, 10) : UINT64_MAX;
        }
    return UINT64_MAX;
}

static void narrow(struct look *look, uint64_t limit, uint64_t used)
{
    if (limit == UINT64_MAX)
        return;
    const uint64_t rest = limit > used ? limit - used : 0;
    look->total = limit < look->total ? limit : look->total;
    look->left = rest < look->left ? rest : look->left;
}

/* ---- Control groups ---- */

typedef struct version {
    const char *file_system;  /* in mountinfo */
    const char *limit, *high; /* high: NULL, there is none */
    const char *used;
    const char *inactive, *active; /* cached files, in memory.stat */
} version;
static const version versions[] = {
    {"cgroup2", "memory.max", "memory.high", "memory.current", "inactive_file", "active_file"},
    {"cgroup", "memory.limit_in_bytes", NULL, "memory.usage_in_bytes", "total_inactive_file", "total_active_file"},
};

/* A file of the group, in the folder of `length` bytes at look->path; the path is cut back to that. */
static uint64_t number_in(struct look *look, size_t length, const char *file, const char *key)
{
    const size_t room = sizeof look->path - length;
    const int used = snprintf(look->path + length, room, "/%s", file);
    const int fits = used > 0 && (size_t)used < room;
    const uint64_t number = fits && slurp(look, look->path) ? number_after(look, key) : UINT64_MAX;
    look->path[length] = '\0';
    return number;
}

static uint64_t or_none(uint64_t number)
{
    return number == UINT64_MAX ? 0 : number;
}

static void look_at_group(struct look *look, const version *v, size_t length, int is_own)
{
    uint64_t limit = number_in(look, length, v->limit, "");
    const uint64_t high = v->high ? number_in(look, length, v->high, "") : UINT64_MAX;
    limit = high < limit ? high : limit;
    if (limit == UINT64_MAX || (!is_own && !v->high && number_in(look, length, "memory.use_hierarchy", "") == 0))
        return;
    uint64_t used = or_none(number_in(look, length, v->used, ""));
    const uint64_t cached = or_none(number_in(look, length, "memory.stat", v->inactive)) +
                            or_none(number_in(look, length, "memory.stat", v->active));
    used -= cached < used ? cached : used;
    narrow(look, limit, used);
}

/* The group and all above it, up to the folder where the tree is mounted. group: "/" or "/a/b". */
static void look_at_groups(struct look *look, const version *v, const char *mounted, const char *group)
{
    const int folder = snprintf(look->path, sizeof look->path, "%s%s", look->root, mounted);
    if (folder < 0 || (size_t)folder >= sizeof look->path)
        return;
    const size_t top = (size_t)folder;
    int used = snprintf(look->path + top, sizeof look->path - top, "%s", strcmp(group, "/") == 0 ? "" : group);
    if (used < 0 || (size_t)used >= sizeof look->path - top)
        return;
    size_t length = top + (size_t)used;
    for (int is_own = 1;; is_own = 0) {
        look_at_group(look, v, length, is_own);
        if (length <= top)
            return;
        while (length > top && look->path[length - 1] != '/')
            length--;
        length -= length > top; /* and the slash */
        look->path[length] = '\0';
    }
}

/* Is `word` one of the comma-separated words of the list, which ends at a space, a colon or the end of a line? */
static int lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (;;) {
        const size_t item = strcspn(list, ",: \n");
        if (item == length && strncmp(list, word, length) == 0)
            return 1;
        if (list[item] != ',')
            return 0;
        list += item + 1;
    }
}

static int copy_word(const char *at, const char *ends, char *out, size_t room)
{
    const size_t length = strcspn(at, ends);
    if (length == 0 || length >= room)
        return 0;
    memcpy(out, at, length);
    out[length] = '\0';
    return 1;
}

/* "N:memory:/a/b" of version 1, "0::/a/b" of version 2. @return 1 with the group's name. */
static int find_group(struct look *look, const version *v, char *group, size_t room)
{
    if (!slurp_below(look, "/proc/self/cgroup"))
        return 0;
    for (const char *line = look->text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!name || name > line + strcspn(line, "\n"))
            continue;
        const int fits = v->high ? controllers + 1 == name : lists(controllers + 1, "memory");
        if (fits && name[1] == '/')
            return copy_word(name + 1, "\n", group, room);
    }
    return 0;
}

/* "ID PARENT DEVICE ROOT FOLDER OPTIONS [...] - TYPE SOURCE OPTIONS". @return 1 with root and folder. */
static int find_mount(struct look *look, const version *v, char *shown, char *folder, size_t room)
{
    if (!slurp_below(look, "/proc/self/mountinfo"))
        return 0;
    for (char *line = look->text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        const char *at = line, *type = strstr(line, " - ");
        for (int i = 0; at && i < 3; i++)
            at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL;
        const char *second = at ? strchr(at, ' ') : NULL, *source = type ? strchr(type + 3, ' ') : NULL;
        const char *super = source ? strchr(source + 1, ' ') : NULL;
        if (!second || !super || !lists(type + 3, v->file_system) || (!v->high && !lists(super + 1, "memory")))
            continue;
        if (copy_word(at, " ", shown, room) && copy_word(second + 1, " ", folder, room))
            return 1;
    }
    return 0;
}

static void ask_groups(struct look *look, const version *v)
{
    char group[PATH_ROOM], shown[PATH_ROOM], folder[PATH_ROOM];
    const char *name = group;
    if (!find_group(look, v, group, sizeof group) || !find_mount(look, v, shown, folder, sizeof folder))
        return;
    const size_t length = strcmp(shown, "/") == 0 ? 0 : strlen(shown);
    if (strncmp(group, shown, length) == 0 && (group[length] == '/' || group[length] == '\0'))
        name = group[length] ? group + length : "/";
    if (strncmp(name, "/..", 3) == 0) /* outside of what is shown */
        name = "/";
    look_at_groups(look, v, folder, name);
}

/* ---- The machine and the process ---- */

static uint64_t kib(uint64_t number)
{
    return number > UINT64_MAX >> 10 ? UINT64_MAX : number << 10;
}

static void ask_process(struct look *look)
{
    unsigned long long pages[6] = {0};
    const long page = sysconf(_SC_PAGESIZE);
    if (slurp_below(look, "/proc/self/statm") && sscanf(look->text, "%llu %llu %llu %llu %llu %llu", &pages[0],
                                                        &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]) != 6)
        memset(pages, 0, sizeof pages);
    if (page <= 0 || !slurp_below(look, "/proc/self/limits"))
        return;
    narrow(look, number_after(look, "Max address space"), pages[0] * (uint64_t)page);
    narrow(look, number_after(look, "Max data size"), pages[5] * (uint64_t)page);
}

void rd__memory_ask(const char *root, uint64_t *total, uint64_t *left)
{
    static const char *const names[] = {"MemAvailable:", "MemFree:"}; /* old kernels have only the second */
    struct look look = {.root = root, .total = UINT64_MAX, .left = UINT64_MAX};
    if (slurp_below(&look, "/proc/meminfo")) {
        look.total = kib(number_after(&look, "MemTotal:"));
        for (int i = 0; i < 2 && look.left == UINT64_MAX; i++)
            look.left = kib(number_after(&look, names[i]));
    }
    for (int i = 0; i < 2; i++)
        ask_groups(&look, &versions[i]);
    ask_process(&look);
    *total = look.total;
    *left = look.left;
}
