# SPDX-License-Identifier: Apache-2.0
# raddle bench: the harness, with the small graphs of its first suite.

t 'suites' 0 'bfs *' '' bench --list
t 'the default beside all others' 0 '*bfs/path:60/bsp/discrete*bfs/path:60/default*x the best*' '*' bench defaults -g path:60 -d cpu -n 3 --filter bfs
t 'shapes: cases' 0 'bfs/web:11/bsp/discrete*bfs/web:11/bsp/discrete/direction=push*bfs/web:11/default*color/*/method=priority*' '' bench shapes --quick --list
t 'shapes: the choice over the best' 0 '*bfs/path:60/default *The choice over the best*bfs *path:60 *best *worst *geometric mean * of 1, *' '*' bench shapes -g path:60 -d cpu -n 2 --filter bfs/
t 'shapes: a method that an app lacks is left out' 0 '*direction=pull *left out: *cannot pull*' '*' bench shapes -g path:60 -d cpu -n 1 --filter kcore/path:60/bsp
t 'weights: cases' 0 'sssp/kron:12/whole/default*sssp/kron:12/real/bsp/discrete*' '' bench weights --quick --list
t 'weights: real over whole' 0 '*sssp/path:60/real/default * x whole weights*' '*' bench weights -g path:60 -d cpu -n 2 --filter default
t 'shapes: no order' 2 '' "*--order takes given, degree or degree-up, not 'x'*" bench shapes --order x
"$raddle" bench shapes -g path:40 -n 1 -d cpu --filter cc/ --permute --order degree --shuffle-rows --seed 5 --json > "$scratch/shapes.jsonl" 2> "$scratch/err"
ok 'shapes: records are JSON' "$json" < "$scratch/shapes.jsonl"
same 'shapes: one row, one end' "$("$json" record < "$scratch/shapes.jsonl" | sort | uniq -c | tr -s ' \n' '  ')" ' 3 "bench" 1 "shape" 1 "shapes" '
ok 'shapes: the graph in another order' grep -q 'permute order=degree shuffle-rows options-seed=5' "$scratch/shapes.jsonl"
t 'cases' 0 "kron:14/bsp/discrete*road:256x256:0.65/bsp/discrete*" '' bench bfs --quick --list
t 'cases by name' 0 'road:256x256:0.65/bsp/discrete*' '' bench bfs --quick --list --filter road
t 'a table' 0 'host: *build: *device: *cpu*case *kernel*min-max*path:50/bsp/discrete *cpu *edges/s*' '' bench bfs -g path:50 -n 3 --filter bsp/discrete
t 'two devices, two graphs' 0 '*path:50/bsp/discrete *cpu *path:50/bsp/discrete *cpu:2 *star:50/bsp/discrete *cpu *star:50/bsp/discrete *cpu:2 *' \
    '' bench bfs -g path:50 -g star:50 -n 2 -d cpu -d cpu:2 --filter bsp/discrete
t 'no suite' 2 '' '*SUITE is missing*' bench
t 'an unknown suite' 2 '' "*there is no suite 'frob'*" bench frob
t 'no such case' 2 '' '*no case has*' bench bfs --filter frob
t 'a bad number' 2 '' '*--trials wants*' bench bfs -n 0
t 'a bad limit' 2 '' '*--time-limit wants*' bench bfs --time-limit x
t 'an absent device' 4 '' 'raddle bench: *' bench bfs --quick -d cuda:7
t 'a missing graph' 3 '*failed*' '*no-such-file*' bench bfs -g no-such-file.mtx --filter bsp/discrete
t 'a bad source' 2 '*failed*' '*' bench bfs -g path:5 -r 7 --filter bsp/discrete
t 'the last run of a case is checked' 0 '*path:50/bsp/discrete *cpu *3 *' '' bench bfs -g path:50 -n 3 --verify last --filter bsp/discrete
t 'checked how?' 2 '' "*--verify is every or last, not 'never'*" bench bfs --verify never
t 'a time limit' 0 '*path:50/bsp/discrete *cpu *1 *' '' bench bfs -g path:50 -n 1000 --time-limit 0.000001 --filter bsp/discrete
"$raddle" bench bfs -g path:50 -n 7 -d cpu --filter bsp/discrete --json-file "$scratch/bench.jsonl" > /dev/null 2> "$scratch/err"
ok 'records are JSON' "$json" < "$scratch/bench.jsonl"
same 'records are verified' "$("$json" verified trials < "$scratch/bench.jsonl" | sort | tr '\n' ' ')" '7 true '
for field in suite case unit work work_per_s kernel_times total_times median_kernel_time min_kernel_time q1_kernel_time \
    q3_kernel_time ci95_low_kernel_time ci95_high_kernel_time median_total_time warmup status; do
    ok "a record has $field" test -n "$("$json" $field < "$scratch/bench.jsonl")"
    ok "docs/json.md explains $field" grep -q "\`$field\`\|\`${field%%_*}_S\`\|\`ci95_low_S\`" docs/json.md
