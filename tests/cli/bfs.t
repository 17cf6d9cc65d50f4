# SPDX-License-Identifier: Apache-2.0
# raddle bfs: right answers, the report, the records, every error path.

t 'a path' 0 "$(printf '0\n1\n2\n3\n4')" '' bfs path:5 -r 0 -q -o -
t 'the default source is the hub' 0 'answer:    from vertex 0: 9 of 9 vertices reached, the farthest at depth 1*verified:  1 of 1 right' '' bfs star:9 -v
t 'what is not reached is -1' 0 "$(printf '%s\n' -1 -1 0 1)" '' bfs tests/cli/directed.el -r 2 -q -o -
t 'a report' 0 'answer: *time: *MTEPS*counters: *graph: *device: *cpu*run: *bfs, sched bsp, launch persistent*memory: *total: *right' '' bfs kron:8 -v --stats
t 'quiet' 0 '' '' bfs kron:8 -v -q
t 'parents' 0 '*right*' '' bfs kron:8 -v --parents
t 'leaves' 0 '* 30 tasks*2[34]0 leaves*right*' '' bfs caterpillar:30 -v --leaves --stats -d cpu
t 'leaves are reached' 0 '*270 of 270 vertices*counters:  270 reached, *' '' bfs caterpillar:30 --leaves --stats -d cpu
t '... records say so' 0 '*"nodes_visited": 270,*"nodes_visited": [[]270]*' '' bfs caterpillar:30 --leaves --json -d cpu
for claim in take apart; do
    t "claimed late: $claim" 0 '* right*' '' bfs kron:9 -v --claim $claim -d cpu
    t "claimed late: $claim, in launches, on lanes" 0 '* right*' '' bfs road:20x20:0.7 -v --claim $claim --launch discrete --push lane -d cpu:2x4
    t "claimed late: $claim, one way" 0 '* right*' '' bfs tests/cli/one-way.el -v --claim $claim -d cpu
    t "claimed late: $claim, without rounds" 2 '' "*--claim $claim is for rounds*" bfs kron:5 --claim $claim --sched fifo -d cpu
done
t 'a task for each edge, run once' 0 '*10 of 10 vertices* 91 tasks*' '' bfs complete:10 --claim take --stats -d cpu
t 'claimed late: no parents' 2 '' '*who gave it*' bfs kron:5 --claim take --parents -d cpu
t 'claimed late: no sets' 2 '' '*a set has each once*' bfs kron:5 --claim take --frontier bitmap -d cpu
for direction in auto push pull; do # rounds that pull find leaves again that were marked and not given
    t "leaves, direction $direction" 0 '*2 of 2 right*' '' bfs kron:9 -n 2 -v --leaves --sched bsp --direction $direction -d cpu
    t "leaves and parents, direction $direction" 0 '*right*' '' bfs kron:9 -v --leaves --parents --sched bsp --direction $direction -d cpu
    t "leaves on lanes, direction $direction" 0 '*right*' '' bfs kron:8 -v --leaves --sched bsp --launch discrete --direction $direction -d cpu:2x4
done
t 'leaves are no tasks by default' 0 '* [1-9]*[0-9] leaves*right*' '' bfs kron:9 -v --leaves --stats -d cpu
t 'leaves of a directed graph' 0 '*right*' '' bfs tests/cli/one-way.el -v --leaves -d cpu
t 'several trials' 0 '*trial 3:*median:*spread:*verified:  3 of 3 right*' '' bfs kron:8 -v -n 3
t 'sources in a list' 0 '*from vertex 1: *trial 1: *from vertex 2: *trial 2: *from vertex 3: *trial 3: *3 of 3 right*' '' bfs path:9 -v -r 1,2 -r 3
t 'fewer sources than trials' 0 '*from vertex 1: *trial 3: *' '' bfs path:9 -n 3 -r 1,2
t 'random sources' 0 '*trial 4:*4 of 4 right*' '' bfs kron:8 -v --sources 4
same 'random sources are the same each time' \
    "$("$raddle" bfs kron:8 -d cpu --sources 4 --json | "$json" srcs)" "$("$raddle" bfs kron:8 -d cpu --sources 4 --json | "$json" srcs)"
