# SPDX-License-Identifier: Apache-2.0
# Several ranks: threads of one process by several -d, and processes of each MPI that is installed.

# ---- Threads ----
two='-d cpu:1 -d cpu:1'
# shellcheck disable=SC2086
t 'two devices' 0 'answer:    from vertex 0: 9 of 9 vertices reached, the farthest at depth 1*verified:  1 of 1 right' '' bfs star:9 -v $two
# shellcheck disable=SC2086
t 'a line a rank' 0 '*ranks:     2, over threads*rank 0 *tasks*messages*idle*overwork*vertices*ghosts*records for*edges*rank 1 *right' '' bfs kron:8 -v --stats $two
# shellcheck disable=SC2086
t 'values of all ranks, in order' 0 "$(printf '0\n1\n2\n3\n4')" '' bfs path:5 -r 0 -q -o - $two
# shellcheck disable=SC2086
t 'a file that counts from 1' 0 "$(printf '1 0\n2 1\n3 1')" '' bfs tests/data/ranks.mtx -r 1 -q -o - $two -d cpu:1
# shellcheck disable=SC2086
t 'more ranks than vertices' 0 "$(printf '0\n1')" '' bfs path:2 -r 0 -q -o - $two $two
# shellcheck disable=SC2086
t 'a source that is not there' 2 '' 'raddle bfs: rank *: source 9 is out of range: the graph has the vertices 0 to 4' bfs path:5 -r 9 $two
# shellcheck disable=SC2086
t 'random sources' 0 '*4 of 4 right*' '' bfs kron:8 -v --sources 4 $two
same 'the same random sources as one rank' \
    "$("$raddle" bfs kron:8 -d cpu:1 --sources 3 --json | "$json" srcs)" "$("$raddle" bfs kron:8 $two --sources 3 --json | "$json" srcs)"
for run in 'bfs kron:9' 'bfs road:40x40 --window 1' 'bfs kron:8 --parents' 'bfs tests/cli/directed.el -r 0 --parents' 'mis kron:8' 'mis path:9' 'color kron:8' 'color complete:70' 'pr tests/cli/directed.el' 'sssp tests/cli/real.wel -r 0' 'sssp tests/cli/real.wel -r 0 --parents' 'sssp kron:8 --window 7' 'sssp road:30x30' 'pr kron:8' 'pr urand:8:1 --iterations 7' 'pr path:2 --rule max' 'cc urand:9:1' 'cc tests/cli/directed.el' 'uts geo:fixed:4:6:19' 'fib 20' 'nqueens 8' 'knapsack inverse:60:1000 --states 0' 'knapsack strongly:90:100 --states 0 --dive 1 --pool 64'; do
    # shellcheck disable=SC2086
    t "three ranks: $run" 0 '*1 of 1 right*' '' $run -v $two -d cpu:1
done
# Many edges of other ranks lead to one vertex: a part that is turned round has rows that its own has not.
awk 'BEGIN { for (v = 1; v < 20000; v++) print v, 0; for (v = 1; v < 20000; v++) print v - 1, v }' > "$scratch/inward.el"
for run in '' '--rule max' '--dangling drop'; do
    # shellcheck disable=SC2086
    t "pr of edges that lead to one vertex $run" 0 '*2 of 2 right*' '' pr "$scratch/inward.el" -v -n 2 $run $two -d cpu:1
    ! slow || break
done
# Cliques, each a rank's, in a row: a single edge joins two, which no sample is likely to see. And some that none joins.
for cut in 100 300; do
    awk -v cut="$cut" 'BEGIN { for (c = 0; c < 400; c += 100) { for (u = c; u < c + 100; u++) for (v = u + 1; v < c + 100; v++) print u, v; if (c && c != cut) print c - 100 + 37 + c / 50, c + 91 } }' > "$scratch/cliques.el"
    for ranks in "$two" "$two -d cpu:1" "$two $two"; do
        # shellcheck disable=SC2086
        t "edges that nobody looked at: $ranks, cut at $cut" 0 "*2 components, the largest of $((cut > 400 - cut ? cut : 400 - cut)) vertices*1 of 1 right*" '' cc "$scratch/cliques.el" -s -v $ranks
    done
done
# What is joined to a largest component elsewhere looks at no more edges to ghosts.
# shellcheck disable=SC2086
ok 'few edges between parts' awk -v edges="$("$raddle" cc kron:14 --json $two $two $two $two | sed -n 's/.*"edges_visited": \([0-9]*\).*/\1/p')" 'BEGIN { exit !(edges > 0 && edges < 50000) }'
for run in 'cc kron:9' 'cc web:9' 'cc road:30x30:0.4' 'cc urand:9:1'; do
    # shellcheck disable=SC2086
    same "the same on one rank and on four: $run" "$("$raddle" $run -q -o - $two $two | cksum)" "$("$raddle" $run -q -o - -d cpu:1 | cksum)"
