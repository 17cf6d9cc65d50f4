# SPDX-License-Identifier: Apache-2.0
# raddle pr in sweeps: sums of very many equal numbers, which single precision would round all the same way.

slow || t 'a million ranks add up to 1' 0 '*, 1 iterations*right*' '' pr path:1000000 -v -d cpu:2
slow || t 'a vertex of very many edges' 0 '*, 6[0-4] iterations*right*' '' pr star:300000 -v -d cpu:1
slow || t 'the same in a single launch' 0 '*, 6[0-4] iterations*right*' '' pr star:300000 -v -d cpu:2 --launch persistent
slow || t 'as many edges, the largest change' 0 '*right*' '' pr star:300000 -v -d cpu:1 --rule max --tol 1e-5
