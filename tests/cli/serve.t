# SPDX-License-Identifier: Apache-2.0
# raddle serve and its clients: answers, order, refusals; clients that vanish, servers that are killed.
RADDLE_SOCKET=$scratch/serve.sock
export RADDLE_SOCKET

start_server() { # start_server OPTION...: waits until it listens
    rm -f "$scratch/serve.log"
    "$raddle" serve -d cpu:2 "$@" > "$scratch/serve.log" 2>&1 &
    server=$!
    _try=0
    while [ $_try -lt 600 ] && ! grep -q serving "$scratch/serve.log" 2> /dev/null; do
        sleep 0.1
        _try=$((_try + 1))
    done
}
wait_for() { # wait_for PATTERN: until `raddle ps -a` shows it
    _try=0
    while [ $_try -lt 600 ]; do
        matches "$("$raddle" ps -a 2> /dev/null)" "$1" && return 0
        sleep 0.1
        _try=$((_try + 1))
    done
    return 1
}

t 'no server' 4 '' "raddle submit: no server listens on $scratch/serve.sock (*); 'raddle serve' starts one" submit bfs kron:8
t 'ps without one' 4 '' 'raddle ps: no server*' ps

start_server --jobs 3 --memory 1
ok 'mode 0600' test "$(ls -l "$scratch/serve.sock" | cut -c1-10)" = 'srw-------'
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    chmod go+x "$scratch" "$scratch/.."
    as_other() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
    if as_other test -x "$raddle" -a -e "$scratch/serve.sock"; then
        as_other "$raddle" ps > "$scratch/out" 2>&1
        same 'the server of another user: status' $? 4
        ok 'the server of another user' matches "$(cat "$scratch/out")" "raddle ps: permission denied: the server on $scratch/serve.sock belongs to another user (uid 0)*"
        chmod 666 "$scratch/serve.sock"
        as_other "$raddle" ps > "$scratch/out" 2>&1
        same 'its socket is open: status' $? 4
        ok 'its socket is open' matches "$(cat "$scratch/out")" "raddle ps: permission denied: the server on $scratch/serve.sock belongs to another user; 'raddle serve' starts one of your own*"
        chmod 600 "$scratch/serve.sock"
        mkdir -m 700 "$scratch/closed"
        as_other env RADDLE_SOCKET="$scratch/closed/serve.sock" "$raddle" ps > "$scratch/out" 2>&1
        same 'a closed folder: status' $? 4
        ok 'a closed folder' matches "$(cat "$scratch/out")" "raddle ps: permission denied: $scratch/closed/serve.sock is in a folder that is closed to this user; 'raddle serve'*"
        rmdir "$scratch/closed"
        chown 65534 "$scratch" # a socket of one's own, closed by its mode
        as_other env RADDLE_SOCKET="$scratch/own.sock" sh -c '"$0" serve -d cpu:1 > /dev/null 2>&1 &
                i=0; while [ ! -S "$1/own.sock" ] && [ $i -lt 100 ]; do sleep 0.05; i=$((i + 1)); done
                chmod 0 "$1/own.sock"; "$0" ps; code=$?; kill $!; wait; exit $code' "$raddle" "$scratch" > "$scratch/out" 2>&1
        same 'a mode that closes it: status' $? 4
        ok 'a mode that closes it' matches "$(cat "$scratch/out")" "raddle ps: permission denied: the mode of $scratch/own.sock keeps its owner out; 'chmod 600' lets you in"
        chown 0 "$scratch"
    fi
    chmod go-x "$scratch" "$scratch/.."
fi
t 'a second one' 3 '' "raddle serve: $scratch/serve.sock: there is a server already" serve -d cpu:1
t 'submit' 0 'answer:    9 of 9 vertices reached, the farthest at depth 1
time:      * as job 1, * of it waiting for the device' '' submit bfs star:9 source=0 -v
t 'the graph is there' 0 'answer:*depth 2*' '' submit bfs star:9 source=3 sched=fifo -v
t 'no graph' 0 'answer:*6765*' '' submit fib 20
t 'weights' 0 'answer:*distance*' '' submit sssp kron:8 -v
t 'symmetrized' 0 'answer:*' '' submit color tests/cli/directed.el -s -v
t '--json' 0 '{"schema": 1, "record": "job", "id": 6, "exit_status": 0, "seconds": *, "waited_s": *, "run_s": *, "answer": "*6765*"}' '' submit fib 20 --json
printf '# as the Stanford collection numbers them\n10 20\n20 30\n30 40\n' > "$scratch/tens.snap.txt"
for app in bfs sssp; do
    t "$app from the vertex that the file calls so" 0 'answer:    3 of 4 *' '' submit $app "$scratch/tens.snap.txt" source=20 -o "$scratch/tens.out"
    t "$app from one that it does not have" 2 '' 'raddle submit: job *: the graph has no vertex called 1' submit $app "$scratch/tens.snap.txt" source=1