t 'sources of a graph without edges' 3 '' '*no vertex of the graph has an edge*' bfs path:1 --sources 2
t 'standard input' 3 '' 'raddle bfs: *' bfs -
t 'verbose options' 0 '*right*' '' bfs --verify --trials 1 --device cpu:2 --sched bsp --launch discrete --threads 2 --no-pin --no-cache kron:8
t 'groups of several lanes' 0 '*2 groups of 4*right*' '' bfs kron:6 -v -d cpu:2x4 --stats
t 'dry run' 0 '*buffer*graph*own*bytes a vertex*to be allocated*' '' bfs kron:10 --dry-run
t 'dry run in JSON' 0 '{"schema": 2, "record": "plan", *"memory_plan": {"buffers": \[{*' '' bfs kron:10 --dry-run --json

# Memory: BFS keeps the graph and at most 20 bytes a vertex on the device.
own=$("$raddle" bfs kron:14 -d cpu --dry-run --json | "$json" memory_plan | sed 's/.*"own_bytes": \([0-9]*\).*/\1/')
ok "at most 20 bytes a vertex ($own)" test "$own" -le $((20 * 16384))

# Records.
"$raddle" bfs kron:9 -d cpu -v -n 2 --json > "$scratch/bfs.json" 2> "$scratch/err"
ok 'JSON is valid' "$json" < "$scratch/bfs.json"
same 'JSON: one record a trial, one summary' "$("$json" record < "$scratch/bfs.json" | tr '\n' ' ')" '"trial" "trial" "summary" '
same 'JSON: verified' "$("$json" verified < "$scratch/bfs.json" | tr '\n' ' ')" 'true true true '
for field in schema primitive graph_file num_vertices num_edges srcs process_times avg_process_time min_process_time \
    max_process_time stddev_process_time search_depths nodes_visited edges_visited mteps read_s build_s compile_s upload_s \
    verify_s total_s bytes_allocated memory_plan seed device driver sched launch groups lanes command_line git_commit_sha \
    compiler sysinfo gpuinfo time; do
    ok "JSON: the summary has $field" test -n "$(tail -n 1 "$scratch/bfs.json" | "$json" $field)"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
for field in src kernel_s run_s download_s process_time search_depth tasks rounds launches; do
    ok "JSON: a trial has $field" test -n "$(head -n 1 "$scratch/bfs.json" | "$json" $field)"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
"$raddle" bfs kron:6 -d cpu -q --json-file "$scratch/a.jsonl" && "$raddle" bfs kron:6 -d cpu -q --json-file "$scratch/a.jsonl"
same 'a JSON file is appended to' "$(wc -l < "$scratch/a.jsonl" | tr -d ' ')" 4
same 'an output file' "$("$raddle" bfs path:3 -r 0 -q -d cpu -o "$scratch/depth"; cat "$scratch/depth" | tr '\n' ' ')" '0 1 2 '

