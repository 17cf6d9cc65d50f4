# SPDX-License-Identifier: Apache-2.0
# common.sh - sourced by the test scripts: a scratch folder that goes away, caches inside it, nothing of the user's own
# environment that would change results.

scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-test.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export XDG_CACHE_HOME="$scratch/cache" POCL_CACHE_DIR="$scratch/pocl"
mkdir -p "$XDG_CACHE_HOME" "$POCL_CACHE_DIR"
unset RADDLE_DEVICE RADDLE_NUM_THREADS RADDLE_LOG RADDLE_CACHE_DIR
LC_ALL=C
export LC_ALL