done
# shellcheck disable=SC2086
t 'JSON: once, with the ranks' 0 '*"ranks": 2, "transport": "threads"*"rank_stats": \[{"tasks": *"remote_edges": *}\]*' '' bfs kron:8 --json $two
# shellcheck disable=SC2086
t 'an app that does not' 2 '' 'raddle tc: it does not run on several ranks; these do: *bfs*' tc kron:8 $two
# shellcheck disable=SC2086
t 'on any core' 0 '*1 of 1 right*' '' bfs kron:8 -v --no-pin $two
t 'most edges against their direction' 0 '*"pulled": 2*' '' bfs kron:8 --json $two
# A path, then a level with most of the edges, then a path: levels, steps, levels against the edges, steps again.
awk 'BEGIN { for (v = 0; v < 400; v++) print v, v + 1; for (v = 401; v < 1401; v++) { print 400, v; for (k = 0; k < 29; k++) print v, 1401 + (v * 7 + k * 31) % 6000 } for (v = 7400; v < 8400; v++) print v, v + 1 }' > "$scratch/club.el"
# shellcheck disable=SC2086
t 'from steps to levels and back' 0 '*"pulled": 1*"verified": true*' '' bfs "$scratch/club.el" -s -r 0 -v --json $two
for ranks in "$two" "$two -d cpu:1" '-d cpu:2 -d cpu:3'; do
    # shellcheck disable=SC2086
    same "the same there on one rank and on others: $ranks" "$("$raddle" bfs "$scratch/club.el" -s -r 0 -q -o - $ranks | cksum)" "$("$raddle" bfs "$scratch/club.el" -s -r 0 -q -o - -d cpu:1 | cksum)"
done
# shellcheck disable=SC2086
t 'a window that was asked for' 0 '*"pulled": 0*' '' bfs kron:8 --window 1 --json $two
for run in 'bfs kron:9 --parents' 'bfs road:20x20 --parents' 'color kron:9' 'color road:20x20'; do
    # shellcheck disable=SC2086
    same "the same on two ranks and on three: $run" "$("$raddle" $run -q -o - $two -d cpu:1 | cksum)" "$("$raddle" $run -q -o - $two | cksum)"
done
for run in 'bfs road:70x70' 'bfs path:3000' 'bfs grid3d:14' 'bfs caterpillar:600:3' 'bfs web:11' 'mis kron:9' 'mis road:30x30' 'sssp tests/cli/real.wel -r 0' 'sssp road:20x20 --parents' 'sssp kron:10' 'sssp web:9' 'sssp road:50x50' 'sssp kron:9 --weights 0-3' 'sssp urand:9 --real-weights' 'sssp tests/cli/directed.el -r 0' 'sssp path:500' 'sssp star:40 --weights 1-2147483647'; do
    # shellcheck disable=SC2086
    same "the same on one rank and on three: $run" "$("$raddle" $run -q -o - $two -d cpu:1 | cksum)" "$("$raddle" $run -q -o - -d cpu:1 | cksum)"
done
# In steps (src/job/ranks_steps.c) what waits is run once, or little more.
for run in 'sssp road:150x150' 'sssp grid3d:20' 'sssp kron:12' 'sssp urand:12' 'bfs road:150x150' 'bfs caterpillar:2000:3' 'bfs cycle:30000'; do
    # shellcheck disable=SC2086
    ok "tasks a vertex: $run" awk -v tasks="$("$raddle" $run --json $two $two $two $two | sed -n 's/.*"overwork": \([0-9.]*\).*/\1/p')" 'BEGIN { exit !(tasks >= 1 && tasks < 1.5) }'
