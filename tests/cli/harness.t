# SPDX-License-Identifier: Apache-2.0
# The tests themselves: limits are on work, not on the clock (tests/common.sh), and what failed is remembered (check.sh).

ok 'a limit lets wait' limit 1 sleep 2
limit 1 sh -c 'while :; do :; done' 2> /dev/null
ok 'a limit ends work' test $? -gt 128
limit 5 sh -c 'exit 7'
same 'a limit keeps the status' $? 7
( limit 5 true )
same 'a limit is for one command' "$(ulimit -t)" "$(sh -c 'ulimit -t')"
sh -c 'while :; do :; done' &
pid=$!
ok 'at work' busy $pid 10
kill $pid
wait $pid 2> /dev/null
busy $pid 10
same 'what has ended is not at work' $? 1

# A tree with scripts of its own, in which lint fails, then passes; install fails all the time, in vain.
mkdir -p "$scratch/tree/tests" "$scratch/tree/tools"
cp tests/check.sh tests/check.mk tests/stage.sh tests/common.sh "$scratch/tree/tests/"
echo 'exit 0' > "$scratch/tree/tools/setup.sh"
printf 'tests oracle:\n\t@:\n' > "$scratch/tree/Makefile"
in_tree() {
    env -u STAGES -u QUICK -u RECHECK -u KEEP_GOING -u MAKE TMPDIR="$scratch" "$@" \
        sh "$scratch/tree/tests/check.sh" > "$scratch/log" 2>&1
}
echo 'exit 1' > "$scratch/tree/tests/lint.sh"
echo 'exit 0' > "$scratch/tree/tests/install.sh"
in_tree STAGES='lint install'
same 'a stage fails' $? 1
same 'it is remembered' "$(cat "$scratch/tree/build/failed-stages")" lint
in_tree RECHECK=1
same 'it fails again' $? 1
ok 'what passed is not run again' sh -c "grep -q '=== lint' '$scratch/log' && ! grep -q '=== install' '$scratch/log'"
echo 'exit 0' > "$scratch/tree/tests/lint.sh"
in_tree RECHECK=1
same 'it passes' $? 0
in_tree RECHECK=1
same 'nothing is left' "$?, $(head -n 1 "$scratch/log")" '0, nothing failed in the last run'
echo 'exit 1' > "$scratch/tree/tests/install.sh"
in_tree STAGES='install'
in_tree RECHECK=1
ok 'what a stage needs is built' sh -c "grep -q '=== build-gcc' '$scratch/log' && grep -q '=== install' '$scratch/log'"
in_tree QUICK=1
ok 'the quick part' sh -c "grep -q '=== lint' '$scratch/log' && grep -q '=== unit-quick' '$scratch/log' && ! grep -q '=== asan' '$scratch/log'"
