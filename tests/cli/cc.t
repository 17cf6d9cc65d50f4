# SPDX-License-Identifier: Apache-2.0
# raddle cc and raddle pr: right answers, directed graphs, options, what is refused.

printf '4 1\n1 3\n5 2\n6 6\n' > "$scratch/one-way.el"
t 'components of a directed graph' 0 "$(printf '%s\n' 0 1 2 1 1 2 6)" '' cc "$scratch/one-way.el" -q -o -
t 'components of two paths' 0 "$(printf '%s\n' 0 0 2 2)" '' cc tests/cli/directed.el -q -o -
t 'a report of components' 0 '*, sched bsp*1 components,*700 largest component*right*' '' cc path:700 -v --stats
t 'components, several lanes' 0 '*right*' '' cc kron:9 -v -d cpu:2x4
# The tree to skip is hooked to a smaller one (vertices 0 to 20): what is in it is skipped all the same. 11,906 edges.
edges=$("$raddle" cc mesh:32x64 --seed 23924 --shuffle-rows -d cpu:1 --json | sed -n 's/.*"edges_visited": \([0-9]*\).*/\1/p')
ok 'few edges of a skipped tree that is hooked' test "${edges:-99999}" -lt 5000
t 'a vertex in parts' 0 '*1 components,*20000 largest component*right*' '' cc star:20000 -v -d cpu:2x4 --stats
t 'bench cc' 0 '*path:50/bsp/discrete *' '' bench cc -g path:50 -n 2

printf '0 2\n1 2\n' > "$scratch/into.el"
t 'ranks, spread' 0 "$(printf '%s\n' 0.25 0.25 0.5)" '' pr "$scratch/into.el" --alpha 0.5 -q -o -
t 'ranks, dropped' 0 '0.166666*0.333333*' '' pr "$scratch/into.el" --alpha 0.5 --dangling drop -q -o -
t 'no iteration' 0 "$(printf '%s\n' 0.25 0.25 0.25 0.25)" '' pr path:4 --iterations 0 -q -o -
t 'a report of ranks' 0 '*, sched bsp*iterations,*change*right*' '' pr kron:9 -v --stats
t 'the largest change' 0 '*right*' '' pr kron:9 -v --rule max --tol 1e-6
t 'Jacobi' 0 '*right*' '' pr road:30x30:0.65 -v --update jacobi
t 'in place' 0 '*right*' '' pr kron:9 -v --update in-place --tol 1e-6
t 'no further than rounding' 0 '*right*' '' pr kron:9 -v --tol 0 --iterations 50
t 'ranks, several lanes' 0 '*right*' '' pr kron:9 -v -d cpu:2x4
t 'a hub in parts' 0 '*right*' '' pr star:20000 -v -d cpu:2x4 --alpha 0.5
t 'a bad alpha' 2 '' "*alpha '1.5'*" pr path:9 --alpha 1.5
t 'a bad tolerance' 2 '' "*tol 'x'*" pr path:9 --tol x
t 'a bad rule' 2 '' '*rule takes l1 or max, not*l2*' pr path:9 --rule l2
t 'too many iterations' 2 '' '*option iterations takes a number*' pr path:9 --iterations -1
t 'a bad update' 2 '' '*update takes auto, jacobi or in-place*' pr path:9 --update x
t 'bench pr' 0 '*path:50/bsp/discrete *' '' bench pr -g path:50 -n 2
t 'bench with options' 0 '*path:50/bsp/discrete *' '' bench pr -g path:50 -n 2 --set rule=max --set tol=1e-6 --filter bsp/discrete
t 'bench with a bad option' 2 '' '*--set takes an option of the app as KEY=VALUE*' bench pr -g path:50 --set rule
t 'a launch before its scheduler' 0 '*sched bsp, launch persistent*' '' cc path:9 --launch persistent --sched bsp