done
# What is offered in vain is little, where owners have told whose words are final.
# shellcheck disable=SC2086
slow || ok 'records an edge, with weights' awk -v records="$("$raddle" sssp kron:16 --json $two $two | sed -n 's/.*"records_per_edge": \([0-9.]*\).*/\1/p')" 'BEGIN { exit !(records > 0.01 && records < 0.045) }'
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n' > "$scratch/long.wel"
# shellcheck disable=SC2086
t 'a distance that does not fit' 3 '' '*does not fit 32 bits*' sssp "$scratch/long.wel" -r 0 $two
t 'by engines with many cores' 0 '*"launches": [1-9]*"verified": true*' '' sssp kron:16 -v --json -d cpu:4 -d cpu:5
printf '0 1 0\n1 2 1\n' > "$scratch/zero.wel"
# shellcheck disable=SC2086
t 'parents over edges of weight 0' 3 '' '*need edges of positive weight*' sssp "$scratch/zero.wel" -r 0 --parents $two
# shellcheck disable=SC2086
t 'a scheduler with rounds' 2 '' '*does not run under scheduler bsp*' bfs kron:8 --sched bsp $two
# shellcheck disable=SC2086
t 'a file that is not there' 3 '' 'raddle bfs: rank *: nofile: cannot be opened*' bfs nofile $two
t 'one device is not there' 4 '' 'raddle bfs: rank 1: *' bfs kron:8 -d cpu:1 -d cuda:77
# shellcheck disable=SC2086
t 'time is up on all' 5 '' 'raddle uts: rank *: stopped after*' uts T1XXL --timeout 0.3 $two
t 'pr: the best of all ranks' 0 'answer:    vertex 0 ranks highest, with 0.4*' '' pr star:9 -d cpu:1 -d cpu:1
t 'mis on a graph that is not symmetric' 2 '' '*needs a symmetric graph*' mis tests/cli/directed.el -d cpu:1 -d cpu:1
# shellcheck disable=SC2086
t 'shares: as said' 0 '*rank 0 *0 vertices, 0 ghosts*rank 1 *rank 2 *1 of 1 right' '' bfs road:20x20 -v --stats --shares 0,1,3 $two -d cpu:1
t 'shares: by device' 0 '*"rank_stats": \[{*"vertices": 102, *"vertices": 298, *}\]*' '' bfs road:20x20 --json -d cpu:1 -d cpu:3
t 'shares: a device that is too slow to help' 0 '*on cpu:9, sched bsp*ranks:     2, over threads; rank 1 does all of it*1 of 1 right' '' bfs kron:8 -v --stats -d cpu:1 -d cpu:9
t 'shares: who does all of it speaks' 0 '*"ranks": 2, "transport": "threads", "alone": 1, *' '' fib 15 --json -d cpu:1 -d cpu:9
t 'shares: its values' 0 "$(printf '0\n1\n2')" '' bfs path:3 -r 0 -q -o - -d cpu:1 -d cpu:9
# shellcheck disable=SC2086
for run in 'uts geo:fixed:4:6:19' 'nqueens 8' 'knapsack inverse:60:1000 --states 0' 'pr kron:8' 'cc urand:9:1' 'mis kron:8' 'color kron:8' 'sssp road:20x20'; do
    t "shares: $run" 0 '*1 of 1 right*' '' $run -v --shares 0,5,2 $two -d cpu:1
done
t 'shares: it fails alone' 3 '' 'raddle bfs: rank 1: nofile: cannot be opened*' bfs nofile -d cpu:1 -d cpu:9
# shellcheck disable=SC2086
t 'shares: too few' 2 '' '*--shares wants a number for each of the 2 ranks*' bfs kron:8 --shares 1 $two
# shellcheck disable=SC2086
t 'shares: a comma too many' 2 '' "*--shares wants*not '1,'*" bfs kron:8 --shares 1, $two
# shellcheck disable=SC2086
t 'shares: nobody' 2 '' '*the shares of all ranks are 0*' fib 9 --shares 0,0 $two
{ echo '#define RD_TASK_ADDS 1'; cat examples/own/fib.k.c; } > "$scratch/adds.k.c"
# shellcheck disable=SC2086
t 'own file' 0 '*1 of 1 right*' '' run "$scratch/adds.k.c" --n 18 -v $two
for run in 'kcore.k.c kron:6' 'collatz.k.c' 'quadrature.k.c' 'fib.k.c'; do
    # shellcheck disable=SC2086
    t "own file that cannot: $run" 2 '' '*it does not run on several ranks: of files, those of model forkjoin*RD_TASK_ADDS*' run examples/own/$run $two
done
# shellcheck disable=SC2086
t 'own search' 0 '*the farthest at depth*1 of 1 right*' '' run examples/own/bfs.k.c road:30x30 -v $two -d cpu:1
# shellcheck disable=SC2086
t 'own search, more ranks than vertices' 0 "$(printf '0\n1')" '' run examples/own/bfs.k.c path:2 -r 0 -q -o - $two $two
# shellcheck disable=SC2086
same 'own search: the same on one rank and on three' "$("$raddle" run tests/data/narrow.k.c kron:8 --floor 9 -q -o - $two -d cpu:1 | cksum)" "$("$raddle" run tests/data/narrow.k.c kron:8 --floor 9 -q -o - -d cpu:1 | cksum)"
sed 's/return a->worst/return 1 + a->worst/' tests/data/narrow.k.c > "$scratch/wrong.k.c"
# shellcheck disable=SC2086
t 'own search that is wrong' 1 '*0 of 1 right*' '*rank 0: trial 1 is wrong: narrow: rd_app_check says*' run "$scratch/wrong.k.c" kron:7 -v $two
sed 's/^RD_SET.*//' tests/data/narrow.k.c > "$scratch/bad.k.c"
t 'what is no search' 3 '' '*bad.k.c: RD_APP_LEAST is for searches of model frontier: *' run "$scratch/bad.k.c" kron:7
t 'a window' 2 '' '*--window*' bfs kron:8 --window 0

