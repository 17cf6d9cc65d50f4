# SPDX-License-Identifier: Apache-2.0
# --explain for each app: the rule of docs/defaults.md on a CPU, what is asked for, options that narrow the choice, and
# the worker with its reason.

t 'bfs, few levels' 0 'choice: *scheduler bsp, launch persistent: rounds are few and long enough (mean degree*' '' bfs kron:9 --explain
t 'bfs, deep' 0 'choice: *scheduler fifo, launch persistent: the graph is deep*' '' bfs road:100x100:1 --explain
t 'bfs, deep and no wider in the end' 0 'choice: *scheduler bsp, launch persistent: levels are so short*77 levels*' '' bfs road:40x40:1 --explain
t 'bfs, deep and thin' 0 'choice: *scheduler bsp, launch persistent: levels are so short*499 levels*' '' bfs path:500 --explain -d cpu
t 'sssp' 0 'choice: *scheduler bsp, launch persistent: the order of distances*' '' sssp kron:9 --explain
t 'color' 0 'choice: *scheduler steal, launch persistent: *no core for a queue*' '' color kron:9 --explain
t 'color, few edges' 0 'choice: *scheduler bsp, launch persistent: few edges*' '' color star:90 --explain
t 'cc' 0 'choice: *scheduler bsp, launch persistent: *' '' cc kron:9 --explain
t 'pr' 0 'choice: *scheduler bsp, launch persistent: *' '' pr kron:9 --explain
t 'mis' 0 'choice: *scheduler bsp, launch persistent: *' '' mis kron:9 --explain
t 'knapsack' 0 'choice: *scheduler multi, launch persistent: few workers gain*' '' knapsack weakly:50 -d cpu:2 --explain
t 'astar' 0 'choice: *scheduler multi, launch persistent: few workers gain*' '' astar grid:9x9 -d cpu:2 --explain
for app in 'fib 9' 'nqueens 5' 'uts geo:fixed:3:3:19' 'sort random:99' 'sum sc1:9:9'; do
    # shellcheck disable=SC2086
    t "${app%% *}" 0 'choice: *scheduler steal, launch persistent: *' '' $app --explain
done
t 'ray' 0 'choice: *scheduler tiles, launch discrete: *' '' ray terrain:1 --size 4x4 --explain

t 'workers are lent' 0 '*shared: lends urgent jobs*' '' bfs kron:8 --sched bsp -d cpu:2 --explain
t 'or not, as the scheduler is' 0 '*shared: makes way*as a whole: a level is dealt*' '' bfs kron:8 --sched steal-levels -d cpu:2 --explain
t 'as the launch is' 0 '*shared: makes way*as a whole: launches that are not persistent*' '' \
    bfs kron:8 --sched fifo --launch discrete -d cpu:2 --explain
t 'as the device is' 0 '*shared: makes way*as a whole: the device has one worker*' '' bfs kron:8 -d cpu:1 --explain
t 'as asked for' 0 'choice: *scheduler fifo, launch discrete: as asked for*' '' bfs kron:8 --sched fifo --launch discrete --explain
t 'a launch narrows the choice' 0 'choice: *scheduler bag, launch discrete: the first one that has what was asked for*' '' \
    knapsack weakly:50 --launch discrete --explain
t 'an option narrows the choice' 0 'choice: *scheduler fifo, launch persistent: the first one that has what was asked for*' '*option chunk does nothing on cpu*' \
    bfs kron:8 --chunk 2 --explain
t 'a value narrows the choice' 0 'choice: *scheduler heap, *: the first one that has what was asked for*' '' \
    sssp kron:8 --capacity 1 --explain
t 'an option of two schedulers' 0 'choice: *scheduler fifo, *: the first one that has what was asked for*' '' \
    sssp kron:8 --capacity 64K --explain
t 'nothing has both' 2 '' "*has no option 'near'*" sssp kron:8 --near 0 --chunk 2 --explain
t 'a worker that the device does not have is said in the report' 0 '*groups of 1, not of the 64 of --worker: --explain says why*' '' \
    bfs kron:8 -d cpu:2 --worker 64
t 'a worker of one lane is what was asked for' 0 '*2 groups of 1
*' '' bfs kron:8 -d cpu:2 --worker 1 --stats
t 'with --dry-run' 0 '*choice: *scheduler bsp*to be allocated*' '' bfs kron:9 --explain --dry-run
t 'not on standard output with --json' 0 '{*' '*choice: *scheduler bsp*' bfs kron:8 --explain --json

# The worker: each scheduler says how wide it is, and why.
lane='worker of 1 lane: on the CPU a group is one lane'
for sched in bsp fifo steal steal-levels; do
    t "a worker of $sched" 0 "choice: *scheduler $sched,*
           $lane; 2 groups: one for each thread*" '' bfs kron:8 --sched $sched -d cpu:2 --explain
done
for sched in heap multi bag; do
    t "a worker of $sched" 0 "choice: *scheduler $sched,*
           $lane; 2 groups: one for each thread*" '' knapsack weakly:50 --sched $sched -d cpu:2 --explain
done
t 'a worker of tiles' 0 "*$lane; 2 groups: one for each thread*" '' ray terrain:1 --size 4x4 -d cpu:2 --explain
t 'a worker of tiles that are few' 0 "*$lane; 1 group: tiles have no more parts*1 groups of 1*" '' ray terrain:1 --size 4x4 --tile 4 -d cpu:2 --explain --stats
t 'a worker of sweeps' 0 "*$lane; 2 groups: one for each thread*" '' pr kron:8 -d cpu:2 --explain
t 'groups as asked for' 0 "*$lane; 3 groups: as asked for*3 groups of 1*" '' bfs kron:8 -d cpu:2 --groups 3 --launch discrete --explain --stats
t 'a worker that cannot be had' 0 "*$lane, whatever --worker says; *groups of 1*" '' bfs kron:8 --worker 32 --explain
t 'wide groups' 0 "*worker of 3 lanes: as the device's name says; 2 groups: *2 groups of 3*" '' bfs kron:6 -d cpu:2x3 --explain --stats
t 'with --json, the worker too' 0 '{*' "*choice: *$lane*" bfs kron:8 --explain --json
t 'auto, said' 0 '*1 of 1 right*' '' bfs kron:8 -v --sched auto --launch auto
t 'auto after another' 0 '*sched bsp*' '' bfs kron:8 --sched fifo --sched auto
