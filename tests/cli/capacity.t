# SPDX-License-Identifier: Apache-2.0
# --capacity and the other sizes at first, of fifo, heap and steal: limits, growth without a loss, and the memory plan.

# fifo: slots of the ring.
for slots in 2 3 64 1073741824; do
    [ $slots = 1073741824 ] && dry='--dry-run' || dry='-v'
    t "fifo: $slots slots" 0 '*' '*' bfs kron:9 --sched fifo --capacity $slots $dry
done
t 'fifo: it grows' 0 '*times grown*right*' '' bfs star:500 --sched fifo --capacity 2 --launch persistent -v --stats
# Two rings, and every worker's checkpoint beside the next one's: each trial starts small again.
t 'fifo: two rings grow' 0 '*30 of 30 right*' '' sssp kron:8 --sched fifo --capacity 64 -d cpu:2 -v -n 30
t 'fifo: two rings of two slots' 0 '*20 of 20 right*' '' sssp kron:7 --sched fifo --capacity 2 -d cpu:4 -v -n 20
t 'fifo: two rings grow, wide groups' 0 '*2 of 2 right*' '' sssp kron:6 --sched fifo --capacity 2 -d cpu:2x4 -v -n 2
for slots in 0 1 1073741825 x -2 ''; do
    t "fifo: '$slots' slots" 2 '' "*option capacity takes 2..1073741824, not '$slots'*" bfs path:9 --sched fifo --capacity "$slots"
done
t 'fifo: what groups carry is planned' 0 '*checkpoint*to be allocated*' '' bfs kron:9 --sched fifo --capacity 64 --dry-run
checkpoint() { "$raddle" bfs kron:9 -d "$1" --sched fifo --capacity 64 --dry-run | awk '$1 == "checkpoint" { print $2, $3 }'; }
ok 'more groups carry more' test "$(checkpoint cpu:1)" != "$(checkpoint cpu:4)"
t 'fifo: nothing is carried without growth' 0 '*ring*' '' bfs kron:9 --sched fifo --dry-run
ok 'fifo: no checkpoint without --capacity' test "${out#*checkpoint}" = "$out"
same 'the plan is what is allocated' \
    "$("$raddle" bfs kron:9 -d cpu:2 --sched fifo --capacity 64K --json | tail -n 1 | "$json" bytes_allocated)" \
    "$("$raddle" bfs kron:9 -d cpu:2 --sched fifo --capacity 64K --json | tail -n 1 | "$json" memory_plan | sed 's/.*"alloc_bytes": \([0-9]*\).*/\1/')"

# heap: tasks at first. One is enough: what groups may have under way comes on top.
t 'heap: room for one' 0 '*right*' '' knapsack strongly:40:300 --sched heap --capacity 1 -v
t 'heap: vertices, room for one' 0 '*sched heap*right*' '' sssp kron:9 --sched heap --capacity 1 -v
t 'heap: the most' 0 '*heap (grows)*' '*' knapsack weakly:9 --sched heap --capacity 1M --dry-run
t 'heap: no room' 2 '' "*option capacity takes 1..1073741824, not '0'*" knapsack weakly:9 --sched heap --capacity 0
t 'heap: too much room' 2 '' "*option capacity takes 1..1073741824, not*" knapsack weakly:9 --sched heap --capacity 2G
t 'heap: another range than fifo has' 2 '' "*option capacity takes 2..1073741824, not '1'*" sssp kron:8 --sched fifo --capacity 1
t 'bag has no --capacity' 2 '' "*scheduler bag has no option 'capacity'*" knapsack weakly:9 --sched bag --capacity 9
t 'heap: nodes' 2 '' '*option node takes 32..2048*' knapsack weakly:9 --node 31
t 'heap: nodes that are no power of two' 2 '' '*power of two*' knapsack weakly:9 --node 33
t 'heap: --near' 0 '*right*' '' sssp kron:8 --sched heap --near 0 -v
t 'heap: --near that is no number' 2 '' "*option near takes auto|0..4294967295, not 'far'*" sssp kron:8 --near far

# steal: a lane's stack and shared frames.
t 'steal: a small stack' 0 '*right*' '' fib 15 --stack 1 -v
t 'steal: few frames' 0 '*right*' '' fib 15 --frames 1 -v
t 'steal: a stack too large' 2 '' '*option stack takes 0..16777216*' fib 9 --stack 16777217
t 'steal: frames that are no number' 2 '' '*option frames takes 0..1073741824*' fib 9 --frames few
t 'steal has no --capacity' 2 '' "*there is no option '--capacity'*" fib 9 --sched steal --capacity 9
