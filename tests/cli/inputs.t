# SPDX-License-Identifier: Apache-2.0
# Inputs of awkward packing: marks before text, several frames and members, padding; counts and weights beyond what fits.

# The mark of UTF-8 before text, in each format of text. marked NAME TEXT
marked() { printf '\357\273\277'"$2" > "$scratch/$1"; }
marked a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n'
marked a.el '0 1\n1 2\n'
marked a.wel '0 1 4\n1 2 5\n'
marked a.txt '# names\n0 1\n1 2\n'
marked a.gr 'p sp 3 2\na 1 2 7\na 2 3 8\n'
marked a.col 'p edge 3 2\ne 1 2\ne 2 3\n'
marked a.graph '3 2\n2\n1 3\n2\n'
for name in a.mtx a.el a.wel a.txt a.gr a.col a.graph; do
    t "a mark before $name" 0 '*vertices *3*' '' info --brief "$scratch/$name"
done
for name in a.mtx a.el a.txt a.gr a.col; do # what content tells, without a name
    ok "a mark before $name by pipe" sh -c "cat '$scratch/$name' | '$raddle' info --brief - | grep -q 'vertices *3'"
done
marked items '4 50\n60 10\n100 20\n120 30\n30 15\n'
t 'a mark before items' 0 "$(printf '1\n2')" '' knapsack "$scratch/items" -q -o -
marked city.map 'type octile\nheight 2\nwidth 3\nmap\n.T.\n.G@\n'
t 'a mark before a map' 0 '*1 reachable,*20 cost*right*' '' astar "$scratch/city.map" -r 0,0 -t 1,1 -v --stats
marked rows '....\n.##.\n....\n'
t 'a mark before a grid' 0 "$(printf '%s\n' 0 1 2 3 7)" '' astar "$scratch/rows" -t 3,1 -q -o -
marked t.obj 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
t 'a mark before an OBJ file' 0 '*1 triangles*right*' '' ray "$scratch/t.obj" --size 20x20 -v
marked t.ply 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'
t 'a mark before a PLY file' 0 '*1 triangles*right*' '' ray "$scratch/t.ply" --size 20x20 -v
printf '\357\273\277\357\273\277''0 1\n' > "$scratch/two.el"
t 'one mark is enough' 3 '' '*expected*found*' info "$scratch/two.el"
printf '\357\273\277' > "$scratch/nothing.el"
t 'a mark and nothing else' 3 '' '*nothing.el*' info "$scratch/nothing.el"
# An .egr file is binary: its first number may have the bytes of the mark. 12565487 vertices, no edges.
{ printf '\357\273\277\000\000\000\000\000'; head -c $((4 * 12565488)) /dev/zero; } > "$scratch/mark.egr"
slow || t 'no mark in binary data' 0 '*vertices *12565487*' '' info --brief "$scratch/mark.egr"
rm -f "$scratch/mark.egr"

# gzip: several members, zeros after them, and between; other bytes are damage.
if "$raddle" --version | grep -q zlib && command -v gzip > /dev/null; then
    printf '0 1\n' | gzip -c > "$scratch/1.gz"
    printf '1 2\n' | gzip -c > "$scratch/2.gz"
    cat "$scratch/1.gz" "$scratch/2.gz" > "$scratch/members.el.gz"
    { cat "$scratch/members.el.gz"; head -c 700000 /dev/zero; } > "$scratch/padded.el.gz"
    { cat "$scratch/1.gz"; head -c 512 /dev/zero; cat "$scratch/2.gz"; head -c 1 /dev/zero; } > "$scratch/blocks.el.gz"
    for name in members padded blocks; do
        t "gzip: $name" 0 '*vertices *3*edges *2*' '' info --brief "$scratch/$name.el.gz"
        ok "gzip: $name by pipe" sh -c "cat '$scratch/$name.el.gz' | '$raddle' info --brief - | grep -q 'vertices *3'"
    done
    { cat "$scratch/padded.el.gz"; printf 'rubbish'; } > "$scratch/rest.el.gz"
    t 'gzip: something after the zeros' 3 '' '*the gzip data is damaged*' info "$scratch/rest.el.gz"
    { cat "$scratch/1.gz"; printf '\000\000\037\213'; } > "$scratch/cut.el.gz"
    t 'gzip: half a member after zeros' 3 '' '*ends early*' info "$scratch/cut.el.gz"
    printf '\357\273\2770 1\n1 2\n' | gzip -c > "$scratch/mark.el.gz"
    t 'gzip: a mark inside' 0 '*vertices *3*' '' info --brief "$scratch/mark.el.gz"