# shellcheck disable=SC2086
t 'a plan is of a part' 0 '*part:      that of rank 0 of 2, with 0 ghosts, of 512 vertices and *graph: row offsets *to be allocated*' '' bfs cliques:2:256 --dry-run $two
# shellcheck disable=SC2086
t 'a plan without a graph' 0 '*part:      that of rank 0 of 2*to be allocated*' '' fib 9 --dry-run $two

# ---- The size of messages ----
for run in 'bfs kron:9' 'bfs kron:9 --window 2' 'sssp road:20x20' 'pr kron:8' 'cc urand:9:1' 'mis kron:8' 'color kron:8' 'uts geo:fixed:4:6:19' 'knapsack inverse:60:1000 --states 0'; do
    # shellcheck disable=SC2086
    t "messages of 64 bytes: $run" 0 '*1 of 1 right*' '' $run -v --message 64 $two -d cpu:1
done
# shellcheck disable=SC2086
same 'the same by small messages' "$("$raddle" bfs kron:10 -q -o - --message 100 $two $two | cksum)" "$("$raddle" bfs kron:10 -q -o - -d cpu:1 | cksum)"
# shellcheck disable=SC2086
ok 'they are more' awk -v few="$("$raddle" pr kron:10 --json $two | sed -n 's/.*"messages": \([0-9]*\).*/\1/p' | head -n 1)" \
    -v many="$("$raddle" pr kron:10 --json --message 64 $two | sed -n 's/.*"messages": \([0-9]*\).*/\1/p' | head -n 1)" 'BEGIN { exit !(few > 0 && many > 4 * few) }'
t 'one rank sends none' 0 '*verified:  1 of 1 right*' 'raddle bfs: --message is about several ranks and does nothing on one' bfs kron:8 -v --message 100 -d cpu:1
t 'and has no window' 0 '*verified:  1 of 1 right*' 'raddle bfs: --window is about several ranks and does nothing on one' bfs kron:8 -v --window 3 -d cpu:1
# shellcheck disable=SC2086
t 'too small' 2 '' '*--message*64*' bfs kron:8 --message 63 $two
# shellcheck disable=SC2086
t 'no number' 2 '' '*--message*' bfs kron:8 --message much $two
t 'the suite: sizes of messages' 0 '*message/sssp/kron:11/256 *messages*message/sssp/kron:11/0 *message/pr/kron:11/4096 *' '' bench machines --quick -n 1 --filter message

# ---- Files: each rank parses some of the blocks of a text, and of .rdg looks at its own rows ----
# Texts are of several blocks of 1 MiB: of five, and under sanitizers of three.
scale=15
! slow || scale=14
half=$((200000 >> (15 - scale)))
"$raddle" convert kron:$scale:6 "$scratch/whole.wel" --weights 1-9 > /dev/null
"$raddle" convert kron:$scale:6 "$scratch/whole.el" > /dev/null
for to in mtx gr adj wsg egr rdg; do "$raddle" convert "$scratch/whole.wel" "$scratch/whole.$to" > /dev/null; done
"$raddle" convert "$scratch/whole.el" "$scratch/whole.sg" > /dev/null
gzip -c "$scratch/whole.wsg" > "$scratch/whole.wsg.gz"
awk '!/^#/ { row[$1] = row[$1] " " $2 + 1; n = $1 > n ? $1 : n; m++ } END { print n + 1, m / 2; for (v = 0; v <= n; v++) print row[v] }' \
    "$scratch/whole.el" > "$scratch/whole.graph"
formats='wel el mtx gr adj sg wsg wsg.gz egr rdg graph'
! slow || formats='wel rdg wsg'
for to in $formats; do
    for options in '' '-s --drop-loops' '--permute' '--drop-duplicates --permute --numbers internal'; do
        # all of them for one format, the shortest and the longest for the others
        case "$to:$options" in el:* | *: | *:--drop-dup*) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        same "a file on one rank and on three: $to $options" "$("$raddle" cc "$scratch/whole.$to" $options -q -o - $two -d cpu:1 | cksum)" "$("$raddle" cc "$scratch/whole.$to" $options -q -o - -d cpu:1 | cksum)"
    done
    # shellcheck disable=SC2086
    same "distances of a file: $to" "$("$raddle" sssp "$scratch/whole.$to" --weights 1-7 -q -o - $two $two | cksum)" "$("$raddle" sssp "$scratch/whole.$to" --weights 1-7 -q -o - -d cpu:1 | cksum)"
done
formats='wel mtx gr adj wsg egr rdg'
! slow || formats='wel rdg wsg'
for to in $formats; do
    # shellcheck disable=SC2086
    same "weights of a file: $to" "$("$raddle" sssp "$scratch/whole.$to" -q -o - $two $two | cksum)" "$("$raddle" sssp "$scratch/whole.$to" -q -o - -d cpu:1 | cksum)"
