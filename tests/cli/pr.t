# SPDX-License-Identifier: Apache-2.0
# raddle pr in sweeps: a number of iterations, and sums of very many equal numbers, which single precision would round all
# the same way.

slow || t 'a million ranks add up to 1' 0 '* 1 iterations*right*' '' pr path:1000000 -v -d cpu:2 --stats
slow || t 'a vertex of very many edges' 0 '* 6[0-4] iterations*right*' '' pr star:300000 -v -d cpu:1 --stats --update jacobi
slow || t 'the same by leaps' 0 '* 2[0-9] iterations*right*' '' pr star:30000 -v -d cpu:1x4 --stats
slow || t 'the same relaxed' 0 '* 1[0-9] iterations*right*' '' pr star:300000 -v -d cpu:1 --stats
# Whose turn is when tells how soon: two cores that both run take 15 to 18, on one that other programs share 30 were seen.
slow || t 'the same in a single launch' 0 '* [1-4][0-9] iterations*right*' '' pr star:300000 -v -d cpu:2 --launch persistent --stats
# Leaps: the same in every run; none where each iteration comes down by much, in a number of iterations, or where they do
# not help (a circle of one direction with hubs, so that it is not in place: eigenvalues far from real).
count() { "$raddle" pr "$@" --json | head -n 1 | "$json" iterations; }
same 'leaps, again' "$("$raddle" pr star:3000 --dangling drop -o - -q -d cpu:2 | cksum)" "$("$raddle" pr star:3000 --dangling drop -o - -q -d cpu:3 | cksum)"
same 'no leaps on a kron' "$(count kron:10 -d cpu:2x4)" "$(count kron:10 --update jacobi)"
# A launch for each step knew not what the step before the last one had gained, and leapt.
for one in cpu:1 cpu:1x4; do
    same "no leaps in launches of a step, $one" "$(count urand:12 -d $one --launch persistent)" "$(count urand:12 -d $one --launch discrete)"
done
# Relaxed by one core: the same in each run and by either launch; as few as the plain ones where those are few.
same 'relaxed, again' "$("$raddle" pr star:3000 -o - -q -d cpu:1 | cksum)" "$("$raddle" pr star:3000 -o - -q -d cpu:1 --launch discrete | cksum)"
# Ranks start by degrees, but where components differ in them and ranks are all alike.
for one in cpu:1 cpu:2; do
    ok "by degrees, $one" test "$(count kron:10 -d $one)" -lt "$(count kron:10 --update jacobi)"
done
awk 'BEGIN { for (v = 0; v < 40; v++) for (u = 0; u < v; u++) print v, u; for (v = 0; v < 999; v++) print 40 + v, 40 + (v + 1) % 999 }' > "$scratch/parts.el"
same 'not by degrees' "$(count "$scratch/parts.el" -s -d cpu:2)" 1
t 'by degrees and right' 0 '*2 of 2 right*' '' pr kron:10 -d cpu:2 --tol 1e-6 -n 2 -v
for graph in star:3000 tree:2:11 road:60x60:0.65 caterpillar:40:40 rgg:11; do
    ok "relaxed, $graph" test "$(($(count $graph -d cpu:1 -s) * 10))" -lt "$(($(count $graph -d cpu:1x4 -s) * 8))"
    t "relaxed and right, $graph" 0 '*1 of 1 right*' '' pr $graph -s -v -d cpu:1
done
same 'one that goes far is none' "$(count star:3000 -d cpu:1 --alpha 0.95)" "$(count star:3000 -d cpu:2 --alpha 0.95)"
t 'no leaps in a number of iterations' 0 '*14 iterations*right*' '' pr star:3000 --iterations 14 -v --stats
awk 'BEGIN { for (v = 0; v < 3000; v++) { print v, (v + 1) % 3000; if (v % 11 == 0) print v, v * 7 % 3000 } for (v = 0; v < 50; v++) print 5, v * 31 }' > "$scratch/circle.el"
ok 'leaps that do not help are given up' test "$(count "$scratch/circle.el" --tol 1e-6)" -lt $(($(count "$scratch/circle.el" --tol 1e-6 --update jacobi) + 20))
for options in '--alpha 0.99' '--alpha 0.5' '--alpha 0' '--rule max --tol 1e-7' '--dangling drop'; do
    for device in cpu:1 cpu:2x4; do
        # shellcheck disable=SC2086
        t "leaps, $device $options" 0 '*1 of 1 right*' '' pr caterpillar:40:40 -v -d $device $options
        # shellcheck disable=SC2086
        t "leaps, one direction, $device $options" 0 '*1 of 1 right*' '' pr "$scratch/circle.el" -v -d $device $options
    done
done
# A group's lanes added up the ranks of thousands of vertices one after another: 4e-5 off in total.
awk 'BEGIN { for (i = 0; i < 50000; i++) { print 0, 2 + i; print 1, 25002 + i } print 0, 1 }' > "$scratch/hubs.el"
slow || t 'a small tolerance, wide groups' 0 '*1 of 1 right*' '' pr "$scratch/hubs.el" -s -v -d cpu:2x4 --tol 1e-7
slow || t 'as many edges, the largest change' 0 '*right*' '' pr star:300000 -v -d cpu:1 --rule max --tol 1e-5
slow || t 'many edges of one lane of several' 0 '*right*' '' pr star:4000 -v -d cpu:2x4 --tol 1e-6
t 'a small tolerance, and ranks of very different sizes' 0 '*right*' '' pr star:2000 -v -d cpu:2 --tol 1e-7

