# SPDX-License-Identifier: Apache-2.0
# raddle color: right answers by both methods, the number of colours, what is refused.

awk 'BEGIN { for (u = 0; u < 40; u++) for (v = 0; v < 40; v++) print u, v }' > "$scratch/complete.el"
t 'a star' 0 "$(printf '%s\n' 0 1 1 1)" '' color star:4 -q -o - --method priority
t 'a report' 0 '*, sched fifo, launch persistent*overwork*colours*right*' '' color kron:8 --sched fifo -v --method priority --stats
t 'by speculation' 0 '*overwork*colours*right*' '' color kron:8 --sched fifo -v --method speculate --stats
t 'even degrees' 0 '*[3-5] colours*sched bsp*right*' '' color road:30x30:0.65 -v --stats
t 'why' 0 '*scheduler bsp*few edges*' '' color road:30x30:0.65 --explain
t 'why not' 0 '*scheduler steal*' '' color kron:9 --explain
t 'too many edges for two cores' 0 '*scheduler steal*' '' color smallworld:10:4 -d cpu:2 --explain
t 'few enough for two cores' 0 '*scheduler bsp*' '' color smallworld:10:3 -d cpu:2 --explain
t 'more threads than cores may be' 0 '*right*' '' color urand:10 -d cpu:7 -v
t 'in the other order' 0 '*10 of 10 right*' '' color road:30x30:0.65 -v -n 10 --permute --launch discrete
for method in speculate priority watch; do
    t "several lanes, $method" 0 '*right*' '' color kron:7 -v -d cpu:2x4 --method $method
    t "no vertices, $method" 0 '*5 of 5 right*' '' color path:1 -v -n 5 --method $method
    same "as many colours as JSON says, $method" \
        "$("$raddle" color kron:9 -d cpu:1 -q -o - --method $method | sort -u | wc -l | tr -d ' ')" \
        "$("$raddle" color kron:9 -d cpu:1 --json --method $method | head -n 1 | sed 's/.*"colours": *\([0-9]*\).*/\1/')"
done
for method in speculate priority; do
    for launch in discrete persistent; do
        t "in rounds, $method, $launch" 0 "*sched bsp, launch $launch*rounds*colours*3 of 3 right*" '' \
            color kron:9 -v -n 3 --sched bsp --method $method --launch $launch --stats
    done
    t "in rounds, several lanes, $method" 0 '*right*' '' color kron:7 -v -d cpu:2x4 --sched bsp --method $method
    t "in rounds, more than 32 colours, $method" 0 '* 40 colours*right*' '' color "$scratch/complete.el" -v --sched bsp --method $method --stats
done
# Cliques: no vertex is looked at before its colour follows, and guesses of one round do not go on for ever. 4096 casts of films; tasks and edges
# are counted: by degrees each vertex is a task once; in rounds it is walked twice, with the step that counts who waits, and guesses are few.
for config in '--sched fifo -d cpu:4x32 4096' '--sched steal -d cpu:2x4 4096' '--sched bsp -d cpu:4x32 8192' '--sched bsp -d cpu 8192'; do
    same "cliques by degrees, ${config% *}: tasks" "${config##* }" \
        "$("$raddle" color affiliation:12 --method priority ${config% *} --json | head -n 1 | sed 's/.*"tasks": *\([0-9]*\).*/\1/')"
done
edges=$("$raddle" color affiliation:12 --method speculate --sched bsp -d cpu:4x32 --json | head -n 1 | sed 's/.*"edges_visited": *\([0-9]*\).*/\1/')
ok "cliques by guesses in rounds: $edges of 160562 edges, at most 20 times" [ "$edges" -lt 3200000 ]
t 'hubs in parts, in rounds' 0 '*right*' '' color star:30000 -v --sched bsp --method priority -d cpu:2x4
t 'hubs in parts, guesses in rounds' 0 '*right*' '' color web:13 -v --sched bsp --method speculate -d cpu:2x4
# By degrees in no time at all: it is given up, and the job remembers.
t 'gives up' 0 '*2 of 2 right*' '' color star:5000 -v -n 2 --within 0.000000001 --sched fifo
# A run may be over before anyone looks at the time: then it is tried again.
said=no
for try in 1 2 3 4 5 6 7 8 9 10; do
    "$raddle" color star:300000 --json --within 0.000000001 --sched steal | grep -q '"given_up_s"' && said=yes && break
done
same 'gives up: said' yes "$said"
t 'does not give up when told how' 0 '*1 of 1 right*' '*within does nothing with this method*' \
    color kron:9 -v --method priority --within 0.000000001
# The order of degrees is kept for the next run, but where rounds or passes have used its memory or changed it.
for how in '--sched bsp' '--sched steal' '--sched bsp --method priority' '--passes 2'; do
    t "hubs again, $how" 0 '*4 of 4 right*' '' color web:13 -v -n 4 $how
