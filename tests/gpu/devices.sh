#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# devices.sh RADDLE - the names of the GPUs that work here, one a line; exit status 1, with a sentence, when there is none.
set -u
found=$("$1" devices --json | sed -n 's/.*"name": "\([^"]*\)", "backend": "[^"]*", "usable": true.*"gpu": true.*/\1/p')
[ -n "$found" ] || { echo "no GPU works here; 'raddle devices' says what was found" >&2 && exit 1; }
echo "$found"
