#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh BUILD [RUNS] - gives each fuzz target (make fuzz-targets) so many inputs (frozen a tenth), starting from
# tests/data (graphs), tests/fuzz/seeds and from inputs that once failed (tests/fuzz/found). A new failure is kept in
# BUILD/fuzz/found: move it to tests/fuzz/found when it is mended. The last line is "N passed, M failed", of targets
# (of their pieces, where there are some).
#   FILTER=scene runs only targets whose names have this.   SECONDS_EACH=60: the most a target takes; 0: no limit.
#   JOBS=n: so many targets at a time, unless said one for each core.   SEED=n: the same inputs again (own driver).
#   PIECES=n: the inputs of a target in so many runs with seeds of their own, first of all targets the first piece: many
#   cores are busy to the end, and all targets are equally far when UNTIL=SECONDS (as of date +%s) ends it before.
set -u
build=$1
runs=${2:-3000}
cd "$(dirname "$0")/../.." || exit 1
# Targets count their allocations themselves; looking for leaks again at the end of each process takes seconds on some
# machines. ASan's quarantine is small, so that memory is used again soon. Threads of other programs and drivers are
# not ours to fuzz.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 OCL_ICD_VENDORS=/no/such/folder
mkdir -p "$build/fuzz/found"

# target:kind:folder of seeds
list() {
    for format in auto rdg mtx gr col adj metis snap ldbc wel el elh sg wsg egr; do echo "graph:$format:graph"; done
    echo graph:packed:packed scene:obj:obj scene:ply:ply lines:knapsack:knapsack lines:astar:astar lines:scen:scen
    for kind in graph scene knapsack astar; do echo "spec:$kind:spec"; done
    echo options::options device::device cache::cache own::own study::study fair:model:fair fair:criterion:criterion
    echo serve::serve sealed:parts:parts sealed:manifest:manifest part::part
    for kind in bfs uts knapsack sssp-heap sssp-multi bfs-fifo bfs-bsp fib-steal; do echo "frozen:$kind:frozen"; done
}

# How long a run may take, in seconds; 0: as long as it likes. Nothing when the time is over.
limit_of() {
    _most=${SECONDS_EACH:-60}
    [ -n "${UNTIL:-}" ] || { echo "$_most"; return; }
    _left=$((UNTIL - $(date +%s)))
    [ $_left -gt 0 ] || return
    if [ "$_most" = 0 ] || [ "$_most" -gt $_left ]; then echo $_left; else echo "$_most"; fi
}

