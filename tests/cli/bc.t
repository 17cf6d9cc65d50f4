# SPDX-License-Identifier: Apache-2.0
# raddle bc: betweenness centrality.

t 'a path, from its end' 0 "$(printf '%s\n' 0 3 2 1 0)" '' bc path:5 -r 0 -q -o -
t 'a path, from all' 0 "$(printf '%s\n' 0 6 8 6 0)" '' bc path:5 --sources all -q -o -
t 'from several' 0 "$(printf '%s\n' 0 4 4 4 0)" '' bc path:5 -r 0,4 -q -o -
t 'the direction counts' 0 '*right*' '' bc tests/cli/one-way.el --sources all -v
t 'a report' 0 '*, sched bsp*sources*levels*5 of 5 right*' '' bc kron:9 -v -n 5 --stats --sources 3
for sched in bsp fifo 'fifo --gate' steal steal-levels; do
    t "under $sched" 0 '*right*' '' bc kron:9 -v -d cpu:2 --sched $sched --sources 3
    t "a deep graph under $sched" 0 '*right*' '' bc road:60x3:0.9 -v -d cpu:2 --sched $sched
done
for graph in urand:8 web:8 affiliation:8 attach:8 smallworld:8 mesh:9x9 lattice:6x6x6 caterpillar:40 cliques:20:7 star:99; do
    t "on $graph" 0 '*right*' '' bc $graph -v -d cpu:2 --sources 2
done
awk 'BEGIN { for (i = 0; i < 200; i++) { print i, i + 1; print i, i + 201 % (i + 7) } }' > "$scratch/deep.el"
for sched in bsp fifo steal; do
    t "a deep directed graph under $sched" 0 '*right*' '' bc "$scratch/deep.el" -r 0 -v -d cpu:2 --sched $sched
done
t 'more paths than floats count' 0 '*right*' '' bc road:90x90:1 -v -d cpu:2 -r 0
t '... without rounds' 0 '*right*' '' bc road:90x90:1 -v -d cpu:2 -r 0 --sched steal
t 'several lanes' 0 '*right*' '' bc road:70x70:1 -v -d cpu:2x4 -r 0
# On cores levels are run by one core, by a piece for each, in blocks, and by vertices that look for neighbours.
awk 'BEGIN { for (i = 0; i < 60000; i++) { x = (x * 1103515245 + 12345) % 2147483648; print i % 3000, int(x / 65536) % 3000 } }' > "$scratch/one-way.el"
for graph in kron:12 urand:12 road:150x150:0.65 mesh:120x120 web:12 "$scratch/one-way.el"; do
    t "levels of all sizes on ${graph##*/}" 0 '*right*' '' bc "$graph" -v -d cpu:2 --sources 3
    t "... with a launch a step on ${graph##*/}" 0 '*right*' '' bc "$graph" -v -d cpu:2 --launch discrete
done
t 'more paths than floats count, by several cores' 0 '*right*' '' bc road:200x200:1 -v -n 2 -d cpu:2 -r 9
# Diamonds in a row have 2^how many ways: of 40 floats count them, of 300 doubles, of 1100 pairs. Behind them broad levels.
for diamonds in 40 300 1100; do
    awk -v d=$diamonds 'BEGIN {
        for (i = 0; i < d; i++) { print 3 * i, 3 * i + 1; print 3 * i, 3 * i + 2; print 3 * i + 1, 3 * i + 3; print 3 * i + 2, 3 * i + 3 }
        for (j = 0; j < 4000; j++) print 3 * d, a = 3 * d + 1 + j
        for (l = 1; l < 4; l++) for (j = 0; j < 4000; j++) for (k = 0; k < 3; k++)
            print 3 * d + 1 + 4000 * (l - 1) + (j + k * k * 7) % 4000, 3 * d + 1 + 4000 * l + j }' > "$scratch/diamonds.el"
    for as in '' -s; do
        for device in cpu:1 cpu:2 cpu:3x2; do
            t "$diamonds diamonds, $device $as" 0 '*2 of 2 right*' '' bc "$scratch/diamonds.el" $as -r 0 -n 2 -v -d $device
        done
    done
done
t 'more paths than doubles count, by pieces' 0 '*right*' '' bc road:520x520:1 -v -d cpu:2 -r 0
t 'no source has an edge' 0 '*right*' '' bc path:1 --sources all -v -d cpu:2
t 'an option of tasks' 0 '*right*' '' bc kron:9 -v -d cpu:2 --sched bsp --frontier bitmap
t '... as usual' 0 '* 1 stages*right*' '' bc kron:9 -v -d cpu:2 --sched bsp --frontier queue --stats
t '... not as usual' 0 '* [2-9] stages*right*' '' bc kron:9 -v -d cpu:2 --push lane --stats
printf 'p sp 4 3\na 1 2 1\na 2 3 1\na 3 4 1\n' > "$scratch/line.gr"
t 'sources as the file numbers them' 0 "$(printf '%s\n' '1 0' '2 0' '3 1' '4 0')" '' bc "$scratch/line.gr" -r 2,4 -q -o -
t 'sources as they are kept' 0 "$(printf '%s\n' 0 0 1 0)" '' bc "$scratch/line.gr" -r 1,3 -q -o - --numbers internal
t 'none that the file has' 2 '' '*source 0 is out of range: the graph has the vertices 1 to 4' bc "$scratch/line.gr" -r 0
t 'no such vertex' 2 '' '*source 99 is out of range*0 to 4*' bc path:5 -r 1,99
t 'no vertex at all' 2 '' "*source 'x' is not a vertex number*" bc path:5 -r 1,x
t 'no number of sources' 2 '' "*sources takes a number*'none'*" bc path:5 --sources none
t 'bench' 0 '*path:50/bsp/discrete *' '' bench bc -g path:50 -n 2
# Tasks of a trace do not become fewer.
t 'a trace' 0 '' '' bc kron:12 --sources 9 -q -d cpu:2 --trace "$scratch/bc.trace"
if awk '{ falls += $2 + 0 < most; most = $2 + 0 } END { exit falls || NR < 3 }' "$scratch/bc.trace"; then pass; else fail 'tasks of a trace' "$(cat "$scratch/bc.trace")"; fi
