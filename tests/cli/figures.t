# SPDX-License-Identifier: Apache-2.0
# Experiments of the sources: suites, traces, inputs.

t 'figures: cases' 0 'reserve/tree:4:10/proxy chunk=1*rivals/kron:20/sssp/passes*lattice/lattice:80/serial*' '' bench figures --list
t 'figures: who reserves is for GPUs' 0 '*reserve/path:30/direct chunk=8 *left out: workers of cpu are single lanes*' '*' bench figures -g path:30 -d cpu -n 1 --filter reserve/
t 'figures: rounds and passes' 0 '*bfs/a launch a level, bitmap *edges/s*sssp/passes *edges/s*' '*' bench figures -g road:9x9:1 -d cpu -n 1 --filter rivals/
t 'figures: a serial search beside workers' 0 '*lattice/lattice:6/serial *216 reached, depth 3*workers/groups=1 *all *all, victim=none *' '' bench figures -g lattice:6 -d cpu -n 1 --filter lattice/
t 'a lattice with some of its edges' 0 '*1000 vertices, 13014 edges*' '' gen lattice:10:0.5 -o "$scratch/l.rdg"
t 'a lattice without edges' 0 '*27 vertices, 0 edges*' '' gen lattice:3:0 -o "$scratch/l0.el"
t 'a probability that is none' 2 '' '*P*' gen lattice:5:1.5 -o "$scratch/l1.el"
t 'levels of a lattice by stealing' 0 '*right*' '' bfs lattice:9:0.25 -v --sched steal-levels

t 'atos: overwork, permuted numbers, maps' 0 '*color/path:40/discrete warp *x the tasks needed*bfs/path:40/persistent warp/permuted *bfs on path:40, least ms*pr on path:40*' '' \
    bench atos -g path:40 -d cpu -n 1 --picture "$scratch/map.ppm"
ok 'atos: a picture' test "$(head -c 2 "$scratch/map.ppm")" = P6
"$raddle" bench atos -g path:40 -d cpu -n 1 --filter color/path:40/persistent --json-file "$scratch/atos.jsonl" > /dev/null 2> "$scratch/err"
ok 'atos: records have the overwork' test -n "$("$json" overwork < "$scratch/atos.jsonl")"
t 'atos: colours by two kinds of tasks' 0 '*color by two kinds/path:40/discrete block/permuted *' '' bench atos -g path:40 -d cpu -n 1 --filter 'two kinds'
t 'atos: ranks by a cursor' 0 '*pr by a cursor/path:40/persistent warp *' '' bench atos -g path:40 -d cpu -n 1 --filter 'a cursor'
ok 'atos: colours by guess and repair' grep -q 'method=speculate' "$scratch/atos.jsonl"

t 'scaling: every form of the queue' 0 '*tree:4:5/retry-free/one worker *tree:4:5/an/one worker *tree:4:5/cas/one worker *' '' bench scaling -g tree:4:5 --queue all -d cpu -n 1
t 'scaling: what speculation corrects' 0 '*one worker *of ideal, * tasks each*' '' bench scaling -g road:20x20:1 --app sssp -d cpu -n 1
t 'scaling: what had to be tried again' 0 '*one worker *of ideal, * empty, 0 retries a reservation*' '' bench scaling -g tree:4:3 --queue cas -d cpu:1 -n 1
t 'scaling: another app' 2 '' "*--app takes bfs or sssp, not 'pr'*" bench scaling --app pr

t 'deque: owners pop while others steal' 0 '*lockfree/filled/one *items/s*lockfree/filled/chunks of 8 *items/s*' '' bench deque -d cpu -n 1 --filter lockfree/filled
t 'deque: one worker has nobody to rob' 0 '*lockfree/steal/one *left out: *needs two workers*' '*' bench deque -d cpu -n 1 --filter lockfree/steal/one
t 'discovery: delays, own numbers, widths' 0 '*counter/delay/1000*counter/native*counter/lanes=1024' '' bench discovery --list --filter counter/
t 'discovery: the mean of runs' 0 '*tickets/delay/0 *groups/s, * of 2 groups of 1*' '' bench discovery -d cpu:2 -n 3 --filter tickets/delay/0
"$raddle" bench discovery -d cpu:2 -n 2 --filter counter/native --json-file "$scratch/native.jsonl" > /dev/null 2> "$scratch/err"
for field in mean_groups recall; do
    ok "a record of discovery has $field" test -n "$("$json" $field < "$scratch/native.jsonl")"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
t 'discovery: what trying finds' 0 '*search/small *[12] of 2 groups of 1*' '' bench discovery -d cpu:2 -n 1 --filter search/small

