# SPDX-License-Identifier: Apache-2.0
# Headers that promise more than there is: memory is taken as data comes, so little memory is enough to refuse them.
scarce() { # scarce NAME STATUS MESSAGE ARGUMENT...: with 1 GB of address space, from a pipe, whose size nobody knows
    _name=$1 _status=$2 _message=$3
    shift 3
    ( ulimit -v 1000000; cat "$scratch/header" | timeout -k 5 60 "$raddle" "$@" -d cpu:2 --threads 2 > "$scratch/out" 2> "$scratch/err"
      echo $? > "$scratch/status" )
    same "$_name" "$(cat "$scratch/status")" "$_status"
    err=$(cat "$scratch/err")
    if matches "$err" "$_message"; then pass; else fail "$_name: message" "$err"; fi
}
word64() { # eight bytes, the lowest first
    _n=$1 _bytes=''
    for _i in 1 2 3 4 5 6 7 8; do
        _bytes="$_bytes\\$(printf %03o $((_n & 255)))"
        _n=$((_n >> 8))
    done
    printf "$_bytes"
}
word32() { word64 "$1" | head -c 4; }
printf '1000000000 5\n1 1\n' > "$scratch/header"
scarce 'knapsack: 1e9 items, one there' 3 '*ends after 1 of 1000000000 items*' knapsack -
printf '4000000000 5\n1 1\n' > "$scratch/header"
scarce 'knapsack: 4e9 items' 3 '*expected the number of items*found 4000000000*' knapsack -
printf 'type octile\nheight 11585\nwidth 11585\nmap\n....\n' > "$scratch/header"
scarce 'astar: a large map, a small row' 3 '*a row of 4 cells, where 11585 were expected*' astar -
{ printf 'ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\n'
  printf 'property float z\nend_header\n1234'; } > "$scratch/header"
scarce 'ply: 2e9 vertices, four bytes' 3 '*too short for 2000000000 vertices*' ray -
# As many as there are bytes, but each takes twelve.
{ printf 'ply\nformat binary_little_endian 1.0\nelement vertex 100000\nproperty float x\nproperty float y\n'
  printf 'property float z\nend_header\n'; head -c 100000 /dev/zero; } > "$scratch/header"
scarce 'ply: as many vertices as bytes' 3 '*too short for 100000 vertices*' ray -
# More than there is memory for is refused; less is taken as it comes, and found to be short.
{ printf '\001'; word64 5; word64 500000000; word64 0; } > "$scratch/header"
scarce 'sg: 500e6 vertices from a pipe' 4 '*not enough host memory: the graph would take*' bfs - --format sg
{ printf '\001'; word64 1000000000; word64 1; word64 0; word64 1000000000; } > "$scratch/header"
scarce 'sg: 1e9 edges from a pipe' 4 '*not enough host memory: the graph would take*' bfs - --format sg
{ printf '\001'; word64 500000000; word64 1; word64 0; word64 500000000; } > "$scratch/header"
scarce 'wsg: 500e6 edges from a pipe' 4 '*not enough host memory: the graph would take*' bfs - --format wsg
{ word32 500000000; word32 5; word32 0; } > "$scratch/header"
scarce 'egr: 500e6 vertices from a pipe' 4 '*not enough host memory: the graph would take*' bfs - --format egr
{ printf '\001'; word64 5; word64 5000000; word64 0; } > "$scratch/header"
scarce 'sg: 5e6 vertices from a pipe' 3 '*ends within the offsets*' bfs - --format sg
{ printf '\001'; word64 5000000; word64 1; word64 0; word64 5000000; } > "$scratch/header"
scarce 'sg: 5e6 edges from a pipe' 3 '*ends within the edges*' bfs - --format sg
{ printf '\001'; word64 5000000; word64 1; word64 0; word64 5000000; } > "$scratch/header"
scarce 'wsg: 5e6 edges from a pipe' 3 '*ends within the edges*' bfs - --format wsg
{ word32 5000000; word32 5; word32 0; } > "$scratch/header"
scarce 'egr: 5e6 vertices from a pipe' 3 '*ends within the offsets*' bfs - --format egr
# Whole ones come through, however they are read: more than the first megabyte of each array.
"$raddle" gen urand:17:8 -o "$scratch/whole.rdg" --weights 1-9 > /dev/null 2>&1
"$raddle" gen urand:17:8 -o "$scratch/whole.sg" > /dev/null 2>&1
for format in rdg wsg sg egr; do
    [ $format = rdg ] || [ $format = sg ] || "$raddle" convert "$scratch/whole.rdg" "$scratch/whole.$format" > /dev/null 2>&1
    ok "$format: from a file" sh -c '"$1" bfs - --format "$2" -r 1 -q -o "$4" -d cpu < "$3"' sh \
        "$raddle" $format "$scratch/whole.$format" "$scratch/of-file"
    ok "$format: from a pipe" sh -c 'cat "$3" | "$1" bfs - --format "$2" -r 1 -q -o "$4" -d cpu' sh \
        "$raddle" $format "$scratch/whole.$format" "$scratch/of-pipe"
    ok "$format: the same" cmp "$scratch/of-file" "$scratch/of-pipe"
done