# Errors.
t 'no INPUT' 2 '' 'raddle bfs: INPUT is missing*' bfs
t 'two INPUTs' 2 '' '*one INPUT at a time*' bfs path:5 path:6
t 'a missing value' 2 '' "*'-n' needs a value*" bfs path:5 -n
t 'a missing value of a long option' 2 '' "*'--trials' needs a value*" bfs path:5 --trials
t 'a value too many' 2 '' '*takes no value*' bfs path:5 --verify=1
t 'no trials' 2 '' '*--trials wants*' bfs path:5 -n 0
t 'trials that are no number' 2 '' '*--trials wants*' bfs path:5 -n 3x
t 'a source that is no number' 2 '' '*--source wants*' bfs path:5 -r -1
t 'an empty source' 2 '' '*--source wants*' bfs path:5 -r 1,,2
t 'a source out of range' 2 '' '*source 5 is out of range: *0 to 4*' bfs path:5 -r 5
t 'a source beyond 32 bits' 2 '' '*source 4294967295 is out of range: the graph has the vertices 0 to 4*' bfs path:5 -r 4294967295
t 'an unknown scheduler' 2 '' 'raddle bfs: *frob*' bfs path:5 --sched frob
t 'fifo persistent' 0 '*sched fifo, launch persistent*overwork*right*' '' bfs --sched fifo --launch persistent -v kron:8 --stats
t 'fifo discrete' 0 '*right*' '' bfs --sched fifo --launch discrete -v kron:8
t 'pushing only' 0 '*right*' '' bfs --direction push -v kron:8
t 'pulling only' 0 '*right*' '' bfs --direction pull -v kron:8
t 'pulling on a directed graph' 2 '' 'raddle bfs: *not symmetric*-s*' bfs tests/cli/directed.el --direction pull
t 'a direction without rounds' 2 '' "raddle bfs: *fifo has no option 'direction'*" bfs path:5 --sched fifo --direction push
t 'what was chosen and why' 0 'choice: *scheduler fifo, launch *: *mean degree*right*' '' bfs road:200x200:1 -v --explain
t 'an option narrows the choice' 0 'choice: *scheduler bsp*' '' bfs path:5 --direction push --explain
t 'an unknown direction' 2 '' 'raddle bfs: *push*sideways*' bfs path:5 --direction sideways
t 'an unknown launch' 2 '' 'raddle bfs: *frob*' bfs path:5 --launch frob
t 'a bad worker' 2 '' 'raddle bfs: *' bfs path:5 --worker x
t 'a bad time-out' 2 '' '*--timeout wants*' bfs path:5 --timeout 0
t 'a missing file' 3 '' 'raddle bfs: *no-such-file.mtx*' bfs no-such-file.mtx
t 'a folder' 3 '' 'raddle bfs: *' bfs tests
t 'not a graph' 3 '' 'raddle bfs: *' bfs tests/cli/run.sh
t 'a bad generator' 2 '' 'raddle bfs: *kron*' bfs kron:x
t 'a generator out of range' 2 '' 'raddle bfs: *' bfs kron:99
t 'a graph too large for the host' 4 '' 'raddle bfs: *memory*' bfs kron:31
t 'two owners of stdout' 2 '' '*--json-file*' bfs path:5 --json -o -
t 'an output that cannot be' 3 '*' '*/no/such/place*' bfs path:5 -o /no/such/place
t 'a JSON file that cannot be' 3 '' '*/no/such/place*' bfs path:5 --json-file /no/such/place
t 'a time-out while reading' 5 '' '*--timeout*' bfs kron:20 --timeout 0.05
t 'a time-out while running' 5 '*' '*' bfs path:300000 -r 0 --timeout 0.5 -n 100000 -q
RADDLE_NUM_THREADS=x "$raddle" bfs path:5 -q -d cpu 2> "$scratch/err"
same 'a bad RADDLE_NUM_THREADS' $? 2
same 'RADDLE_DEVICE' "$(RADDLE_DEVICE=cpu:2x2 "$raddle" bfs path:5 --json | tail -n 1 | "$json" device)" '"cpu:2x2"'

# Each OpenCL device here answers as the CPU does.
for name in $("$raddle" devices --json | sed -n 's/.*"name": "\(opencl:[^"]*\)".*"usable": true.*/\1/p'); do
    t "kron on $name" 0 '*2 of 2 right*' '*' bfs kron:10 -v -n 2 -d "$name"
    t "road on $name" 0 '*right*' '*' bfs road:40x40:0.65 -v -d "$name"
    t "dry run on $name" 0 '*' '*' bfs kron:10 -d "$name" --dry-run
done

# The answer first, then a line of time; what was counted only when it is asked for. Lines fit 100 columns.
t 'an answer and a time' 0 'answer:    from vertex 0: 9 of 9 vertices reached, the farthest at depth 8
time:      * (kernel *), * MTEPS, on cpu, sched bsp, launch persistent' '' bfs path:9 -r 0
for run in 'fib 20=fib(20) = 6765' 'nqueens 8=92 ways to place 8 queens' 'uts geo:linear:4:6:1=486 nodes' \
    'cc path:700=1 component, the largest of 700 vertices' 'color star:9=2 colours' 'mis star:9=8 of 9 vertices in the set' \
    'kcore complete:5=the highest core is the 4-core' 'tc complete:5=10 triangles' 'mst path:9 --weights 3-3=8 edges of total weight 24, 1 tree' \
    'bc path:9 -r 0=vertex 1 is the most central, with 7' 'pr star:9=vertex 0 ranks highest, with 0.*' \
    'sort random:1000=1000 numbers sorted, from *' 'sum sc1:31:100=32 loops' 'sssp path:9 -r 0 --weights 3-3=from vertex 0: 9 of 9 vertices reached, the farthest at distance 24' \
    'ray box:4 --size 20x20=a picture of 20 x 20 pixels, * triangles' 'astar grid:9x9:0=a path of cost 112, 8 steps' \
    'knapsack subset:50:10:1=value *, 50 items of weight *'; do
    # shellcheck disable=SC2086
    t "answer of ${run%%=*}" 0 "answer:    ${run#*=}
