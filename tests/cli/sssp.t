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
printf '0 1 5\n1 2 -7\n0 2 1\n2 3 -4\n3 4 9\n5 0 1\n' > "$scratch/negative.wel"
t 'negative weights' 0 "$(printf '%s\n' 0 5 -2 -6 3 inf)" '' sssp "$scratch/negative.wel" -r 0 -q -o -
t 'negative weights, parents' 0 "$(printf '%s\n' 0 0 1 2 3 -1)" '' sssp "$scratch/negative.wel" -r 0 --parents -q -o -
printf '0 1 5\n1 2 -7\n2 3 4\n3 1 2\n4 5 1\n5 4 -2\n6 6 -1\n' > "$scratch/round.wel"
for sched in bsp 'bsp --frontier bitmap' fifo steal heap multi; do
    t "negative weights, $sched" 0 '*5 of 6 vertices reached, at distances from -6 to 5*right*' '' sssp "$scratch/negative.wel" -r 0 -v --sched $sched
    t "a negative cycle, $sched" 3 '' '*no shortest path: a cycle of weight -1 *; it has 3 vertices*' sssp "$scratch/round.wel" -r 0 --sched $sched
done
t 'a negative cycle, lanes' 3 '' '*a cycle of weight -1 *1 -> 2 -> 3 -> 1*' sssp "$scratch/round.wel" -r 0 -d cpu:2x4
t 'a negative cycle of two' 3 '' '*a cycle of weight -1 *; it has 2 vertices*' sssp "$scratch/round.wel" -r 4
t 'a negative loop' 3 '' '*a cycle of weight -1 *6 -> 6*; it has 1 vertex' sssp "$scratch/round.wel" -r 6
awk 'BEGIN { for (i = 0; i < 3000; i++) print i, (i + 1) % 3000, i == 7 ? -3000 : 1 }' > "$scratch/ring.wel"
t 'a long negative cycle' 3 '' '*a cycle of weight -1 *; it has 3000 vertices*' sssp "$scratch/ring.wel" -r 0
t 'no cycle, by one' 0 '*right*' '' sssp "$scratch/ring.wel" -r 8 -v --weights 1
t 'a negative edge of a symmetric graph' 3 '' '*no shortest path: a cycle of weight -*' sssp "$scratch/negative.wel" -s -r 0
printf '0 1 -2147483648\n1 2 -7\n' > "$scratch/deep.wel"
t 'a distance below 32 bits' 3 '' '*below what 32 bits hold*' sssp "$scratch/deep.wel" -r 0
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n' > "$scratch/long.wel"
printf 'p sp 4 3\na 1 2 2147483647\na 2 3 2147483647\na 3 4 9\n' > "$scratch/long.gr"
t 'a distance beyond 32 bits, by the number of the file' 3 '' '*distance of vertex 4 does not fit 32 bits*' sssp "$scratch/long.gr" -r 1
t 'a distance beyond 32 bits' 3 '' '*distance of vertex 3 does not fit 32 bits*' sssp "$scratch/long.wel" -r 0
printf '0 1 2147483647\n1 2 2147483647\n2 3 1\n' > "$scratch/next.wel"
for sched in bsp fifo; do
    t "the first distance beyond, $sched" 3 '' '*distance of vertex 3 does not fit 32 bits*' sssp "$scratch/next.wel" -r 0 --sched $sched
    t "the first beyond, parents, $sched" 3 '' '*distance of vertex 3 does not fit 32 bits*' sssp "$scratch/next.wel" -r 0 --sched $sched --parents
done
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n0 3 7\n' > "$scratch/fits.wel"
t 'a long way beside a short one' 0 "$(printf '%s\n' 0 2147483647 4294967294 7)" '' sssp "$scratch/fits.wel" -r 0 -q -o -
t 'a bad delta' 2 '' '*option delta takes a number*' sssp path:9 --delta x
t 'a source out of range' 2 '' '*source 9 is out of range*' sssp path:9 -r 9
t 'bench' 0 '*path:50/fifo/persistent *' '' bench sssp -g path:50 -n 2 --filter fifo/persistent

# Real weights.
printf '0 1 0.5\n1 2 0.25\n0 2 1e0\n2 3 1e-9\n4 3 7\n' > "$scratch/real.wel"
t 'real weights' 0 "$(printf '%s\n' 0 0.5 0.75 0.75 inf)" '' sssp "$scratch/real.wel" -r 0 -q -o -
for sched in bsp fifo steal heap multi; do
    t "real weights, $sched" 0 '*4 of 5 vertices reached, the farthest at distance 0.75*1 of 1 right*' '' \
        sssp "$scratch/real.wel" -r 0 -v --sched $sched
done
t 'real weights, lanes' 0 '*distance 0.75*1 of 1 right*' '' sssp "$scratch/real.wel" -r 0 -v -d cpu:2x4
t 'real weights, parents' 0 "$(printf '%s\n' 0 0 1 2 -1)" '' sssp "$scratch/real.wel" -r 0 --parents -q -o -
t 'real weights, JSON' 0 '*"weights": "real"*' '' sssp "$scratch/real.wel" -r 0 --json
t 'rounded instead' 0 '*distance 1*right*' '' sssp "$scratch/real.wel" -r 0 -v --round-weights
printf '0 1 -0.5\n' > "$scratch/below.wel"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n2 3 -0.5\n' > "$scratch/below.mtx"
t 'a negative real weight, by the numbers of the file' 3 '' '*from vertex 2 to 3 has weight -0.5*' sssp "$scratch/below.mtx"
t 'a negative real weight' 3 '' '*no negative weights that are real: *from vertex 0 to 1 has weight -0.5*' sssp "$scratch/below.wel"
printf '0 1 3e38\n1 2 3e38\n' > "$scratch/far.wel"
t 'too far' 3 '' '*the distance of vertex 2 does not fit*' sssp "$scratch/far.wel" -r 0 --real-weights
t 'drawn weights are said' 0 '*note: * the input has no weights: these were drawn from 1 to 255 (--weights 1*' '' sssp path:9
t 'and recorded' 0 '*"weights": "drawn"*' '' sssp path:9 --json
t 'all weights 1' 0 '*distance 7*' '' sssp path:9 --weights 1 -r 1
t 'drawn real weights' 0 '*real weights*right*' '' sssp kron:8 --weights 1-9 --real-weights -v --stats
t 'drawn real weights are fractions' 0 '*weights * real, 1.*to*8.*' '' info urand:8 --weights 1-9 --real-weights
# Order is worth as much with real weights: hardly an edge is looked at twice.
ok 'heap with real weights' sh -c "'$raddle' sssp road:100x100:0.65 --real-weights --sched heap -d cpu:1 --json | head -n 1 |
    sed 's/.*\"num_edges\": *\([0-9]*\).*\"edges_visited\": *\([0-9]*\).*/\1 \2/' | awk '{ exit !(\$2 > 0 && \$2 < 2 * \$1) }'"

# What means nothing under a scheduler is said.
t 'buckets without rounds' 0 '*right*' '*option delta does nothing under scheduler fifo: it is for rounds*' sssp kron:7 -v --sched fifo --delta 3 -d cpu
t 'buckets in rounds' 0 '*right*' '' sssp kron:7 -v --sched bsp --delta 3 -d cpu
