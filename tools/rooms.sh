# SPDX-License-Identifier: Apache-2.0
# rooms.sh - sourced by tests/lint.sh and tools/metrics.sh: the rooms of src/ in their order, and what can be asked about
# them. A room includes itself and rooms before it, include/ and what the build generates (gen/); cli only itself and
# include/. docs/architecture.md says what each is for.
rooms='dialect core ranks fairness study graph ray device model heap sched apps job micro progress litmus selftest cli'
# Inside sched, in the same way: parts of all, then what policies of one kind share. A policy includes no other policy.
sched_rooms='parts edges forkjoin rank dag'

# The code of files, without comments and with its places: "file:line:text". Names of files come on standard input.
code_of() {
    xargs awk '
        FNR == 1 { inside = 0 }
        {
            rest = $0; text = ""
            while (rest != "") {
                if (inside) {
                    at = index(rest, "*/")
                    if (!at) break
                    rest = substr(rest, at + 2); inside = 0
                } else {
                    at = index(rest, "/*")
                    if (!at) { text = text rest; break }
                    text = text substr(rest, 1, at - 1) " "; rest = substr(rest, at + 2); inside = 1
                }
            }
            if (text ~ /[^ ]/) print FILENAME ":" FNR ":" text
        }'
}

# Of such code, the includes that point up.
arrows_up() {
    awk -F: -v rooms="$rooms" -v parts="$sched_rooms" '
        BEGIN {
            n = split(rooms, name, " "); for (i = 1; i <= n; i++) place[name[i]] = i
            n = split(parts, name, " "); for (i = 1; i <= n; i++) below[name[i]] = i
        }
        /^src\/[^:]*:[0-9]*: *# *include "/ {
            split($1, from, "/"); wanted = $0; sub(/^[^"]*"/, "", wanted); sub(/".*/, "", wanted)
            if (split(wanted, to, "/") < 2 || to[1] == "raddle" || to[1] == "gen") next
            # an unknown room is an offender too: it has no place
            bad = !(from[2] in place) || !(to[1] in place) || place[to[1]] > place[from[2]]
            if (from[2] == "cli" && to[1] != "cli") bad = 1
            if (from[2] == "sched" && to[1] == "sched" && from[3] != to[2] && to[2] !~ /\./) {
                rank = from[3] in below ? below[from[3]] : 99
                if (!(to[2] in below) && from[3] !~ /\./ || to[2] in below && below[to[2]] > rank) bad = 1
            }
            if (bad) print $1 ":" $2 ": includes " wanted
        }'
}

# Policies and the tags of their engines, apps: one word a line, from the tables themselves.
policy_words() {
    sed -n 's/^\(ENGINE\|VARIANT\)(\([a-z_]*\), "\([^"]*\)".*/\2 \3/p' src/sched/engines.def | tr ' ' '\n' | sort -u
}
app_words() { sed -n 's/^APP(\([a-z0-9_]*\)).*/\1/p' src/apps/apps.def; }
