#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lint.sh - rules of CONTRIBUTING.md and docs/architecture.md that a script can see.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/rooms.sh
scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-lint.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

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
rule 'records name no folders of the machine they were made on (in command_line, names will do)' \
    "$(files results | xargs grep -lE '"command_line": "([^"]*[ =])?/[^/" ]+/' /dev/null)"

# ---- The house: docs/architecture.md. Rules look at code and strings; comments may say what they like. ----
files | grep -E '^src/.*\.(c|h|cu|def|fn)$' | code_of > "$scratch/code"
words() { tr '\n' '|' | sed 's/|$//'; }
rule "includes point down: $rooms" "$(arrows_up < "$scratch/code")"
rule 'docs/architecture.md has the rooms in the same order' \
    "$(grep -qF "$(echo "$rooms" | sed 's/ / < /g')" docs/architecture.md || echo docs/architecture.md)"
rule 'apps and jobs name no policy and no engine (ask for what it is: RD__ENGINE_... in src/sched/sched.h)' \
    "$(grep -E '^src/(apps|job)/' "$scratch/code" |
        grep -iE ":[0-9]+:(.*[^a-z0-9])?($(policy_words | words))([^a-z0-9]|\$)")"
rule 'schedulers name no app' \
    "$(grep '^src/sched/' "$scratch/code" |
        grep -E "\"($(app_words | words))(_[a-z]+)?\"|\<rd__apps?(_|\>)|\"apps/")"
rule 'nothing above src/device names a back end (ask for what it can do: src/device/device.h)' \
    "$(grep -E "^src/($(echo "${rooms#*device }" | tr ' ' '|'))/" "$scratch/code" |
        grep -E '\<rd__(cpu|cuda|opencl)_|"(cuda|opencl)|"device/(cpu|cuda|opencl)/|cmp\([^;]*"cpu' |
        grep -v '^src/cli/open_device.c:')"
rule 'kernel files test for no target; src/dialect/ does' \
    "$(grep -E '^src/[^:]*\.k\.[ch]:' "$scratch/code" |
        grep -E '\<(RD_TARGET_|RD_CPU_|__CUDA|__NVCC|__OPENCL|__GNUC__|__clang__|__x86_64|__aarch64|__cplusplus)')"
rule 'the dialect includes <stdint.h> and <stddef.h> alone: each kernel is made to wait for what a header has' \
    "$(grep -E '^(src/dialect/|src/[^:]*\.k\.h:)' "$scratch/code" | grep -E '# *include *<' | grep -vE '<std(int|def)\.h>')"
# The tool is tried on a function whose branches are counted here: 1 + if, &&, ||, for, ?, while, case.
rule 'tools/complexity.c counts' \
    "$(${CC:-cc} -std=c11 -o "$scratch/complexity" tools/complexity.c 2>&1
    printf '%s\n' '#define M(x) if (x) {' 'static int f(int a, int b) /* if */' '{' 'if (a && b || !a)' \
        'for (;;) a = b ? 1 : 2;' 'do { b = ")if{"[0]; } while (b);' 'switch (a) { case 1: break; default: break; }' '}' \
        'struct s { int if_; } t = { 1 };' "rd_kernel(k, ARGS) { char c = '{'; } // if" > "$scratch/sample.c"
    "$scratch/complexity" "$scratch/sample.c" | sed "s|$scratch/||" > "$scratch/counted"
    printf '%s\n' '8 6 sample.c:3 f' '1 1 sample.c:10 rd_kernel(k)' | diff - "$scratch/counted")"
rule 'no function has a complexity over 30 (tools/complexity.c); split it' \
    "$(c_files | xargs "$scratch/complexity" | awk '$1 > 30 { print $3 ": complexity " $1 " of " $4 }')"
rule 'no function has more than 60 lines; give a part of it a name' \
    "$(c_files | xargs "$scratch/complexity" | awk '$2 > 60 { print $3 ": " $2 " lines of " $4 }')"
rule 'no file of code has more than 500 lines: a file is one idea' \
    "$(files | grep -E '\.(c|h|cu|sh|mk|t|def)$|^Makefile$' | grep -v '^tests/data/' | while read -r f; do
        awk -v f="$f" 'END { if (NR > 500) print f ": " NR " lines" }' "$f"; done)"
rule 'nothing is written that nobody uses (tools/unused.sh)' "$(sh tools/unused.sh 2>&1)"

rule 'output files are written by src/core/sink.c alone, cache entries by cache.c (docs/reliability.md)' \
    "$(c_files | grep '^src/' | grep -v -e '^src/core/sink.c$' -e '^src/device/cache.c$' |
        xargs grep -nE '\<(mkstemp|rename|renameat|creat|freopen) *\(|fopen *\([^)]*"[wa]|O_CREAT' /dev/null)"
rule 'fractions go through src/core/text.h, or a decimal comma of the locale gets in (src/cli sets no locale)' \
    "$(grep -vE '^src/(core/text\.c|[^:]*\.k\.[ch]|dialect/[^:]*):' "$scratch/code" | grep -E \
        -e '\<setlocale\(' -e '^src/(c[^l]|[^c])[^:]*:.*\<(strtod|strtof|strtold|atof) *\(' \
        -e '^src/(c[^l]|[^c])[^:]*:.*\<v?(f|sn|d)?printf *\(.*%[-+ #0-9.*]*[aefgAEFG]')"
# The first block of C in the page is the example, without its head and formatting marks.
rule 'docs/dialect.md shows src/selftest/example.k.c as it is' \
    "$(awk '/^```c$/ { on = 1; next } /^```$/ { exit } on' docs/dialect.md > "${TMPDIR:-/tmp}/raddle-example.$$"
    sed -e '1,3d' -e '/clang-format/d' src/selftest/example.k.c | diff - "${TMPDIR:-/tmp}/raddle-example.$$"
    rm -f "${TMPDIR:-/tmp}/raddle-example.$$")"
rule 'the apps in docs/ and in the heads of src/model/ are whole, and what models refuse is refused' "$(sh tests/examples.sh 2>&1)"
rule 'functions that engines call are those that the heads of src/model/ name, and skeletons have no others' \
    "$(for room in sched model; do
        find src/$room -name '*.k.h' -exec grep -hoE '\<rd_app_[a-z_]+' {} + | sort -u > "$scratch/$room"
    done
    comm -3 "$scratch/sched" "$scratch/model"
    cat tools/skeleton/*.txt | grep -oE '\<rd_app_[a-z_]+' | sort -u | comm -23 - "$scratch/model")"
rule 'links between documents lead somewhere' \
    "$(files | grep '\.md$' | while read -r f; do
        grep -oE '\]\([^)#:]+' "$f" | sed 's/^](//' | while read -r link; do
            [ -e "$(dirname "$f")/$link" ] || echo "$f: $link"
        done
    done)"
rule 'files that documents name are there (NAME and MODEL stand for any; some apps are examples: tests/examples.sh)' \
    "$(files | grep '\.md$' | xargs grep -noE '\<(src|tests|tools|include)/[A-Za-z0-9_./-]+\.(c|h|cu|sh|def|mk|t)\>' /dev/null |
        grep -vE 'NAME|MODEL|src/apps/(queens|msort|reach|core|coins|mandel|edit)/' | while IFS=: read -r f line path; do [ -e "$path" ] || echo "$f:$line: $path"; done)"
rule 'scripts parse' "$(files | grep '\.sh$' | while read -r f; do sh -n "$f" 2>&1 || echo "$f"; done)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
