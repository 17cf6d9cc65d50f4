#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# metrics.sh [REF] - numbers of the tree that say how easy it is to change: functions that are long or branched, what an
# app and a policy cost, includes that point up, code that stands twice, and commits since REF that say why (default: all).
# Rules about some of them are in tests/lint.sh; CONTRIBUTING.md says what to aim for. Reads the tree, changes nothing.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/rooms.sh
scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-metrics.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

find src include -name '*.[ch]' -o -name '*.cu' -o -name '*.def' | sort > "$scratch/files"
grep -v '\.def$' "$scratch/files" > "$scratch/sources"
code_of < "$scratch/files" > "$scratch/code"
${CC:-cc} -std=c11 -o "$scratch/complexity" tools/complexity.c || exit 1
xargs "$scratch/complexity" < "$scratch/sources" | sort -rn > "$scratch/functions"

echo "files in src and include: $(wc -l < "$scratch/sources"), lines: $(xargs cat < "$scratch/sources" | wc -l)"
awk '{ n++; long += $2 > 60; twenty += $1 > 20; thirty += $1 > 30 }
    END { printf "functions: %d; over 60 lines: %d; complexity over 20: %d, over 30: %d\n", n, long, twenty, thirty }' "$scratch/functions"
awk '$2 > 60 || $1 > 30 { printf "    %-34s complexity %2d, %3d lines  %s\n", $4, $1, $2, $3 }' "$scratch/functions"

# What a new app begins with; an edited line of apps.def, tests and a page come with it.
echo
echo 'what tools/new-app writes: files and lines of an app'
for skeleton in tools/skeleton/*.txt; do
    awk -v model="$(basename "$skeleton" .txt)" '/^==> / { on = $2 ~ /^src\//; files += on; next } { lines += on }
        END { printf "    %-9s %d files, %3d lines\n", model, files, lines }' "$skeleton"
done

# What an app is made of: its folder, and the files elsewhere whose code has its name. The smallest of a model is what one
# more of that model costs.
echo
echo 'the smallest app of each model: files and lines it adds, files of the source that it edits'
for app in $(app_words); do
    model=$(cat src/apps/"$app"/*.k.c | sed -n 's/^#include "model\/\([a-z]*\)\.k\.h".*/\1/p' | sort -u | tr '\n' '+' | sed 's/+$//')
    find src/apps/"$app" -type f > "$scratch/own"
    edited=$(grep -v "^src/apps/$app/" "$scratch/code" | grep -E "\<APP\($app\)|rd__app_$app\>" | cut -d: -f1 | sort -u)
    echo "$model $app $(wc -l < "$scratch/own") $(xargs cat < "$scratch/own" | wc -l) $(echo "$edited" | grep -c .) $(echo $edited)"
done | sort -k1,1 -k4,4n | awk '$1 != last { printf "    %-16s %-9s adds %2d files, %4d lines; edits %d:", $1, $2, $3, $4, $5
    for (i = 6; i <= NF; i++) printf " %s", $i; print ""; last = $1 }'

echo
echo 'policies: files outside their folder whose code names them (a line of engines.def each is what one costs)'
for policy in $(sed -n 's/^ENGINE([a-z_]*, "\([^"]*\)".*/\1/p' src/sched/engines.def | sort -u); do
    folder=$(echo "$policy" | sed 's/-.*//')
    named=$(grep -v -e "^src/sched/$folder/" -e '^src/selftest/' -e '^src/cli/bench/' "$scratch/code" | grep -E "\"$policy\"" |
        cut -d: -f1 | sort -u)
    echo "    $policy: $(echo "$named" | grep -c .): $(echo $named)"
done

echo
echo "includes that point up: $(arrows_up < "$scratch/code" | wc -l)"
arrows_up < "$scratch/code" | sed 's/^/    /'
echo "macros, enumerators, fields and functions that nobody uses: $(sh tools/unused.sh | wc -l)"

# The same six lines of code in a row, spaces aside, in two places. Lines of braces and directives say little and are
# passed over; runs that overlap are told once.
echo
awk -v rows=6 '
    { place = $0; sub(/:[^:]*$/, "", place)
      at = index($0, ":"); file = substr($0, 1, at - 1); text = substr($0, at + 1); sub(/^[0-9]+:/, "", text)
      line = substr($0, at + 1); sub(/:.*/, "", line)
      gsub(/[ \\]/, "", text)
      if (length(text) < 4 || text ~ /^#/ || text ~ /^buf\(|^arg\(/) next
      if (file != last) { n = 0; last = file }
      row[++n] = text; number[n] = line
      if (n < rows) next
      key = ""; for (i = n - rows + 1; i <= n; i++) key = key row[i] "\n"
      if (key in first) { if (!(skip[file] + 0 > n - rows)) { print "    " first[key] "  and  " file ":" number[n - rows + 1]; skip[file] = n } }
      else first[key] = file ":" number[n - rows + 1] }' "$scratch/code" > "$scratch/twice"
echo "six lines in a row that stand twice: $(wc -l < "$scratch/twice")"
cat "$scratch/twice"

if git rev-parse --git-dir > /dev/null 2>&1; then
    range=${1:+$1..}HEAD
    echo
    git log --no-merges --format='%h%x01%b%x02' "$range" | tr '\n' ' ' | tr '\002' '\n' |
        awk -F'\001' 'NF == 2 { n++; why += $2 ~ /[^ ]/ } END { printf "commits in '"$range"': %d, with a body that says why: %d\n", n, why }'
fi
