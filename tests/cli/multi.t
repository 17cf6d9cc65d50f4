# SPDX-License-Identifier: Apache-2.0
# scheduler multi.

t 'multi: sssp by distance' 0 '*sched multi*queue peak*pruned*right*' '' sssp kron:9 -v --sched multi --stats
t 'multi: parents' 0 '*right*' '' sssp kron:8 -v --sched multi --parents
t 'multi: one worker is exact: no vertex runs twice' 0 '* 0 corrections per vertex*right*' '' sssp kron:9 -v --sched multi -d cpu:1 --stats
t 'multi: several lanes' 0 '*right*' '' sssp kron:7 -v --sched multi -d cpu:2x4
t 'multi: no room' 0 '*right*' '' sssp star:20000 -v --sched multi --capacity 2 --queues 1 --batch 3 --stick 2
t 'multi: astar' 0 '*sched multi*right*' '' astar grid:60x60:0.3 -v --sched multi
t 'multi: knapsack' 0 '*sched multi*right*' '' knapsack strongly:40:300 -v --sched multi
in_time 'multi: a gap when the time is up' 5 '*stopped*sched multi*gap*' '*' knapsack circle:10000:1000000 --table 1M --sched multi --stats
t 'multi: a bad number of heaps' 2 '' "*queues takes 1..64*'65'*" sssp path:9 --sched multi --queues 65
t 'multi: an option of vertices' 2 '' "*there is no option '--near'*" astar grid:9x9 --sched multi --near 3
t 'multi: an option of heap' 2 '' "*multi has no option 'node'*" sssp path:9 --sched multi --node 64
t 'heap: a hub that does not fit is given back whole' 0 '*right*' '' sssp star:30000 -v --sched heap --capacity 2
t 'multi: the default of ranked tasks on CPUs' 0 '*sched multi*' '*' astar grid:9x9:0 -d cpu:2
t 'multi: a single worker has heap' 0 '*sched heap*' '*' astar grid:9x9:0 -d cpu:1
t 'multi: likewise when there is one group' 0 '*sched heap*' '*' astar grid:9x9:0 -d cpu:2 --groups 1
