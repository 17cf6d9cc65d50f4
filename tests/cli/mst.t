# SPDX-License-Identifier: Apache-2.0
# raddle mst: minimum spanning forests.

printf '1 2 5\n2 3 1\n1 3 1\n3 4 -2\n6 7 0\n7 7 -9\n' > "$scratch/forest.wel"
t 'edges and weights' 0 "$(printf '%s\n' '1 3 1' '2 3 1' '3 4 -2' '6 7 0')" '' mst "$scratch/forest.wel" -s -q -o -
printf '0 1 0.25\n1 2 -0.5\n0 2 0.125\n' > "$scratch/real.wel"
t 'real weights' 0 "$(printf '%s\n' '0 2 0.125' '1 2 -0.5')" '' mst "$scratch/real.wel" -s --real-weights -q -o -
t 'a tie goes to the edge listed first' 0 "$(printf '%s\n' '0 1 4' '0 2 4' '0 3 4')" '' mst complete:4 --weights 4-4 -q -o -
t 'into a file' 0 '*' '' mst path:9 -o "$scratch/path.wel"
same 'the file' "$(wc -l < "$scratch/path.wel" | tr -d ' ')" 8
t 'a name that says nothing' 2 '' '*end it in one of .wel .txt*' mst path:9 -o "$scratch/path.png"
t 'a report' 0 '*, sched bsp*weight*forest edges*trees*5 of 5 right*' '' mst kron:9 -v -n 5 --stats --weights 1-9
for graph in kron:9:64 urand:8 web:8 affiliation:8 attach:8 smallworld:8 mesh:9x9 lattice:6x6x6 caterpillar:40 cliques:20:7 road:20x20:0.65 star:99; do
    t "on $graph" 0 '*right*' '' mst $graph -v -d cpu:2 --weights 1-9
done
for lists in many single none; do
    t "worklists $lists" 0 "$(printf '%s\n' '1 3 1' '2 3 1' '3 4 -2' '6 7 0')" '' mst "$scratch/forest.wel" -s -q -o - --worklists $lists
    for graph in kron:9:64 urand:8 web:8 caterpillar:40 cliques:20:7 star:99 path:1; do
        t "worklists $lists on $graph" 0 '*right*' '' mst $graph -v -d cpu:2 --weights 1-9 --worklists $lists
    done
    t "worklists $lists: several lanes" 0 '*right*' '' mst kron:8:64 -v -d cpu:2x4 --worklists $lists
done
t 'real weights without lists' 0 "$(printf '%s\n' '0 2 0.125' '1 2 -0.5')" '' mst "$scratch/real.wel" -s --real-weights -q -o - --worklists none
t 'without lists there is no memory for them' 0 '*taken edges*' '' mst kron:9 --dry-run --worklists none
t 'a kind of list that is none' 2 '' '*worklists*auto*many*single*none*' mst path:9 --worklists two
t 'several lanes' 0 '*right*' '' mst kron:9:64 -v -d cpu:2x4 --launch discrete
t 'a graph with one-way edges' 2 '' '*mst needs a symmetric graph*-s*' mst tests/cli/one-way.el
t 'all edges count for TEPS' 0 '*"edges_reached": 72*' '' mst complete:9 -d cpu --json
t 'bench' 0 '*path:50/bsp/discrete *' '' bench mst -g path:50 -n 2
# Groups whose lanes are no power of two: no run of vertices may reach into the next one.
for lanes in 1x3 2x5 1x33; do
    t "groups of $lanes" 0 '*1 of 1 right*' '' mst road:150x150 -v -d cpu:$lanes
done
