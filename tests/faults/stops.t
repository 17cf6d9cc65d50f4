# SPDX-License-Identifier: Apache-2.0
# Runs that are stopped from outside: every scheduler and launch of bfs leaves when its time is up, also in the middle of
# thousands of rounds, and when a signal comes. The self-test (stops/) does the same inside one process, far more often.

# stopped NAME STATUS COMMAND...: ends with that status or, having been quick, with 0. A hang ends with 124 or 137.
stopped() {
    _name=$1 _status=$2
    shift 2
    "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    _got=$?
    case "|0|$_status|" in *"|$_got|"*) pass ;; *) fail "$_name" "$*
exit status $_got, wanted $_status or 0
stderr: $(cat "$scratch/err")" ;; esac
}
for engine in 'bsp discrete' 'bsp persistent' 'fifo discrete' 'fifo persistent' 'steal discrete' 'steal persistent' \
    'steal-levels discrete' 'steal-levels persistent'; do
    set -- --sched "${engine% *}" --launch "${engine#* }"
    stopped "time is up: bfs on a path, $engine" 5 \
        limit 60 "$raddle" bfs path:300000 -d cpu:2 "$@" --timeout 0.05
    for delay in 0.02 0.05 0.1 0.2; do
        stopped "a signal after $delay s: bfs on a path, $engine" '5|130' \
            limit 60 timeout --preserve-status -s INT "$delay" "$raddle" bfs path:300000 -d cpu:2 "$@"
    done
done
