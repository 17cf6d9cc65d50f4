# SPDX-License-Identifier: Apache-2.0
# A run that changes its scheduler on the way: told by --explain and in records, right in any case, and only where it is
# wanted. Which rounds are narrow is a matter of the graph alone.

narrow='*switch:    run 1: bsp persistent hands over to fifo persistent after *: rounds have become narrow (*more)*'
t 'rounds become narrow' 0 "${narrow}1 of 1 right" '' kcore mesh:150x150 -v --explain --switch on
t 'on cores by itself' 0 "${narrow}1 of 1 right" '' kcore mesh:150x150 -v --explain -d cpu:5
t 'with launches that the host looks at now and then' 0 '*1 of 1 right' '' kcore mesh:150x150 -v --launch discrete --switch on
t 'wide groups' 0 '*hands over to fifo*1 of 1 right' '' kcore mesh:150x150 -v --explain -d cpu:2x4 --switch on
t 'counted' 0 '*tasks handed over*' '' kcore mesh:150x150 --stats -d cpu:5
for no in '--switch off' '--sched bsp --switch on' '--launch discrete' '-d cpu:2x4'; do
    # shellcheck disable=SC2086
    "$raddle" kcore mesh:150x150 --explain -d cpu:5 $no > "$scratch/no" 2>&1
    ok "not with $no" test "$(grep -c '^switch' "$scratch/no")" -eq 0
done
"$raddle" bfs kron:9 -d cpu --explain > "$scratch/wide" 2>&1
ok 'not where rounds are few' test "$(grep -c '^switch' "$scratch/wide")" -eq 0
"$raddle" kcore mesh:150x150 -d cpu:5 -n 2 --json > "$scratch/switch.json" 2> "$scratch/err"
ok 'records are valid' "$json" < "$scratch/switch.json"
ok 'a record has the switch' sh -c "sed -n 2p '$scratch/switch.json' | grep -q '\"in_run\": true, \"kind\": \"hands over to\"'"
t 'a word that there is not' 2 '' "*option switch takes off, auto or on, not 'maybe'*" bfs path:9 --switch maybe
t 'progress and time limits' 0 '*2 of 2 right' '' kcore mesh:150x150 -v -n 2 --timeout 60 --switch on
same 'results are the same' "$("$raddle" kcore mesh:150x150 -d cpu -q --switch on -o -)" \
    "$("$raddle" kcore mesh:150x150 -d cpu -q --switch off -o -)"
