#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# plain.sh BUILD [VARIABLE=VALUE...] - Raddle without any optional library builds without a warning and says of what it cannot
# read which library that takes. In a copy of the tree that has what is in BUILD already, so that make compiles what names
# such a library alone; the variables are those that BUILD was made with.
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
unset MAKEFLAGS MFLAGS MAKELEVEL

tree=$scratch/tree
mkdir -p "$tree/$build" "$tree/tests"
cp -a Makefile include src tools "$tree"
cp -a tests/*.mk "$tree/tests"
for part in embed gen kernel obj stamp libraddle.a; do cp -a "$build/$part" "$tree/$build/$part"; done
cd "$tree" || exit 1

quiet() { # a build without a warning
    ${MAKE:-make} -j"$(nproc 2> /dev/null || echo 2)" BUILD="$build" WITHOUT='zlib zstd bzip2 xz png embree mpi' "$@" \
        "$build/raddle" && ! grep -i 'warning:' "$scratch/log"
}
ok build quiet "$@"
compiled=$(grep -c -e ' -c -o ' "$scratch/log")
ok 'no more is compiled than what names a library' test "$compiled" -le $(($(grep -l RD_WITH_ -r src | wc -l) + 1))
ok 'it has none' sh -c '"$1" --version | grep -q nothing' sh "$build/raddle"
ok 'a run' "$build/raddle" bfs kron:8 -v -q -d cpu
for tool in gzip zstd bzip2 xz; do
    command -v "$tool" > /dev/null || continue
    echo '0 1' | "$tool" > "$scratch/a.el.$tool"
    ok "$tool: says what is missing" sh -c '! "$1" info "$2" 2> "$2.why" && grep -q "compressed with .* was built without" "$2.why"' \
        sh "$build/raddle" "$scratch/a.el.$tool"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
