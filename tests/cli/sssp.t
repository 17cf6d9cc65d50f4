# SPDX-License-Identifier: Apache-2.0
# raddle sssp: right answers, weights, parents, what is refused.

printf '0 1 5\n0 2 2\n1 3 1\n2 1 2\n2 3 9\n4 0 1\n' > "$scratch/small.wel"
t 'distances' 0 "$(printf '%s\n' 0 4 2 5 -1)" '' sssp "$scratch/small.wel" -r 0 -q -o -
t 'parents' 0 "$(printf '%s\n' 0 2 0 1 -1)" '' sssp "$scratch/small.wel" -r 0 --parents -q -o -
t 'a report' 0 '*, sched *reached*overwork*corrections per vertex*right*' '' sssp kron:8 -v --sched fifo --stats
t 'discrete' 0 '*right*' '' sssp road:30x30:0.65 -v --sched fifo --launch discrete
t 'several lanes' 0 '*right*' '' sssp kron:7 -v --sched fifo --parents -d cpu:2x4
t 'weights of zero and parents' 0 '*10 of 10 right*' '' sssp kron:8 --weights 0-2 --parents -v --sources 10 --sched fifo
t 'a graph without weights gets some' 0 '*weights=1-255*right*' '' sssp path:9 -v --stats
printf '0 1 5\n1 2 -7\n' > "$scratch/negative.wel"
t 'negative weights' 3 '' '*no negative weights: the edge from vertex 1 to 2 has weight -7*' sssp "$scratch/negative.wel" -r 0
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n' > "$scratch/long.wel"
t 'a distance beyond 32 bits' 3 '' '*distance of vertex 3 does not fit 32 bits*' sssp "$scratch/long.wel" -r 0
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n0 3 7\n' > "$scratch/fits.wel"
t 'a long way beside a short one' 0 "$(printf '%s\n' 0 2147483647 4294967294 7)" '' sssp "$scratch/fits.wel" -r 0 -q -o -
t 'a bad delta' 2 '' '*option delta takes a number*' sssp path:9 --delta x
t 'a source out of range' 2 '' '*source 9 is out of range*' sssp path:9 -r 9
t 'bench' 0 '*path:50/fifo/persistent *' '' bench sssp -g path:50 -n 2 --filter fifo/persistent