done
t 'several of them' 0 'answer:    vertex 30 *' '' submit bc "$scratch/tens.snap.txt" source=20,30
t 'none that is a number' 2 '' "raddle submit: job *: source 'x' is not a vertex number" submit bfs "$scratch/tens.snap.txt" source=x
t 'none that is there' 2 '' 'raddle submit: job *: source 9 is out of range: the graph has the vertices 0 to 8' submit bfs star:9 source=9

t 'a prepared job' 0 'answer:*depth 2*' '' submit bfs star:9 source=3 sched=fifo -v
t 'one worker' 0 'answer:*depth 2*' '' submit bfs star:9 source=3 --workers 1 -v
t '-o' 0 'answer:*depth 2*' '' submit bfs star:9 source=3 -o "$scratch/depths"
same 'its file' "$(tr '\n' ' ' < "$scratch/depths")" '1 2 2 0 2 2 2 2 2 '
t '-o, prepared' 0 'answer:*' '' submit bfs star:9 source=3 -o "$scratch/again"
ok 'the same again' cmp "$scratch/depths" "$scratch/again"
t '-o, no folder' 3 '' '*none/depths*' submit bfs star:9 -o "$scratch/none/depths"
t '-o -' 2 '' "*the server writes results to files*" submit bfs star:9 -o -
t '-o, a picture' 0 'answer:*' '' submit ray box size=32x32 -o "$scratch/view.ppm"
t 'workers' 2 '' 'raddle submit: workers are a number*' submit bfs kron:8 --workers some
printf '0 1\n' > "$scratch/line.el"
t 'a file' 0 'answer:    2 of 2 *' '' submit bfs "$scratch/line.el"
printf '0 1\n1 2\n' > "$scratch/line.el"
t 'a file that was changed' 0 'answer:    3 of 3 *' '' submit bfs "$scratch/line.el"

t 'an app that is not there' 2 '' "raddle submit: there is no app called 'frob'" submit frob kron:8
t 'a bad option' 2 '' 'raddle submit: job *: *frob*' submit bfs kron:8 frob=1
t 'no option' 2 '' 'raddle submit: an option is KEY=VALUE' submit bfs kron:8 frob
t 'a bad source' 2 '' 'raddle submit: job *: source 99*' submit bfs path:5 source=99
t 'a file that is not there' 3 '' 'raddle submit: job *: *cannot be opened*' submit bfs "$scratch/none.mtx"
t 'a graph that is too large' 4 '' 'raddle submit: job *: kron:16 takes * MiB, and the server may have 1.0 MiB of graphs*' submit bfs kron:16
t 'a priority' 2 '' 'raddle submit: a priority is a number*' submit bfs kron:8 -p high
t 'a deadline' 2 '' 'raddle submit: a deadline is a number*' submit bfs kron:8 --deadline soon
t 'no input' 2 '' '*INPUT is missing*' submit bfs
t 'no job' 2 '' "raddle wait: there is no job 999*" wait 999
t 'no job to cancel' 2 '' "raddle cancel: there is no job 999*" cancel 999
t 'no number' 2 '' 'raddle cancel: *' cancel first

# A long job makes way, is watched, and is cancelled.
long=$("$raddle" submit --detach fib 48)
t 'urgent beside it' 0 'answer:*6765*' '' submit -p 1 --deadline 1 fib 20
t 'one worker beside it' 0 'answer:*6765*' '' submit -p 1 --workers 1 fib 20
ok 'ps has it' wait_for "*$long  *fib 48*"
ok 'its workers, and how fast it goes on' wait_for "*$long  running *  2 * [kMG]/s  fib 48*"
t 'ps --json' 0 "*\"id\": $long, \"state\": \"*\"workers\": *\"what\": \"fib 48\"}" '' ps --json
t 'top, no terminal' 0 "*job*state*$long*fib 48*" '' top -n 2 --delay 0.1
t 'jobs are limited' 0 '*' '' submit --detach fib 47
t 'jobs are limited' 0 '*' '' submit --detach fib 47
t 'jobs are limited' 2 '' 'raddle submit: there are 3 jobs already, and no more are allowed*' submit fib 10
t 'cancel' 0 '' '' cancel "$long" $((long + 2)) $((long + 3))
t 'wait for it' 5 '' "raddle wait: job $long: *" wait "$long" # stopped, or before its turn on a busy machine

