#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# broken.sh BUILD - tests of tests/fuzz/driver.c with a target that fails on purpose (broken.c): each way to fail is
# found and leaves its input, which fails again; what does not fail gets the inputs that were asked for.
set -u
broken=$(cd "$1" && pwd)/fuzz/broken
. "$(dirname "$0")/../common.sh"
export ASAN_OPTIONS=detect_leaks=0
passed=0 failed=0
check() { # check NAME COMMAND...
    _name=$1
    shift
    if "$@" > "$scratch/check" 2>&1; then passed=$((passed + 1)); else
        echo "FAILED: fuzz driver: $_name"
        sed 's/^/    /' "$scratch/check" "$scratch/log"
        failed=$((failed + 1))
    fi
}
mkdir "$scratch/seeds" "$scratch/found" "$scratch/none"
printf '1 2 3\n4 5 6\n' > "$scratch/seeds/a"
printf 'size 7\n8 9\n' > "$scratch/seeds/b"
: > "$scratch/seeds/empty"
ln -s /no/such/file "$scratch/seeds/broken-link"
mkfifo "$scratch/seeds/fifo"
mkdir "$scratch/seeds/folder"

run() { # run KIND ARGUMENT...: its exit status is in $status, what it said in $scratch/log
    _kind=$1
    shift
    FUZZ_KIND=$_kind limit 600 "$broken" -seed=7 -max_len=2000 -verbosity=0 \
        -artifact_prefix="$scratch/found/$_kind-" "$@" > "$scratch/log" 2>&1
    status=$?
}

run none -runs=20000 "$scratch/none" "$scratch/seeds"
check 'nothing fails' [ $status = 0 ]
check 'the last line counts the runs' sh -c 'tail -n 1 "$1" | grep -q "^Done 20000 runs in .* runs/s$"' sh "$scratch/log"
check 'seeds that are no files are left out' grep -q '^fuzz: 3 seeds' "$scratch/log"
check 'nothing is kept' [ -z "$(ls "$scratch/found")" ]
run none -runs=1000 "$scratch/none"
check 'without seeds' sh -c 'tail -n 1 "$1" | grep -q "^Done 1000 runs"' sh "$scratch/log"
run none -runs=1000 "$scratch/no-such-folder"
check 'a folder that is not there is an error' [ $status = 2 ]

for kind in abort heap null overflow stack trap; do
    run $kind -runs=1000000 "$scratch/seeds"
    check "$kind is found" [ $status != 0 ]
    kept=$(ls "$scratch/found/$kind"-crash-* 2> /dev/null)
    check "$kind: one input is kept, and it is said where" grep -qF "kept in $kept" "$scratch/log"
    check "$kind: it is the one" grep -q 4294967295 "$kept"
    rm -f "$kept"
    run $kind -runs=1000000 "$scratch/seeds"
    check "$kind: the same seed finds the same" [ -f "$kept" ]
    cp "$kept" "$scratch/again"
    run $kind "$scratch/again"
    check "$kind: it fails again" [ $status != 0 ]
    run none "$scratch/again"
    check "$kind: a target that is mended takes it" [ $status = 0 ]
done
run endless -timeout=1 -runs=1000000 "$scratch/seeds"
check 'what takes too long is found' [ $status != 0 ]
check 'what takes too long is kept' grep -q 4294967295 "$scratch/found"/endless-timeout-*
echo "$passed passed, $failed failed"
[ $failed = 0 ]
