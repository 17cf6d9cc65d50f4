# SPDX-License-Identifier: Apache-2.0
# Inputs with nothing in them.
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > "$scratch/none.mtx"
t 'info on a graph without vertices' 0 '*' '' info "$scratch/none.mtx"