time:      *" '' ${run%%=*}
    same "lines of ${run%%=*}" "$("$raddle" ${run%%=*} -d cpu -n 3 -v --stats | awk 'length > 100')" ''
done
# A line whose last comma would be column 101.
same 'room for the comma' "$("$raddle" mst star:279843 -d cpu --stats | awk 'length > 100')" ''
ok 'few trials have no interval' sh -c '"$1" bfs path:9 -d cpu -n 5 | grep -q "least and greatest of 5 trials"' sh "$raddle"
ok 'six trials have one' sh -c '"$1" bfs path:9 -d cpu -n 6 | grep -q "^95 %:      the median is between"' sh "$raddle"
# TEPS count the edges of what was reached, all of them, by the device's clock: the same as in bench.
"$raddle" bfs kron:9 -d cpu -q --json-file "$scratch/teps.jsonl"
same 'TEPS are edges reached by kernel time' "$(sed -n '1s/.*"kernel_s": \([^,]*\),.*"edges_reached": \([0-9]*\), "mteps": \([^,]*\),.*/\1 \2 \3/p' "$scratch/teps.jsonl" |
    awk '{ r = $2 / $1 / 1e6 / $3; print (r > 0.999 && r < 1.001) }')" 1

# Vertices are those of the file: mtx counts from 1, snap has any numbers.
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n' > "$scratch/one.mtx"
printf '# any numbers\n1000 17\n17 5\n' > "$scratch/sparse.txt"
t 'a source by the number in the file' 0 '*from vertex 1: 2 of 4 vertices reached*' '' bfs "$scratch/one.mtx" -r 1
t 'results by the numbers in the file' 0 "$(printf '1 -1\n2 -1\n3 1\n4 0')" '' bfs "$scratch/one.mtx" -r 4 -q -o -
t 'parents by the numbers in the file' 0 "$(printf '1 1\n2 1\n3 -1\n4 -1')" '' bfs "$scratch/one.mtx" -r 1 --parents -q -o -
t 'components by the numbers in the file' 0 "$(printf '1 1\n2 1\n3 3\n4 3')" '' cc "$scratch/one.mtx" -q -o -
t 'numbers of our own' 0 "$(printf '%s\n' -1 -1 0 1)" '' bfs "$scratch/one.mtx" -r 2 --numbers internal -q -o -
t 'a number that a file from 1 does not have' 2 '' '*source 0 is out of range: the graph has the vertices 1 to 4*' bfs "$scratch/one.mtx" -r 0
t 'sparse numbers' 0 "$(printf '5 1\n17 0\n1000 -1')" '' bfs "$scratch/sparse.txt" -r 17 -q -o -
t 'sparse numbers, our own' 0 "$(printf '%s\n' 1 0 -1)" '' bfs "$scratch/sparse.txt" -r 1 --numbers internal -q -o -
t 'a sparse number that is not there' 2 '' '*the graph has no vertex called 2 (--numbers internal*' bfs "$scratch/sparse.txt" -r 2
"$raddle" convert "$scratch/one.mtx" "$scratch/one.rdg" > /dev/null
t 'numbers are kept in .rdg' 0 '*from vertex 4: 2 of 4*' '' bfs "$scratch/one.rdg" -r 4
same 'permuted, and still called the same' "$("$raddle" bfs "$scratch/one.mtx" -d cpu --permute -r 4 -q -o - | sort)" "$(printf '1 -1\n2 -1\n3 1\n4 0')"
ok 'JSON has the number in the file' sh -c '"$1" bfs "$2" -d cpu -r 17 --json | grep -q "\"src\": 17,"' sh "$raddle" "$scratch/sparse.txt"
t 'a bench from a number in the file' 0 '*bsp/discrete*' '' bench bfs -g "$scratch/one.mtx" -r 4 -n 2 --filter bsp/discrete
t 'the hub by its number in the file' 0 '*(vertex 17)*' '' info "$scratch/sparse.txt"
t 'whose numbers' 2 '' '*--numbers takes file or internal, not*' bfs path:3 --numbers mine