done
# shellcheck disable=SC2086
same 'in another order' "$("$raddle" cc "$scratch/whole.el" --order degree --numbers internal -q -o - $two -d cpu:1 | cksum)" "$("$raddle" cc "$scratch/whole.el" --order degree --numbers internal -q -o - -d cpu:1 | cksum)"
{ cat "$scratch/whole.wel"; echo '1 2 0.5'; } > "$scratch/real.wel"
# shellcheck disable=SC2086
same 'a fraction that one rank meets' "$("$raddle" sssp "$scratch/real.wel" -q -o - $two -d cpu:1 | cksum)" "$("$raddle" sssp "$scratch/real.wel" -q -o - -d cpu:1 | cksum)"
# shellcheck disable=SC2086
t 'what can be read once' 2 '' '*standard input can be read once, and here are 2 ranks: give a file*' bfs - $two
mkfifo "$scratch/pipe"
# shellcheck disable=SC2086
t 'a pipe' 2 '' '*pipe can be read once, and here are 3 ranks*' bfs "$scratch/pipe" $two -d cpu:1
rm "$scratch/pipe"
lines=$(wc -l < "$scratch/whole.el")
{ cat "$scratch/whole.el"; echo '1 x'; echo '2 y'; } > "$scratch/fault.el"
# shellcheck disable=SC2086
t 'a fault in the last block' 3 '' "*rank *fault.el:$((lines + 1)):3: expected*found 'x'*" bfs "$scratch/fault.el" $two -d cpu:1
{ head -n $((lines / 2)) "$scratch/whole.el"; echo '3 z'; tail -n $half "$scratch/whole.el"; echo '1 x'; } > "$scratch/fault.el"
# shellcheck disable=SC2086
t 'the first of two faults' 3 '' "*rank *fault.el:$((lines / 2 + 1)):3: expected*found 'z'*" bfs "$scratch/fault.el" $two -d cpu:1
sed '$d' "$scratch/whole.mtx" > "$scratch/fault.mtx"
# shellcheck disable=SC2086
t 'too few entries, in all blocks' 3 '' '*the header promises*: it is truncated*' bfs "$scratch/fault.mtx" $two
vertices=$(sed -n 2p "$scratch/whole.adj")
sed "$((3 + vertices + half))s/.*/70000/" "$scratch/whole.adj" > "$scratch/fault.adj"
for ranks in '-d cpu:1' "$two -d cpu:1"; do
    # shellcheck disable=SC2086
    t "a target that is not there: $ranks" 3 '' "*fault.adj:$((3 + vertices + half)):1: expected a vertex number from 0 to $((vertices - 1)), found '70000'*" bfs "$scratch/fault.adj" $ranks
done
sed '5s/.*/9/; 6s/.*/8/' "$scratch/whole.adj" > "$scratch/fault.adj"
for ranks in '-d cpu:1' "$two -d cpu:1"; do
    # shellcheck disable=SC2086
    t "rows that fall: $ranks" 3 '' '*fault.adj: the edges of vertex 1 are said to be 9 to 8 of *' bfs "$scratch/fault.adj" $ranks
done
for to in sg wsg egr adj; do
    head -c 300000 "$scratch/whole.$to" > "$scratch/fault.$to"
    # shellcheck disable=SC2086
    t "truncated, on three ranks: $to" 3 '' "*fault.$to*: it is truncated*" bfs "$scratch/fault.$to" $two -d cpu:1
    { cat "$scratch/whole.$to"; echo 7; } > "$scratch/fault.$to"
    # shellcheck disable=SC2086
    t "more than there should be, on three ranks: $to" 3 '' "*fault.$to*" bfs "$scratch/fault.$to" $two -d cpu:1
    ! slow || break
