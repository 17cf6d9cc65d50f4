# SPDX-License-Identifier: Apache-2.0
# raddle mis: independent sets.

t 'a star' 0 "$(printf '%s\n' 0 1 1 1)" '' mis star:4 -q -o -
t 'a report' 0 '*, sched bsp*members*10 of 10 right*' '' mis kron:9 -v -n 10 --stats
for sched in fifo steal; do
    t "by tasks, under $sched" 0 '*right*' '' mis kron:9 -v -d cpu:2 --sched $sched
    same "the same set under $sched" "$("$raddle" mis web:9 -s -q -o - -d cpu:2 --sched $sched)" "$("$raddle" mis web:9 -s -q -o - -d cpu)"
done
t 'by tasks, several lanes' 0 '*right*' '' mis kron:9 -v -d cpu:2x4 --sched fifo
t 'several lanes' 0 '*right*' '' mis road:30x30:0.65 -v -d cpu:2x4
t 'a graph with one-way edges' 2 '' '*mis needs a symmetric graph*-s*' mis tests/cli/one-way.el
t 'the same, symmetrized' 0 '*right*' '' mis tests/cli/one-way.el -s -v
t 'bench' 0 '*path:50/bsp/discrete *' '' bench mis -g path:50 -n 2

# Who has to wait for a neighbour looks whether another is in already: 100 rounds and more before.
t 'few rounds, hubs first' 0 '*, [1-9] rounds*right*' '' mis affiliation:11:2 --order degree -v --stats -d cpu:1
t 'few rounds' 0 '*, [1-9] rounds*right*' '' mis affiliation:11:2 -v --stats -d cpu:1
