/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.c - sinks as C streams, for programs (tool.h).
 *
 * A stream cuts what is written wherever its buffer is full. For RD_OUTPUT_LINES the pieces are put together again
 * here, and the sink gets whole lines only.
 */
#define _GNU_SOURCE /* fopencookie */
#include "core/memory.h"
#include "core/sink.h"
#include "raddle/tool.h"

#include <string.h>

struct rd_output {
    rd__sink sink;
    FILE *stream;
    char *path;
    rd_status status; /* of the first write that failed; err has its message */
    rd_error err;
    char *line; /* RD_OUTPUT_LINES: the start of a line whose end has not come yet */
    size_t used, room;
};

enum { BUFFER = 1 << 16 };

static rd_status keep(rd_output *output, const char *data, size_t bytes)
{
    if (bytes > output->room - output->used) {
        const size_t room = 2 * (output->used + bytes);
        char *more = rd__realloc(output->line, room);
        if (!more)
            return rd__fail_memory(&output->err, "a line of output", room);
        output->line = more;
        output->room = room;
    }
    memcpy(output->line + output->used, data, bytes);
    output->used += bytes;
    return RD_OK;
}

static rd_status write_lines(rd_output *output, const char *data, size_t bytes)
{
    const char *last = memrchr(data, '\n', bytes);
    const size_t whole = last ? (size_t)(last - data) + 1 : 0;
    if (whole) {
        RD_TRY(keep(output, data, whole));
        RD_TRY(rd__sink_write(&output->sink, output->line, output->used, &output->err));
        output->used = 0;
    }
    return keep(output, data + whole, bytes - whole);
}

/* The stream's own errors are not asked for: the first one stays here until the file is closed. */
static ssize_t on_write(void *cookie, const char *data, size_t bytes)
{
    rd_output *output = cookie;
    if (output->status == RD_OK)
        output->status = output->sink.mode == RD__SINK_APPEND
                             ? write_lines(output, data, bytes)
                             : rd__sink_write(&output->sink, data, bytes, &output->err);
    return output->status == RD_OK ? (ssize_t)bytes : 0;
}

static void free_output(rd_output *output)
{
    rd__free(output->line);
    rd__free(output->path);
    rd__free(output);
}

static const rd__sink_mode sink_mode[] = {
    [RD_OUTPUT_REPLACE] = RD__SINK_REPLACE, [RD_OUTPUT_LINES] = RD__SINK_APPEND, [RD_OUTPUT_LIVE] = RD__SINK_LIVE};

static rd_status check_arguments(const char *path, rd_output_mode mode, rd_error *err)
{
    if (!path || !*path)
        return rd__fail(err, RD_EARG, "no output file was named");
    if ((unsigned)mode >= sizeof sink_mode / sizeof sink_mode[0])
        return rd__fail(err, RD_EARG, "%s: there is no mode of output with number %d", path, (int)mode);
    return RD_OK;
}

rd_status rd_output_check(const char *path, rd_output_mode mode, rd_error *err)
{
    RD_TRY(check_arguments(path, mode, err));
    return rd__sink_check(path, sink_mode[mode], err);
}

rd_status rd_output_open(const char *path, rd_output_mode mode, rd_output **result, rd_error *err)
{
    if (!result)
        return rd__fail(err, RD_EARG, "rd_output_open needs a place to put the output");
    *result = NULL;
    RD_TRY(check_arguments(path, mode, err));
    rd_output *output = rd__calloc(1, sizeof *output);
    if (!output || !(output->path = rd__strdup(path))) {
        rd__free(output);
        return rd__fail_memory(err, "an output file", sizeof *output + strlen(path) + 1);
    }
    rd_status status = RD_OK;
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
    } else {
        status = rd__sink_open(&output->sink, output->path, sink_mode[mode], err);
        if (status == RD_OK) {
            output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = on_write});
            if (!output->stream || setvbuf(output->stream, NULL, _IOFBF, BUFFER) != 0)
                status = rd__sink_close(&output->sink, rd__fail_memory(err, "an output file", BUFFER), err);
            if (status != RD_OK && output->stream)
                (void)fclose(output->stream);
        }
    }
    if (status != RD_OK) {
        free_output(output);
        return status;
    }
    *result = output;
    return RD_OK;
}

FILE *rd_output_stream(rd_output *output)
{
    return output ? output->stream : NULL;
}

rd_status rd_output_close(rd_output *output, rd_status status, rd_error *err)
{
    if (!output)
        return status;
    if (output->stream != stdout) {
        (void)fclose(output->stream); /* what goes wrong is in output->status */
        if (output->status == RD_OK && output->used)
            output->status = rd__sink_write(&output->sink, output->line, output->used, &output->err);
        if (status == RD_OK && output->status != RD_OK)
            status = rd__fail(err, output->status, "%s", output->err.text);
        status = rd__sink_close(&output->sink, status, err);
    }
    free_output(output);
    return status;
}
