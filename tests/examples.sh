#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# examples.sh - the apps that documentation shows are whole. Blocks of C in docs/*.md whose first line names a file below
# src/apps, and the example in the head of each src/model/*.k.h, become a tree of their own; tools/programs.sh says which
# engines run each, as it does for the real ones, and all of them are compiled, for one lane and for groups. Prints what
# is wrong; nothing when all is well. Then: what a model refuses is refused, with its sentence.
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
tree=$(mktemp -d "${TMPDIR:-/tmp}/raddle-docs.XXXXXX") || exit 1
trap 'rm -rf "$tree"' EXIT
flags="-std=c11 -fsyntax-only -Wall -Wextra -Werror -Iinclude -Isrc -I$tree"
kernel='-Wno-unused-function -Wno-unused-parameter -DRD_TARGET_CPU=1'

mkdir -p "$tree/src/apps"
for room in sched model dialect heap device; do ln -s "$top/src/$room" "$tree/src/$room"; done
for page in docs/*.md; do
    awk -v tree="$tree" '/^```c$/ { fresh = 1; next } /^```$/ { f = ""; fresh = 0; next }
        fresh { fresh = 0
            if ($2 ~ "^src/apps/.*[.]c$") {
                n = split($2, part, "/"); name = part[n]; sub(/[.].*/, "", name)
                f = tree "/src/apps/" name "/" part[n]; system("mkdir -p " tree "/src/apps/" name); next } }
        f != "" { print > f }' "$page"
done
for header in src/model/*.k.h; do # the lines of the head that are indented by four, from the first # to the text below
    model=$(basename "$header" .k.h)
    case $model in *_layout | *_limits | item) continue ;; esac # what models share with others
    mkdir -p "$tree/src/apps/least_$model"
    awk '/^ \*\/$/ { exit } /^ \*     #/ { on = 1 } /^ \* [A-Z]/ && on { exit } on { print substr($0, 8) }' "$header" \
        > "$tree/src/apps/least_$model/least_$model.k.c"
    [ -s "$tree/src/apps/least_$model/least_$model.k.c" ] || echo "$header has no example in its head"
done

(cd "$tree" && sh "$top/tools/programs.sh" "$tree/gen" > "$tree/programs") || exit 1
programs=0
while IFS='|' read -r name root engine constants; do
    case $root in apps/*) ;; *) continue ;; esac
    own=$tree/gen/own/${root%.c}.h # what goes before own files
    [ ! -e "$own" ] || constants="$constants -include $own"
    for wide in 0 1; do
        ${CC:-cc} $flags $kernel -DRD_CPU_WIDE=$wide -DRD_PROGRAM="$name" $constants -include "$tree/src/$root" \
            -x c "src/$engine" 2>&1 | grep -E -A 2 'error|warning'
    done
    programs=$((programs + 1))
done < "$tree/programs"
[ $programs -ge 20 ] || echo "only $programs programs were found in docs/ and src/model/"
for host in "$tree"/src/apps/*/*.c; do
    case $host in *.k.c) ;; *) ${CC:-cc} $flags "$host" 2>&1 ;; esac
done
for f in fib.k.c fib.c; do # shown as they are
    sed -n '/^#/,$p' src/apps/fib/$f | sed '/clang-format/d' | diff - "$tree/src/apps/fib/$f"
done

# refused ENGINE CONSTANTS SENTENCE TEXT...: a program of these lines must fail with that sentence.
refused() {
    engine=$1 constants=$2 sentence=$3
    shift 3
    printf '%s\n' "$@" > "$tree/bad.k.c"
    ${CC:-cc} $flags $kernel -DRD_CPU_WIDE=0 -DRD_PROGRAM=bad $constants -include "$tree/bad.k.c" -x c "src/sched/$engine" \
        2>&1 | grep -q "error.*$sentence" || echo "src/sched/$engine does not say '$sentence' of: $*"
}
any='-DRD_ROUNDS=0 -DRD_URGENT=1'
frontier='#include "model/frontier.k.h"'
args='#define RD_APP_ARGS(buf, arg) buf(rd_u32, x)'
refused fifo/fifo.k.h "$any" 'no RD_APP_ARGS' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_VERTEX needs RD_APP_WIDE' '#define RD_APP_VERTEX 1' "$frontier"
refused fifo/fifo.k.h "$any" 'belong to RD_APP_VERTEX' '#define RD_APP_WIDE 1' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_SKIP needs RD_APP_NO_ROUNDS' '#define RD_APP_SKIP 1' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_REPEATS is about rounds' '#define RD_APP_REPEATS 1' '#define RD_APP_NO_ROUNDS 1' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_PULLS is for rounds' '#define RD_APP_REPEATS 1' '#define RD_APP_PULLS 1' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_EARLY is about phases' '#define RD_APP_EARLY 1' "$frontier"
refused fifo/fifo.k.h "$any" 'RD_APP_URGENT before you include' "$frontier" "$args" '#define RD_APP_URGENT 1'
refused fifo/fifo.k.h "$any" '_PULLS before you include' "$frontier" "$args" '#define RD_APP_PULLS 1'
refused bsp/sweep.k.h '' 'no RD_APP_ARGS' '#include "model/sweep.k.h"'
refused bsp/sweep.k.h '' 'RD_FOLD_JOIN and RD_FOLD_NONE belong together' '#define RD_FOLD_NONE 1' '#include "model/sweep.k.h"'
refused bsp/sweep.k.h '' 'floats have no default' '#define RD_FOLD_F32 1' '#include "model/sweep.k.h"'
refused bsp/sweep.k.h '' 'RD_SWEEP_SCALARS is at most 8' '#define RD_SWEEP_SCALARS 9' '#include "model/sweep.k.h"'
refused bsp/sweep.k.h '' 'RD_GAINS is made of' '#define RD_GAINS 16' '#include "model/sweep.k.h"'
refused bsp/sweep.k.h '' 'RD_APP_WHOLE says that all' '#define RD_APP_WHOLE 1' '#define RD_FOLD_ENOUGH(x) (x)' \
    '#include "model/sweep.k.h"'
refused steal/forkjoin.k.h '' 'define RD_TASK_WORDS, RD_TASK_CHILDREN and RD_TASK_JOIN' '#include "model/forkjoin.k.h"'
refused steal/forkjoin.k.h '' 'RD_TASK_CHILDREN is 1 to 32' '#define RD_TASK_WORDS 1' '#define RD_TASK_CHILDREN 33' \
    '#define RD_TASK_JOIN RD_JOIN_SUM' '#include "model/forkjoin.k.h"'
refused bag/bag.k.h '' 'must say RD_TASK_GIVES' '#include "model/ranked.k.h"' "$args"
refused bag/bag.k.h '' 'RD_TASK_GIVES is 1 to 8' '#include "model/ranked.k.h"' "$args" '#define RD_TASK_GIVES 9'
refused tiles/tiles.k.h '' 'define RD_APP_PACK and RD_APP_GIVES' '#include "model/plane.k.h"'
refused fifo/dag.k.h '' 'define RD_TASK_RELEASES before' '#include "model/dag.k.h"'
refused fifo/dag.k.h '' 'RD_TASK_RELEASES is 1 to 1024' '#define RD_TASK_RELEASES 2000' '#include "model/dag.k.h"'
refused steal/dag.k.h '' 'no RD_APP_ARGS' '#define RD_TASK_RELEASES 2' '#include "model/dag.k.h"'
refused tiles/tiles.k.h '' 'RD_APP_GIVES is 1 or 2' '#define RD_APP_PACK 1' '#define RD_APP_GIVES 3' '#include "model/plane.k.h"'
