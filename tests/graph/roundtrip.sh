#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# roundtrip.sh RADDLE - every format we write, through every other one and back, must give the graph it started from, byte for byte (compared as
# .sg or .wsg, which hold nothing but the graph). Standard input and output, and what packs files are on the way.
set -u
raddle=$(realpath "$1")
failed=0
count=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
    echo "roundtrip: $*"
    failed=1
}

# $1: name; $2: format to compare in; the rest: formats that can hold the graph
pairs() {
    name=$1
    plain=$2
    shift 2
    for a in "$@"; do
        "$raddle" convert "$name.rdg" "a.$a" > /dev/null || fail "$name -> $a"
        for b in "$@"; do
            "$raddle" convert "a.$a" "b.$b" > /dev/null && "$raddle" convert "b.$b" "c.$plain" > /dev/null || fail "$name: $a -> $b"
            cmp -s "$name.$plain" "c.$plain" || fail "$name: $a -> $b gives another graph"
            count=$((count + 1))
        done
        # binary formats without a magic number need their names
        "$raddle" convert - - --format "$a" --to "$plain" < "a.$a" > "c.$plain" || fail "$name: $a from standard input"
        cmp -s "$name.$plain" "c.$plain" || fail "$name: $a from standard input gives another graph"
        for packer in gzip:gz zstd:zst bzip2:bz2 xz:xz; do
            command -v "${packer%:*}" > /dev/null || continue
            "${packer%:*}" -q -c "a.$a" > "p.$a.${packer#*:}"
            if "$raddle" convert "p.$a.${packer#*:}" "c.$plain" > /dev/null 2> err; then
                cmp -s "$name.$plain" "c.$plain" || fail "$name: $a.${packer#*:} gives another graph"
            else
                grep -q "was built without" err || fail "$name: $a.${packer#*:}: $(cat err)"
            fi
        done
    done
}

# A star whose last vertex has edges, so that edge lists keep all vertices; a directed graph with loops and parallel edges.
"$raddle" gen kron:9:4 --seed 3 --permute -o k.rdg > /dev/null
printf '0 7\n3 3\n3 3\n7 2\n2 7\n5 1\n5 1\n1 6\n' > d.el
printf '0 7 4\n3 3 -2\n3 3 9\n7 2 1\n2 7 3\n5 1 5\n5 1 5\n1 6 2147483647\n6 1 -2147483648\n' > e.wel
"$raddle" gen star:50 -o s.rdg > /dev/null
"$raddle" gen urand:8 --weights 1-255 -o w.rdg > /dev/null
"$raddle" convert d.el d.rdg > /dev/null
"$raddle" convert e.wel e.rdg > /dev/null
for name in s d; do "$raddle" convert $name.rdg $name.sg > /dev/null && pairs $name sg rdg mtx el adj sg egr; done
for name in w e; do "$raddle" convert $name.rdg $name.wsg > /dev/null && pairs $name wsg rdg mtx wel gr adj wsg egr; done
"$raddle" convert k.rdg k.sg > /dev/null && pairs k sg rdg mtx sg egr

# .rdg keeps the names of vertices and says when they were changed
"$raddle" convert k.rdg k2.rdg --ids ids1 > /dev/null && "$raddle" convert k2.rdg k3.rdg --ids ids2 > /dev/null
cmp -s ids1 ids2 && [ "$(sort -n ids1 | uniq | wc -l)" = 512 ] || fail "ids are not kept"

# A failed write leaves the old file and nothing else.
mkdir keep && echo old > keep/x.el
"$raddle" convert w.rdg keep/x.el > /dev/null 2>&1 && fail "weights were dropped silently"
[ "$(cat keep/x.el)" = old ] && [ "$(ls keep)" = x.el ] || fail "a failed write left something behind"
[ $failed = 0 ] && echo "roundtrip: $count pairs of formats"
exit $failed
