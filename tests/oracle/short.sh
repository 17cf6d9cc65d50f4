#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# short.sh BUILD SECONDS - a glance of the oracle for `make check`: so long on the CPU, on wide groups, and on PoCL where
# it is there. And that it can fail: an answer that is off by one must not pass.
set -u
build=$1 seconds=$2
cd "$(dirname "$0")/../.." || exit 1
oracle=$build/tests/oracle/raddle-oracle

passed=0 failed=0
part() { # part STATUS ARGUMENT...
    wanted=$1
    shift
    output=$("$oracle" "$@" 2>&1)
    status=$?
    if [ $status = "$wanted" ]; then
        passed=$((passed + 1))
        echo "$output" | tail -n 1
    else
        failed=$((failed + 1))
        echo "raddle-oracle $*: exit status $status instead of $wanted"
        echo "$output"
    fi
}

part 0 --seconds "$seconds" --device cpu
part 0 --seconds "$seconds" --device cpu:2x4
if "$build/raddle" devices --json | grep -q '"name": "opencl:0.0".*"usable": true'; then
    part 0 --seconds "$seconds" --device opencl:0.0 --apps bfs,sssp,cc # few configurations: each is compiled
fi
for app in bfs sssp pr color cc mis fib nqueens uts sort sum ray knapsack astar; do
    part 1 --apps $app --device cpu --stops 0 --seconds 60 --max-failures 1 --spoil
done
part 0 --case 5 --verbose
part 2 --apps none
part 2 --case 7-3
part 4 --device cpu:0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
