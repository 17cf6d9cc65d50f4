#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh - every test, stage by stage. A stage prints what it likes; when its last line is "N passed, N failed" those
# are its counts, else it counts as one test by its exit status. The last line adds them up.
#   STAGES="unit cli" runs only those.          KEEP_GOING=0 stops at the first stage that fails.
#   QUICK=1 (make quick) runs a part that finds most mistakes in a minute and a half: lint, a build of its own that is
#   quickly made, unit tests without the compilation of all kernels for CUDA, the self-test on the CPU with few repeats.
#   RECHECK=1 (make recheck) runs what failed in the last runs, and builds what that needs. Which stages failed is kept
#   in build/failed-stages: a stage that passes goes off the list, one that fails goes onto it.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/common.sh

passed=0 failed=0 failed_stages='' started_all=$(date +%s)
make=${MAKE:-make}
jobs=-j$(nproc 2>/dev/null || echo 2)
# A jobserver of the make that called us does not reach through a script.
unset MAKEFLAGS MFLAGS MAKELEVEL

memory=build/failed-stages
mkdir -p build
[ "${QUICK:-0}" = 0 ] || STAGES='lint build-quick unit-quick selftest-quick'
if [ "${RECHECK:-0}" != 0 ]; then
    [ -s $memory ] || { echo 'nothing failed in the last run'; echo '0 passed, 0 failed'; exit 0; }
    STAGES=$(tr '\n' ' ' < $memory)
    case " $STAGES" in *' unit-clang '*) STAGES="build-clang $STAGES" ;; esac
    case " $STAGES" in *' unit-quick '* | *' selftest-quick '*) STAGES="build-quick $STAGES" ;; esac
    case " $STAGES" in # these run what another stage built
    *' unit '* | *' selftest '* | *' oracle '* | *' cli '* | *' faults '* | *' install '* | *' new-app '* | *' graph-'*)
        STAGES="build-gcc $STAGES" ;;
    esac
    echo "again: $STAGES"
fi
remember() { # remember NAME FAILURES
    { grep -vxF -e "$1" $memory 2> /dev/null; [ "$2" = 0 ] || echo "$1"; } > "$scratch/memory"
    cp "$scratch/memory" $memory
}

stage() { # stage NAME COMMAND...
    name=$1
    shift
    case " ${STAGES:-$name} " in *" $name "*) ;; *) return ;; esac
    echo "=== $name"
    started=$(date +%s)
    processor_time
    before=$used
    if [ -n "$begun" ] && [ "$begun" = "$name" ]; then
        begun=''
        wait
        cp "$scratch/begun.status" "$scratch/status"
        tee "$scratch/log" < "$scratch/begun"
    else
        { "$@" 2>&1; echo $? > "$scratch/status"; } | tee "$scratch/log"
    fi
    status=$(cat "$scratch/status")
    last=$(tail -n 1 "$scratch/log")
    case $last in
    [0-9]*' passed, '[0-9]*' failed')
        ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*}
        [ "$status" != 0 ] && [ "$bad" = 0 ] && bad=1 ;;
    *) if [ "$status" = 0 ]; then ok=1 bad=0; else ok=0 bad=1; fi ;;
    esac
    passed=$((passed + ok)) failed=$((failed + bad))
    [ "$bad" = 0 ] || failed_stages="$failed_stages $name"
    remember "$name" "$bad"
    processor_time
    echo "--- $name: $ok passed, $bad failed in $(($(date +%s) - started)) s ($((used - before)) s of processor time)"
    [ "$bad" = 0 ] || [ "${KEEP_GOING:-1}" = 1 ] || finish
}

# begin NAME COMMAND...: starts a stage that mostly waits, beside those that come before it; what it says is told in its
# turn. One at a time.
begun=''
begin() {
    case " ${STAGES:-$1} " in *" $1 "*) ;; *) return ;; esac
    begun=$1
    shift
    { "$@"; echo $? > "$scratch/begun.status"; } > "$scratch/begun" 2>&1 &
}

finish() {
    wait # for what was begun and had no turn
    [ -z "$failed_stages" ] || echo "stages that failed:$failed_stages"
    processor_time
    echo "all stages took $(($(date +%s) - started_all)) s ($used s of processor time)"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

quiet_build() { # the commands themselves are shown only when something is wrong
    $make $jobs "$@" > "$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; return 1; }
    ! grep -i warning "$scratch/build.log"
}
has_target() { [ -f tests/graph.mk ] && grep -q "^$1:" tests/graph.mk; }

stage setup sh tools/setup.sh check
[ "$failed" = 0 ] || finish
stage lint sh tests/lint.sh
# Line tables only: what debuggers want besides takes a third of the time to compile kernels.
export CFLAGS="${CFLAGS:--O3 -g1}"
stage build-gcc quiet_build BUILD=build-gcc CC=gcc WERROR=-Werror tests oracle
# The others are for warnings and for what is left out. Where clang has ThreadSanitizer, its build is the sanitizer's.
if echo 'int main(void) { return 0; }' | clang -fsanitize=thread -x c -o "$scratch/probe" - 2> /dev/null; then
    TSAN_CC=clang
    export TSAN_CC
else
    stage build-clang quiet_build BUILD=build-clang CC=clang CFLAGS=-O1 WERROR=-Werror tests oracle
fi
stage build-plain quiet_build BUILD=build-plain CFLAGS=-O0 WITHOUT='hwloc zlib zstd bzip2 xz png embree mpi' WERROR=-Werror
if [ "${QUICK:-0}${RECHECK:-0}" != 00 ]; then
    # With -O1 gcc does not see far enough to know what is set; build-gcc asks it again.
    stage build-quick quiet_build BUILD=build-quick CC=gcc CFLAGS='-O1 -Wno-maybe-uninitialized' WERROR=-Werror tests
    stage unit-quick env EXCEPT=test_cuda_compile JOBS=2 sh tests/unit/run.sh build-quick/tests
    stage selftest-quick env DEVICES=cpu REPEATS=50 sh tests/selftest.sh build-quick/raddle
fi
stage unit env JOBS=2 sh tests/unit/run.sh build-gcc/tests
# Kernels are the same text.
[ "${TSAN_CC:-}" = clang ] || stage unit-clang env EXCEPT=test_cuda_compile sh tests/unit/run.sh build-clang/tests
begin faults sh tests/cli/run.sh build-gcc tests/faults
stage selftest sh tests/selftest.sh build-gcc/raddle
stage faults
stage cli env JOBS=2 sh tests/cli/run.sh build-gcc
begin install sh tests/install.sh
stage oracle sh tests/oracle/short.sh build-gcc 8
stage install
stage new-app sh tests/new_app.sh build-gcc CC=gcc WERROR=-Werror
for target in check-graph-corpus check-graph-roundtrip; do
    has_target $target && stage "${target#check-}" $make BUILD=build-gcc CC=gcc WERROR=-Werror $target
done
stage fuzz $make $jobs --no-print-directory BUILD=build-gcc CC=gcc WERROR=-Werror check-fuzz
stage sanitizers sh tests/sanitizers.sh
finish
