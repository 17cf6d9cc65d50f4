#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitizers.sh - `make asan` and `make tsan` side by side: much of either is one thread that works, or waits. What they
# say comes in whole lines, each with the folder of its build; both end with their counts, which are added up.
set -u
. "$(dirname "$0")/common.sh"
make=${MAKE:-make}
unset MAKEFLAGS MFLAGS MAKELEVEL

run() { # run TARGET
    "$make" --no-print-directory -s "$1" > "$scratch/$1.log" 2>&1
    echo $? > "$scratch/$1.status"
}
run asan &
run tsan
wait
passed=0 failed=0
for target in asan tsan; do
    cat "$scratch/$target.log"
    status=$(cat "$scratch/$target.status") last=$(grep -v '^make' "$scratch/$target.log" | tail -n 1)
    case $last in
    [0-9]*' passed, '[0-9]*' failed') ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*} ;;
    *) ok=0 bad=1 ;;
    esac
    [ "$status" = 0 ] || [ "$bad" != 0 ] || bad=1
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
