# SPDX-License-Identifier: Apache-2.0
# Edge lists whose first line is "n m": the numbers of vertices and edges, not an edge.

printf '5 3\n0 1\n1 2\n2 3\n' > "$scratch/header.el"
printf '# a list\n5 3\n0 1\n1 2\n2 3\n' > "$scratch/header.txt"
printf '5 2\n0 1 7\n1 2 9\n' > "$scratch/header.wel"
printf '5 4\n0 1\n1 2\n2 3\n' > "$scratch/edge.el"
printf '2 3\n0 1\n1 2\n2 3\n' > "$scratch/beyond.el"
said="*: the first line, '5 3', is taken for the numbers of vertices and edges, as so many lines follow; --format el reads it as an edge*"
t 'a header is seen, and said' 0 '*vertices     5*edges        3 *' "$said" info --brief "$scratch/header.el"
t 'a header after a comment, any numbers' 0 '*vertices     4*edges        3 *' "*'5 3', is taken*--format snap*" info --brief "$scratch/header.txt"
t 'a header before weights' 0 '*vertices     5*edges        2 *weighted*' "*'5 2', is taken*" info --brief "$scratch/header.wel"
t 'no header when it is said so' 0 '*vertices     6*edges        4 *' '' info --brief "$scratch/header.el" --format el
t 'a header when it is said so' 0 '*vertices     5*edges        3 *' '' info --brief "$scratch/header.el" --format elh
t 'a header with weights when it is said so' 0 '*edges        2 *weighted*' '' info --brief "$scratch/header.wel" --format elh
t 'an edge, as another number of lines follows' 0 '*vertices     6*edges        4 *' '' info --brief "$scratch/edge.el"
t 'an edge, as numbers are above' 0 '*vertices     4*edges        4 *' '' info --brief "$scratch/beyond.el"
t 'a header that is not true' 3 '' '*edge.el:1:1: promises 5 vertices and 4 edges; 3 edges follow, of vertices up to 3' info "$scratch/edge.el" --format elh
printf 'x y\n0 1\n' > "$scratch/words.el"
t 'a header that is none' 3 '' '*words.el:1:1: expected the numbers of vertices and edges' info "$scratch/words.el" --format elh
printf '5 9\n0 1 7\n1 2 9\n' > "$scratch/mixed.wel"
t 'neither an edge nor a header' 3 '' '*mixed.wel:1:1: has no weight, though the lines after it have, and does not fit them*' info "$scratch/mixed.wel"
same 'a header from a pipe' "$("$raddle" info --brief - < "$scratch/header.el" 2> /dev/null | grep -c 'edges        3 ')" 1
printf '\357\273\277''5 3\r\n0 1\r\n1 2\r\n2 3\r\n' > "$scratch/mark.el"
t 'a header after a mark, with other ends of lines' 0 '*edges        3 *' '*is taken*' info --brief "$scratch/mark.el"