# --trace
for app in 'bfs kron:9 --sched bsp --launch discrete' 'bfs kron:9 --sched fifo --launch discrete' 'sssp kron:9 --sched heap' \
    'pr kron:8' 'color kron:8 --sched steal' 'kcore kron:8' 'fib 20' 'ray box --size 32x32'; do
    # shellcheck disable=SC2086 # words
    t "trace: $app" 0 '' '' $app -d cpu -q --trace "$scratch/trace.txt"
    ok '... has a header' test "$(head -n 1 "$scratch/trace.txt")" = 'seconds tasks waiting overwork'
    ok '... and ends with nothing waiting' awk 'END { exit !(NR > 1 && NF == 4 && $3 == 0 && $2 > 0) }' "$scratch/trace.txt"
done
# Launches that end when all is done are left for a look, and others go on: lines between the ends, and the answer is right.
rises() { awk 'NR > 2 && ($1 < t || $2 < n) { bad = 1; exit } { t = $1; n = $2 } END { exit bad || NR <= 4 }' "$scratch/trace.txt"; }
knows() { awk 'NR > 1 && (NF != 4 || $3 !~ /^[0-9]+$/ || $4 !~ /^[0-9.]+$/ || $4 < 1) { exit 1 }' "$scratch/trace.txt"; }
for app in 'uts T1' 'fib 36' 'fib 36 --sched fifo' 'sssp kron:17 --sched fifo' 'sssp kron:17 --sched steal' 'pr kron:17 --tol 1e-7' \
    'bfs path:1000000 --sched steal-levels' 'bfs kron:18 --sched steal-levels'; do
    # shellcheck disable=SC2086 # words
    t "trace: $app in one launch" 0 '*right*' '' $app -v -d cpu:1 --launch persistent --trace "$scratch/trace.txt"
    ok '... has lines between its ends' rises
    ok '... that tell what waits and overwork' knows
done
# Of others too, and in launches that end.
for app in 'sssp kron:12 --sched heap' 'sssp kron:12 --sched multi' 'sssp kron:12 --sched bsp' 'sssp kron:12 --sched fifo' \
    'bfs kron:12 --sched steal' 'bfs kron:12 --sched steal-levels --launch discrete'; do
    # shellcheck disable=SC2086 # words
    t "trace: $app has no gaps" 0 '*right*' '' $app -v -d cpu:2 --trace "$scratch/trace.txt"
    ok '... at any line' knows
done
ok '... and has more than its ends' rises
# Each of these vertices is found once: what has run and what waits is what was found, so overwork is 1 only if none of
# those that wait was missed.
once() { awk 'NR > 1 && $4 != "1.0000" { bad = 1; exit } END { exit bad || NR <= 4 }' "$scratch/trace.txt"; }
for device in cpu:2 cpu:2x4; do
    for sched in steal steal-levels; do
        t "trace: all that waits under $sched, $device" 0 '*right*' '' \
            bfs caterpillar:2000:30 -v -d $device --sched $sched --launch discrete --trace "$scratch/trace.txt"
        ok '... is told' once
    done
done
# On a path one vertex waits, in whatever level the launch was left; from its end, as others have two neighbours.
# Each vertex is a task once: what was run and what waits are no more than there are, whoever has them in hand.
within() { awk -v most="$1" 'NR > 1 && $2 + $3 > most { bad = 1; exit } END { exit bad || NR <= 3 }' "$scratch/trace.txt"; }
for run in 'mis urand:18 --sched fifo -d cpu:1' 'color urand:18 --sched fifo -d cpu:1' \
    'mis urand:11 --sched fifo -d cpu:2x4' 'bfs urand:11 --sched fifo --gate -d cpu:2x4'; do
    # shellcheck disable=SC2086
    t "trace: $run" 0 '*right*' '' $run -v --trace "$scratch/trace.txt"
    case $run in *:18*) ok '... has no task twice' within 262144 ;; *) ok '... has no task twice' within 2048 ;; esac
done
t 'trace: levels' 0 '*right*' '' bc kron:14 -v --sched bsp -d cpu:2 --trace "$scratch/trace.txt"
same '... are told as they come' "$(tail -n 2 "$scratch/trace.txt" | cut -d ' ' -f 2 | sort -u | wc -l)" 1
t 'trace: a path' 0 '*right*' '' bfs path:300000 -r 0 -v -d cpu:2 --sched steal-levels --launch persistent --trace "$scratch/trace.txt"
ok '... has one vertex waiting' awk 'NR > 1 && $2 < 300000 && $3 != 1 { bad = 1; exit } END { exit bad || NR <= 4 }' "$scratch/trace.txt"
# Pixels of a picture whose rays end where they hit: each is run or waits.
for launch in persistent discrete; do
    t "trace: pixels, $launch" 0 '' '' ray box --size 512x512 --depth 1 -d cpu:1 -q --launch $launch --trace "$scratch/trace.txt"
    ok '... are told' awk 'NR > 1 && $2 + $3 != 262144 { bad = 1; exit } END { exit bad || NR <= 5 }' "$scratch/trace.txt"
