# SPDX-License-Identifier: Apache-2.0
# raddle pr --sched fifo: vertices push residues; the same ranks as in sweeps.

t 'a report' 0 '*, sched fifo, launch persistent*overwork*residue*right*' '' pr kron:9 --sched fifo -v --stats
t 'discrete' 0 '*right*' '' pr road:30x30:0.65 --sched fifo --launch discrete -v
t 'several lanes' 0 '*right*' '' pr kron:7 --sched fifo -v -d cpu:2x4
t 'one way' 0 '*right*' '' pr tests/cli/directed.el --sched fifo -v
t 'each rank' 0 '*right*' '' pr star:500 --sched fifo -v --rule max --tol 1e-6
t 'nothing to pass on' 0 '*right*' '' pr kron:9 --sched fifo -v --alpha 0
t 'a close tolerance' 0 '*right*' '' pr kron:8 --sched fifo -v --tol 1e-7
t 'lost ranks' 0 '*right*' '' pr tests/cli/directed.el --sched fifo -v --dangling drop
for graph in kron:8 urand:8 star:200 mesh:20x20 path:100 cliques:20:7 tests/cli/directed.el path:1; do
    for sched in fifo steal; do
        t "by a cursor, $sched, on $graph" 0 '*right*' '' pr $graph --find cursor --sched $sched -v -d cpu:2
    done
    t "by a cursor, several lanes, on $graph" 0 '*right*' '' pr $graph --find cursor -v -d cpu:2x4
done
t 'by a cursor: it passes over all until it finds none' 0 '*, sched fifo*stages*right*' '' pr kron:9 --find cursor -v --stats
t 'by a cursor, a launch a round' 0 '*right*' '' pr road:30x30:0.65 --find cursor --launch discrete -v
t 'by a cursor, each rank' 0 '*right*' '' pr star:500 --find cursor -v --rule max --tol 1e-6
t 'by a cursor, a close tolerance' 0 '*right*' '' pr kron:8 --find cursor -v --tol 1e-7
t 'by a cursor, nothing to pass on' 0 '*right*' '' pr kron:8 --find cursor -v --alpha 0
t 'by a cursor in rounds' 2 '' '*find cursor is for schedulers without rounds*' pr kron:8 --find cursor --sched bsp
t 'too close a tolerance' 2 '' '*a tol of at least 1e-09*' pr kron:8 --sched fifo --tol 0
t 'no iterations' 2 '' '*no iterations*' pr kron:8 --sched fifo --iterations 3
