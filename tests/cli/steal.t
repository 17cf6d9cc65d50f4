# SPDX-License-Identifier: Apache-2.0
# Apps of fork-join tasks, and the schedulers steal and steal-levels: right answers, options, every error path.

t 'fib' 0 '6765' '' fib 20 -q -o -
t 'fib of nothing' 0 '0' '' fib 0 -q -o -
t 'fib: a report' 0 '*, sched steal, launch persistent*57.3 k tasks*frames*right*' '' fib 22 -v --stats
t 'fib under fifo' 0 '*, sched fifo*57.3 k tasks*right*' '' fib 22 -v --sched fifo --stats
t 'fib, discrete' 0 '*sched steal, launch discrete*right*' '' fib 20 -v --launch discrete
t 'fib: not a number' 2 '' '*takes a number from 0 to 50*' fib many
t 'fib: too large' 2 '' '*takes a number from 0 to 50*' fib 51
t 'fib: no input' 2 '' '*' fib
t 'nqueens' 0 '92' '' nqueens 8 -q -o -
t 'nqueens, every board a task' 0 '*8394 tasks*right*' '' nqueens 9 --cutoff 0 -v --stats
t 'nqueens: a board of nothing' 2 '' '*board of 1 to 20 rows*' nqueens 0
t 'nqueens: a bad cut-off' 2 '' '*cutoff takes a number of rows*' nqueens 8 --cutoff 21
t 'uts: a small tree' 0 '63914' '' uts geo:fixed:4:7:19 -q -o -
slow || t 'uts: another one' 0 '4112897' '' uts T3 -q -o -
t 'uts: no tree' 2 '' '*uts knows no tree*' uts T9
t 'uts: a tree without end' 2 '' '*uts knows no tree*' uts bin:4:0.5:4:1
t 'sort' 0 "$(printf '%s\n' 1 2 3 4 5)" '' sort reverse:5 -q -o -
t 'sort, verified' 0 '*right*' '' sort random:20000 --cutoff 16 -v -n 2
t 'sort: nothing' 0 '*right*' '' sort random:0 -v
t 'sort: what?' 2 '' '*sort takes random:N*' sort shuffled:9
t 'sort: a bad cut-off' 2 '' '*cutoff takes*' sort random:9 --cutoff 3
t 'sum: SC1' 0 '32' '' sum sc1:31:100 -q -o -
t 'sum: SC2' 0 '2080' '' sum sc2:64:100 -q -o - --deal block
t 'sum: what?' 2 '' '*sum takes sc1:TASKS:LENGTH*' sum sc3:1:1
t 'sum: no length' 2 '' '*sum takes sc1:TASKS:LENGTH*' sum sc1:1:0

# Options of the scheduler.
for options in '--deque lock' '--victim nearest' '--victim none' '--deal block' '--steps 1' '--stack 4 --frames 16' \
    '--deque lock --victim nearest --deal block --launch discrete'; do
    # shellcheck disable=SC2086
    t "fib $options" 0 '*right*' '' fib 18 -v -n 2 $options
    # shellcheck disable=SC2086
    t "sort $options" 0 '*right*' '' sort random:3000 --cutoff 16 -v $options
done
t 'a deque of another kind' 2 '' '*' fib 9 --deque rope
t 'an option of steal under fifo' 2 '' '*' fib 9 --deque lock --sched fifo
t 'memory is planned' 0 '*stacks of tasks*deques*frames*' '' fib 20 --dry-run
t 'groups of several lanes' 0 '*2 groups of 4*right*' '' fib 16 -v -d cpu:2x4 --stats
"$raddle" fib 18 -d cpu -v --json > "$scratch/fib.json" 2> "$scratch/err"
ok 'JSON is valid' "$json" < "$scratch/fib.json"
same 'JSON: tasks' "$(head -n 1 "$scratch/fib.json" | "$json" tasks)" 8361
same 'JSON: measures' "$(head -n 1 "$scratch/fib.json" | "$json" largest_share | grep -c .)" 1
t 'a time-out' 5 '' '*' fib 45 --timeout 0.2

# Graphs.
for sched in steal steal-levels; do
    for launch in persistent discrete; do
        t "bfs --sched $sched --launch $launch" 0 "*sched $sched, launch $launch*2 of 2 right*" '' \
            bfs kron:9 -v -n 2 --sched $sched --launch $launch
    done
    t "parents under $sched" 0 '*right*' '' bfs kron:9 -v --parents --sched $sched
    t "bfs --sched $sched with locks" 0 '*right*' '' bfs road:40x40:0.7 -v --sched $sched --deque lock --victim nearest
    t "bfs --sched $sched without stealing" 0 '*right*' '' bfs kron:9 -v --sched $sched --victim none
done

t 'bench deque lists its cases' 0 '*lockfree/pop/1*lock/mixed/all*' '' bench deque --list
t 'bench forkjoin lists its cases' 0 '*fib/all*uts T1/tenth*sc1:100000/half*sc2:100/one*sc2:10000/tenth*' '' bench forkjoin --list
