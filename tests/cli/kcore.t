# SPDX-License-Identifier: Apache-2.0
# raddle kcore: corenesses.

t 'a star' 0 "$(printf '%s\n' 1 1 1 1)" '' kcore star:4 -q -o -
t 'a report' 0 '*, sched bsp*stages*highest core*5 of 5 right*' '' kcore kron:9 -v -n 5 --stats --sched bsp
for sched in bsp fifo 'fifo --gate' steal steal-levels; do
    t "under $sched" 0 '*right*' '' kcore kron:9 -v -d cpu:2 --sched $sched
done
t 'several lanes' 0 '*right*' '' kcore road:20x20:0.65 -v -d cpu:2x4
# The device goes from one k to the next by itself: the host waits once, not for each.
t 'in phases' 0 '*"stages": 1,*"highest_core": 28,*' '' kcore kron:9 -d cpu:2x4 -q --json
for launch in discrete persistent; do
    t "loops and parallel edges, $launch" 0 '*right*' '' kcore tests/cli/parallel.el -s -v -d cpu:2x4 --launch $launch --sched bsp
done
t 'a graph with one-way edges' 2 '' '*kcore needs a symmetric graph*-s*' kcore tests/cli/one-way.el
t 'the same, symmetrized' 0 '*right*' '' kcore tests/cli/one-way.el -s -v
t 'no pulling' 2 '' '*--direction pull: kcore cannot pull*' kcore kron:9 --sched bsp --direction pull
t 'bench' 0 '*path:50/bsp/discrete *' '' bench kcore -g path:50 -n 2