done
# Vertices that are called any numbers: no rank has all names, and all have the numbers of one process.
awk 'function name(v) { return v % 3 ? v * 2147483659 + 11 : v % 2 ? v : 9000000000000000000 + v }
    /^#/ { next } { printf "%.0f\t%.0f %d\n", name($1), name($2), 1 + ($1 * $2) % 9 }' "$scratch/whole.el" > "$scratch/whole.e"
{ echo '# any numbers'; cut -d ' ' -f 1 "$scratch/whole.e"; } > "$scratch/whole.txt"
{ cut -f 1 "$scratch/whole.e" | uniq; echo 9999999999999999999; echo 4; } > "$scratch/whole.v"
printf 'graph.whole.directed = false\n' > "$scratch/whole.properties"
"$raddle" convert "$scratch/whole.txt" "$scratch/whole.rdg" > /dev/null
gzip -c "$scratch/whole.txt" > "$scratch/packed.txt.gz"
for run in 'bfs whole.txt' 'bfs whole.txt -r 15 --permute' 'cc whole.txt --permute' 'cc whole.txt --order degree' 'cc whole.txt --numbers internal' 'bfs packed.txt.gz' 'sssp whole.e' 'cc whole.e -s --drop-duplicates' 'bfs whole.e -r 4' 'bfs whole.rdg -r 15' 'cc whole.rdg --permute -s'; do
    app=${run%% *} rest=${run#* }
    # shellcheck disable=SC2086
    same "any names, on one rank and on three: $run" "$("$raddle" $app "$scratch"/$rest -q -o - $two -d cpu:1 | cksum)" "$("$raddle" $app "$scratch"/$rest -q -o - -d cpu:1 | cksum)"
    ! slow || break
done
for run in 'bfs kron:9 --permute' 'cc road:20x20 --permute -s'; do
    # shellcheck disable=SC2086
    same "names of what was permuted: $run" "$("$raddle" $run -q -o - $two $two | cksum)" "$("$raddle" $run -q -o - -d cpu:1 | cksum)"
done
# shellcheck disable=SC2086
same 'random sources have names' "$("$raddle" bfs "$scratch/whole.txt" --sources 3 --json $two | "$json" srcs)" "$("$raddle" bfs "$scratch/whole.txt" --sources 3 --json -d cpu:1 | "$json" srcs)"
for run in 'bfs' 'pr'; do
    # shellcheck disable=SC2086
    same "names in reports: $run" "$("$raddle" $run "$scratch/whole.txt" $two | sed -n 's/^answer:.*vertex \([0-9]*\).*/\1/p')" "$("$raddle" $run "$scratch/whole.txt" -d cpu:1 | sed -n 's/^answer:.*vertex \([0-9]*\).*/\1/p')"
done
# shellcheck disable=SC2086
t 'a name that is not there' 2 '' '*the graph has no vertex called 5 (--numbers internal*' bfs "$scratch/whole.txt" -r 5 $two
printf '# a\n7 9\n' > "$scratch/few.txt"
# shellcheck disable=SC2086
t 'any names, more ranks than vertices' 0 "$(printf '7 0\n9 1')" '' bfs "$scratch/few.txt" -r 7 -q -o - $two $two
printf '# a\n4 3\n1 2\n2 3\n3 1\n' > "$scratch/few.txt"
# shellcheck disable=SC2086
t 'a first line that is no edge' 0 "$(printf '1 0\n2 1\n3 2')" '*is taken for the numbers of vertices and edges*' bfs "$scratch/few.txt" -r 1 -q -o - $two
# shellcheck disable=SC2086
t 'or is one' 0 "$(printf '1 2\n2 3\n3 1\n4 0')" '' bfs "$scratch/few.txt" --format snap -r 4 -q -o - $two
{ cat "$scratch/whole.txt"; echo '1 x'; } > "$scratch/fault.txt"
# shellcheck disable=SC2086
t 'a fault among names' 3 '' "*rank *fault.txt:$(($(wc -l < "$scratch/whole.txt") + 1)):3: expected*found 'x'*" bfs "$scratch/fault.txt" $two -d cpu:1
rm -f "$scratch"/whole.* "$scratch"/packed.* "$scratch"/few.* "$scratch"/fault.* "$scratch/real.wel"

# Every file that one process reads three ranks read, to the same numbers and names; what one refuses they refuse, by the same words.
for file in tests/data/good/*; do
    case $file in *expected | *.properties | *.v) continue ;; esac
    ! slow || break
    # shellcheck disable=SC2086
    same "three ranks read $file" "$("$raddle" cc "$file" --permute -q -o - $two -d cpu:1 2> "$scratch/err" | cksum)" "$("$raddle" cc "$file" --permute -q -o - -d cpu:1 2> /dev/null | cksum)"
done
for file in tests/data/bad/*; do
    case $file in
    */EXPECTED | */content.rdg) continue ;; # the latter is one that --verify finds
    */one-way.graph | */weights-differ.graph) continue ;; # the two lines may be of two ranks: no vertex is named
    esac
    ! slow || break
    # one of the ranks, or several, says so
    # shellcheck disable=SC2086
    same "three ranks refuse $file" "$("$raddle" bfs "$file" $two -d cpu:1 2>&1 | sed 's/: rank [0-9]*:/:/' | sort -u)" "$("$raddle" bfs "$file" -d cpu:1 2>&1)"
done
t 'the suite' 0 '*strong/bfs/kron:12/2 *cpu*edges/s, *messages*' '' bench machines --quick -n 1 --filter strong/bfs

