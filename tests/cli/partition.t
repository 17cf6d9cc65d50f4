# SPDX-License-Identifier: Apache-2.0
# Graphs in parts, in a folder: raddle partition, raddle info of it, runs that read it.
dir=$scratch/parts three='-d cpu:1 -d cpu:1 -d cpu:1'
t 'blocks' 0 "graph        $dir, in 3 parts (blocks)*vertices     1600
edges        * directed, symmetric
cut          * edges lead to another part (*imbalance    1.0*2 *" '' partition road:40x40 -n 3 -o "$dir"
t 'info' 0 "graph        $dir, in 3 parts (blocks)*" '' info "$dir"
t 'info in JSON' 0 '{"graph": *"split": "blocks", "vertices": 1600, *"parts": \[{"first": 0, *' '' info "$dir" --json
t 'a part is a graph' 0 '*vertices * (renumbered)*' '' info "$dir/part-1.rdg" --brief
for run in 'bfs --window 3' 'sssp' 'cc' 'pr --iterations 5'; do
    # shellcheck disable=SC2086
    t "on it: $run" 0 '*1 of 1 right' '' ${run%% *} "$dir" ${run#"${run%% *}"} -v $three
done
# shellcheck disable=SC2086
same 'weights are drawn as for the whole' "$("$raddle" sssp "$dir" -r 7 -q -o - $three)" "$(RADDLE_DEVICE=cpu "$raddle" sssp road:40x40 -r 7 -q -o -)"
t 'without ranks' 2 '' "raddle bfs: $dir is a graph in parts: *" bfs "$dir"
t 'with other ranks' 2 '' "raddle bfs: rank *: $dir is a graph in 3 parts, and here are 2 ranks: it takes as many" bfs "$dir" -d cpu:1 -d cpu:1
# shellcheck disable=SC2086
t 'edges stay as they are' 2 '' '*give these options to*' bfs "$dir" --permute $three
"$raddle" bfs road:40x40 -r 7 -q -o "$scratch/whole" -d cpu
i=0
while [ $i -lt 1600 ]; do echo $((i / 3 % 3)); i=$((i + 1)); done > "$scratch/part_of"
{ echo 1600; awk '{ print NR - 1, $1 }' "$scratch/part_of" | sort -rn; } > "$scratch/map"
for how in --hash "--parts $scratch/part_of" "--parts $scratch/map"; do
    # shellcheck disable=SC2086
    t "cut by $how" 0 '*(renumbered)*cut*' '' partition road:40x40 -n 3 -o "$dir" $how
    # shellcheck disable=SC2086
    t 'right, with the old numbers' 0 '*from vertex 7:*1 of 1 right' '' bfs "$dir" -r 7 -v -o "$scratch/parts.out" $three
    same 'and the same' "$(sort -n "$scratch/parts.out" | cut -d ' ' -f 2)" "$(cat "$scratch/whole")"
done
t 'weights are kept' 0 '*weighted*' '' partition tests/data/ranks.mtx -n 5 -o "$dir" --weights 3
t 'empty parts; numbers from 1' 0 "$(printf '1 0\n2 3\n3 3')" '' sssp "$dir" -r 1 -q -o - -d cpu:1 -d cpu:1 -d cpu:1 -d cpu:1 -d cpu:1
# what is damaged
printf x >> "$dir/parts"
t 'a list that was changed' 3 '' '*parts: was changed or damaged' info "$dir"
t 'again' 0 '*' '' partition path:9 -n 3 -o "$dir"
cp "$dir/part-0.rdg" "$dir/part-1.rdg"
# shellcheck disable=SC2086
t 'another part' 3 '' "*part-1.rdg: is not part 1 of the graph in $dir" bfs "$dir" $three
# METIS, or what looks like it, of both widths
t 'a graph that is not symmetric' 2 '' '*METIS takes symmetric graphs*' partition tests/cli/directed.el -n 2 -o "$dir" --metis
for idx in int32_t int64_t; do
    ${CC:-cc} -shared -fPIC -DIDX=$idx -o "$scratch/libmetis.so" tests/cli/metis.c || continue
    RADDLE_METIS=$scratch/libmetis.so
    export RADDLE_METIS
    t "by METIS of $idx" 0 '*in 3 parts (metis)*(renumbered)*' '' partition road:20x20 -n 3 -o "$dir" --metis
    # shellcheck disable=SC2086
    t 'right' 0 '*1 of 1 right' '' bfs "$dir" -v $three
done
RADDLE_METIS=/nowhere.so
export RADDLE_METIS
t 'no METIS' 4 '' '*METIS cannot be used: there is no /nowhere.so*' partition road:20x20 -n 3 -o "$dir" --metis
unset RADDLE_METIS
# Scotch, likewise
t 'a graph that is not symmetric' 2 '' '*Scotch takes symmetric graphs*' partition tests/cli/directed.el -n 2 -o "$dir" --scotch
for num in int32_t int64_t; do
    ${CC:-cc} -shared -fPIC -DNUM=$num -o "$scratch/libscotch.so" tests/cli/scotch.c || continue
    RADDLE_SCOTCH=$scratch/libscotch.so
    export RADDLE_SCOTCH
    t "by Scotch of $num" 0 '*in 3 parts (scotch)*(renumbered)*' '' partition road:20x20 -n 3 -o "$dir" --scotch
    # shellcheck disable=SC2086
    t 'right' 0 '*1 of 1 right' '' bfs "$dir" -v $three
done
RADDLE_SCOTCH=/nowhere.so
export RADDLE_SCOTCH
t 'no Scotch' 4 '' '*Scotch cannot be used: there is no /nowhere.so*' partition road:20x20 -n 3 -o "$dir" --scotch
unset RADDLE_SCOTCH
# usage
t 'no -n' 2 '' '*-n N is missing*' partition path:9 -o "$dir"
t 'no -o' 2 '' '*-o DIR is missing*' partition path:9 -n 2
t 'two ways' 2 '' '*choose one*' partition path:9 -n 2 -o "$dir" --hash --parts "$scratch/map"
echo 2 > "$scratch/few"
t 'a part that is not there' 3 '' "*few: line 1: a part from 0 to 1 is wanted, not '2'" partition path:9 -n 2 -o "$dir" --parts "$scratch/few"
echo 1 > "$scratch/few"
t 'too few lines' 3 '' '*few: has parts for 1 of 9 vertices' partition path:9 -n 2 -o "$dir" --parts "$scratch/few"
rm -rf "$dir"