# A client that is killed takes its job along.
ok 'all have ended' wait_for "*$((long + 3))  failed*"
"$raddle" submit fib 46 > /dev/null 2>&1 &
client=$!
ok 'the job is there' wait_for '*fib 46*'
kill -9 $client
wait $client 2> /dev/null
ok 'its job is ended' wait_for '*failed *fib 46*'

# The server ends: a job of a client that waits is ended, and says so.
"$raddle" submit fib 45 > /dev/null 2> "$scratch/client.err" &
client=$!
ok 'the job is there' wait_for '*fib 45*'
kill $server
wait $client
same 'its client is told' "$?" 5
wait $server
same 'a clean end' "$?" 0
ok 'no socket is left' test ! -e "$scratch/serve.sock"

# Killed: clients do not hang, the next server takes over.
start_server
"$raddle" submit fib 45 > /dev/null 2> "$scratch/client.err" &
client=$!
ok 'the job is there' wait_for '*fib 45*'
kill -9 $server
wait $client
same 'its client is told' "$?" 4
ok 'in words' grep -q '^raddle submit: the server.* went away' "$scratch/client.err"
wait $server 2> /dev/null
t 'nobody there' 4 '' 'raddle ps: no server listens*' ps
# Of many that come at a time for the socket of a dead one, one serves, and the others say so.
for go in 1 2 3; do
    many=''
    for i in 1 2 3 4 5 6 7 8; do
        "$raddle" serve -d cpu:1 > "$scratch/many$i.out" 2> "$scratch/many$i.err" &
        many="$many $!"
    done
    _try=0
    while [ $_try -lt 300 ] && [ "$(cat "$scratch"/many?.err | grep -c 'there is a server already')" -lt 7 ]; do
        sleep 0.1
        _try=$((_try + 1))
    done
    same "one of eight serves, $go" "$(cat "$scratch"/many?.out | grep -c '^serving')" 1
    t "its answer, $go" 0 'answer:*' '' submit bfs kron:8 -v
    # shellcheck disable=SC2086
    kill -9 $many 2> /dev/null
    # shellcheck disable=SC2086
    wait $many 2> /dev/null
done
start_server
t 'another one' 0 'answer:*' '' submit bfs kron:8 -v
kill $server
wait $server
start_server
"$late" "$scratch/serve.sock" $server 'verb submit,app fib,input 50,wait 1' > "$scratch/late.out" || kill $server
wait $server
same 'a request that was being read when the server was told to end' "$(cat "$scratch/late.out")" 'error 2 the server is ending'
echo text > "$scratch/file"
t 'no socket' 3 '' "raddle serve: $scratch/file is there already, and is no socket of this user's" serve --socket "$scratch/file"
t 'a path that is too long' 2 '' '*too long*' serve --socket "/tmp/$(printf '%0120d' 0)"
t 'the suite' 0 '*steal/nobody*of alone*' '' bench multitask --quick -n 1 --filter steal/nobody
t 'the long job in another process' 0 '*steal/light/process*of alone*' '' bench multitask --quick --long 0.05 -n 1 --warmup 0 \
    --filter steal/light/process
t 'a request beside its run' 0 '*submit*over its run*' '' bench multitask --quick -n 1 --warmup 0 --filter submit
t 'a long job of one'"'"'s choice' 0 '*bfs=kron:9/drawn/one*100 done, * beside*' '' bench multitask --quick -n 1 --warmup 0 --app bfs=kron:9 \
    --set sched=fifo --set launch=persistent --filter drawn/one
t 'without edges, without a graph' 0 '*fib=12/nobody*of alone*' '' bench multitask --quick --long 0.05 -n 1 --warmup 0 --app fib=12 --filter nobody
t 'an app of one'"'"'s own' 0 '*.k.c/nobody*of alone*' '' bench multitask --quick --long 0.05 -n 1 --warmup 0 --app examples/own/collatz.k.c \
    --filter nobody
t 'a long job without an input' 2 '' '*--app bfs=INPUT: which input*' bench multitask --app bfs
t 'a long job that nobody knows' 2 '' '*--app takes an app of the library*' bench multitask --app dfs=kron:9
t 'an option without a value' 2 '' '*--set takes KEY=VALUE*' bench multitask --app bfs=kron:9 --set sched
t 'no such option' 2 '*bfs=kron:9/nobody*failed*' '*none*' bench multitask --quick -n 1 --app bfs=kron:9 --set sched=none --filter nobody
t 'a long job of no length' 2 '' '*--long is a number of seconds*' bench multitask --long 0
