# SPDX-License-Identifier: Apache-2.0
# raddle litmus: tables are computed, runs are counted.

t 'help' 0 'usage: raddle litmus*--runs*--as*--device*' '' litmus --help
t 'list' 0 'mp *x = 1; y = 1 | r0 = y; r1 = x*iriw_grid *' '' litmus --list
t 'list some' 0 'sb *
sb_rel_acq *
sb_fences *
sb_group *
sb_grid *x = 1 plain; barrier; r0 = y plain | y = 1 plain; barrier; r1 = x plain' '' litmus --list sb
t 'list --json' 0 '{"schema": 1, "record": "litmus_test", "test": "corr", "program": "x = 1 | r0 = x; r1 = x", "scope": ""}' '' litmus --list --json corr
t 'a table' 0 'mp_rel: x = 1; y = 1 rel | r0 = y; r1 = x
  r0=0 r1=0 x=1 y=1 *interleaved
  r0=1 r1=0 x=1 y=1 *weak
  r0=0 r1=1 x=1 y=1 *interleaved
  r0=1 r1=1 x=1 y=1 *interleaved' '' litmus --table mp_rel -q
t 'with an acquire' 0 'mp_rel_acq: *
  r0=0 r1=0 x=1 y=1 *interleaved
  r0=0 r1=1 x=1 y=1 *interleaved
  r0=1 r1=1 x=1 y=1 *interleaved' '' litmus --table mp_rel_acq
t 'a table --json' 0 '*"record": "litmus_table", "test": "sb_fences"*"races": false, "allowed": {"r0=1 r1=0 x=1 y=1": "interleaved", *' '' litmus --table --json sb_fences
"$raddle" litmus --show mp_chain > "$scratch/mp.fair"
t '--show is a model' 0 '*/mp.fair: * states; assertions hold*' '' fairness "$scratch/mp.fair"

t 'runs' 0 'test *runs *
mp_rel_acq *0            0
cpu:2 (*): 1 tests, *runs, * weak, 0 forbidden' '' litmus -d cpu:2 -q --runs 2000 mp_rel_acq
t 'every shape' 0 '*iriw_group *skipped: cpu:1 has no 4 threads*forbidden' '' litmus -d cpu:1 -q --runs 200
t 'groups of lanes' 0 '*mp_group *0            0*iriw_group *' '' litmus -d cpu:2x4 -q --runs 200 mp iriw
t '--verbose' 0 '*    r0=1 r1=1 x=1 y=1 *  interleaved*' '' litmus -d cpu:2 -q --runs 200 --verbose mp_grid sb_grid
"$raddle" litmus -d cpu:2 -q --runs 500 --seed 3 --json co > "$scratch/litmus.json"
same '--json: status' $? 0
ok '--json is JSON' "$json" < "$scratch/litmus.json"
ok '--json: a test' grep -q '"record": "litmus", "device": "cpu:2", "test": "co_add", .*"forbidden": 0, "passed": true, "seen": {"r' "$scratch/litmus.json"
ok '--json: the sum' grep -q '"record": "litmus_summary", .*"seed": 3, "tests": 3, "skipped": 0, ' "$scratch/litmus.json"

# A planted bug: loads before the barrier, judged as if they came after it.
t 'planted' 1 '*lb_grid *FORBIDDEN
    r0=0 r1=0 x=1 y=1 *forbidden*' '' litmus -d cpu:2 -q --runs 200 lb_grid --as sb_grid

t 'no such test' 2 '' "*there is no test 'nope'*" litmus nope
t 'a part of a word is no name' 2 '' "*there is no test 'iri'*" litmus iri
t 'as what' 2 '' "*--as: there is no test 'nope'*" litmus mp --as nope
t 'as another kind' 2 '' '*iriw has other words or registers than mp*' litmus -d cpu:1 -q iriw --as mp
t 'show two' 2 '' '*--show takes the whole name of one test*' litmus --show mp sb
t 'runs are a number' 2 '' '*--runs wants*' litmus --runs x
t 'no such device' 4 '' 'raddle litmus: *cuda*' litmus -d cuda:77
t 'time is up' 5 '' '*stopped after the 0.3 s that --timeout allows: *' litmus -d cpu:2 -q --runs 100000000000 --timeout 0.3 sb_rel_acq
