#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# soak.sh BUILD SECONDS SEED - the oracle for so long on the CPU, and as long on each OpenCL and CUDA device that works.
set -u
build=$1 seconds=$2 seed=$3
cd "$(dirname "$0")/../.." || exit 1

passed=0 failed=0
soak() { # soak DEVICE...
    echo "=== oracle, $* for $seconds s, seed $seed"
    arguments=
    for device; do arguments="$arguments --device $device"; done
    # shellcheck disable=SC2086 # names of devices have no blanks
    if "$build/tests/oracle/raddle-oracle" --seconds "$seconds" --seed "$seed" $arguments; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

soak cpu cpu:2x4
for device in $("$build/raddle" devices --json | sed -n 's/.*"name": "\([^"]*\)".*"usable": true.*/\1/p'); do
    case $device in cuda:* | opencl:*) soak "$device" ;; esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
