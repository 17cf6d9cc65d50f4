# SPDX-License-Identifier: Apache-2.0
# common.sh - sourced by the test scripts: a scratch folder that goes away, caches inside it, nothing of the user's own
# environment that would change results.

scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-test.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# TEST_CACHE=folder: what compilers made is kept there for other scripts (all stages of `make check` share one).
export XDG_CACHE_HOME="$scratch/cache" POCL_CACHE_DIR="${TEST_CACHE:-$scratch}/pocl" OWN_CACHE="${TEST_CACHE:-$scratch}/own"
mkdir -p "$XDG_CACHE_HOME" "$POCL_CACHE_DIR"
unset RADDLE_DEVICE RADDLE_NUM_THREADS RADDLE_LOG RADDLE_CACHE_DIR RADDLE_MPI
LC_ALL=C
export LC_ALL

# limit SECONDS COMMAND... - runs the command with a limit on the processor time of each of its processes, and ends it
# with a status that is not 0 beyond that. Not on the clock: with ten others on the machine a right run takes ten times
# as long, and would count as a failure; the work it does is the same. So the seconds are a few times what the work takes
# (threads that wait for each other in vain use some too). The clock is there only for what hangs without working, at
# half an hour, and more on a machine that is busy already.
_cores=$(nproc 2> /dev/null || echo 1) _load=$(cut -d . -f 1 /proc/loadavg 2> /dev/null || echo 0)
wall_limit=$((1800 * (1 + _load / _cores)))
limit() (
    ulimit -t "$1" 2> /dev/null # beyond a limit that is there already it cannot go
    ulimit -c 0 2> /dev/null
    shift
    exec timeout -k 5 "$wall_limit" "$@"
)
# busy PID HUNDREDTHS: waits until a process of this shell has used so much processor time, for tests that come between:
# however slow the machine, it is at work by then. @return 1 when it ended before.
busy() {
    while :; do
        # after the name in parentheses, which may hold anything: state is the 1st field, user and system time 12 and 13
        _ticks=$(sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 1,12,13) || return 1
        case $_ticks in '' | Z*) return 1 ;; esac
        # shellcheck disable=SC2086
        set -- "$1" "$2" $_ticks
        [ $((($4 + $5) * 100 / $(getconf CLK_TCK))) -lt "$2" ] || return 0
        sleep 0.05
    done
}

# Sets $used to the seconds of processor time that this shell's children have taken so far: what stages cost, however busy
# the machine. Not in $(...) or a pipe: a subshell has children of its own.
processor_time() {
    times > "$scratch/times"
    used=$(tail -n 1 "$scratch/times" | sed 's/[ms]/ /g' | awk '{ printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
}