# ---- MPI ----
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
mpi() { # mpi NAME STATUS STDOUT STDERR RANKS ARGUMENT...
    _name="$mpi: $1" _status=$2 _out=$3 _err=$4 _ranks=$5
    shift 5
    # MPICH's launcher was seen to end by SIGPIPE without a word, once in some hundred checks, where ranks end at once: that
    # is its own end, and no rank's. Then once more.
    for _ in 1 2; do
        # shellcheck disable=SC2086
        limit 300 env RADDLE_DEVICE=cpu $launch -n "$_ranks" "$raddle" "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
        _got=$?
        [ $_got = 141 ] || break
    done
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    if [ "$_got" != "$_status" ] || ! matches "$out" "$_out" || ! matches "$err" "$_err"; then
        fail "$_name" "$launch -n $_ranks raddle $*
exit status $_got, wanted $_status
stdout: $out
stderr: $err"
    else pass; fi
}
alike() { # alike RANKS APP ARGUMENT...: what one device finds
    _many=$1
    shift
    case $1 in
    uts | nqueens | fib | knapsack)
        mpi "as on one device: $*" 0 "$("$raddle" "$@" -d cpu:1 | sed -n 's/^answer:.*/&/p')*1 of 1 right*" '*' "$_many" "$@" -v ;;
    *) mpi "as on one device: $*" 0 "$("$raddle" "$@" -d cpu:1 -q -o -)" '*' "$_many" "$@" -q -o - ;;
    esac
}
ends() { # within a minute; what is left may be a zombie, where nobody waits for those without a parent
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
        case $(cat "/proc/$1/stat" 2> /dev/null) in '' | *') Z '*) return 0 ;; esac
        sleep 2
    done
    return 1
}
child_of() { # the process that works for the rank whose watcher this is
    for _stat in /proc/[0-9]*/stat; do
        { read -r _pid _name _state _parent _rest < "$_stat"; } 2> /dev/null || continue
        if [ "$_parent" = "$1" ]; then echo "$_pid"; fi
    done
}
for mpi in openmpi mpich; do
    case $build in *tsan*) continue ;; esac # which cannot see what an MPI does, and takes it for races
    launch=mpirun.$mpi
    command -v "$launch" > /dev/null || launch=mpirun
    command -v "$launch" > /dev/null && [ -e "$build/libraddle-$mpi.so" ] || continue
    case $("$launch" --version 2>&1) in
    *OpenRTE* | *'Open MPI'*) [ $mpi = openmpi ] || continue; launch="$launch --oversubscribe" ;;
    *) [ $mpi = mpich ] || continue ;;
    esac
    mpi 'one rank is a whole run' 0 '*sched bsp*verified:  1 of 1 right' '*' 1 bfs kron:8 -v
    mpi 'a report, once' 0 'answer:    from vertex *verified:  1 of 1 right' '' 3 bfs kron:8 -v
    mpi 'values of all ranks, in order' 0 "$(printf '0\n1\n2\n3\n4')" '' 2 bfs path:5 -r 0 -q -o -
    # Every count of ranks up to 8, the odd ones above 2 on one MPI and the even ones on the other: bfs and uts on each, the
    # others in turn, which are not the same on both.
    turn=0 counts='1 2 3 5 7'
    [ $mpi = openmpi ] || turn=4 counts='1 2 4 6 8'
    ! slow || counts=3
    for ranks in $counts; do
        alike $ranks bfs kron:8
        alike $ranks uts geo:fixed:4:6:19
        case $turn in
        0) alike $ranks sssp road:20x20 ;;
        1) alike $ranks cc urand:9:1 ;;
        2) alike $ranks mis kron:8 ;;
        3) alike $ranks nqueens 8 ;;
        4) alike $ranks knapsack inverse:60:1000 --states 0 ;;
        5) alike $ranks bfs road:30x30 ;;
        6) mpi 'colours' 0 '*1 of 1 right' '*' $ranks color kron:8 -v ;;
        7) mpi 'ranks of pages' 0 '*1 of 1 right' '*' $ranks pr kron:8 -v ;;
        esac
        turn=$(((turn + 1) % 8))
    done
    alike 3 bfs tests/data/good/sparse.txt
    alike 2 sssp tests/data/good/roads.e
    alike 4 cc kron:8 --permute
    alike 3 cc tests/data/good/undirected.sg
    mpi 'which MPI' 0 '*ranks:     2, over *MPI* [v0-9]*.[0-9]*' '' 2 nqueens 8 --stats
    mpi 'what is no app is done once' 0 "$(printf '0 1\n1 0\n1 2\n2 1')" '*' 3 gen path:3 -o - --to el
    mpi 'bad usage is said once' 2 '' "*raddle bfs: there is no option '--bogus'*" 3 bfs kron:8 --bogus
    mpi 'a file that is not there ends all' 3 '' '*raddle bfs: rank *: nofile: cannot be opened*' 2 bfs nofile
    mpi 'time is up on all' 5 '' '*raddle uts: rank *: stopped after*' 2 uts T1XXL --timeout 0.3
    mpi 'own file' 0 '*queens = 92*1 of 1 right' '*' 2 run examples/own/nqueens.k.c --n 8 -v
    mpi 'own search' 0 '*1 of 1 right' '*' 2 run examples/own/bfs.k.c kron:8 -v
    mpi 'own file that cannot' 2 '' '*it does not run on several ranks*' 2 run examples/own/collatz.k.c
    mpi 'one that does all' 0 '*"alone": 1, *' '' 1 fib 15 --json -d cpu:1 : -n 1 "$raddle" fib 15 --json -d cpu:9
    mpi 'other options' 2 '' '*rank *the ranks do not have the same options*' 1 bfs kron:8 : -n 1 "$raddle" bfs kron:9
    LC_ALL=C sed 's/, with: /, With: /g' "$raddle" > "$scratch/other" && chmod +x "$scratch/other"
    mpi 'another version' 2 '' '*rank *the ranks do not have the same version*' 1 bfs kron:8 : -n 1 env RADDLE_MPI="$build/libraddle-$mpi.so" "$scratch/other" bfs kron:8
    rm -f "$scratch/other"
    # a rank that is killed at work ends the others, and the process that watches over it says which it was
    # shellcheck disable=SC2086
    timeout -k 5 600 $launch -n 2 sh -c 'echo $$ > "$2.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$1" uts T1XXL -d cpu:1 --checkpoint "$2.ck" --every 0.1' sh "$raddle" "$scratch/pid" \
        > "$scratch/out" 2> "$scratch/err" < /dev/null &
    all=$!
    while ! [ -s "$scratch/pid.0" ] || ! [ -s "$scratch/pid.1" ]; do sleep 0.1; done
    watch=$(cat "$scratch/pid.1") other=$(cat "$scratch/pid.0")
    while [ -e "/proc/$watch" ] && ! [ -e "$scratch/pid.ck/manifest" ]; do sleep 0.1; done
    victim=$(child_of "$watch") second=$(child_of "$other")
    kill -KILL "$victim"
    wait $all
    same "$mpi: a rank that is killed ends the run" "$?" 4
    err=$(cat "$scratch/err")
    ok "$mpi: with its name" matches "$err" '*raddle uts: rank 1 was killed by signal 9*'
    for left in "$other" "$second" "$watch"; do ok "$mpi: and leaves no other behind" ends "$left"; done
    mpi 'a killed run goes on from its checkpoint' 5 '' '*raddle uts: rank *: stopped after*' 2 resume "$scratch/pid.ck" --timeout 0.3
    mpi 'on as many ranks' 2 '' '*raddle resume: *the checkpoint is of 2 ranks, and here are 3*' 3 resume "$scratch/pid.ck"
    rm -rf "$scratch"/pid.*
    # a rank that is stopped does not keep the others from ending when time is up; nor is it left behind
    # shellcheck disable=SC2086
    timeout -k 5 600 $launch -n 2 sh -c 'echo $$ > "$2.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$1" uts T1XXL -d cpu:1 --checkpoint "$2.ck" --every 0 --timeout 3' sh "$raddle" "$scratch/pid" \
        > "$scratch/out" 2> "$scratch/err" < /dev/null &
    all=$!
    while ! [ -s "$scratch/pid.1" ]; do sleep 0.1; done
    watch=$(cat "$scratch/pid.1") victim=
    while [ -e "/proc/$watch" ] && [ -z "$victim" ]; do victim=$(child_of "$watch"); done
    while [ -e "/proc/$watch" ] && ! [ -e "$scratch/pid.ck/manifest" ]; do sleep 0.1; done
    kill -STOP "$victim" 2> /dev/null
    wait $all
    same "$mpi: time is up while a rank is stopped" "$?" 5
    for left in "$watch" "$victim"; do ok "$mpi: which is ended too" ends "$left"; done
    rm -rf "$scratch"/pid.*
    case $build in *asan*) continue ;; esac # which takes more address space than any limit leaves
    # shellcheck disable=SC2086
    limit 60 $launch -n 2 sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || ulimit -v 700000; exec "$1" bfs path:100000000 -d cpu:1' sh "$raddle" \
        > "$scratch/out" 2> "$scratch/err" < /dev/null
    same "$mpi: a rank without memory ends the run" "$?" 4
    err=$(cat "$scratch/err")
    ok "$mpi: with its name" matches "$err" '*raddle bfs: rank 1: *memory*'
done
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
t 'launched, and no MPI' 0 '*' '' bfs kron:6
OMPI_COMM_WORLD_SIZE=2 RADDLE_MPI=/nowhere.so
export OMPI_COMM_WORLD_SIZE RADDLE_MPI
t 'launched as one of two, without MPI' 4 '' 'raddle bfs: MPI cannot be used: /nowhere.so*' bfs kron:6
unset OMPI_COMM_WORLD_SIZE RADDLE_MPI
