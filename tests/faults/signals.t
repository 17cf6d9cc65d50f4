# SPDX-License-Identifier: Apache-2.0
# Signals, and kill -9, in the middle of writing: the old file stays whole, and only kill -9 leaves a temporary file.
#
# The moment is chosen without a clock: when the temporary file has grown. Where the machine was too quick the run just
# ended well, and the new file must be whole.
here=$scratch/signals
mkdir "$here"
ulimit -c 0
alive() { kill -0 "$1" 2> "$scratch/ok"; }

# grown PID: waits until the temporary file in $here has bytes, or the process ended.
grown() {
    while alive "$1"; do
        for temporary in "$here"/.*.tmp; do [ -s "$temporary" ] && return; done
    done
}
# hit SIGNAL COMMAND...: sends the signal while $here/out is being written. status: how it ended.
hit() {
    signal=$1
    shift
    printf 'old\n' > "$here/out"
    env --default-signal=HUP,INT RADDLE_DEVICE=cpu "$raddle" "$@" > "$scratch/out" 2> "$scratch/err" &
    pid=$!
    grown $pid
    kill -"$signal" $pid 2> "$scratch/ok"
    wait $pid 2> "$scratch/ok"
    status=$?
}
# whole NAME STATUS LINES: the old file is there and the status is this; or 0, and the new file has so many lines.
whole() {
    if [ $status = 0 ]; then
        ok "$1: all of it" test "$(wc -l < "$here/out")" = "$3"
    else
        same "$1: status" $status "$2"
        same "$1: the old file" "$(cat "$here/out")" old
    fi
}
lines=$((2 * 1999999))
for row in 'HUP 129' 'INT 130' 'TERM 143' 'XCPU 152'; do
    # shellcheck disable=SC2086
    set -- $row
    hit "$1" gen path:2000000 -o "$here/out" --to el
    whole "SIG$1 while a graph is written" "$2" $lines
    same "SIG$1: no temporary file" "$(find "$here" -name '*.tmp')" ''
done
hit TERM bfs path:3000000 -q -o "$here/out"
whole 'SIGTERM while depths are written' 143 3000000
hit HUP convert path:3000000 /dev/null --to rdg --ids "$here/out"
whole 'SIGHUP while ids are written' 129 3000000
same 'no temporary file is left' "$(find "$here" -name '*.tmp')" ''

# kill -9 cannot be helped: but the old file is whole, and the next run is not disturbed.
hit KILL gen path:2000000 -o "$here/out" --to el
whole 'SIGKILL while a graph is written' 137 $lines
hit KILL bfs path:3000000 -q -o "$here/out"
whole 'SIGKILL while depths are written' 137 3000000
t 'after SIGKILL' 0 '' '' bfs path:3 -q -o "$here/out"
same 'a new result' "$(tr '\n' ' ' < "$here/out")" '1 0 1 '
rm -f "$here"/.*.tmp

# The first SIGHUP asks for a clean stop, as SIGINT does; under nohup it does nothing. (The tests themselves may be under
# nohup, and a shell cannot take that back.)
env --default-signal=HUP "$raddle" bfs road:300x300:0.65 -q -d cpu -n 1000000 --json-file "$here/trials" 2> "$scratch/err" &
pid=$!
while alive $pid && [ ! -s "$here/trials" ]; do :; done
kill -HUP $pid
wait $pid
same 'SIGHUP: status' $? 5
ok 'SIGHUP: message' grep -q '^raddle bfs: ' "$scratch/err"
mkfifo "$here/fifo"
(trap '' HUP && exec "$raddle" gen path:100000 -o "$here/fifo" --to el > "$scratch/out") & # waits for a reader
pid=$!
sleep 1
kill -HUP $pid
same 'nohup: SIGHUP does nothing' "$(wc -l < "$here/fifo")" 199998
wait $pid
same 'nohup: status' $? 0
# A reader that goes away ends the writer as it ends any other, without a message.
{
    "$raddle" gen path:1000000 -o - --to el 2> "$scratch/err"
    echo $? > "$scratch/status"
} | head -n 1 > "$scratch/out"
same 'SIGPIPE' "$(cat "$scratch/status" "$scratch/err")" 141
(
    trap '' PIPE
    {
        "$raddle" gen path:1000000 -o - --to el 2> "$scratch/err"
        echo $? > "$scratch/status"
    } | head -n 1 > "$scratch/out"
)
same 'SIGPIPE ignored: status' "$(cat "$scratch/status")" 3
ok 'SIGPIPE ignored: message' grep -q 'standard output: cannot be written: Broken pipe' "$scratch/err"

# What bench load makes in TMPDIR goes away too.
mkdir "$here/tmp"
TMPDIR=$here/tmp "$raddle" bench load --graph kron:18 -n 3 -q -d cpu > "$scratch/out" 2>&1 &
pid=$!
while alive $pid && ! ls "$here"/tmp/*/graph.* > "$scratch/ok" 2>&1; do :; done
kill -TERM $pid
wait $pid
same 'bench load: status' $? 5
same 'bench load: nothing is left' "$(ls -A "$here/tmp")" ''
