# SPDX-License-Identifier: Apache-2.0
# tools/compare: with builds whose times are made up, so that what it says of them can be known; and with the real one.

made_up() { # made_up FILE CASE=MS...: a program that measures this; each further run takes a tenth longer
    _file=$1
    shift
    : > "$_file.runs"
    {
        echo '#!/bin/sh'
        echo 'case $* in *--list*) exit 0 ;; *--help*) echo "  --json  lines"; exit 0 ;; *none*) echo "no case has" >&2; exit 2 ;; *broken*) echo "out of luck" >&2; exit 4 ;; esac'
        echo "echo >> $_file.runs"
        for _pair; do
            printf 'echo "%s $(wc -l < %s.runs)" | awk %s\n' "$_pair" "$_file" \
                "'{ split(\$1, c, \"=\"); printf \"{\\\"suite\\\": \\\"s\\\", \\\"case\\\": \\\"%s\\\", \\\"x\\\": 1, \\\"min_kernel_time\\\": %f}\\n\", c[1], c[2] * (0.9 + \$2 / 10) }'"
        done
    } > "$_file"
    chmod +x "$_file"
}
compare() { sh tools/compare "$@" 2>&1; }

made_up "$scratch/old" a=1 b=10 c/d=5 gone=1
made_up "$scratch/new" a=1.5 b=10.1 c/d=4 come=1
same 'slower, faster, and what is missing' "$(compare "$scratch/old" "$scratch/new" --suites s --turns 3; echo $?)" \
    'slower   1.500      1.0000 ->     1.5000 ms  s/a
faster   0.800      5.0000 ->     4.0000 ms  s/c/d
3 cases: 1 slower, 1 faster, median of new / old 1.010; 1 only in old, 1 only in new
1'
same 'three turns each' "$(wc -l < "$scratch/old.runs") $(wc -l < "$scratch/new.runs")" '3 3'
made_up "$scratch/older" a=1 b=10
made_up "$scratch/newer" a=2 b=10
for _build in older newer; do # cases are listed: three of them, of which two are both's
    sed -i "s/^case .*list\*) exit 0/case \$* in *--list*) printf 'a\\\\nb\\\\n$_build\\\\n'; exit 0/" "$scratch/$_build"
done
same 'case by case' "$(compare "$scratch/older" "$scratch/newer" --suites s --turns 2 --each; wc -l < "$scratch/older.runs")" \
    'slower   2.000      1.0000 ->     2.0000 ms  s/a
2 cases: 1 slower, 0 faster, median of new / old 1.500; 0 only in old, 0 only in new
4'
same 'another limit' "$(compare "$scratch/old" "$scratch/new" --suites s --slower 0.6 --turns 1; echo $?)" \
    '3 cases: 0 slower, 0 faster, median of new / old 1.010; 1 only in old, 1 only in new
0'
compare "$scratch/old" "$scratch/new" --suites s --turns 1 --keep "$scratch/kept" > /dev/null
same 'records are kept' "$(wc -l < "$scratch/kept/before.jsonl") $(wc -l < "$scratch/kept/after.jsonl")" '4 4'
same 'the same twice' "$(compare "$raddle" "$raddle" --suites queue --slower 1000 --turns 1 -- -n 1 --filter 16th | sed 's/^[0-9]* cases: //; s/median.*; /; /')" \
    '0 slower, 0 faster, ; 0 only in old, 0 only in new'
same 'no case' "$(compare "$scratch/old" "$scratch/new" --suites s -- none; echo $?)" "compare: $scratch/new measured nothing; -- may have left no case
3"
same 'a build that fails' "$(compare "$scratch/old" "$scratch/new" --suites s -- broken; echo $?)" "compare: $scratch/old bench s ended with 4: out of luck
3"
same 'no program' "$(compare "$scratch/old" "$scratch/none"; echo $?)" "compare: $scratch/none is no program
2"
same 'no suite' "$(compare "$raddle" "$raddle" --suites frob; echo $?)" "compare: $raddle has no suite 'frob'; raddle bench --help lists them
2"
same 'no number' "$(compare "$raddle" "$raddle" --turns few; echo $?)" "compare: 'few' is no number
2"
ok 'help' sh -c 'sh tools/compare --help | grep -q -- "--turns N"'
