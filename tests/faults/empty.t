# SPDX-License-Identifier: Apache-2.0
# Inputs with nothing in them.
printf '%%%%MatrixMarket matrix coordinate pattern general\n0 0 0\n' > "$scratch/none.mtx"
# No vertices: no degrees, no largest component, and no share of nothing.
t 'info on a graph without vertices' 0 'graph *
vertices     0
edges        0 directed, symmetric
memory       8 bytes
opened in *
loops        0
duplicates   0
components   0
apps take *' '' info "$scratch/none.mtx"
t 'info on a graph without vertices, JSON' 0 '*"vertices": 0, *"max_degree": 0, *"components": 0, *"degree_histogram": \[\], *' '' \
    info --json "$scratch/none.mtx"
t 'info on a graph without vertices, in brief' 0 '*vertices     0*' '' info --brief "$scratch/none.mtx"
