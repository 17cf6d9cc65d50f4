#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh BUILD - tests of the command. Each tests/cli/*.t is a list of
#
#     t NAME STATUS STDOUT STDERR ARGUMENT...
#
# which runs `raddle ARGUMENT...` and compares: STATUS exactly, STDOUT and STDERR as glob patterns of the whole text
# ('' = nothing at all, '*' = anything). $raddle, $json (json_lines), $scratch and the functions below are there too.
#   QUICK=1 leaves out what is slow under a sanitizer (tests marked with `slow ||`).
set -u
build=$(cd "$1" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh

raddle=$build/raddle json=$build/tests/json_lines
passed=0 failed=0 file=''
device=cpu # where runs go unless a test says otherwise

slow() { [ "${QUICK:-0}" = 1 ]; } # true when slow tests are to be left out: slow || t ...

pass() { passed=$((passed + 1)); }
fail() { # fail NAME TEXT
    echo "FAILED: $file: $1"
    printf '%s\n' "$2" | sed 's/^/    /'
    failed=$((failed + 1))
}
matches() { # matches TEXT PATTERN; quoting would make the pattern literal
    # shellcheck disable=SC2254
    case $1 in $2) return 0 ;; esac
    return 1
}
t() {
    name=$1 want_status=$2 want_out=$3 want_err=$4
    shift 4
    RADDLE_DEVICE=$device timeout 120 "$raddle" "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    status=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    if [ "$status" != "$want_status" ]; then
        fail "$name" "raddle $*
exit status $status, wanted $want_status
stderr: $err"
    elif ! matches "$out" "$want_out"; then
        fail "$name" "raddle $*
stdout: $out
wanted: $want_out"
    elif ! matches "$err" "$want_err"; then
        fail "$name" "raddle $*
stderr: $err
wanted: $want_err"
    else pass; fi
}
# ok NAME COMMAND...: passes when the command succeeds.
ok() {
    name=$1
    shift
    if "$@" > "$scratch/ok" 2>&1; then pass; else fail "$name" "$*
$(cat "$scratch/ok")"; fi
}
# same NAME GOT WANTED
same() { if [ "$2" = "$3" ]; then pass; else fail "$1" "got:    $2
wanted: $3"; fi; }

for path in tests/cli/*.t; do
    file=$(basename "$path")
    case $file in *"${FILTER:-}"*) ;; *) continue ;; esac
    # shellcheck disable=SC1090
    . "./$path"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
