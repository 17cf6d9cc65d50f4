#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh FOLDER - runs each test_* of a folder with a limit and adds up cmocka's counts. FILTER=name runs some,
# EXCEPT='name *_check' leaves some out, JOBS=n runs n at a time.
set -u
folder=$(cd "$1" && pwd) || exit 1
. "$(dirname "$0")/../common.sh"
# Own apps are compiled by many tests, and none is about their speed.
RADDLE_CC="sh $(cd "$(dirname "$0")/.." && pwd)/unoptimised.sh"
export RADDLE_CC

is_one_of() { # is_one_of NAME PATTERNS; which are for names of tests, not of files
    set -f
    for _pattern in $2; do
        # shellcheck disable=SC2254
        case $1 in $_pattern) set +f; return 0 ;; esac
    done
    set +f
    return 1
}

passed=0 failed=0 running=0 names=''
for test in "$folder"/test_*; do
    [ -x "$test" ] && [ ! -d "$test" ] || continue
    name=$(basename "$test")
    case $name in *"${FILTER:-}"*) ;; *) continue ;; esac
    ! is_one_of "$name" "${EXCEPT:-}" || continue
    names="$names $name"
    (
        trap - EXIT
        limit "${TEST_LIMIT:-1500}" "$test" > "$scratch/$name" 2>&1
        echo $? > "$scratch/$name.status"
        times > "$scratch/$name.times"
    ) &
    running=$((running + 1))
    [ $((running % ${JOBS:-1})) != 0 ] || wait
done
wait
for name in $names; do
    log=$scratch/$name status=$(cat "$scratch/$name.status")
    ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    skipped=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    ok=${ok:-0} bad=${bad:-0}
    # A crash or a limit leaves no count, and is a failure all the same.
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$bad" != 0 ]; then
        cat "$log"
        echo "$name: exit status $status"
    fi
    used=$(tail -n 1 "$scratch/$name.times" | sed 's/[ms]/ /g' | awk '{ printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
    echo "$name: $ok passed, $bad failed${skipped:+, $skipped skipped} ($used s of processor time)"
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
