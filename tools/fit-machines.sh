#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fit-machines.sh FILE.jsonl [CORES] - fits the model of docs/machines.md to what `raddle bench machines --json-file FILE`
# has measured of bfs and sssp (the fastest of the trials):
#     seconds = alpha * windows * (1 + log2 ranks) + beta * bytes / P + m * edges / P,   P = min(ranks, CORES)
# where edges are those looked at: all, times the overwork; where levels went against the edges, two for each vertex.
# Least squares, each error beside both the measured and the modelled time, no term below 0. Prints the terms and how far
# off they are. CORES: those that the ranks had (default: those of this machine).
set -eu
[ $# -ge 1 ] || { echo "usage: $0 FILE.jsonl [CORES]" >&2; exit 2; }
awk -v cores="${2:-$(getconf _NPROCESSORS_ONLN)}" '
function field(name,   at, rest) {
    at = index($0, "\"" name "\": ")
    if (!at) return ""
    rest = substr($0, at + length(name) + 4)
    if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
    match(rest, /^[-+.0-9eE]+/)
    return substr(rest, 1, RLENGTH)
}
# Gauss, for the terms that are in use
function solve(   i, j, k, f, n) {
    for (i = 1; i <= 3; i++) for (j = 1; j <= 4; j++) M[i, j] = j < 4 ? (use[i] && use[j] ? A[i, j] : i == j) : (use[i] ? B[i] : 0)
    for (i = 1; i <= 3; i++) for (k = 1; k <= 3; k++) if (k != i && M[i, i]) {
        f = M[k, i] / M[i, i]
        for (j = 1; j <= 4; j++) M[k, j] -= f * M[i, j]
    }
    for (i = 1; i <= 3; i++) x[i] = M[i, i] ? M[i, 4] / M[i, i] : 0
}
field("record") == "bench" && (field("app") == "bfs" || field("app") == "sssp") && field("status") == "RD_OK" {
    ranks = field("ranks"); p = ranks < cores ? ranks : cores
    t = field("min_total_time") / 1000; need = field("tasks_needed"); over = need ? field("tasks") / need : 1
    if (!t) next
    n++; name[n] = field("case"); T[n] = t
    R[n, 1] = field("windows") * (1 + log(ranks) / log(2)); R[n, 2] = field("bytes_sent") / p; R[n, 3] = (field("pulled") > 0 ? 2 * need : field("work") * over) / p
    model[n] = t
}
function weigh(   i, j, k) {
    for (i = 1; i <= 3; i++) { B[i] = 0; for (j = 1; j <= 3; j++) A[i, j] = 0 }
    for (k = 1; k <= n; k++) for (i = 1; i <= 3; i++) {
        B[i] += R[k, i] / model[k]
        for (j = 1; j <= 3; j++) A[i, j] += R[k, i] * R[k, j] / T[k] / model[k]
    }
}
function estimate(   k) {
    for (k = 1; k <= n; k++) { model[k] = x[1] * R[k, 1] + x[2] * R[k, 2] + x[3] * R[k, 3]; if (model[k] < T[k] / 1000) model[k] = T[k] / 1000 }
}
END {
    if (n < 4) { print "there are " n + 0 " records of bfs and sssp: too few" > "/dev/stderr"; exit 1 }
    use[1] = use[2] = use[3] = 1
    for (turn = 1; turn <= 100; turn++) {
        weigh()
        do { # a term below 0 is left out
            solve(); worst = 0
            for (i = 1; i <= 3; i++) if (use[i] && x[i] < 0 && (!worst || x[i] < x[worst])) worst = i
            if (worst) use[worst] = 0
        } while (worst)
        estimate()
    }
    printf "%d records, %d cores\nalpha %10.3f us a window and step\nbeta  %10.3f ns a byte\nm     %10.3f ns an edge\n", n, cores, 1e6 * x[1], 1e9 * x[2], 1e9 * x[3]
    for (i = 1; i <= n; i++) {
        off = model[i] / T[i]; if (off < 1) off = 1 / off
        sum += log(off)
        printf "%-36s measured %10.3f ms, model %10.3f ms\n", name[i], 1e3 * T[i], 1e3 * model[i]
    }
    printf "off by a factor of %.2f (geometric mean)\n", exp(sum / n)
}' "$1"
