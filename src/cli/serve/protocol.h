/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protocol.h - what `raddle serve` and its clients say to each other over a Unix socket.
 *
 * A client sends one request, lines of "KEY VALUE" that end with an empty one, and reads lines until the server closes.
 * The first line of an answer is "ok" or "error STATUS TEXT"; STATUS is an exit status.
 *   verb submit  app, input, any number of set KEY=VALUE; priority, deadline, workers, output,
 *                symmetrize, verify; wait: "job ID" comes
 *                at once, and the end when the job is done. Without wait the answer ends after "job ID".
 *   verb ps      a line for each job
 *   verb cancel  id
 *   verb wait    id: as the end of submit
 * The end of a job is "done STATUS SECONDS WAITED RAN TEXT": since it came, of that for the device, of that its run.
 */
#ifndef RD_CLI_SERVE_PROTOCOL_H
#define RD_CLI_SERVE_PROTOCOL_H

#include "cli/cli.h"

enum { SERVE_REQUEST = 16384, SERVE_SETTINGS = 32, SERVE_LINE = 1024 };

typedef struct serve_request {
    const char *verb, *app, *input, *output; /* output: a file for the result, by its whole name; NULL: none */
    const char *key[SERVE_SETTINGS], *value[SERVE_SETTINGS];
    uint32_t settings;
    uint64_t id;
    int priority;
    uint32_t workers;
    double deadline;
    int symmetrize, verify, wait;
} serve_request;

/* Reads a request; cuts `text` into pieces that the result points to. @return 1, or 0 with the reason in `why`. */
int serve_parse(char *text, serve_request *out, char *why, size_t room);

/* Where the server listens unless the user says: $RADDLE_SOCKET, $XDG_RUNTIME_DIR/raddle.sock or
 * /tmp/raddle-UID.sock. @return 0: it does not fit. */
int serve_path(const char *asked, char *path, size_t room);
/* @return a socket that is connected, or -1 with errno. */
int serve_connect(const char *path);
/* Is the process at the other end this user's? */
int serve_peer_is_mine(int fd);
/* Sends all of it. @return 0: the other end is gone, or does not read. */
int serve_send(int fd, const char *text);
__attribute__((format(printf, 2, 3))) int serve_sendf(int fd, const char *format, ...);

#endif
