#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitized.sh BUILD [unit|selftest|command] - unit tests, self-test on the CPU and the command, or one of them, in a build
# made with a sanitizer.
set -u
build=$1 kind=${2:-all}
cd "$(dirname "$0")/.." || exit 1
. tests/common.sh

# ThreadSanitizer of older compilers cannot live with the address randomisation of newer kernels.
if ! "$build/raddle" --version > /dev/null 2>&1 && [ -z "${NO_RANDOM:-}" ] && command -v setarch > /dev/null; then
    NO_RANDOM=1
    export NO_RANDOM
    setarch "$(uname -m)" -R sh "$0" "$build" "$kind"
    exit
fi

# Drivers are not ours: their leaks and their threads would drown our own.
OCL_ICD_VENDORS=$scratch/no-vendors
export OCL_ICD_VENDORS
export ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}"

passed=0 failed=0
part() { # part NAME COMMAND...
    name=$1
    shift
    started=$(date +%s)
    processor_time
    before=$used
    "$@" > "$scratch/part.log" 2>&1
    status=$?
    last=$(tail -n 1 "$scratch/part.log")
    case $last in
    [0-9]*' passed, '[0-9]*' failed') ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*} ;;
    *) if [ $status = 0 ]; then ok=1 bad=0; else ok=0 bad=1; fi ;;
    esac
    if [ $status != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    [ "$bad" = 0 ] || cat "$scratch/part.log"
    processor_time
    echo "$build $name: $ok passed, $bad failed in $(($(date +%s) - started)) s ($((used - before)) s of processor time)"
    passed=$((passed + ok)) failed=$((failed + bad))
}
# Looking for leaks waits at each exit for all threads to stop, and takes seconds with some compilers (tests/leaks/walk.c), so
# it is done for the tests of the library, for one run of each kind of command and for the self-test of apps; and not for
# the hundreds of short runs of the command's own tests.
with_leaks=$ASAN_OPTIONS without_leaks=$ASAN_OPTIONS:detect_leaks=0

# As many as were planted (tests/leaks): where the sanitizer's table of what is allocated is gone through by our own function.
leaks_are_found() {
    ! "$build/leaks/planted" > "$scratch/lost" 2> "$scratch/found" && [ "$(cat "$scratch/lost")" -ge 90 ] &&
        grep "leaked in $(cat "$scratch/lost") allocation" "$scratch/found" && return
    cat "$scratch/lost" "$scratch/found"
    return 1
}

# The compiler for CUDA is not ours either. Readers, checkers, texts and allocations that fail are one thread's work:
# ThreadSanitizer has the other files, and two of them alone that are about threads and long.
run_units() {
    except='test_cuda_compile test_tasks test_start'
    case $build in *tsan*)
        except=test_cuda_compile
        except="$except *_check test_graph_* *_memory test_memory_left test_options test_output test_locale test_fairness
            test_fairness_reduce test_explain test_ray_scene test_sssp_negative test_micro test_knapsack*" ;;
    esac
    case $build in *asan*) part 'planted leaks' leaks_are_found ;; esac
    part unit env JOBS="${JOBS:-1}" EXCEPT="$except" sh tests/unit/run.sh "$build/tests"
}

# Every protocol between threads; not every app on every shape, which takes minutes here.
run_selftest() {
    # What a race spoils once in a while is ThreadSanitizer's; a wrong address is wrong each time.
    # Two repeats have small inputs too (src/selftest/selftest.c).
    case $build in *tsan*) repeats=5 ;; *) repeats=2 ;; esac
    part "selftest cpu apps/stress" limit 1200 "$build/raddle" selftest -q -d cpu --repeats $repeats --filter apps/stress
    part "selftest cpu apps/samples" limit 1200 "$build/raddle" selftest -q -d cpu --repeats 2 --filter apps/samples
    ASAN_OPTIONS=$without_leaks
    part "selftest cpu stops/" limit 1200 "$build/raddle" selftest -q -d cpu --repeats 2 --filter stops/
    for cases in dialect litmus barrier queue deque fifo/ bsp/ heap/ rank/ tiles/ crew/ turns/bfs turns/fib turns/beside; do
        part "selftest cpu $cases" limit 1200 "$build/raddle" selftest -q -d cpu --repeats $repeats --filter $cases
    done
    # lanes are threads here: a barrier of a group is one of the kernel's
    for cases in litmus barrier/word queue/stress deque/stress bsp/phases heap/mixed stops/bfs crew/; do
        part "selftest cpu:2x4 $cases" limit 1200 "$build/raddle" selftest -q -d cpu:2x4 --repeats 2 --filter $cases
    done
    ASAN_OPTIONS=$with_leaks
    for device in cpu:4 cpu:2x4; do # every thread of a case under the sanitizer, for what is new; the long runs are of `make soak`
        part "oracle $device" limit 1200 "$build/tests/oracle/raddle-oracle" --seconds 5 --hang 600 --device $device
    done
}

run_command() {
    part 'bfs kron:12' "$build/raddle" bfs kron:12 -v -q -d cpu:4 --sources 3 -o "$scratch/depth" --json-file "$scratch/json"
    part 'bfs road' "$build/raddle" bfs road:64x64:0.65 -v -q -d cpu:4 --sources 3
    part 'bench' "$build/raddle" bench bfs -g kron:8 -n 3 -d cpu -d cpu:2x2
    part 'an error' sh -c '"$1" bfs path:9 -r 99 -d cpu; test $? = 2' sh "$build/raddle"
    part devices "$build/raddle" devices --verbose
    part gen "$build/raddle" gen kron:8 -o "$scratch/a.rdg"
    part info "$build/raddle" info "$scratch/a.rdg"
    ASAN_OPTIONS=$without_leaks
    # Parsers, reports and refusals are one thread's work: ThreadSanitizer has only the files about several. AddressSanitizer
    # has all but those that run what bfs.t and the self-test run, with other apps and schedulers.
    case $build in
    *tsan*) export FILTER='bsp fifo machines multi serve steal' ;;
    *) export EXCEPT='bc.t cc.t color.t mis.t mst.t pr.t pr_push.t sssp.t tc.t bsp.t fifo.t steal.t heap.t switch.t knapsack.t ray.t frame.t harness.t progress.t reproduce.t figures.t' ;;
    esac
    part command env QUICK=1 JOBS="${JOBS:-1}" sh tests/cli/run.sh "$build"
    ASAN_OPTIONS=$with_leaks
}

case $kind in
unit) run_units ;;
selftest) run_selftest ;;
command) run_command ;;
all) run_units && run_selftest && run_command ;;
*) echo "sanitized.sh: there is no part '$kind'" && failed=1 ;;
esac
echo "$passed passed, $failed failed"
[ $failed = 0 ]
