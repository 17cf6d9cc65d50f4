/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - lines and blocks; text.h has the idea. */
#define _GNU_SOURCE /* memrchr */
#include "graph/read/text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BLOCK_BYTES = 1 << 20, LINE_MAX_BYTES = 1 << 20, MOMENT_NS = 50000000 };

void rd__text_init(rd__text *text, rd__source *source, const rd_graph_options *options)
{
    memset(text, 0, sizeof *text);
    text->source = source;
    text->options = options;
    rd__source_skip_mark(source);
}

void rd__text_free(rd__text *text)
{
    rd__free(text->carry);
    text->carry = NULL;
}

/* ---- Faults ---- */

void rd__text_quote(const char *at, char *out, size_t room)
{
    size_t used = 0;
    int taken = 0;
    for (; *at && *at != '\n' && *at != '\r' && *at != ' ' && *at != '\t' && used + 8 < room; at++, taken++) {
        unsigned char c = (unsigned char)*at;
        if (taken == 40) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (c >= 32 && c < 127)
            out[used++] = (char)c;
        else
            used += (size_t)snprintf(out + used, room - used, "\\x%02x", c);
    }
    out[used] = 0;
}

static int fill_fault(rd__fault *fault, const char *at, int show, const char *format, va_list args)
{
    fault->at = at;
    fault->show = show;
    vsnprintf(fault->text, sizeof fault->text, format, args);
    return 0;
}

int rd__expected(rd__fault *fault, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_fault(fault, at, 1, format, args);
    va_end(args);
    return 0;
}

int rd__wrong(rd__fault *fault, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_fault(fault, at, 0, format, args);
    va_end(args);
    return 0;
}

/* line_only: the text is one line that ends in a NUL, and not one in '\n' with a NUL somewhere. */
static rd_status fail_at(const char *name, uint64_t line, uint64_t column, const rd__fault *fault, int line_only,
                         rd_error *err)
{
    char found[200];
    if (!fault->at)
        return rd__fail(err, RD_ENOMEM, "out of host memory: the edges of %s do not fit", name);
    if (!fault->show)
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":%" PRIu64 ": %s", name, line, column, fault->text);
    rd__text_quote(fault->at, found, sizeof found);
    const char *end = fault->at[0] == 0 ? "\\x00" : NULL;
    if (!found[0] && (!end || line_only))
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":%" PRIu64 ": expected %s, found the end of the line", name,
                        line, column, fault->text);
    return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":%" PRIu64 ": expected %s, found '%s'", name, line, column,
                    fault->text, found[0] ? found : end);
}

rd_status rd__text_fail(const rd__text *text, const char *line, const rd__fault *fault, rd_error *err)
{
    return fail_at(text->source->name, text->line, fault->at ? (uint64_t)(fault->at - line) + 1 : 1, fault, 1, err);
}

/* ---- Line by line ---- */

/* Reads more into the carry, which keeps what it has. */
static rd_status read_more(rd__text *text, size_t bytes, rd_error *err)
{
    size_t kept = text->carry_end - text->carry_at, got;
    if (text->carry_at && kept)
        memmove(text->carry, text->carry + text->carry_at, kept);
    text->carry_at = 0;
    text->carry_end = kept;
    if (kept + bytes + 2 > text->carry_room) {
        char *larger = rd__realloc(text->carry, kept + bytes + 2);
        if (!larger)
            return rd__fail_memory(err, "reading a graph", kept + bytes + 2);
        text->carry = larger;
        text->carry_room = kept + bytes + 2;
    }
    RD_TRY(rd__source_read(text->source, text->carry + kept, bytes, &got, err));
    text->carry_end += got;
    text->ended = got < bytes;
    return RD_OK;
}

static rd_status line_too_long(const rd__text *text, rd_error *err)
{
    return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: the line is longer than 1 MiB: is this a text file?",
                    text->source->name, text->line + 1);
}

rd_status rd__text_line(rd__text *text, char **line, rd_error *err)
{
    *line = NULL;
    for (;;) {
        size_t bytes = text->carry_end - text->carry_at;
        char *start = bytes ? text->carry + text->carry_at : NULL, *end = bytes ? memchr(start, '\n', bytes) : NULL;
        if (!end && text->ended && bytes)
            end = start + bytes; /* the last line, without its newline: there is room for one byte more */
        if (end) {
            const char *zero = memchr(start, 0, (size_t)(end - start));
            text->carry_at = (size_t)(end - text->carry) + 1;
            if (text->carry_at > text->carry_end)
                text->carry_at = text->carry_end;
            *end = 0;
            if (end > start && end[-1] == '\r')
                end[-1] = 0;
            text->line++;
            *line = start;
            if (zero)
                return rd__fail(err, RD_EINPUT,
                                "%s:%" PRIu64 ":%" PRIu64 ": there is a zero byte in the line: is this a text file?",
                                text->source->name, text->line, (uint64_t)(zero - start) + 1);
            return RD_OK;
        }
        if (text->ended)
            return RD_OK;
        if (bytes > LINE_MAX_BYTES)
            return line_too_long(text, err);
        RD_TRY(read_more(text, 64 << 10, err));
    }
}