done
t '--json: records on stdout, no table' 0 '{"schema": 1, "record": "bench"*}' '' bench bfs -g path:50 -n 2 --json --filter bsp/discrete
t '--json with --json-file' 0 '{"schema": 1, "record": "bench"*}' '' bench bfs -g path:50 -n 2 --json --json-file "$scratch/both.jsonl" --filter bsp/discrete
ok '... has the record in both' grep -q '"record": "bench"' "$scratch/both.jsonl"
t 'records on stdout, no table' 0 '{"schema": 1, "record": "bench"*}' '' bench bfs -g path:50 -n 2 --json-file - --filter bsp/discrete

# Suites of microbenchmarks.
t 'barrier: cases' 0 'flags/1*tree/1*launch/1*tree/8*' '' bench barrier --list
t 'barrier: a table' 0 '*tree/1 *cpu:2 *s each of barriers, 2 groups of 1*' '' bench barrier -d cpu:2 -n 2 --filter tree/1
t 'barrier: as many groups as before are left out' 0 "*word/1 *2 groups of 1*word/2 *left out: 2 workers here, as 'word/1'*word/8 *left out: 2 workers here, as 'word/1'" '' bench barrier -d cpu:2 -n 1 --filter word
t 'a case under two names, without warm-up' 0 "*word/1 *2 groups of 1*word/2 *left out: 2 workers here, as 'word/1'*" '' bench barrier -d cpu:2 -n 2 --warmup 0 --filter word
t 'barrier: launches' 0 '*launch/1 *cpu:2 *each of launches*' '' bench barrier -d cpu:2 -n 2 --filter launch/1
t 'barrier: CUDA has a barrier of its own' 0 'gridsync/1*gridsync/2*gridsync/4*gridsync/8' '' bench barrier --list --filter gridsync
t 'barrier: where CUDA is not, it is left out' 0 "*gridsync/1 *cpu:2 *left out: cpu:2 is no CUDA device*" '' bench barrier -d cpu:2 -n 2 --filter gridsync/1
t 'barrier: no record of it either' 0 '' 'raddle bench: gridsync/1 on cpu:2 is left out: *' bench barrier -d cpu:2 -n 2 --filter gridsync/1 --json-file -
t 'discovery: cases' 0 'tickets/small*counter/large/local*' '' bench discovery --list
t 'discovery: a table' 0 '*counter/small *cpu:2 *groups/s, [12] of 2 groups of 1*' '' bench discovery -d cpu:2 -n 2 --filter counter/small
t 'discovery: groups of one width have no large ones' 0 "*counter/large *left out: groups of cpu:2 have one width: as 'counter/small'*counter/large/local *left out: *as 'counter/small/local'*" '' bench discovery -d cpu:2 -n 1 --filter counter/large
"$raddle" bench discovery -d cpu:2 -n 2 --filter counter/small --json-file "$scratch/micro.jsonl" > /dev/null 2> "$scratch/err"
for field in groups lanes resident_groups; do
    ok "a record of discovery has $field" test -n "$("$json" $field < "$scratch/micro.jsonl")"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
