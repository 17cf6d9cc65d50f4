#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# new_app.sh BUILD [VARIABLE=VALUE...] - what tools/new-app writes builds without a warning and passes its self-test and
# its tests of the command, for every model. In a copy of the tree that has what is in BUILD already, so that make compiles
# the new files alone; the variables are those that BUILD was made with.
set -u
. "$(dirname "$0")/common.sh"
build=$1
shift
passed=0 failed=0
ok() { # ok NAME COMMAND...: its output is shown when it fails
    name=$1
    shift
    if "$@" > "$scratch/log" 2>&1; then passed=$((passed + 1)); else
        cat "$scratch/log"
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
    exit
}
unset MAKEFLAGS MFLAGS MAKELEVEL

tree=$scratch/tree
mkdir -p "$tree/$build" "$tree/tests"
cp -a Makefile include src tools docs man "$tree"
cp -a tests/*.mk tests/*.sh tests/cli "$tree/tests"
for part in embed gen kernel obj stamp libraddle.a; do cp -a "$build/$part" "$tree/$build/$part"; done
cd "$tree" || exit 1

refuses() { # refuses PATTERN ARGUMENT...: with a reason, and nothing is written
    pattern=$1
    shift
    find . | sort > "$scratch/before"
    ! tools/new-app "$@" 2> "$scratch/why" || return 1
    find . | sort | cmp - "$scratch/before" || return 1
    grep -q "$pattern" "$scratch/why" || { cat "$scratch/why"; return 1; }
}
ok 'no arguments' refuses 'usage'
ok 'an unknown model' refuses 'there are: .*frontier' thing dataflow
ok 'an app that is there' refuses 'already' bfs frontier
ok 'no name' refuses 'no name for an app' '../x' sweep
ok 'no name for C' refuses 'no name for an app' 2nd sweep
ok 'a page that is there' refuses 'docs/bag.md is there already' bag ranked

models=$(sed -n 's/^ENGINE([a-z_]*, "[^"]*", \([a-z]*\),.*/\1/p' src/sched/engines.def | sort -u)
for model in $models; do ok "new-app: $model" tools/new-app "my$model" "$model"; done
ok 'a long name' tools/new-app alongnameofthirtyoneletterswide dag
if command -v clang-format > /dev/null; then # without it a long name makes long lines
    ok 'lines of at most 120 columns' test -z "$(cat src/apps/my*/*.[ch] src/apps/along*/*.[ch] | awk 'length > 120')"
fi
quiet() { # a build without a warning
    ${MAKE:-make} -j"$(nproc 2> /dev/null || echo 2)" BUILD="$build" "$@" "$build/raddle" && ! grep -i 'warning:' "$scratch/log"
}
ok build quiet "$@"
[ $failed = 0 ] || finish
for model in $models; do
    for device in cpu:2 cpu:2x4; do
        ok "self-test of $model on $device" limit 300 "$build/raddle" selftest -q -d $device --repeats 5 --filter "/my$model"
    done
    ok "cases of $model" test "$("$build/raddle" selftest -l --filter "/my$model" | wc -l)" -ge 2
    ok "tests of the command: $model" env FILTER="my$model" sh tests/cli/run.sh "$build"
done
finish