/* ---- In blocks ---- */

struct reading {
    rd__text *text;
    const rd__text_parser *parser;
    pthread_mutex_t lock;
    pthread_t caller; /* of the library */
    uint64_t rows, blocks;
    /* under the lock */
    int stop;
    rd_status status; /* reading failed */
    rd_error error;
    /* the first fault in the file */
    int faulty;
    uint64_t fault_line, fault_column;
    rd__fault fault;
    char found[256]; /* the fault's place, copied out of the block, with its NUL and one byte more */
};

static uint64_t count_lines(const char *text, size_t bytes)
{
    uint64_t lines = 0;
    while (bytes) {
        size_t some = bytes < 4096 ? bytes : 4096;
        unsigned in_some = 0;
        for (size_t i = 0; i < some; i++)
            in_some += text[i] == '\n';
        lines += in_some;
        text += some;
        bytes -= some;
    }
    return lines;
}

static rd_status grow_block(rd__block *block, size_t *room, size_t want, rd_error *err)
{
    if (want + 2 <= *room)
        return RD_OK;
    char *larger = rd__realloc(block->text, want + 2);
    if (!larger)
        return rd__fail_memory(err, "reading a graph", want + 2);
    block->text = larger;
    *room = want + 2;
    return RD_OK;
}

/* Locks. The thread that called the library goes on asking whether to stop, since another may hold the lock for as long
 * as a pipe is silent; if so that other is told. */
static void lock(struct reading *reading)
{
    const rd__text *text = reading->text;
    const rd__watch watch = {text->options->progress, text->options->progress_user};
    if (!watch.fn || !pthread_equal(pthread_self(), reading->caller)) {
        pthread_mutex_lock(&reading->lock);
        return;
    }
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += MOMENT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_mutex_timedlock(&reading->lock, &until) == 0)
            return;
        if (rd__watch_stops(&watch, reading->parser->what, 0, 0, "bytes"))
            rd__source_stop(text->source);
    }
}

/* Under the lock: the next block, or an empty one at the end. */
static rd_status next_block(struct reading *reading, rd__block *block, size_t *room, rd_error *err)
{
    rd__text *text = reading->text;
    size_t used = text->carry_end - text->carry_at, got;
    char *last = NULL;
    RD_TRY(grow_block(block, room, used > BLOCK_BYTES ? used : BLOCK_BYTES, err));
    if (used)
        memcpy(block->text, text->carry + text->carry_at, used);
    text->carry_at = text->carry_end = 0;
    for (;;) {
        size_t want = used < BLOCK_BYTES ? BLOCK_BYTES - used : used;
        RD_TRY(grow_block(block, room, used + want, err));
        if (!text->ended) {
            RD_TRY(rd__source_read(text->source, block->text + used, want, &got, err));
            text->ended = got < want;
            used += got;
        }
        if (text->ended)
            break;
        last = memrchr(block->text, '\n', used);
        if (last)
            break;
        if (used > LINE_MAX_BYTES && !reading->parser->long_lines)
            return line_too_long(text, err);
    }
    if (text->ended) {
        if (used && block->text[used - 1] != '\n')
            block->text[used++] = '\n';
    } else {
        size_t rest = used - (size_t)(last + 1 - block->text);
        if (rest + 2 > text->carry_room) {
            char *larger = rd__realloc(text->carry, rest + 2);
            if (!larger)
                return rd__fail_memory(err, "reading a graph", rest + 2);
            text->carry = larger;
            text->carry_room = rest + 2;
        }
        memcpy(text->carry, last + 1, rest);
        text->carry_end = rest;
        used -= rest;
    }
    block->end = block->text + used;
    *block->end = 0;
    block->first_line = text->line + 1;
    block->first_row = reading->rows;
    block->number = reading->blocks++;
    text->line += count_lines(block->text, used);
    if (reading->parser->counts)
        for (const char *line = block->text; line < block->end;
             line = (const char *)memchr(line, '\n', (size_t)(block->end - line)) + 1)
            reading->rows += reading->parser->counts(line) != 0;
    return RD_OK;
}

/* Under the lock. */
static void note_fault(struct reading *reading, const rd__block *block, const rd__fault *fault)
{
    uint64_t line = UINT64_MAX, column = 0;
    if (fault->at) {
        const char *start = fault->at;
        line = block->first_line + count_lines(block->text, (size_t)(fault->at - block->text));
        while (start > block->text && start[-1] != '\n')
            start--;
        column = (uint64_t)(fault->at - start) + 1;
    }
    reading->stop = 1;
    if (reading->faulty && reading->fault_line <= line)
        return;
    reading->faulty = 1;
    reading->fault_line = line;
    reading->fault_column = column;
    reading->fault = *fault;
    if (fault->at) {
        size_t bytes = (size_t)(block->end - fault->at);
        bytes = bytes < sizeof reading->found - 2 ? bytes : sizeof reading->found - 2;
        memcpy(reading->found, fault->at, bytes);
        reading->found[bytes] = 0;
        reading->fault.at = reading->found;
    }
}