done
# Fork-join tasks: seeds, tasks in deques and in the queue, and tasks between others that wait for them (tests/data/chains.k.c).
chains=tests/data/chains.k.c
for sched in 'steal' 'steal --deal block' 'fifo'; do
    for device in cpu:2 cpu:2x4; do
        # shellcheck disable=SC2086 # words
        t "trace: seeds under $sched, $device" 0 '*right*' '' \
            run $chains --chains 50000 -v -d $device --launch discrete --steps 4 --trace "$scratch/trace.txt" --sched $sched
        ok '... are run or wait' awk 'NR > 1 && $2 + $3 != 50000 { bad = 1; exit } END { exit bad || NR <= 5 }' "$scratch/trace.txt"
        # shellcheck disable=SC2086 # words
        t "trace: chains under $sched, $device" 0 '*right*' '' \
            run $chains --chains 7 --length 5000 -v -d $device --launch discrete --steps 4 --trace "$scratch/trace.txt" --sched $sched
        ok '... have a task each' awk 'NR > 1 && $2 < 35007 && ($3 < 1 || $3 > 7) { bad = 1; exit } $3 == 7 { all++ } END { exit bad || !all }' \
            "$scratch/trace.txt"
    done
    # shellcheck disable=SC2086 # words
    t "trace: leaves under $sched" 0 '*right*' '' \
        run $chains --length 20000 --leaves 1 -v -d cpu:1 --launch discrete --steps 16 --trace "$scratch/trace.txt" --sched $sched
    ok '... are counted, links are not' awk 'NR > 1 && $3 != ($2 <= 20000 ? $2 + 1 : 40001 - $2) { bad = 1; exit } END { exit bad || NR <= 5 }' \
        "$scratch/trace.txt"
done
t 'trace: the last line has all tasks' 0 '*' '' bfs kron:9 -d cpu --sched bsp --launch discrete --json --trace "$scratch/trace.txt"
same '... as the report does' "$(tail -n 1 "$scratch/trace.txt" | cut -d ' ' -f 2)" \
    "$("$raddle" bfs kron:9 -d cpu --sched bsp --launch discrete --json | head -n 1 | "$json" tasks)"
t 'trace: a run that is stopped' 5 '' '*stopped after the 0.3 s*' fib 50 -d cpu:1 -q --timeout 0.3 --trace "$scratch/trace.txt"
ok '... ends with what was done' rises
ok '... and what was left' awk 'END { exit !($2 > 0 && $3 > 0) }' "$scratch/trace.txt"
t 'trace: a folder that is not there' 3 '' '*cannot be written*' bfs path:9 --trace "$scratch/none/trace.txt"

# --split
"$raddle" sssp kron:9 -d cpu --sched heap --split on --json 2> "$scratch/err" | head -n 1 > "$scratch/split.json"
value() { "$json" "$1" < "$scratch/split.json"; }
case $(uname -m) in
x86_64 | aarch64) # others may have no clock that kernels can read, and say so
    ok 'time is split into queue, rest and work' awk -v q="$(value queue_s)" -v r="$(value rest_s)" -v w="$(value work_s)" -v k="$(value kernel_s)" \
        'BEGIN { d = q + r + w - k; exit !(q > 0 && r >= 0 && w > 0 && d * d < 1e-12 * k * k) }'
;;
esac
t 'a split that is none' 2 '' '*option split takes off|on*' sssp path:9 --sched heap --split maybe

# knapsack
t 'even weights, an odd capacity' 0 '*right*' '' knapsack even-odd:40:100 -v
t 'with and without collecting' 0 'strongly:700:18000/heap/best-first/no gc*subset:1300:14000/heap/best-first/gc' '' bench knapsack --list --filter gc

# --discovery
for kind in tickets spin destruct counter; do
    t "discovery in a run: $kind" 0 '*right*' '' bfs kron:8 -d cpu:2 --sched bsp --launch persistent --discovery $kind --groups 9 -v
    t "discovery in a sweep: $kind" 0 '*right*' '' cc kron:8 -d cpu:2 --launch persistent --discovery $kind --delay 50 -v
done
t 'discovery: several lanes' 0 '*right*' '' sssp kron:7 -d cpu:2x4 --sched bsp --launch persistent --discovery counter --delay 1 -v
t 'a delay without discovery' 0 '*right*' '*delay does nothing on cpu:2: *' bfs kron:7 -d cpu:2 --sched bsp --launch persistent --delay 10 -v
t 'discovery: of persistent launches' 0 '*' '*do nothing in discrete launches*' bfs path:9 --sched bsp --launch discrete --discovery spin
t 'discovery: an unknown kind' 2 '' '*option discovery takes*' bfs path:9 --sched bsp --discovery x