# Hubs packed: other edges are walked, in another order; ranks are right, in the first run and in those after it.
for graph in kron:9 star:3000 road:20x20:0.65 "$scratch/circle.el" path:2 urand:10; do
    for device in cpu:2 cpu:2x4; do
        t "hubs packed, $device ${graph##*/}" 0 '*3 of 3 right*' '' pr "$graph" -v -d $device --pack on -n 3
    done
done
t 'hubs packed, counted' 0 '* 9 iterations*right*' '' pr kron:9 -v --pack on --iterations 9 --stats
t 'hubs packed, in place' 0 '*right*' '' pr kron:9 -v --pack on --update in-place
t 'hubs packed, without edges' 0 '*right*' '' pr path:1 -v --pack on
t 'hubs are not packed without rounds' 2 '' '*in rounds only*' pr kron:9 --pack on --sched fifo

# 0 -> 1, 0 -> 2, 1 -> 2, 3 -> 0: vertex 2 has no edges. src/selftest/test_pr.c has the numbers.
printf '0 1\n0 2\n1 2\n3 0\n' > "$scratch/sink.el"
for d in cpu cpu:2x4; do
    t "one iteration, $d" 0 "$(printf '%s\n' 0.28125 0.21875 0.34375 0.15625)" '' \
        pr "$scratch/sink.el" --alpha 0.5 --iterations 1 -q -o - -d $d
    t "two iterations, $d" 0 "$(printf '%s\n' 0.24609375 0.23828125 0.34765625 0.16796875)" '' \
        pr "$scratch/sink.el" --alpha 0.5 --iterations 2 -q -o - -d $d
    t "fourteen iterations, $d" 0 '* 14 iterations*right*' '' pr "$scratch/sink.el" --iterations 14 -v -d $d --stats
    t "lost ranks, $d" 0 "$(printf '%s\n' 0.25 0.1875 0.3125 0.125)" '' \
        pr "$scratch/sink.el" --alpha 0.5 --iterations 1 --dangling drop -q -o - -d $d
done
t 'so many, and not fewer' 0 '* 200 iterations*right*' '' pr kron:8 -v --iterations 200 --stats
t 'at most so many' 0 '* [1-9] iterations*right*' '' pr kron:8 -v --iterations 200 --tol 1e-2 --stats
t 'no number of iterations in place' 2 '' '*--update jacobi*' pr kron:8 --iterations 3 --update in-place

# The example of LDBC Graphalytics, directed, with two sinks: its reference after 2 iterations at 0.85, within its 1e-4.
printf '%s\n' '0 2' '0 4' '1 3' '1 4' '1 9' '2 0' '2 4' '2 7' '2 9' '4 2' '4 3' '4 7' '5 2' '5 3' '6 3' '7 0' '8 3' > "$scratch/ldbc.el"
printf '%s\n' 0.1477629166666667 0.04753375 0.1550469444444444 0.1597573611111111 0.14624 0.04753375 0.04753375 0.1135740277777778 \
    0.04753375 0.08748375 > "$scratch/ldbc.pr"
for d in cpu cpu:2x4; do
    "$raddle" pr "$scratch/ldbc.el" --iterations 2 --alpha 0.85 -q -o "$scratch/ranks" -d $d
    same "LDBC's reference after two iterations, $d" "$(paste "$scratch/ldbc.pr" "$scratch/ranks" | awk '
        { d = ($1 - $2) / $1; if (d < 1e-4 && d > -1e-4) near++ } END { print near + 0 " of " NR " agree" }')" '10 of 10 agree'
done

# Stars: a hub adds up very many equal numbers, each sum rounded the same way, and alpha near 1 keeps what was lost.
awk 'BEGIN { n = split("1500 700 30", k, " "); for (i = 1; i <= n; v += k[i++] + 1) for (j = 1; j <= k[i]; j++) print v + 0, v + j }' > "$scratch/stars.el"
for d in cpu cpu:2x4; do
    t "sums of equal numbers, $d" 0 '*right*' '' pr "$scratch/stars.el" --symmetrize --alpha 0.99 --tol 1e-9 --rule l1 --update in-place -v -d $d
done

# What means nothing under a scheduler, or on a device, is said.
t 'iterations without rounds' 0 '*right*' '*option update does nothing under scheduler steal: it is for rounds*' pr kron:7 -v --sched steal --update in-place -d cpu
t 'iterations as they are by default' 0 '*right*' '' pr kron:7 -v --sched steal --update auto -d cpu
t 'scattered on cores' 0 '*right*' '*option scatter does nothing on cpu: a group is one lane there*' pr kron:7 -v --sched bsp --scatter on -d cpu
t 'scattered on lanes' 0 '*right*' '' pr kron:7 -v --sched bsp --scatter on -d cpu:2x4
same 'help has the launches that there are' "$("$raddle" fib --help | grep -o 'kept going: .*;') $("$raddle" pr --help | grep -o 'kept going: .*;')" \
    'kept going: persistent, discrete; kept going: discrete, persistent, graph;'
t 'a launch that its schedulers do not have' 2 '' "*no scheduler of fib has a launch 'graph'; they have: persistent, discrete*" fib 9 --launch graph
