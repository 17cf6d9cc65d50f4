#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fit-machines.sh FILE.jsonl [CORES] - fits the model of docs/machines.md to bfs and sssp as they were measured: by `raddle bench
# machines --json-file FILE` (the fastest of the trials), or by the apps themselves, under mpirun or with several -d (each trial):
#     seconds = alpha * windows * (1 + log2 ranks) + beta * bytes / P + m * edges / P + p * vertices / P,   P = min(ranks, CORES)
# where edges are those looked at along the edges, all times the overwork; and vertices count where levels went against the edges,
# instead. Least squares, each error beside both the measured and the modelled time, no term below 0. Prints the terms and how far
# off they are. CORES: those that the ranks had (default: those of this machine).
set -eu
[ $# -ge 1 ] || { echo "usage: $0 FILE.jsonl [CORES]" >&2; exit 2; }
awk -v TERMS=4 -v cores="${2:-$(getconf _NPROCESSORS_ONLN)}" '
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
    for (i = 1; i <= TERMS; i++) for (j = 1; j <= TERMS + 1; j++) M[i, j] = j <= TERMS ? (use[i] && use[j] ? A[i, j] : i == j) : (use[i] ? B[i] : 0)
    for (i = 1; i <= TERMS; i++) for (k = 1; k <= TERMS; k++) if (k != i && M[i, i]) {
        f = M[k, i] / M[i, i]
        for (j = 1; j <= TERMS + 1; j++) M[k, j] -= f * M[i, j]
    }
    for (i = 1; i <= TERMS; i++) x[i] = M[i, i] ? M[i, TERMS + 1] / M[i, i] : 0
}
function note(what, ranks, t, windows, edges,   p, need) {
    p = ranks < cores ? ranks : cores; need = field("tasks_needed")
    if (t <= 0 || !need || $0 ~ /"alone": /) return
    n++; name[n] = what; T[n] = model[n] = t
    R[n, 1] = windows * (1 + log(ranks) / log(2)); R[n, 2] = field("bytes_sent") / p
    R[n, 3] = field("pulled") > 0 ? 0 : edges * field("tasks") / need / p; R[n, 4] = field("pulled") > 0 ? need / p : 0
}
{ sub(/"rank_stats": \[[^]]*\],? ?/, "") } # which has names of its own
field("record") == "bench" && field("status") == "RD_OK" && field("app") ~ /^(bfs|sssp)$/ {
    note(field("case"), field("ranks"), field("min_total_time") / 1000, field("windows"), field("work"))
}
field("record") == "trial" && field("primitive") ~ /^(bfs|sssp)$/ && field("device") ~ /^cpu/ {
    ranks = field("ranks") ? field("ranks") : 1
    note(field("primitive") " " field("graph_file") ", " ranks " ranks", ranks, field("run_s"), field("rounds"), field("num_edges"))
}
function weigh(   i, j, k) {
    for (i = 1; i <= TERMS; i++) { B[i] = 0; for (j = 1; j <= TERMS; j++) A[i, j] = 0 }
    for (k = 1; k <= n; k++) for (i = 1; i <= TERMS; i++) {
        B[i] += R[k, i] / model[k]
        for (j = 1; j <= TERMS; j++) A[i, j] += R[k, i] * R[k, j] / T[k] / model[k]
    }
}
function estimate(   i, k) {
    for (k = 1; k <= n; k++) { model[k] = 0; for (i = 1; i <= TERMS; i++) model[k] += x[i] * R[k, i]; if (model[k] < T[k] / 1000) model[k] = T[k] / 1000 }
}
END {
    if (n < TERMS) { print "there are " n + 0 " records of bfs and sssp: too few" > "/dev/stderr"; exit 1 }
    for (i = 1; i <= TERMS; i++) use[i] = 1
    for (turn = 1; turn <= 100; turn++) {
        weigh()
        do { # a term below 0 is left out
            solve(); worst = 0
            for (i = 1; i <= TERMS; i++) if (use[i] && x[i] < 0 && (!worst || x[i] < x[worst])) worst = i
            if (worst) use[worst] = 0
        } while (worst)
        estimate()
    }
    printf "%d records, %d cores\nalpha %10.3f us a window and step\nbeta  %10.3f ns a byte\nm     %10.3f ns an edge\np     %10.3f ns a vertex, against the edges\n", n, cores, 1e6 * x[1], 1e9 * x[2], 1e9 * x[3], 1e9 * x[4]
    for (i = 1; i <= n; i++) {
        off = model[i] / T[i]; if (off < 1) off = 1 / off
        sum += log(off)
        printf "%-36s measured %10.3f ms, model %10.3f ms\n", name[i], 1e3 * T[i], 1e3 * model[i]
    }
    printf "off by a factor of %.2f (geometric mean)\n", exp(sum / n)
}' "$1"
