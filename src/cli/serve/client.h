/* SPDX-License-Identifier: Apache-2.0 */
/* client.h - what the commands that talk to `raddle serve` share. */
#ifndef RD_CLI_SERVE_CLIENT_H
#define RD_CLI_SERVE_CLIENT_H

#include "cli/serve/protocol.h"

/* Connects, sends the request and reads "ok". @return a stream of the rest of the answer, or NULL with *code set after
 * the message. */
FILE *serve_ask(const char *command, const char *socket, const char *request, int *code);

#endif
