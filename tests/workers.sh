# SPDX-License-Identifier: Apache-2.0
# workers.sh - sourced by scripts whose work is done side by side.

# by_workers N COMMAND...: the command in N processes, the last of which is this one; each takes from what is to be done
# until nothing is left. The caller waits for the others.
by_workers() {
    _workers=$1
    shift
    while [ "$_workers" -gt 1 ]; do
        "$@" &
        _workers=$((_workers - 1))
    done
    "$@"
}
