# SPDX-License-Identifier: Apache-2.0
# raddle tc: triangles.

t 'the number alone' 0 '120' '' tc complete:10 -q -o -
t 'none in a star' 0 '0' '' tc star:50 -q -o -
t 'none without edges' 0 '0' '' tc path:1 -q -o -
t 'a report' 0 '*, sched bsp*triangles*5 of 5 right*' '' tc kron:9 -v -n 5 --stats
for graph in kron:9 urand:8 web:8 affiliation:8 attach:8 smallworld:8 mesh:9x9 lattice:6x6x6 caterpillar:40 cliques:20:7 road:20x20:0.65; do
    t "on $graph" 0 '*right*' '' tc $graph -v -d cpu:2
done
# Rows of hubs go on over several of the chunks that cores go through, and keep something in each: ten triangles of five
# hubs, and each of 9000 vertices between two of them.
awk 'BEGIN { for (h = 0; h < 5; h++) { hub[h] = h * 2251; is[h * 2251] = 1 }
             for (v = 0; v < 9005; v++) for (h = 0; h < 5; h++) if (!is[v] || v > hub[h]) print v, hub[h] }' > "$scratch/hubs.el"
for threads in 1 2 5; do
    t "rows of many chunks by $threads" 0 '90010' '' tc "$scratch/hubs.el" -s -q -o - -d cpu:$threads --launch discrete
done
t 'rows of many chunks, verified' 0 '*right*' '' tc "$scratch/hubs.el" -s -v -n 2
t 'several lanes' 0 '*right*' '' tc kron:9 -v -d cpu:2x4 --launch discrete
t 'more groups than bitmaps' 0 '*right*' '' tc kron:9 -v -d cpu:2 --groups 1
# Rows that are alike are looked up in a bitmap, in the graph as it is: rings in which each vertex has the twelve next
# ones: each edge once, each twice, and one twice, which takes a second step; and a loop.
for twice in none 1 400; do
    awk -v twice=$twice 'BEGIN { for (v = 0; v < 900; v++) for (i = 1; i <= 12; i++) {
        print v, (v + i) % 900; print (v + i) % 900, v
        if (twice == 1 || (v == twice && i == 1)) { print v, (v + i) % 900; print (v + i) % 900, v } }
        print 5, 5 }' > "$scratch/ring.el"
    for how in '-d cpu:1' '-d cpu:2' '-d cpu:5 --groups 3' '-d cpu:2 --groups 5' '-d cpu:2x4' '-d cpu:3 --launch discrete'; do
        t "a ring, edges twice: $twice, $how" 0 '59400' '' tc "$scratch/ring.el" -q -o - $how
    done
    t "a ring, edges twice: $twice, verified" 0 '*right*' '' tc "$scratch/ring.el" -v -n 2
done
t 'a graph with one-way edges' 2 '' '*tc needs a symmetric graph*-s*' tc tests/cli/one-way.el
t 'the same, symmetrized' 0 '*right*' '' tc tests/cli/one-way.el -s -v
t 'rows that do not ascend' 2 '' '*tc needs rows that ascend*shuffle-rows*' tc kron:6 --shuffle-rows
t 'other schedulers' 2 '' '*fifo*' tc kron:6 --sched fifo
t 'all edges count for TEPS' 0 '*"edges_reached": 72*' '' tc complete:9 -d cpu --json
t 'bench' 0 '*path:50/bsp/discrete *' '' bench tc -g path:50 -n 2
# A run can be left between steps: what takes long is many of them.
t 'a dense graph on a core' 0 '*, [1-9][0-9] rounds*' '' tc complete:1500 -d cpu:1 --stats
