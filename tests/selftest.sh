#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# selftest.sh RADDLE [opencl|others] - the conformance suite on every kind of device here: the CPU with groups of one lane,
# with groups of several (cpu:2x4), and each CUDA and OpenCL device; or on the OpenCL devices, or on the others alone.
# REPEATS=n scales the stress cases, DEVICES="cpu" takes only those, JOBS=n runs n parts of an OpenCL device at a time.
set -u
raddle=$1 kind=${2:-all}
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/workers.sh"

passed=0 failed=0
# What the body of atomics for old OpenCL drivers is tried with, on devices that would take a newer one.
legacy='dialect/atomics dialect/cas litmus queue/stress fifo/stress'

# run DEVICE LOG OPTIONS...: a part of the suite; its last line says what came of it.
run() {
    device=$1 log=$2
    shift 2
    limit 3000 "$raddle" selftest -q -d "$device" "$@" > "$log" 2>&1
    echo "$?" > "$log.status"
}

# count DEVICE LOG: what a finished part said, in full when something is wrong.
count() {
    last=$(tail -n 1 "$2") status=$(cat "$2.status")
    case $last in
    [0-9]*' passed, '[0-9]*' failed')
        ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*} ;;
    *) ok=0 bad=1 ;;
    esac
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$bad" = 0 ]; then tail -n 2 "$2" | head -n 1; else
        cat "$2"
        echo "$1: exit status $status"
    fi
    passed=$((passed + ok)) failed=$((failed + bad))
}

# Most of what PoCL takes is its compiler, which uses one core. So the suite on an OpenCL device is cut into parts, by what
# cases are called before the last slash, and whoever has a core takes the next part. Of schedulers and queues each case is a
# part: those that go through all widths, shapes and options are compiled in another way (below).
parts=$("$raddle" selftest -l -d cpu | sed -E '/^(queue|deque|fifo|bsp|heap|rank|tiles)\//!s|[^/]*$||' |
    awk '!seen[$0]++' | sed '1!G;h;$!d') # the longest are at the end
[ -n "$parts" ] || { echo "raddle selftest has no cases"; failed=1; }
log_of() { echo "$scratch/$1.$(echo "$2" | tr / -)"; } # log_of DEVICE PART

# take DEVICE PART OPTIONS...: runs a part, unless another worker has it.
take() {
    taken=$1 log_of_part=$(log_of "$1" "$2")
    shift 2
    mkdir "$log_of_part.taken" 2> /dev/null || return 0
    run "$taken" "$log_of_part" "$@"
}

# What an app computes does not depend on how far PoCL optimises it, which takes half the time of its compiler; what it
# does with atomics, orders and barriers may, and those parts are compiled as users have them: each protocol, and each
# method of the heap, under stress. All widths, shapes and options of the same text are not.
flags_of() { # flags_of PART
    case $1 in
    apps/* | models/* | seeds/* | stops/* | turns/*) echo -cl-opt-disable ;;
    */every-method) ;;
    */every-* | */options | */sweeps | */no-room) echo -cl-opt-disable ;;
    esac
}
run_opencl() { # run_opencl DEVICE
    export RADDLE_CHORES=on # as on GPUs; what users have on CPUs is run by tests/cli
    for part in $parts; do
        POCL_EXTRA_BUILD_FLAGS=$(flags_of "$part")
        export POCL_EXTRA_BUILD_FLAGS
        # a launch takes a hundred times what it does on cpu, and a barrier waits for the system to switch threads
        case $part in barrier/*) repeats=5 ;; apps/*) repeats=10 ;; *) repeats=25 ;; esac
        case $part in */) cases=$part ;; *) cases==$part ;; esac # the latter is that case alone
        take "$1" "$part" --filter "$cases" --repeats "${REPEATS:-$repeats}"
    done
    unset POCL_EXTRA_BUILD_FLAGS
    for part in $legacy; do
        RADDLE_OPENCL_ATOMICS=legacy take "$1" "legacy/$part" --repeats 10 --filter "$part"
    done
    unset RADDLE_CHORES
}

devices=$("$raddle" devices --json | sed -n 's/.*"name": "\([^"]*\)", "backend": "[^"]*", "usable": true.*/\1/p')
[ -n "$devices" ] || { echo "raddle devices found nothing"; failed=1; }
devices=${DEVICES:-$devices}
[ -n "${DEVICES:-}" ] || devices="$devices cpu:2x4"
opencl=$(printf '%s\n' $devices | grep '^opencl')
[ $kind != others ] || opencl=''
for device in $(printf '%s\n' $devices | grep -v '^opencl'); do
    [ $kind != opencl ] || break
    case $device in # half of what it does by itself, and of its time
    *x*) repeats=10 ;; # lanes take turns, with a switch at each group barrier: fewer repeats say as much
    *) repeats=100 ;;
    esac
    run "$device" "$scratch/$device" --repeats "${REPEATS:-$repeats}"
    count "$device" "$scratch/$device"
done
for device in $opencl; do
    by_workers "${JOBS:-1}" run_opencl "$device"
done
wait
for device in $opencl; do
    for part in $parts; do
        count "$device" "$(log_of "$device" "$part")"
    done
    for part in $legacy; do
        count "$device with the atomics of OpenCL 1.2, $part" "$(log_of "$device" "legacy/$part")"
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
