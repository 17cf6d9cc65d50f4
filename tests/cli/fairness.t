# SPDX-License-Identifier: Apache-2.0
# raddle fairness

t 'help' 0 'usage: raddle fairness MODEL*--scheduler*--memory*' '' fairness --help
t 'list' 0 '*cas-mutex*grid-native*opencl *false*lobe *some u: u >= t and started(u)*' '' fairness --list
t 'a model' 0 'cas-mutex: * states; assertions hold
  opencl   starves
  hsa      starves
  obe      starvation-free
  hsa+obe  starvation-free
  lobe     starvation-free
  fair     starvation-free
weakest scheduler it needs: obe' '' fairness cas-mutex
t 'nobody waits' 0 '*weakest scheduler it needs: opencl' '' fairness deque

# The table of the thesis, exactly.
table=$("$raddle" fairness table | awk 'NR > 1 { print $1, $2, $3, $4, $5, $6, $7 }')
same 'table' "$table" 'cas-mutex no no yes yes yes yes
ticket-mutex no no yes yes yes yes
pc-one-way no yes no yes yes yes
mutex-pc no no no yes yes yes
pc-two-way no no no no no yes
barrier no no no no no yes
barrier-discovery no no yes yes yes yes
barrier-lobe no no no no yes yes'
t 'protocols' 0 '*ring *obe*deque *opencl*grid-tree *obe*grid-native *lobe*crew *obe*' '' fairness protocols
t 'crew by single steps' 0 '*assertions hold*obe *starvation-free*needs: obe*' '' fairness crew -D query=0 -D n=3
t 'crew, discovery forgotten' 0 '*obe *starves*needs: lobe*' '' fairness crew -D discover=0 -D n=3
t 'table --json' 0 '{"schema": 1, "record": "fairness_row", "model": "cas-mutex", "safe": true, "starvation_free": {"opencl": false,*' '' fairness table --json
slow || t 'order' 0 '185193 programs, of which 73959 end *hsa *< hsa+obe *holds*hsa+obe *< lobe *holds*only lobe*' '' fairness order
slow || ok 'order: everything holds' awk 'NR > 1 && / (<|#) / && !/ holds: / { bad = 1 } END { exit bad || !NR }' "$scratch/out"

t 'how it starves' 1 'cas-mutex under hsa: STARVES
*1  . o    10  await cas(lock, 0, 1) == 0  lock=1 inside=1
*,->*o .*
  Step 3 repeats for ever.
  thread 0: at work in the circle, and never done
  thread 1: begun, and never run again' '' fairness cas-mutex -s hsa
t 'the thesis witness' 1 '*threads 0 2: at work in the circle, and never done
  thread 1: never begun' '' fairness barrier-lobe -s hsa+obe
t 'it does not starve' 0 'cas-mutex under obe: starvation-free' '' fairness cas-mutex -s obe
t 'two schedulers' 1 '*under obe: starvation-free*under hsa: STARVES*' '' fairness cas-mutex -s obe -s hsa
t 'a criterion' 0 '*under started(t) or t == 0: starvation-free' '' fairness cas-mutex -s 'started(t) or t == 0'
t 'forgotten discovery' 1 '*under lobe: STARVES*' '' fairness grid-word -D discover=0 -s lobe
t 'with discovery' 0 '*starvation-free' '' fairness grid-word -s obe
for bug in dropped-discovery lost-wake-up; do
    t "planted: $bug" 1 '*fair     starves
weakest scheduler it needs: none*' '' fairness "tests/data/fair/$bug.fair"
done
t 'planted: lost-token' 1 '*UNSAFE: *lost-token.fair:7: the final condition*5  . o*' '' fairness tests/data/fair/lost-token.fair
t 'planted: early-count' 1 '*UNSAFE: *:22: the assertion fails*' '' fairness tests/data/fair/early-count.fair --safety
t 'planted: broken-mutex' 1 '*UNSAFE: *:5: the invariant does not hold*' '' fairness tests/data/fair/broken-mutex.fair -s fair
t 'safety only' 0 'ring: * states; assertions hold' '' fairness ring --safety
t 'reductions' 0 '*reductions   symmetry partial-order' '' fairness cas-mutex -s obe --stats
t 'no reductions' 0 '*states/s*processor*reductions   none' '' fairness cas-mutex -s obe --stats --no-symmetry --no-partial-order

# A model that is printed can be read again.
"$raddle" fairness show ring > "$scratch/mine.fair"
t 'show' 0 '*/mine.fair: * states; assertions hold*needs: obe' '' fairness "$scratch/mine.fair"
"$raddle" fairness - < "$scratch/mine.fair" > "$scratch/out" 2>&1
same 'from standard input' $? 0

