#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint.sh - rules of CONTRIBUTING.md that a script can see.
set -u
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0
rule() { # rule TEXT OFFENDERS
    if [ -z "$2" ]; then passed=$((passed + 1)); else
        echo "$2"
        echo "FAILED: $1"
        failed=$((failed + 1))
    fi
}
# A clone has git; an unpacked archive does not.
files() { git ls-files -co --exclude-standard -- "$@" 2>/dev/null | sort -u | while read -r f; do [ -f "$f" ] && echo "$f"; done; }
[ -n "$(files Makefile)" ] || files() { find . -name 'build*' -prune -o -type f -print | sed 's|^\./||'; }
sources() { files | grep -E '\.(c|h|cu|sh|mk)$|^Makefile$|^\.ci/run$|\.[1-8]$' | grep -v -E '^tests/(data|fuzz/(found|seeds))/'; }

c_files() { sources | grep -E '\.(c|h|cu)$'; }

rule 'each file names its licence in its first lines' \
    "$(sources | while read -r f; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f"; done)"
rule 'lines are at most 120 columns' \
    "$(c_files | while read -r f; do awk -v f="$f" 'length > 120 { print f ":" FNR }' "$f"; done)"
rule 'no spaces at the end of a line' "$(sources | xargs grep -nE '[[:space:]]+$' /dev/null)"
rule 'no tabs in C' "$(c_files | xargs grep -n "$(printf '\t')" /dev/null)"
rule 'the command uses only include/' \
    "$(c_files | grep '^src/cli/' | xargs grep -nE '#include "(core|graph|device|sched|apps|dialect|selftest)/' /dev/null)"
rule 'output files are written by src/core/sink.c alone, cache entries by cache.c (docs/reliability.md)' \
    "$(c_files | grep '^src/' | grep -v -e '^src/core/sink.c$' -e '^src/device/cache.c$' |
        xargs grep -nE '\<(mkstemp|rename|renameat|creat|freopen) *\(|fopen *\([^)]*"[wa]|O_CREAT' /dev/null)"
# The first block of C in the page is the example, without its head and formatting marks.
rule 'docs/dialect.md shows src/selftest/example.k.c as it is' \
    "$(awk '/^```c$/ { on = 1; next } /^```$/ { exit } on' docs/dialect.md > "${TMPDIR:-/tmp}/raddle-example.$$"
    sed -e '1,3d' -e '/clang-format/d' src/selftest/example.k.c | diff - "${TMPDIR:-/tmp}/raddle-example.$$"
    rm -f "${TMPDIR:-/tmp}/raddle-example.$$")"
# Blocks of C that start with the name of a file are whole files: fib's are the real ones, all of them compile.
rule 'the programs of docs/forkjoin.md are whole' \
    "$(dir=$(mktemp -d "${TMPDIR:-/tmp}/raddle-docs.XXXXXX")
    awk -v dir="$dir" '/^```c$/ { fresh = 1; next } /^```$/ { f = ""; fresh = 0; next }
        fresh { fresh = 0; if ($2 ~ "^src/apps/") { f = $2; sub(".*/", dir "/", f); next } }
        f != "" { print > f }' docs/forkjoin.md
    for f in fib.k.c fib.c; do
        sed -n '/^#/,$p' src/apps/fib/$f | sed '/clang-format/d' | diff - "$dir/$f"
    done
    for f in fib queens msort; do sh tools/programs.sh "$dir/gen" $f "$dir/$f.k.c"; done
    flags="-std=c11 -fsyntax-only -Wall -Wextra -Werror -Iinclude -Isrc -I$dir"
    kernel='-Wno-unused-function -Wno-unused-parameter -DRD_TARGET_CPU=1 -DRD_CPU_WIDE=0'
    for f in fib queens msort; do
        for sched in steal fifo; do
            ${CC:-cc} $flags $kernel -DRD_PROGRAM=${f}_$sched -include "$dir/$f.k.c" -x c src/sched/$sched/forkjoin.k.h 2>&1
        done
    done
    for f in fib msort; do ${CC:-cc} $flags "$dir/$f.c" 2>&1; done
    rm -rf "$dir")"
rule 'links between documents lead somewhere' \
    "$(files | grep '\.md$' | while read -r f; do
        grep -oE '\]\([^)#:]+' "$f" | sed 's/^](//' | while read -r link; do
            [ -e "$(dirname "$f")/$link" ] || echo "$f: $link"
        done
    done)"
rule 'scripts parse' "$(files | grep '\.sh$' | while read -r f; do sh -n "$f" 2>&1 || echo "$f"; done)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