one() { # one PIECE:TARGET:KIND:SEEDS
    piece=${1%%:*} rest=${1#*:}
    target=${rest%%:*} rest=${rest#*:}
    kind=${rest%%:*} seeds=$build/fuzz/seeds/${rest#*:}
    name=$target${kind:+-$kind}
    label=$name
    [ "$pieces" = 1 ] || label=$name.$piece
    seed=${SEED:-0}
    [ "$seed" = 0 ] || seed=$((seed + 1000003 * piece))
    seconds=$(limit_of)
    [ -n "$seconds" ] || { echo "fuzz: $label, 0 inputs, no time"; return; }
    # Most seeds of graphs are of other formats or bad, and refused in their first line. Those that this reader takes
    # are given so often that three of four inputs start from one: our own driver takes all seeds alike.
    set --
    for file in "$build/fuzz/seeds/$name"/*; do [ ! -f "$file" ] || set -- "$@" "$file"; done
    times=0
    [ $# = 0 ] || times=$((3 * $(ls "$seeds" | wc -l) / $#))
    set -- "$build/fuzz/corpus/$name" "$seeds"
    while [ $times -gt 0 ]; do
        set -- "$@" "$build/fuzz/seeds/$name"
        times=$((times - 1))
    done
    mkdir -p "$build/fuzz/corpus/$name"
    # Each of these is a job that runs until it has read its file: a hundred microseconds and more.
    [ "$target" != frozen ] || runs=$(((runs + 9) / 10))
    log=$build/fuzz/$label.log
    FUZZ_KIND=$kind "$build/fuzz/fuzz_$target" -runs="$runs" -max_total_time="$seconds" -max_len=2000 \
        -timeout=600 -rss_limit_mb=2000 -verbosity=0 -print_final_stats=1 -seed="$seed" \
        -artifact_prefix="$build/fuzz/found/$name-" "$@" > "$log" 2>&1
    status=$?
    # libFuzzer's count, or that of tests/fuzz/driver.c
    count=$(sed -n -e 's/^stat::number_of_executed_units: *//p' -e 's/^Done \([0-9]*\) runs.*/\1/p' "$log" | tail -n 1)
    speed=$(sed -n 's/^Done .* \([0-9]* runs.s\)$/, \1/p' "$log")
    if [ $status != 0 ]; then
        echo "fuzz: $label FAILED with status $status; see $log"
        tail -n 30 "$log"
    elif [ "${count:-0}" -lt "$runs" ] && [ "$seconds" = 0 ]; then
        echo "fuzz: $label FAILED: it got ${count:-no} inputs of $runs; see $log"
    else
        echo "fuzz: $label, ${count:-0} inputs$speed, no failure"
    fi
}

pieces=${PIECES:-1}
if [ "${3:-}" = one ]; then
    one "$4"
    exit
fi
rm -rf "$build/fuzz/seeds"
for folder in graph obj ply knapsack astar scen spec options device cache own study fair criterion serve parts manifest \
    part frozen packed; do
    mkdir -p "$build/fuzz/seeds/$folder"
    [ ! -d tests/fuzz/seeds/$folder ] || cp tests/fuzz/seeds/$folder/* "$build/fuzz/seeds/$folder/"
    cp tests/fuzz/found/* "$build/fuzz/seeds/$folder/"
done
cp examples/own/*.k.c "$build/fuzz/seeds/own/"
cp tests/data/good/* tests/data/bad/* "$build/fuzz/seeds/graph/" 2> /dev/null # folders are left out
# What is compressed has a target of its own: decompressors take megabytes for each input.
for end in gz bz2 xz zst; do mv "$build/fuzz/seeds/graph"/*.$end "$build/fuzz/seeds/packed/"; done
for format in rdg mtx gr col adj metis:graph snap snap:txt ldbc:e wel el sg wsg egr; do # FORMAT[:how its files' names end]
    mkdir -p "$build/fuzz/seeds/graph-${format%:*}"
    cp tests/data/good/*."${format#*:}" "tests/fuzz/seeds/graph-${format%:*}"/* "$build/fuzz/seeds/graph-${format%:*}/" 2> /dev/null
done
list | tr ' ' '\n' | grep -e "${FILTER:-:}" > "$build/fuzz/list" || {
    echo "fuzz: no target is called like '$FILTER'; they are: $(list | tr '\n' ' ')"
    exit 2
}
piece=0
while [ $piece -lt "$pieces" ]; do
    sed "s/^/$piece:/" "$build/fuzz/list"
    piece=$((piece + 1))
done > "$build/fuzz/pieces"
xargs -P "${JOBS:-$(nproc)}" -n 1 sh "$0" "$build" $(((runs + pieces - 1) / pieces)) one < "$build/fuzz/pieces" |
    tee "$build/fuzz/summary"
[ "$pieces" = 1 ] || awk '/^fuzz: [^ ]*, [0-9]* inputs/ { sub(/[.][0-9]*,$/, "", $2); got[$2] += $3 }
    END { for (name in got) printf "fuzz: %s in all: %d inputs\n", name, got[name] }' "$build/fuzz/summary" | sort
passed=$(grep -c '^fuzz: .*, no failure$' "$build/fuzz/summary")
failed=$(($(wc -l < "$build/fuzz/pieces") - passed))
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ "$passed" != 0 ]
