#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh - every test, stage by stage (tests/check.mk has them, tests/stage.sh runs one); then a table of what each took,
# by the clock and in processor time, and a last line that adds them up.
#   STAGES="unit cli" runs only those, and builds what they need.     KEEP_GOING=0 stops at the first stage that fails.
#   QUICK=1 (make quick) runs a part that finds most mistakes in a minute and a half: lint, a build of its own that is
#   quickly made, unit tests without the slowest (above all, all kernels compiled for CUDA), the self-test on the CPU
#   with few repeats.
#   RECHECK=1 (make recheck) runs what failed in the last runs, and builds what that needs. Which stages failed is kept
#   in build/failed-stages: a stage that passes goes off the list, one that fails goes onto it.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/common.sh

make=${MAKE:-make} results=build/check memory=build/failed-stages started=$(date +%s)
# One more than there are cores: some stages wait now and then, and none minds to.
jobs=-j$(($(nproc 2> /dev/null || echo 2) + 1))
# A jobserver of the make that called us does not reach through a script.
unset MAKEFLAGS MFLAGS MAKELEVEL
rm -rf $results
mkdir -p $results
# What debuggers want takes a third of the time to compile kernels, and nobody looks at these builds with one; those with
# sanitizers have their own flags, for what they print.
export CFLAGS="${CFLAGS:--O3}"
# What OpenCL compiled for one stage is there for the others.
export TEST_CACHE="$scratch"

remember() { # remember NAME FAILURES
    { grep -vxF -e "$1" $memory 2> /dev/null; [ "$2" = 0 ] || echo "$1"; } > "$scratch/memory"
    cp "$scratch/memory" $memory
}

stages=${STAGES:-check}
[ "${QUICK:-0}" = 0 ] || stages=quick
if [ "${RECHECK:-0}" != 0 ]; then
    [ -s $memory ] || { echo 'nothing failed in the last run'; echo '0 passed, 0 failed'; exit 0; }
    stages=$(tr '\n' ' ' < $memory)
    echo "again: $stages"
fi
names=" check quick $($make -s --no-print-directory -f tests/check.mk names) "
for name in $stages; do
    case $names in *" $name "*) ;; *)
        echo "there is no stage '$name'; there are:$names"
        remember "$name" 0
        exit 2 ;;
    esac
done

stop=-k
[ "${KEEP_GOING:-1}" = 1 ] || stop=-S
if sh tests/stage.sh setup sh tools/setup.sh check; then
    links() { echo 'int main(void) { return 0; }' | "$@" -x c -o "$scratch/probe" - 2> /dev/null; }
    # Where clang has ThreadSanitizer, its build is the sanitizer's; and AddressSanitizer's, which gcc takes twice as long for.
    ! links clang -fsanitize=thread || export TSAN_CC=clang
    ! links clang -fsanitize=address,undefined || export ASAN_CC=clang
    # Some 70 programs of tests in each of three builds: half the time of the usual linker, and a fifth less in one thread.
    lld='-fuse-ld=lld -Wl,--threads=1'
    # shellcheck disable=SC2086
    ! links gcc $lld || ! links clang $lld || export LDFLAGS="$lld ${LDFLAGS:-}"
    # shellcheck disable=SC2086
    $make $jobs $stop -s --no-print-directory -f tests/check.mk $stages
    case $stages in check | quick) stages=$($make -s --no-print-directory -f tests/check.mk "names-of-$stages") ;; esac
fi

# What a stage needs has its result beside it. A stage without one was not run: what it needs failed.
passed=0 failed=0 failed_stages=''
for result in $results/*.result; do basename "$result" .result; done > "$scratch/ran"
printf '%s\n' '' 'stage              passed  failed   seconds  of processor time'
for name in $(printf '%s\n' $stages | cat "$scratch/ran" - | awk '!seen[$0]++'); do
    if [ -s "$results/$name.result" ]; then read -r ok bad clock used < "$results/$name.result"; else
        case $name in check | quick) continue ;; esac
        ok=0 bad=1 clock=- used=-
        echo "$name was not run"
    fi
    printf '%-17s %7s %7s %9s %9s\n' "$name" "$ok" "$bad" "$clock" "$used"
    passed=$((passed + ok)) failed=$((failed + bad))
    [ "$bad" = 0 ] || failed_stages="$failed_stages $name"
    [ "$name" = setup ] || remember "$name" "$bad"
done
[ -z "$failed_stages" ] || echo "stages that failed:$failed_stages"
processor_time
echo "all stages took $(($(date +%s) - started)) s ($used s of processor time)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