static int is_mine(const struct reading *reading, const rd__block *block)
{
    const rd__text *text = reading->text;
    return reading->parser->all_blocks || block->number % rd_ranks_count(text->ranks) == rd_ranks_rank(text->ranks);
}

static void read_blocks(void *arg, unsigned index, unsigned threads)
{
    struct reading *reading = arg;
    const rd__text *text = reading->text;
    const rd_graph_options *options = text->options;
    rd__block block = {0};
    size_t room = 0;
    (void)threads;
    for (;;) {
        lock(reading);
        int stop = reading->stop;
        uint64_t taken = 0;
        if (!stop) {
            rd_status status = next_block(reading, &block, &room, &reading->error);
            taken = text->source->taken;
            if (status != RD_OK) {
                reading->status = status;
                reading->stop = stop = 1;
            }
        }
        pthread_mutex_unlock(&reading->lock);
        if (stop || block.text == block.end)
            break;
        rd__fault fault = {0};
        if (is_mine(reading, &block) && !reading->parser->block(reading->parser->user, index, &block, &fault)) {
            rd__source_stop(text->source); /* a thread that waits for later lines waits in vain */
            lock(reading);
            note_fault(reading, &block, &fault);
            pthread_mutex_unlock(&reading->lock);
            break;
        }
        if (index == 0 && options->progress &&
            options->progress(options->progress_user, reading->parser->what, taken, text->source->size, "bytes")) {
            rd__source_stop(text->source);
            lock(reading);
            reading->status = rd__fail(&reading->error, RD_ECANCELLED, "%s: stopped while reading", text->source->name);
            reading->stop = 1;
            pthread_mutex_unlock(&reading->lock);
            break;
        }
    }
    rd__free(block.text);
}

/* All ranks that share a text: whose fault is the first? It is that rank's to tell. A weight that is a fraction is
 * known to all: they read again. line: of this rank's fault, UINT64_MAX: it has none. */
static rd_status first_fault(rd__text *text, rd_status status, uint64_t line, rd_error *err)
{
    const uint64_t own = line == UINT64_MAX ? UINT64_MAX : line << 1 | !text->source->fraction;
    rd__tally mine = {{0}, {~own}}, all;
    RD_TRY(rd__ranks_tally(text->ranks, &mine, &all, err));
    const uint64_t first = ~all.most[0];
    text->source->fraction = first != UINT64_MAX && !(first & 1);
    if (first == own)
        return status;
    if (text->source->fraction)
        return rd__fail(err, RD_EINPUT, "%s:%" PRIu64 ":1: has a weight that is a fraction", text->source->name,
                        first >> 1);
    return rd__ranks_tally(text->ranks, &mine, &all, err); /* until that one has stopped all */
}

rd_status rd__text_blocks(rd__text *text, const rd__text_parser *parser, rd_error *err)
{
    struct reading *reading = rd__calloc(1, sizeof *reading);
    if (!reading)
        return rd__fail_memory(err, "reading a graph", sizeof *reading);
    reading->text = text;
    reading->parser = parser;
    rd_status status = RD_OK;
    reading->caller = pthread_self();
    pthread_mutex_init(&reading->lock, NULL);
    rd__parallel(text->options->threads, read_blocks, reading);
    pthread_mutex_destroy(&reading->lock);
    if (reading->faulty) {
        text->source->fraction = reading->fault.fraction;
        status = fail_at(text->source->name, reading->fault_line, reading->fault_column, &reading->fault, 0, err);
    } else if (reading->status != RD_OK) {
        status = reading->status;
        if (err)
            *err = reading->error;
    }
    const uint64_t line = reading->faulty && reading->fault.at ? reading->fault_line : UINT64_MAX;
    rd__free(reading);
    return text->ranks && (status == RD_OK || line != UINT64_MAX) ? first_fault(text, status, line, err) : status;
}

void rd__text_share(rd__text *text)
{
    if (rd__options_share(text->options))
        text->ranks = text->options->ranks;
}

rd_status rd__text_add_up(const rd__text *text, uint64_t *sum, uint32_t sums, uint64_t *most, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    if (!text->ranks)
        return RD_OK;
    memcpy(mine.sum, sum, sums * sizeof *sum);
    mine.most[0] = most ? *most : 0;
    RD_TRY(rd__ranks_tally(text->ranks, &mine, &all, err));
    memcpy(sum, all.sum, sums * sizeof *sum);
    if (most)
        *most = all.most[0];
    return RD_OK;
}
