# SPDX-License-Identifier: Apache-2.0
# What a job learns from its runs: when something is tried, that it is told, and that results stay what they are. Which
# scheduler is faster is the machine's affair: no test asks for it.

t 'the fourth of eager runs tries something' 0 '*trial 3:*trial 4:*learned:   run 4 *: *usually takes*12 of 12 right' '' \
    bfs path:3000 -n 12 -v --learn eager --explain
for app in sssp kcore cc; do
    t "$app learns" 0 '*learned:   run 4 *: *usually takes*14 of 14 right' '' $app road:30x30 -n 14 -v --learn eager --explain
done
t 'not without a word for it' 0 '*9 of 9 right' '' bfs path:3000 -n 9 -v --learn eager
"$raddle" bfs path:3000 -d cpu -n 9 --learn off --explain > "$scratch/off" 2>&1
ok 'nothing is learned when it is off' test "$(grep -c '^learned' "$scratch/off")" -eq 0
"$raddle" bfs path:3000 -d cpu -n 9 --sched bsp --learn eager --explain > "$scratch/asked" 2>&1
ok 'nor under a scheduler that was asked for' test "$(grep -c '^learned' "$scratch/asked")" -eq 0
"$raddle" bfs path:3000 -d cpu -n 9 --parents --learn eager --explain > "$scratch/parents" 2>&1
ok 'nor where results may differ' test "$(grep -c '^learned' "$scratch/parents")" -eq 0
"$raddle" bfs path:3000 -d cpu -n 9 --launch discrete --learn eager --json > "$scratch/learn.json" 2> "$scratch/err"
same 'a launch that was asked for stays' "$("$json" launch < "$scratch/learn.json" | sort -u)" '"discrete"'
"$raddle" bfs path:3000 -d cpu -n 9 --learn eager --json > "$scratch/learn.json" 2> "$scratch/err"
ok 'records are valid' "$json" < "$scratch/learn.json"
ok 'the record of a trial has its switches' test -n "$(sed -n 4p "$scratch/learn.json" | "$json" switches)"
ok 'and none has none' test -z "$(sed -n 1p "$scratch/learn.json" | grep switches)"
ok 'docs/json.md explains switches' grep -q '`switches`' docs/json.md
t 'a word that there is not' 2 '' "*option learn takes off, on or eager, not 'soon'*" bfs path:9 --learn soon
t 'with a limit of time' 0 '*9 of 9 right' '' bfs path:3000 -n 9 -v --learn eager --timeout 60
same 'results are the same' "$("$raddle" sssp road:30x30 -d cpu -q -n 14 --learn eager -o -)" \
    "$("$raddle" sssp road:30x30 -d cpu -q --learn off -o -)"
