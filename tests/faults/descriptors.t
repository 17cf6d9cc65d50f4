# SPDX-License-Identifier: Apache-2.0
# Standard descriptors that the parent closed, in all combinations; limits of the shell; disks that are full.
here=$scratch/descriptors
mkdir "$here"
ulimit -c 0
# run CLOSED COMMAND...: runs raddle with the descriptors named by digits closed. status: how it ended.
run() {
    closed=$1
    shift
    (
        export RADDLE_DEVICE=cpu
        exec > "$scratch/out" 2> "$scratch/err" < /dev/null
        case $closed in *0*) exec <&- ;; esac
        case $closed in *1*) exec >&- ;; esac
        case $closed in *2*) exec 2>&- ;; esac
        exec timeout -k 5 60 "$raddle" "$@"
    )
    status=$?
}

for closed in none 0 1 2 01 02 12 012; do
    rm -f "$here"/*
    report=0
    case $closed in *1*) report=3 ;; esac # a report that nobody gets is an error
    run $closed bfs path:3 -v --json-file "$here/json" -o "$here/depths"
    same "closed $closed: status" $status $report
    same "closed $closed: depths" "$(tr '\n' ' ' < "$here/depths")" '1 0 1 '
    same "closed $closed: records" "$("$json" record < "$here/json" | tr '\n' ' ')" '"trial" "summary" '
    run $closed bfs path:3 -q --json-file "$here/json2" -o "$here/depths"
    same "closed $closed: with nothing to say" "$status $("$json" record < "$here/json2" | tr '\n' ' ')" '0 "trial" "summary" '
    run $closed gen path:3 -o "$here/g.el"
    same "closed $closed: gen" "$status $(wc -l < "$here/g.el")" "$report 4"
    run $closed bfs no-such-file
    same "closed $closed: an error stays one" $status 3
done
run 1 bfs path:3
ok 'a report for nobody: message' grep -q '^raddle: standard output could not be written: Bad file descriptor$' "$scratch/err"
run 1 gen path:3 -o - --to el
same 'a graph for nobody: status' $status 3
ok 'a graph for nobody: message' grep -q 'standard output: cannot be written: Bad file descriptor' "$scratch/err"
run 0 info - --format el
same 'no standard input: status' $status 3
ok 'no standard input: message' grep -q 'standard input: cannot be read: Bad file descriptor' "$scratch/err"

# ---- Limits: a message and an exit status, never a crash ----
# limited NAME LIMIT STATUS PATTERN COMMAND...: under `ulimit LIMIT`; STATUS is a pattern.
limited() {
    name=$1 limit=$2 wanted=$3 pattern=$4
    shift 4
    (
        export RADDLE_DEVICE=cpu
        exec > "$scratch/out" 2> "$scratch/err" < /dev/null
        # shellcheck disable=SC2086
        ulimit $limit && exec timeout -k 5 60 "$raddle" "$@"
    )
    status=$?
    if ! matches $status "$wanted"; then
        fail "$name: status $status, wanted $wanted" "$(cat "$scratch/err")"
    elif ! matches "$(cat "$scratch/err")" "$pattern"; then
        fail "$name: message" "$(cat "$scratch/err")"
    else pass; fi
}
for output in out.el out.rdg out.mtx; do
    printf 'old\n' > "$here/$output"
    limited "ulimit -f: $output" '-f 8' 3 '*: cannot be written: File too large' gen path:100000 -o "$here/$output"
    same "ulimit -f: the old $output" "$(cat "$here/$output")" old
done
printf 'old\n' > "$here/out"
limited 'ulimit -f: depths' '-f 8' 3 '*out: cannot be written: File too large' bfs path:100000 -q -o "$here/out"
same 'ulimit -f: the old depths' "$(cat "$here/out")" old
limited 'ulimit -f: records' '-f 8' 3 '*lines: cannot be written: File too large' bfs path:10 -q -n 1000 --json-file "$here/lines"
ok 'ulimit -f: no half record' "$json" < "$here/lines"
limited 'ulimit -f: a picture' '-f 8' 3 '*out.ppm: cannot be written: File too large' ray box:6 -q --size 99x99 -o "$here/out.ppm"
ok 'ulimit -f: no half picture' test ! -e "$here/out.ppm"
for files in 4 5 6 7 8 16; do # the loader of programs needs one more than three
    printf 'old\n' > "$here/out"
    limited "ulimit -n $files" "-n $files" '[034]' '*' bfs path:100 -q -o "$here/out"
    if [ $status = 0 ]; then same "ulimit -n $files: depths" "$(wc -l < "$here/out")" 100; else
        same "ulimit -n $files: the old depths" "$(cat "$here/out")" old
        ok "ulimit -n $files: message" grep -q '^raddle' "$scratch/err"
    fi
done
for kib in 60000 80000 120000 250000 500000; do # of address space: enough for the loader, not for all of these
    for command in 'bfs kron:17 -d cpu:16' 'gen kron:18' 'sssp kron:14 --sched heap -d cpu:2' 'knapsack strongly:1000:1000' \
        'fib 18' 'ray box:6 --size 400x400'; do
        case $command in bfs* | ray*) out="-o $here/out.ppm" ;; gen*) out="-o $here/out.el" ;; *) out='' ;; esac
        # shellcheck disable=SC2086
        limited "ulimit -v $kib: $command" "-v $kib" '[04]' '*' $command $out
        [ $status = 0 ] || ok "ulimit -v $kib: $command: message" grep -q '^raddle' "$scratch/err"
    done
done
same 'no temporary file is left' "$(find "$here" -name '*.tmp')" ''

# ---- Full disks ----
if [ -w /dev/full ]; then
    limited 'a full device: graph' '-c 0' 3 '*/dev/full: cannot be written: No space left on device' gen path:100000 -o /dev/full --to el
    limited 'a full device: depths' '-c 0' 3 '*/dev/full: cannot be written: No space left on device' bfs path:10 -q -o /dev/full
    limited 'a full device: records' '-c 0' 3 '*/dev/full: cannot be written: No space left on device' bfs path:10 -q --json-file /dev/full
    limited 'a full device: ids' '-c 0' 3 '*/dev/full: cannot be written: No space left on device' convert path:10 "$here/x.el" --ids /dev/full
    limited 'a full device: trace' '-c 0' 3 '*/dev/full: cannot be written: No space left on device' knapsack weakly:9 -q --trace /dev/full
fi
mkdir "$here/disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none "$here/disk" 2> "$scratch/ok"; then
    for output in g.el g.rdg; do
        printf 'old\n' > "$here/disk/$output"
        t "a full disk: $output" 3 '' "*$output: cannot be written: No space left on device" gen path:100000 -o "$here/disk/$output"
        same "a full disk: the old $output" "$(cat "$here/disk/$output")" old
    done
    printf 'old\n' > "$here/disk/out"
    t 'a full disk: depths' 3 '' '*out: cannot be written: No space left on device' bfs path:100000 -q -o "$here/disk/out"
    same 'a full disk: the old depths' "$(cat "$here/disk/out")" old
    t 'a full disk: ids' 3 '' '*out: cannot be written: No space left on device' convert path:100000 "$here/x.el" --ids "$here/disk/out"
    same 'a full disk: the old ids' "$(cat "$here/disk/out")" old
    t 'a full disk: records' 3 '' '*lines: cannot be written: No space left on device' bfs path:10 -q -n 1000 --json-file "$here/disk/lines"
    ok 'a full disk: no half record' "$json" < "$here/disk/lines"
    same 'a full disk: no temporary file' "$(find "$here/disk" -name '*.tmp')" ''
    umount "$here/disk"
fi
