#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# predict-machines.sh [NAME=VALUE ...] [FILE.jsonl ...] - what the model of docs/machines.md says of bfs on many GPUs. Prints two
# tables: Kronecker graphs and road networks. Terms, in seconds, with what they are unless said:
#     alpha=30e-6   a window and step: a launch, and a sum over all ranks
#     beta=20e-12   a byte that a rank sends (a network port of 50 GB/s for each GPU)
#     copy=20e-12   a byte of words between device and host
#     lanes=270336  of a GPU: as many tasks a window has for each rank, where they are enough
#     push=24e-12, pull=2.3e-12   an edge of a Kronecker graph, along the edges and against them; hop=1.77e-6 a level of a road
#                   network: all of an H200
# FILE.jsonl: records of `raddle bench bfs --json-file FILE` on a GPU, from which push, pull and hop are taken (kernel times of the
# largest graphs there). tools/fit-machines.sh fits the terms of machines that are here.
set -eu
awk -v alpha=30e-6 -v beta=20e-12 -v copy=20e-12 -v lanes=270336 '
function field(name,   at, rest) {
    at = index($0, "\"" name "\": ")
    if (!at) return ""
    rest = substr($0, at + length(name) + 4)
    if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
    match(rest, /^[-+.0-9eE]+/)
    return substr(rest, 1, RLENGTH)
}
# The largest graph counts, of it the best time. what: 1 push, 2 pull, 3 road
function take(what, work, seconds) {
    if (work > most[what]) { most[what] = work; term[what] = seconds / work }
    else if (work == most[what] && seconds / work < term[what]) term[what] = seconds / work
}
field("record") == "bench" && field("suite") == "bfs" && field("status") == "RD_OK" && field("device") !~ /^cpu/ {
    work = field("work") + 0; t = field("min_kernel_time") / 1000; name = field("case")
    if (!work || !t) next
    if (name ~ /^kron.*fifo\/persistent/) take(1, work, t)
    if (name ~ /^kron.*bsp/) take(2, work, t)
    if (name ~ /^road/) take(3, work, t)
    if (name ~ /^road/ && term[3] == t / work) hops = t / (3 * sqrt(work / 2.6)) # of the 2.6 edges a vertex there
}
# Ghosts of one of P parts of kron:s. A vertex whose number has k ones has E * 0.24^k * 0.76^(s-k) edges (A + B is 0.76); it is
# a ghost of a part when one of these leads there.
function ghosts(s, P, E,   k, choose, sum, here) {
    for (k = 0; k <= s; k++) {
        choose = k ? choose + log(s - k + 1) - log(k) : 0
        here = E / P * exp(k * log(0.24) + (s - k) * log(0.76))
        sum += exp(choose) * (here > 1e-6 ? 1 - exp(-here) : here)
    }
    return sum * (1 - 1 / P)
}
function steps(P) { return 1 + log(P) / log(2) }
function largest(   i, best) {
    for (i in part) if (!best || part[i] > part[best]) best = i
    return best
}
function kron(s, P,   V, E, G, W, as, in_memory, first) {
    V = 2 ^ s; E = 32 * V; G = ghosts(s, P, E); W = 6
    split("", part)
    part["alpha"] = alpha * W * steps(P); part["beta"] = beta * 8 * G; part["copies"] = copy * 8 * (V / P + G) * W; part["m"] = push * E / P
    as = part["alpha"] + part["beta"] + part["copies"] + part["m"]; first = largest()
    split("", part)
    part["alpha"] = alpha * W * steps(P); part["bits"] = beta * 2 * V / 8; part["m"] = pull * E / P
    in_memory = part["alpha"] + part["bits"] + part["m"]
    printf "| `kron:%d`, %s | %.2g G | %.2g G | %.2g s, %s GTEPS | %.2g s, %s GTEPS | %s / %s |\n", s, count(P), E / P / 1e9, G / 1e9, as, count(two(V * 16 / as / 1e9)), in_memory, count(two(V * 16 / in_memory / 1e9)), first, largest()
}
# A road network is deep: a search takes a hop for each of its levels, some 3 * sqrt(V), whoever runs them, and the edges are shared.
# A window has one to two tasks for each lane of a rank, 1.2 a vertex, and is a level at least.
function roads(V, P,   E, W, depth, over) {
    E = 2.4 * V; depth = 3 * sqrt(V); over = P > 1 ? 1.2 : 1
    W = P > 1 ? V / (1.5 * lanes * P) : 1; if (W > depth) W = depth; W = W < 1 ? 1 : int(W + 0.5)
    split("", part)
    part["hops"] = hop * depth * over; part["m"] = push * E / P * over
    part["alpha"] = P > 1 ? alpha * W * steps(P) : alpha; part["copies"] = P > 1 ? copy * 8 * V / P * W : 0
    printf "| %s M vertices, %s | %d | %.2g s | %.2g s | %s |\n", count(V / 1e6), count(P), W, part["hops"] + part["m"] + part["alpha"] + part["copies"], part["hops"] + part["m"] + part["alpha"], largest()
}
function two(x,   unit) { unit = 10 ^ (int(log(x) / log(10)) - 1); return x < 100 ? x : int(x / unit + 0.5) * unit }
function count(n,   text) { if (n < 100) return sprintf("%.2g", n); text = sprintf("%d", n); while (match(text, /[0-9][0-9][0-9][0-9](,|$)/)) text = substr(text, 1, RSTART) "," substr(text, RSTART + 1); return text }
END {
    if (!push) push = term[1] ? term[1] : 24e-12
    if (!pull) pull = term[2] ? term[2] : 2.3e-12
    if (!hop) hop = hops ? hops : 1.77e-6
    printf "alpha %.3g us a window and step, beta %.3g ps a byte, copy %.3g ps a byte, push %.3g ps, pull %.3g ps an edge, hop %.3g us\n\n", alpha * 1e6, beta * 1e12, copy * 1e12, push * 1e12, pull * 1e12, hop * 1e6
    print "| bfs, GPUs | edges a GPU | ghosts | as it is | in the device'"'"'s memory | largest term |\n|---|---|---|---|---|---|"
    kron(30, 8); kron(33, 64); kron(36, 1024); kron(40, 1024)
    print "\n| bfs on roads, GPUs | windows | as it is | in the device'"'"'s memory | largest term |\n|---|---|---|---|---|"
    for (V = 24e6; V <= 1e9; V = V < 1e9 ? 1e9 : 2e9) { roads(V, 1); roads(V, 8); roads(V, 64); roads(V, 1024) }
}' "$@" /dev/null
