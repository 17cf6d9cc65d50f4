# SPDX-License-Identifier: Apache-2.0
# raddle knapsack: right answers, the report, stopping early, every error path.

printf '4 50\n60 10\n100 20\n120 30\n30 15\n' > "$scratch/items"
t 'a file' 0 "$(printf '1\n2')" '' knapsack "$scratch/items" -q -o -
printf '2\n1 7 3\n2 9 4\n4\n' > "$scratch/numbered"
t 'the other layout' 0 '1' '' knapsack "$scratch/numbered" -q -o -
# Files by hand, good and awkward: FILE, exit status, output and messages as patterns.
while IFS='|' read -r name status words message; do
    t "items $name" "$status" "$words" "$message" knapsack "tests/data/items/$name" -v --stats
done < tests/data/items/EXPECTED
for class in circle:300:1000 spanner:300 spanner-weakly:300 spanner-strongly:300:10000; do
    t "$class" 0 '*value*right*' '' knapsack $class -v
done
printf '4 50000000000000\n60000000000001 10000000000000\n100000000000000 20000000000003\n120000000000000 30000000000000\n30000000000000 15000000000000\n' > "$scratch/wide"
for on in cpu cpu:2x4; do
    t "long numbers, $on" 0 '*value 190000000000001, 3 items of weight 45000000000003*right*' '' \
        knapsack "$scratch/wide" -v --states 0 -d $on
done
t 'groups' 0 '*value*right*' '' knapsack groups:200:1000000:3 -v
t 'no nodes where states do' 0 '* 0 nodes,*right*' '' knapsack weakly:1000 -v --stats
t 'nodes where they do not' 0 '* 0 states,* [1-9]* nodes,*right*' '' knapsack weakly:1000 --states 0 -v --stats
t 'a report' 0 '*, sched *value*bound*0 gap*items chosen*nodes*right*' '' knapsack strongly:60:100 --states 0 -v --stats
t 'several trials' 0 '*3 of 3 right*' '' knapsack weakly:100 -v -n 3
t 'every node a task' 0 '*right*' '' knapsack strongly:40:50 --states 0 --dive 1 -v
t 'no table, a small pool' 0 '*right*' '' knapsack uncorrelated:100 --states 0 --table 0 --pool 32 -v
t 'several lanes' 0 '*right*' '' knapsack uncorrelated:60 --states 0 -d cpu:2x4 -v
t 'nothing to choose from' 0 '*0 value*0 items chosen*right*' '' knapsack subset:0 -v --stats
t 'everything fits' 0 '*50 items chosen*right*' '' knapsack subset:50:10:1 -v --stats
t 'a dry run' 0 '*pool of tasks*trail*table of nodes*' '' knapsack strongly:100 --dry-run
same 'the seed decides' "$("$raddle" knapsack weakly:50 --seed 5 -d cpu -q -o - | cksum)" \
    "$("$raddle" knapsack weakly:50 --seed 5 -d cpu -q -o - | cksum)"
t 'bag' 0 '*sched bag*right*' '' knapsack uncorrelated:80 --states 0 --sched bag -v

# Stopped early: the best so far, its gap, exit status 5.
in_time 'out of time' 5 '*stopped before its end*value*gap*' '*--timeout*' knapsack strongly:20000:100000 --states 0 --stats
in_time 'JSON of a stopped run' 5 '{*' '*' knapsack strongly:20000:100000 --states 1K -d cpu --json -o "$scratch/best"
printf '%s\n' "$out" > "$scratch/stopped.json"
ok 'each line is JSON' "$json" < "$scratch/stopped.json"
same 'JSON: stopped' "$(head -n 1 "$scratch/stopped.json" | "$json" stopped)" true
ok 'the best so far is written' test -s "$scratch/best"
"$raddle" knapsack strongly:300:1000 --states 0 -d cpu -q --trace "$scratch/trace"
same 'a trace' "$(head -n 1 "$scratch/trace")" 'seconds nodes waiting best bound'
for sched in heap multi bag; do # its last line is the whole run: all nodes, none waiting, the best is proved
    "$raddle" knapsack strongly:300:1000 --states 0 -d cpu --sched $sched --json --trace "$scratch/trace" > "$scratch/traced.json"
    same "the end of a trace, $sched" "$(tail -n 1 "$scratch/trace" | cut -d ' ' -f 2-)" \
        "$(head -n 1 "$scratch/traced.json" | "$json" nodes) 0 $(head -n 1 "$scratch/traced.json" | "$json" value) $(head -n 1 "$scratch/traced.json" | "$json" value)"
done

# Errors.
t 'no ITEMS' 2 '' '*ITEMS is missing*' knapsack
t 'no such file' 3 '' '*no-such-file: cannot be opened*' knapsack no-such-file
printf '2 50\n60 10\n70 0\n' > "$scratch/zero"
t 'a weight of zero' 3 '' '*zero:3: expected a weight, a whole number from 1*found 0*' knapsack "$scratch/zero"
printf '1 9223372036854775808\n60 10\n' > "$scratch/capacity"
t 'a capacity too large' 3 '' '*capacity:1: expected the capacity*' knapsack "$scratch/capacity"
t 'a generator without a number' 2 '' '*the syntax is weakly:N*' knapsack weakly:
t 'a bad dive' 2 '' '*option dive takes a number from 1*' knapsack weakly:9 --dive 0
t 'a trail that is too short' 4 '' "*the buffer 'trail' (1 entries) was full*--trail*" knapsack strongly:1000:1000 --states 0 --trail 1 --seed 4
t 'a trace that cannot be written' 3 '' '*/no/such/place: cannot be written: its folder */no/such*' knapsack weakly:9 --trace /no/such/place
t 'bench' 0 '*strongly:40/bag *' '' bench knapsack -g strongly:40 -n 2