fi

# zstd: several frames, and frames to be skipped: before, between and after.
if "$raddle" --version | grep -q zstd && command -v zstd > /dev/null; then
    printf '0 1\n' | zstd -q -c > "$scratch/1.zst"
    printf '1 2\n' | zstd -q -c > "$scratch/2.zst"
    printf '\120\052\115\030\003\000\000\000abc' > "$scratch/skip.zst"
    printf '\137\052\115\030\000\000\000\000' > "$scratch/none.zst"
    cat "$scratch/1.zst" "$scratch/2.zst" > "$scratch/frames.el.zst"
    cat "$scratch/skip.zst" "$scratch/1.zst" "$scratch/2.zst" > "$scratch/before.el.zst"
    cat "$scratch/none.zst" "$scratch/skip.zst" "$scratch/1.zst" "$scratch/none.zst" "$scratch/skip.zst" "$scratch/2.zst" \
        "$scratch/none.zst" "$scratch/skip.zst" > "$scratch/around.el.zst"
    for name in frames before around; do
        t "zstd: $name" 0 '*vertices *3*edges *2*' '' info --brief "$scratch/$name.el.zst"
        ok "zstd: $name by pipe" sh -c "cat '$scratch/$name.el.zst' | '$raddle' info --brief - | grep -q 'vertices *3'"
    done
    cat "$scratch/skip.zst" > "$scratch/only.el.zst"
    t 'zstd: nothing but what is skipped' 3 '' '*is empty*' info "$scratch/only.el.zst"
    printf '\120\052\115\030\377\000\000\000abc' > "$scratch/short.el.zst"
    t 'zstd: a skipped frame that ends early' 3 '' '*ends early*' info "$scratch/short.el.zst"
fi

# Counts that overflow when they are doubled, where no size of a file can contradict.
refused() { # refused NAME STATUS FORMAT TEXT PATTERN
    printf "$4" | "$raddle" info - --format "$3" > "$scratch/out" 2> "$scratch/err"
    same "$1: exit status" $? "$2"
    if matches "$(cat "$scratch/err")" "$5"; then pass; else fail "$1" "$(cat "$scratch/err")"; fi
}
for edges in 9223372036854775808 9223372036854775809 9999999999999999999; do
    refused "METIS, $edges edges by pipe" 3 metis "3 $edges\n2\n1\n\n" "*more than the 9223372036854775807*"
done
refused 'colouring, edges by pipe' 4 col 'p edge 3 9223372036854775809\ne 1 2\ne 2 3\n' '*not enough host memory*'

# Weights that others replace may be any numbers.
printf '0 1 3e40\n1 2 0.25\n' > "$scratch/w.wel"
printf 'p sp 3 2\na 1 2 7.5\na 2 3 8e99\n' > "$scratch/w.gr"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.25\n2 3 -1e300\n' > "$scratch/w.mtx"
printf '3 2 1\n2 0.5\n1 0.5 3 1e40\n2 1e40\n' > "$scratch/w.graph"
for name in w.wel w.gr w.mtx w.graph; do
    t "$name: weights that are replaced" 0 '*weighted*' '' info --brief "$scratch/$name" --weights 1-9
    t "$name: rounded and replaced" 0 '*weighted*' '' info --brief "$scratch/$name" --weights 1-9 --round-weights
    t "$name: weights that are kept" 3 '' '*expected a w*' info --brief "$scratch/$name"
done
printf '0 1 x\n' > "$scratch/x.wel"
t 'a weight that is no number' 3 '' '*expected a weight*' info "$scratch/x.wel" --weights 1-9
