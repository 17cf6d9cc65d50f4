# SPDX-License-Identifier: Apache-2.0
# scheduler heap, and the suite heap of raddle bench.

t 'sssp by distance' 0 '*sched heap*heap peak*pruned*right*' '' sssp kron:9 -v --sched heap --stats
t 'parents' 0 '*right*' '' sssp kron:8 -v --sched heap --parents
t 'strict order, tiny nodes' 0 '*at once*right*' '' sssp road:40x40:0.65 -v --sched heap --near 0 --node 32 --stats
t 'several lanes' 0 '*right*' '' sssp kron:7 -v --sched heap -d cpu:2x4
t 'garbage is collected' 0 '*right*' '' sssp kron:11 -v --sched heap --node 32 --gc 500
t 'nodes of a wrong size' 2 '' '*power of two*not 48*' sssp path:9 --sched heap --node 48
t 'nodes that are too large' 2 '' '*node*4096*' sssp path:9 --sched heap --node 4096
at_once() { "$raddle" sssp road:40x40:0.65 -d cpu:1 -v --sched heap --near 0 --few "$1" --json 2> /dev/null | "$json" at_once | head -n 1; }
ok 'few vertices need no order' test "$(at_once 1000000)" -gt "$(at_once 0)"
t 'a bad number' 2 '' "*option near takes auto|0..4294967295, not 'x'*" sssp path:9 --sched heap --near x
t 'bench: cases' 0 'random/insert*descending/delete*mixed/8M*node/64/insert*' '' bench heap --list
t 'bench: a table' 0 '*random/delete *cpu *keys/s, k 256*' '' bench heap -d cpu --keys 5000 -n 2 --filter random/delete
t 'bench: several sizes' 0 '*random/insert, 1000 keys *random/insert, 2048 keys *' '' bench heap -d cpu --keys 1000 --keys 2K -n 1 --filter random/insert
t 'bench: more keys than memory' 4 '*failed*' '*keys, in and out, need * of the host*memory*try fewer with --keys*' bench heap -d cpu --keys 64G -n 1 --filter random/insert
t 'bench: mixed' 0 '*mixed/0M *keys/s*' '' bench heap -d cpu --keys 5000 -n 2 --node 64 --filter mixed/0
t 'bench: what it is compared with' 0 '*random/multi-queue delete *keys/s*' '' bench heap -d cpu --keys 3000 -n 1 --filter 'random/multi'
t 'bench: from above, and by a pipeline' 0 '*random/insert/above *keys/s*random/delete/above *keys/s*random/pipeline insert *keys/s*random/pipeline delete *keys/s*' '' bench heap -d cpu --keys 5000 -n 1 --filter random/
t 'bench: real keys' 0 '*real/insert *keys/s*real/delete *keys/s*' '' bench heap -d cpu --keys 5000 -n 1 --filter real/
t 'bench: nodes of one key' 0 '*node/1/delete *keys/s, k 1, *' '' bench heap -d cpu --keys 3000 -n 1 --filter node/1/
t 'bench: random parts of a node' 0 '*random parts*insert *keys/s*' '' bench heap -d cpu --keys 3000 -n 1 --filter 'random parts'
t 'bench: a heap that is full before' 0 '*levels full before/6/insert *keys/s*6/insert/above *keys/s*' '' bench heap -d cpu --keys 3000 -n 1 --filter 'before/6/'
t 'bench: as many groups as before are left out' 0 "*unit/1/insert *1 groups*unit/2/insert *left out: 1 group here, as 'quarters of a group a unit/1/...'*unit/4/insert *left out: *unit/8/insert *2 groups*" '' bench heap -d cpu:1 --keys 3000 -n 1 --filter quarters
t 'bench: a bad node' 2 '*failed*' '*power of two*' bench heap -d cpu --keys 500 -n 1 --node 100 --filter random/insert
"$raddle" bench heap -d cpu --keys 3000 -n 1 --filter mixed/0 --json-file "$scratch/heap.jsonl" > /dev/null 2> "$scratch/err"
for field in order keys initial_keys node groups lanes merges skips levels handovers; do
    ok "a record of heap has $field" test -n "$("$json" $field < "$scratch/heap.jsonl")"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
