# SPDX-License-Identifier: Apache-2.0
# raddle gen, convert, info: the commands; what readers make of files is in tests/graph.

for command in gen convert info; do
    t "$command --help" 0 "usage: raddle $command *" '' $command --help
    ok "the help of $command fits a screen" sh -c "'$raddle' $command --help | awk 'length > 80 { exit 1 } END { exit NR > 24 }'"
    t "$command: no such option" 2 '' "raddle $command: there is no option*--help*" $command --nonsense
    t "$command: a bad seed" 2 '' "raddle $command: --seed takes a whole number from 1, not 'x'*" $command --seed x
    t "$command: bad weights" 2 '' "raddle $command: --weights takes LOW-HIGH*" $command --weights 5-1
    t "$command: bad threads" 2 '' "raddle $command: --threads takes*" $command --threads 0
    t "$command: a value is missing" 2 '' "raddle $command: option '--seed' needs a value*" $command --seed
done

t 'gen' 0 "$scratch/k.rdg: 1024 vertices, *" '' gen kron:10 -o "$scratch/k.rdg"
t 'gen in JSON' 0 '{"input": "kron:10", *"vertices": 1024, *"weighted": true, *' '' gen kron:10 --weights 1-9 -o "$scratch/kw.rdg" --json
t 'gen without a generator' 2 '' '*GENERATOR is missing*' gen -o "$scratch/x.rdg"
t 'gen without a file' 2 '' '*-o FILE is missing*' gen kron:10
t 'gen: no such generator' 2 '' "*there is no generator 'krone:10'*" gen krone:10 -o "$scratch/x.rdg"
t 'gen: bad parameters' 2 '' "*SCALE must be a whole number from 1 to 31, not '99'; the syntax is kron:SCALE*" gen kron:99 -o "$scratch/x.rdg"
t 'gen: too large' 4 '' '*not enough host memory: the graph would take *' gen kron:31:1000 -o "$scratch/x.rdg"
t 'gen: no such folder' 3 '' '*nonexistent/x.rdg: cannot be written: its folder *nonexistent*: No such file or directory' gen path:3 -o "$scratch/nonexistent/x.rdg"
t 'gen: no such format' 2 '' "*does not tell what format to write*" gen path:3 -o "$scratch/x.nonsense"
t 'gen to standard output' 0 "$(printf '0 1\n1 0\n1 2\n2 1')" '' gen path:3 -o - --to el
t 'gen: everything to standard output' 2 '' '*cannot both go to standard output*' gen path:3 -o - --to el --json
ok 'a full disk is noticed' sh -c "[ ! -w /dev/full ] || { '$raddle' gen kron:14 -o /dev/full --to el 2>&1; [ \$? = 3 ]; }"

t 'convert' 0 "$scratch/k.mtx: 1024 vertices, *" '' convert "$scratch/k.rdg" "$scratch/k.mtx"
t 'convert needs two names' 2 '' '*INPUT and OUTPUT are needed*' convert "$scratch/k.rdg"
t 'convert: no such file' 3 '' 'raddle convert: /nonexistent: cannot be opened: *' convert /nonexistent "$scratch/x.el"
t 'convert does not pack' 2 '' "*files are not packed when they are written; leave out '.gz'*" convert path:3 "$scratch/x.mtx.gz"
t 'convert does not drop weights' 2 '' '*an .el file has no weights*' convert "$scratch/kw.rdg" "$scratch/x.el"
printf '# names\n70 5000000000\n70 9\n' > "$scratch/s.txt"
ok 'ids' sh -c "'$raddle' convert '$scratch/s.txt' '$scratch/s.rdg' --ids '$scratch/ids' && [ \"\$(tr '\n' ' ' < '$scratch/ids')\" = '9 70 5000000000 ' ]"

t 'info' 0 '*vertices *1024*edges *symmetric*components *diameter *degrees *apps take *bfs on cpu: *' '' info "$scratch/k.rdg"
t 'info --brief' 0 '*vertices *1024*opened in*sorting' '' info --brief "$scratch/k.rdg"
t 'info --check' 0 '*vertices *1024*' '' info --brief --check "$scratch/k.rdg"
t 'info of weights' 0 '*weights *1 to 9, mean *' '' info "$scratch/kw.rdg"
t 'info of a path' 0 '*components *1, the largest of 10 vertices (100.0%)*diameter *at least 9 *' '' info path:10
printf 'p sp 3 2\na 1 2 1\na 2 3 1\n' > "$scratch/ones.gr"
t 'info: a search, by the numbers of the file' 0 '*at most (vertex 1)*depth *2, searching from vertex 1
*' '' info "$scratch/ones.gr"
t 'info: a diameter, by the numbers of the file' 0 '*at least 2 (seen from vertex [13])*' '' info "$scratch/ones.gr" -s
t 'info of loops and duplicates' 0 '*not symmetric*loops *1*duplicates *2*components *2 (edges taken both ways)*' '' \
    info --format el tests/data/good/loops.el
"$raddle" info "$scratch/kw.rdg" --json > "$scratch/info.json"
ok 'info in JSON is valid' "$json" < "$scratch/info.json"
same 'info in JSON' "$("$json" vertices < "$scratch/info.json")" 1024
t 'info without a graph' 2 '' '*INPUT is missing*' info
t 'info of two graphs' 2 '' '*one INPUT at a time*' info path:3 path:4
t 'info of an empty standard input' 3 '' 'raddle info: standard input: is empty' info -
t 'options act' 0 '*edges *8 directed, symmetric, weighted*' '' info --brief -s --drop-loops --drop-duplicates --permute --weights 1-9 tests/data/good/loops.el

# Shapes, and graphs in another order.
t 'gen: a shape' 0 '*lattice.el: 27 vertices, 702 edges*' '' gen lattice:3 -o "$scratch/lattice.el"
t 'gen: a lattice too small' 2 '' '*each side must be 3 or more*' gen lattice:2x9x9 -o "$scratch/x.el"
t 'gen: a web too large' 4 '' '*not enough host memory*' gen web:31:1000 -o "$scratch/x.el"
t 'gen --help has the shapes' 0 '*web:SCALE*affiliation:SCALE*caterpillar:LENGTH*' '' gen --help
t 'convert by degree' 0 "$(printf '0 1\n0 2\n1 0\n2 0')" '' convert --order degree --to el path:3 -
same 'the hub has its name' "$("$raddle" convert path:3 --order degree --ids "$scratch/ids" "$scratch/x.rdg" > /dev/null && tr '\n' ' ' < "$scratch/ids")" '1 0 2 '
t 'no such order' 2 '' "*--order takes given, degree or degree-up, not 'size'*" convert --order size path:3 -
t 'shuffled rows do not go into .rdg' 2 '' '*ascend*shuffled*' convert --shuffle-rows star:9 "$scratch/x.rdg"
same 'shuffled rows are the same edges' "$("$raddle" convert --shuffle-rows --to el star:40 - | sort)" "$("$raddle" convert --to el star:40 - | sort)"
"$raddle" convert --to el star:40 - > "$scratch/star.el"
same '... in another order' "$("$raddle" convert --shuffle-rows --to el star:40 - | cmp -s - "$scratch/star.el" || echo differs)" differs
for app in bfs sssp color cc pr mis kcore mst bc; do
    t "$app on shuffled rows by degree" 0 '*' '' $app web:9 -d cpu -v --shuffle-rows --order degree
done
