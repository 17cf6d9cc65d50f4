# SPDX-License-Identifier: Apache-2.0
# Scheduler fifo: its options, parents, the gate, rings that grow, runs that are stopped.

t 'parents' 0 '*4 of 4 right*' '' bfs --sched fifo --parents -v --sources 4 kron:8
same 'parents are the same in every run' \
    "$("$raddle" bfs kron:9 -d cpu -r 1 --sched fifo --parents -q -o -)" "$("$raddle" bfs kron:9 -d cpu:1 -r 1 --sched fifo --parents -q -o -)"
for queue in retry-free an cas; do
    t "queue $queue" 0 '*right*' '' bfs --sched fifo --queue $queue -v road:40x40:0.65
done
same 'the retry-free queue has no retries to count' "$("$raddle" bfs kron:10 -d cpu --sched fifo --json | head -n 1 | "$json" retries)" ''
ok '... the others have' test -n "$("$raddle" bfs kron:10 -d cpu --sched fifo --queue cas --json | head -n 1 | "$json" retries)"
t 'an option narrows the choice of scheduler' 0 '*sched fifo*right*' '' bfs kron:8 --queue retry-free -v
t 'reserve, chunk, fetch' 0 '*right*' 'raddle: warning: option reserve does nothing on cpu: it is for the lanes of GPUs
raddle: warning: option chunk does nothing on cpu*' bfs kron:8 --sched fifo --reserve proxy,direct --chunk 2 --fetch 4 -v
t 'the gate counts levels' 0 '*4 rounds*right*' '' bfs path:4 -r 0 --sched fifo --gate -v --stats
t 'the gate, parents' 0 '*right*' '' bfs kron:9 --sched fifo --gate --parents -v
t 'the gate, discrete' 0 '*right*' '' bfs kron:9 --sched fifo --gate --launch discrete -v
t 'a ring that grows' 0 '*times grown*right*' '' bfs star:500 --sched fifo --launch discrete --capacity 2 -v --stats
t 'nothing to grow in rounds' 2 '' 'raddle bfs: *exclude each other*' bfs star:9 --sched fifo --gate --capacity 2
t 'a bad queue' 2 '' 'raddle bfs: *queue*retry-free|an|cas*' bfs path:5 --sched fifo --queue lifo
t 'a bad chunk' 2 '' 'raddle bfs: *chunk*1..8*' bfs path:5 --sched fifo --chunk 9
t 'a bad capacity' 2 '' 'raddle bfs: *capacity*' bfs path:5 --sched fifo --capacity 1
t 'an app without rounds has no gate' 2 '' 'raddle sssp: *gate*' sssp path:5 --sched fifo --gate
t 'a persistent run is stopped in the middle' 5 '*' '*stopped after the 0.5 s*' bfs path:3000000 -r 0 -d cpu:1 --sched fifo --timeout 0.5 -q -n 1000
# Its tokens are many; under a sanitizer the self-test has the queue itself.
slow || t 'bench queue' 0 '*retry-free/one *empty polls a token*an/one *retries, *cas/one *' '' bench queue -n 1 --warmup 0 --filter one
slow || t 'bench queue, tokens of 64 bits' 0 '*retry-free/64-bit/one *empty polls a token*an/64-bit/one *cas/64-bit/one *' '' bench queue --token 64 -n 1 --warmup 0 --filter one
for bits in 32 64; do
    slow || same "a record of queue has token_bits $bits" \
        "$("$raddle" bench queue -d cpu:1 -n 1 --warmup 0 --token $bits --filter one --json-file - | "$json" token_bits verified | sort -u | tr '\n' ' ')" "$bits true "
done
same 'tokens have 32 bits unless asked' "$("$raddle" bench queue -d cpu:1 -n 1 --warmup 0 --filter an/one --json-file - | "$json" token_bits)" 32
ok 'docs/json.md explains token_bits' grep -q '`token_bits`' docs/json.md
t 'a bad token' 2 '' "raddle bench: *--token wants 32 or 64, not '16'*" bench queue --token 16
t 'the size of tokens is in the help' 0 '*--token BITS*32 or 64*' '' bench queue --help
t 'bench scaling' 0 '*path:500/one worker *% of ideal*path:500/all *% of ideal*' '' bench scaling -g path:500 -n 2
t 'bench scaling with so many workers of so many lanes' 0 "*path:500/one worker *1 workers*path:500/half *left out: 1 worker here, as 'path:500/one worker'*path:500/all *2 workers*" '' bench scaling -d cpu:2x4 --worker 4 --groups 2 -g path:500 -n 2
slow || t 'bench queue names a case once' 0 "*cas/one *1 x 1*cas/half *cpu:2 *left out: 1 worker here, as 'cas/one'*cas/all *2 x 1*" '' bench queue -d cpu:2 -n 1 --filter cas/
t 'bench scaling with no workers' 2 '' '*--groups*' bench scaling --groups 0
t 'bench scaling without what is compared with' 0 '*path:500/all *not measured*' '' bench scaling -g path:500 -n 2 --filter all
t 'bench atos in rounds' 0 '*color/path:99/bulk-synchronous *' '' bench atos -g path:99 -n 1 --filter color/path:99/bulk
t 'bench atos' 0 '*sssp/path:99/persistent warp *' '' bench atos -g path:99 -n 1 --filter sssp/
t 'rings that grow, two classes of tasks' 0 '*times grown*20 of 20 right*' '' sssp star:600 -d cpu:2 --sched fifo --capacity 2 -v -n 20 --stats
t 'a fetch that can be had is not talked about' 0 '*' '' bfs kron:8 --sched fifo --fetch 4
t 'in an order a core takes a few at once' 0 '*' 'raddle: warning: option fetch: on cpu:2 a worker takes at most 16 tasks at a time here' color kron:8 -d cpu:2 --sched fifo --method watch --fetch 17
t 'a fetch that cannot is' 0 '*' 'raddle: warning: option fetch: on cpu:2 a worker takes at most 1 task at a time here' bfs kron:8 -d cpu:2 --sched fifo --queue cas --fetch 4
