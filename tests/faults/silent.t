# SPDX-License-Identifier: Apache-2.0
# Input that says nothing: --timeout and signals end the wait, whoever reads.
mkfifo "$scratch/silent"
for app in bfs sssp cc knapsack astar ray; do
    t "$app: a FIFO without a writer, --timeout" 5 '' '*stopped after the 0.2 s*silent: stopped while reading*' \
        $app "$scratch/silent" --timeout 0.2 --threads 3
done
if [ -r /proc/kmsg ]; then
    timeout -k 5 60 "$raddle" bfs /proc/kmsg -d cpu --timeout 0.2 > /dev/null 2>&1
    ok '/proc/kmsg is read or waited for, not for ever' sh -c 'test $1 -ne 124 && test $1 -ne 137' sh $?
fi

# A writer that wrote something, or nothing, and stays.
exec 7<> "$scratch/silent"
silent_stdin() { # silent_stdin NAME ARGUMENT...
    _name=$1
    shift
    timeout -k 5 60 "$raddle" "$@" <&7 > "$scratch/out" 2> "$scratch/err"
    same "$_name" "$?" 5
}
for app in bfs knapsack astar ray; do silent_stdin "$app: a silent pipe, --timeout" $app - -d cpu --timeout 0.2; done
printf '0 1\n1 2\n' >&7
silent_stdin 'a pipe that stops in the middle' bfs - -d cpu --timeout 0.2 --threads 4
exec 7>&-

# The first signal ends the wait, as it ends any work: cleanly, with exit status 5.
stopped_by() { # stopped_by SIGNAL COMMAND...
    _signal=$1
    shift
    "$raddle" "$@" "$scratch/silent" > "$scratch/out" 2> "$scratch/err" &
    _pid=$!
    _looks=0
    while [ $_looks -lt 600 ] && ! readlink /proc/$_pid/fd/* 2> /dev/null | grep -qxF "$scratch/silent"; do
        sleep 0.1
        _looks=$((_looks + 1))
    done
    kill -"$_signal" $_pid
    ( sleep 60; kill -9 $_pid ) 2> /dev/null &
    _guard=$!
    wait $_pid
    same "$* stopped by SIG$_signal" "$?" 5
    kill $_guard 2> /dev/null
    wait $_guard 2> /dev/null
    ok "$* says so" grep -q "silent: stopped while reading" "$scratch/err"
}
for command in 'bfs -d cpu' 'knapsack -d cpu' 'astar -d cpu' 'ray -d cpu' info; do
    # shellcheck disable=SC2086
    stopped_by INT $command
    # shellcheck disable=SC2086
    stopped_by TERM $command
done

# A writer that comes late is waited for.
( sleep 0.3; printf '0 1\n1 2\n' > "$scratch/silent" ) &
t 'a FIFO whose writer comes late' 0 '*right*' '' bfs "$scratch/silent" --format el -v --timeout 50
wait

# What takes long beside reading: filling a large queue, generating.
for where in cpu opencl:0.0; do
    "$raddle" devices 2> /dev/null | grep -q "^$where " || continue
    device=$where
    t "$where: a large queue is filled within --timeout" 5 '' '*stopped after the 0.1 s*' \
        bfs kron:8 --sched fifo --capacity 250000000 --timeout 0.1
    ok "$where: and its memory is not all touched" sh -c '! grep -q "had run" "$1"' sh "$scratch/err"
done
device=cpu
t 'generating ends with --timeout' 5 '' '*stopped after the 0.2 s*generating*' knapsack uncorrelated:1G --timeout 0.2
t 'a graph of rows too' 5 '' '*stopped after the 0.2 s*generating*' bfs rgg:16:0.4 --timeout 0.2 --threads 2