done
# Who stands until another one has yielded is not kept for ever: the other one may be of the next launch.
t 'guesses by many launches end' 0 '' '' color kron:12 --method speculate --sched fifo --launch discrete -d cpu:2 -n 300 -q --seed 2 --timeout 120
t 'watching, given up' 0 '*3 of 3 right*' '' color web:12 -v -n 3 --method watch --sched fifo -d cpu:2x4 --within 0.000000001
t 'no limit' 2 '' '*within*' color kron:9 --within no
t 'an order of degrees needs fewer' 0 '*right*' '' color kron:10 -v
t 'a graph that is not symmetric' 2 '' '*color needs a symmetric graph*' color tests/cli/directed.el
t 'made symmetric' 0 '*right*' '' color tests/cli/directed.el -s -v
for graph in kron:8 cliques:20:17 star:99 mesh:20x20 web:8 path:1; do
    for sched in fifo steal; do
        t "two kinds, $sched, on $graph" 0 '*right*' '' color $graph -v -d cpu:2 --sched $sched --method two-kinds
    done
    t "two kinds, several lanes, on $graph" 0 '*right*' '' color $graph -v -d cpu:2x4 --method two-kinds
done
t 'two kinds: a task each at least' 0 '*, 18 tasks*9 colours*right*' '' color complete:9 -v -d cpu:1 --method two-kinds --sched fifo --stats
t 'two kinds in rounds' 2 '' '*two-kinds is for schedulers without rounds: leave the scheduler to the rule*' color path:9 --method two-kinds --sched bsp
t 'two kinds and passes' 2 '' '*leave out method two-kinds*' color path:9 --method two-kinds --passes 2
t 'an unknown method' 2 '' "*auto, speculate, priority, watch or two-kinds, not 'frob'*" color path:5 --method frob
t 'no sources' 2 '' '*' color path:5 -r 1
t 'bench' 0 '*path:50/fifo/persistent *' '' bench color -g path:50 -n 2 --filter fifo/persistent
t 'bench: in rounds' 0 '*path:50/bsp/discrete *' '' bench color -g path:50 -n 2 --filter bsp/discrete

# Again and again.
t 'passes' 0 '* 2 colours*right*' '' color grid3d:8 --passes 20 -v
t 'passes, numbers at random' 0 '*[2-6] colours*right*' '' color grid3d:8 --permute --passes 20 -v
t 'passes, lanes' 0 '*right*' '' color urand:7 --passes 5 -v -d cpu:2x4
t 'passes are counted' 0 '*passes*right*' '' color path:50 --passes 5 -v --stats
t 'passes in rounds only' 2 '' '*passes run in rounds*' color path:50 --passes 5 --sched fifo
t 'passes without guesses' 2 '' '*leave out method speculate*' color path:50 --passes 5 --method speculate

# With a search on the host: 450 vertices of 5 classes, edges between these only.
awk 'BEGIN { srand(5); for (i = 0; i < 5700; i++) { u = int(450 * rand()); v = int(450 * rand()); if (u % 5 != v % 5) print u, v } }' > "$scratch/five.el"
t 'moves' 0 '* 5 colours*right*' '' color "$scratch/five.el" -s --moves 20000 -v
t 'moves, lanes' 0 '* 5 colours*right*' '' color "$scratch/five.el" -s --moves 20000 -v -d cpu:2x4
t 'moves after passes' 0 '* 5 colours*passes*moves*right*' '' color "$scratch/five.el" -s --passes 3 --moves 20000 -v --stats
t 'moves are counted' 0 '*colours, *moves*' '' color kron:6 --moves 10 --stats
t 'a path has two, without a move' 0 '* 2 colours,* 0 moves*right*' '' color path:50 --moves 100 --stats -v
t 'nothing to move' 0 '*right*' '' color path:1 --moves 100 -v
t 'one colour' 0 'answer:    1 colour
*' '' color path:1
in_time 'the best so far' 5 '* colours, more time may find fewer*' '*--timeout*' color "$scratch/five.el" -s --moves 1000000000000 -o "$scratch/best"
ok 'all vertices have a colour' sh -c "[ \$(wc -l < '$scratch/best') = 450 ]"
in_time 'passes: the best so far' 5 '* colours, more time may find fewer*' '*--timeout*' color kron:9 --passes 1000000000
t 'nothing so far' 5 '' '*--timeout*' color kron:14 --timeout 0.000001
# Groups whose lanes are no power of two: no run of vertices may reach into the next one.
for lanes in 1x3 2x5 1x33; do
    t "groups of $lanes" 0 '*1 of 1 right*' '' color road:150x150 --method priority --sched bsp -v -d cpu:$lanes
done
