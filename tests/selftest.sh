#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# selftest.sh RADDLE - the conformance suite on every kind of device here: the CPU with groups of one lane, with groups of
# several (cpu:2x4), and each CUDA and OpenCL device. REPEATS=n scales the stress cases.
set -u
raddle=$1
. "$(dirname "$0")/common.sh"

passed=0 failed=0
devices=$("$raddle" devices --json | sed -n 's/.*"name": "\([^"]*\)", "backend": "[^"]*", "usable": true.*/\1/p')
[ -n "$devices" ] || { echo "raddle devices found nothing"; failed=1; }
for device in $devices cpu:2x4; do
    repeats=${REPEATS:-}
    # Lanes of the test mode are threads and every group barrier wakes them all: fewer repeats say as much there.
    case $device in cpu:*x*) repeats=${repeats:-10} ;; esac
    timeout -k 5 600 "$raddle" selftest -q -d "$device" ${repeats:+--repeats "$repeats"} > "$scratch/log" 2> "$scratch/err"
    status=$?
    last=$(tail -n 1 "$scratch/log")
    case $last in
    [0-9]*' passed, '[0-9]*' failed')
        ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*} ;;
    *) ok=0 bad=1 ;;
    esac
    if [ $status != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$bad" = 0 ]; then tail -n 2 "$scratch/log" | head -n 1; else
        cat "$scratch/log" "$scratch/err"
        echo "$device: exit status $status"
    fi
    passed=$((passed + ok)) failed=$((failed + bad))
done
# The body of atomics for old OpenCL drivers, on the devices that would take a newer one.
for device in $(printf '%s\n' $devices | grep '^opencl'); do
    for filter in dialect/atomics dialect/cas litmus queue/stress fifo/stress; do
        if RADDLE_OPENCL_ATOMICS=legacy timeout -k 5 200 "$raddle" selftest -q -d "$device" --repeats 50 --filter $filter \
            > "$scratch/log" 2>&1; then passed=$((passed + 1)); else
            cat "$scratch/log"
            echo "$device: $filter fails with the atomics of OpenCL 1.2"
            failed=$((failed + 1))
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
