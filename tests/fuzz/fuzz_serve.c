/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_serve.c - requests to `raddle serve`. What is taken points into the text and ends there, numbers are within
 * their bounds, and the same request written anew is taken as the same; what is refused is refused with a reason.
 */
#include "fuzz.h"

#include "cli/serve/protocol.h"

#include <math.h>
#include <stdio.h>

static void check_inside(const char *piece, const char *text, size_t bytes)
{
    if (piece && (piece < text || piece > text + bytes || strlen(piece) > (size_t)(text + bytes - piece)))
        abort();
}

static int is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The request as a client would write it. */
static void write_again(const serve_request *request, char *text, size_t room)
{
    size_t used = 0;
#define LINE(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
    LINE("verb %s\n", request->verb);
    if (request->app)
        LINE("app %s\n", request->app);
    if (request->input)
        LINE("input %s\n", request->input);
    if (request->output)
        LINE("output %s\n", request->output);
    LINE("id %llu\npriority %d\nworkers %u\ndeadline %.17g\n", (unsigned long long)request->id, request->priority,
         request->workers, request->deadline);
    for (uint32_t i = 0; i < request->settings; i++)
        LINE("set %s=%s\n", request->key[i], request->value[i]);
    LINE("%s%s%s\n", request->symmetrize ? "symmetrize 1\n" : "", request->verify ? "verify 1\n" : "",
         request->wait ? "wait 1\n" : "");
#undef LINE
}

static void check_again(const serve_request *request)
{
    static char text[2 * SERVE_REQUEST];
    char why[120] = "";
    serve_request again;
    write_again(request, text, sizeof text);
    if (!serve_parse(text, &again, why, sizeof why))
        abort();
    if (!is_same_text(request->verb, again.verb) || !is_same_text(request->app, again.app) ||
        !is_same_text(request->input, again.input) || !is_same_text(request->output, again.output) ||
        request->id != again.id || request->priority != again.priority || request->workers != again.workers ||
        request->deadline != again.deadline || request->settings != again.settings)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char why[120] = "";
    serve_request request;
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    if (!serve_parse(text, &request, why, sizeof why)) {
        if (!why[0])
            abort();
    } else {
        if (!request.verb || request.settings > SERVE_SETTINGS || abs(request.priority) > 1000 ||
            !isfinite(request.deadline) || request.deadline < 0 || (request.output && request.output[0] != '/'))
            abort();
        check_inside(request.verb, text, bytes);
        check_inside(request.app, text, bytes);
        check_inside(request.input, text, bytes);
        for (uint32_t i = 0; i < request.settings; i++) {
            check_inside(request.key[i], text, bytes);
            check_inside(request.value[i], text, bytes);
        }
        check_again(&request);
    }
    free(text);
    fuzz_end();
    return 0;
}