t 'dot' 1 '*STARVES*' '' fairness cas-mutex -s hsa --dot "$scratch/a.dot"
ok 'dot: a circle' grep -q 's0_2 -> s0_2 .*color=red' "$scratch/a.dot"
ok 'dot: opens and closes' sh -c "head -n 1 '$scratch/a.dot' | grep -q '^digraph' && tail -n 1 '$scratch/a.dot' | grep -q '^}'"
t 'dot of a fault' 1 '*UNSAFE*' '' fairness tests/data/fair/broken-mutex.fair --safety --dot "$scratch/b.dot"
ok 'dot of a fault: its steps' grep -q 's0_3 -> s0_4' "$scratch/b.dot"
command -v dot > /dev/null 2>&1 && ok 'Graphviz takes it' dot -Tsvg -o /dev/null "$scratch/a.dot"
for arguments in 'cas-mutex' 'cas-mutex -s hsa' 'tests/data/fair/lost-token.fair' 'protocols'; do
    # shellcheck disable=SC2086
    "$raddle" fairness $arguments --json > "$scratch/json"
    ok "--json: $arguments" "$json" < "$scratch/json"
done
t '--json has the circle' 1 '*"scheduler": "hsa", "starves": true*"cycle": [[]{"thread": 0,*"never_run_again": [[]1]*' '' fairness cas-mutex -s hsa --json

# Errors.
t 'no model' 2 '' '*MODEL is missing*' fairness
t 'two models' 2 '' '*one MODEL at a time*' fairness ring deque
t 'no such file' 3 '' '*nope: No such file*--list names*' fairness nope
t 'a folder' 3 '' 'raddle fairness: src: *' fairness src
printf 'threads 1\nword x\nthread 0\nx = y\nend\n' > "$scratch/bad.fair"
t 'an error has its line' 3 '' "raddle fairness: */bad.fair:4: 'y' is not declared" fairness "$scratch/bad.fair"
printf 'threads 1\0' > "$scratch/zero.fair"
t 'not a text' 3 '' '*not a text*' fairness "$scratch/zero.fair"
head -c 70000 /dev/zero | tr '\0' '#' > "$scratch/long.fair"
t 'too long' 3 '' '*too long for a model*' fairness "$scratch/long.fair"
t 'no such scheduler' 2 '' "*'nope' is neither a scheduler*" fairness ring -s nope
t 'no such constant' 2 '' "*'m=3' sets no constant of ring*" fairness ring -D m=3
t 'a constant without value' 2 '' '*wants NAME=N*' fairness ring -D n
t 'a constant that is too large' 3 '' 'raddle fairness: ring:*: 9 is not from 1 to 8' fairness ring -D n=9
t 'show what' 2 '' '*show takes the name*' fairness show
t 'show nothing' 2 '' "*no built-in model 'nope'*" fairness show nope
t 'dot of nothing' 2 '' '*--dot draws what*' fairness ring --dot "$scratch/c.dot"
t 'dot to nowhere' 3 '' '*/none/c.dot*' fairness ring -s obe --dot "$scratch/none/c.dot"
t 'safety and a scheduler' 2 '' '*--safety asks no scheduler*' fairness ring --safety -s obe
t 'json and dot to stdout' 2 '' '*cannot both*' fairness ring -s obe --json --dot -
t 'a table of one scheduler' 2 '' '*a table is of all schedulers*' fairness table -s obe
t 'order of one scheduler' 2 '' '*order compares all*' fairness order -s obe
t 'memory is a number' 2 '' '*--memory wants*' fairness ring --memory x
t 'memory runs out' 4 '' '*1.0 MiB of memory are not enough: * states were seen*--memory*' fairness barrier-discovery -D n=5 --no-symmetry --memory 1M
t 'threads are a number' 2 '' '*--threads wants*' fairness ring -t 0
# Far more states than the time allows.
in_time 'time is up' 5 '' '*stopped after the * s that --timeout allows: * states were seen*' fairness barrier-lobe -D n=8 --no-partial-order
# Input that never comes.
mkfifo "$scratch/silent.fair"
sleep 1000 > "$scratch/silent.fair" &
silent=$!
t 'silent input' 5 '' '*stopped after the 0.2 s that --timeout allows: the model was not read to its end' fairness "$scratch/silent.fair" --timeout 0.2
kill "$silent"
wait "$silent" 2> /dev/null
