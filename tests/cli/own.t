# SPDX-License-Identifier: Apache-2.0
# raddle run: apps of one's own, and what is wrong with them. Compiled programs are kept for the other builds.
own=examples/own
export RADDLE_CACHE_DIR="$OWN_CACHE"

# fork-join
t 'own: fib, compiled as users have it' 0 '*fibonacci = 610*right*' '' run $own/fib.k.c --n 15 -v
# The others without optimisation, which takes most of the time of a test: the library's own build has these engines with it.
export RADDLE_CC="sh tests/unoptimised.sh"
t 'own: fib' 0 '*fibonacci = 610*right*' '' run $own/fib.k.c --n 15 -v
t 'own: fib again, from the cache' 0 '*fibonacci = 610*right*' '' run $own/fib.k.c --n 15 -v
t 'own: fib, shared queue, several lanes' 0 '*fibonacci = 610*right*' '' run $own/fib.k.c --n 15 -v --sched fifo -d cpu:2x4
t 'own: collatz' 0 '*best = 75866302320132*right*' '' run $own/collatz.k.c --limit 5000 -v
t 'own: queens' 0 '*queens = 92*right*' '' run $own/nqueens.k.c --n 8 -v
t 'own: quadrature' 0 '*quadrature = 0.1667067914*right*' '' run $own/quadrature.k.c -v
t 'own: flood' 0 '*filled: 1600 values from 0 to 1*right*' '' run $own/flood.k.c --side 40 -v
# Engines are compiled apart from tasks, at the same time: a function of the file is in both parts, also one that is not
# static; with a variable of its own, which only CPUs know, the file stays whole. What is wrong is said once.
sed 's/^rd_fn void collatz_go/void collatz_go/' $own/collatz.k.c > "$scratch/open.k.c"
sed -e 's/^RD_SAMPLE.*/static rd_u64 two;/' -e 's/t->word\[0\] = 1,/two = 2, &/' -e 's/2 \* x/two * x/' \
    $own/collatz.k.c > "$scratch/variable.k.c"
for sched in steal fifo; do
    t "own: a function that is not static, $sched" 0 '*best = 75866302320132*right*' '' \
        run "$scratch/open.k.c" --limit 5000 -v --sched $sched
    t "own: a variable of the file, $sched" 0 '*best = 75866302320132*right*' '' \
        run "$scratch/variable.k.c" --limit 5000 -v --sched $sched
done
# Vectors are as wide as those of the library's own programs.
sed -e 's/^rd_fn void rd_app_task.*/rd_fn void wide(rd_f32v *v)\n{\n    *v = rd_all(1.0f);\n}\n&/' \
    -e 's/rd_return(w, n)/rd_f32v v;\n        wide(\&v);\n        rd_return(w, n * RD_VECTOR * (rd_u32)rd_get(v, 0))/' $own/fib.k.c > "$scratch/vector.k.c"
width=4
grep -q ' avx2 .* fma \| fma .* avx2 ' /proc/cpuinfo && width=8
t 'own: vectors' 0 "*fibonacci = $((width * 55))*" '' run "$scratch/vector.k.c" --n 10 -d cpu
# The compiler works in a folder of its own, which may be anywhere.
mkdir "$scratch/a folder"
export TMPDIR="$scratch/a folder" RADDLE_CACHE_DIR="$scratch/own-cache"
t 'own: a folder with a space, in parts' 0 '*fibonacci = 610*' '' run $own/fib.k.c --n 15 -d cpu
t 'own: a folder with a space, as one' 0 '*answer = 144*' '' run $own/fibdag.k.c --n 12 -d cpu
ok 'own: nothing is left of a compiler' test -z "$(ls "$TMPDIR")"
export TMPDIR="$scratch/nowhere"
t 'own: a folder that is not there' 4 '' '*nowhere/raddle-*name another one in TMPDIR*' run $own/nqueens.k.c -d cpu
export TMPDIR="${scratch%/*}"
export RADDLE_CACHE_DIR="$OWN_CACHE"
sed 's/steps;$/stops;/' $own/collatz.k.c > "$scratch/stops.k.c"
"$raddle" run "$scratch/stops.k.c" 2> "$scratch/err"
same 'own: an error in a file compiled in two parts: status' $? 4
same 'own: an error in a file compiled in two parts' "$(grep -c "error: .*stops" "$scratch/err")" 1
# frontier
for sched in bsp fifo steal steal-levels; do
    t "own: bfs under $sched" 0 '*right*' '' run $own/bfs.k.c kron:8 -v --sched $sched
done
# a vertex given more than once, against the promise: no room is overrun, in launches of many rounds neither
sed '/RD_APP_NO_ROUNDS\|RD_APP_RANKS\|RD_APP_LEAST/d' tests/data/narrow.k.c > "$scratch/again.k.c"
export MALLOC_CHECK_=3
for launch in discrete persistent; do
    t "own: given more than once, $launch" 4 '' '*tasks for 256 vertices: narrow gave a vertex more than once*' \
        run "$scratch/again.k.c" kron:8 --weights 1-100 --sched bsp --launch $launch
done
t 'own: given more than once, several lanes' 4 '' '*gave a vertex more than once*' \
    run "$scratch/again.k.c" kron:8 --weights 1-100 --sched bsp -d cpu:2x4
unset MALLOC_CHECK_
t 'own: bfs, several lanes' 0 '*right*' '' run $own/bfs.k.c kron:7 -v -d cpu:2x4
t 'own: bfs, a source, the result' 0 "$(printf '%s\n' 2 1 0 1)" '' run $own/bfs.k.c path:4 -r 2 -q -o -
t 'own: a source that is not there' 2 '' '*source*' run $own/bfs.k.c path:4 -r 9
t 'own: longest path' 0 '*right*' '' run $own/longest.k.c kron:8 -v
t 'own: k-cores, stage by stage' 0 '' '' run $own/kcore.k.c kron:8 -q -v -o "$scratch/own-cores"
t 'own: k-cores of the library' 0 '' '' kcore kron:8 -q -o "$scratch/cores"
ok 'own: k-cores are the same' cmp "$scratch/own-cores" "$scratch/cores"
t 'own: k-cores of a graph that is not symmetric' 2 '' '*symmetric*' run $own/kcore.k.c tests/cli/one-way.el
# apps of the library that are such files, by the same door: as the library has them
for app in bfs kcore cc; do
    t "own: $app.k.c of the library" 0 '' '' run src/apps/$app/$app.k.c kron:8 -q -v -o "$scratch/own-$app"
    t "own: $app, of the library" 0 '' '' $app kron:8 -q -o "$scratch/library-$app"
    ok "own: $app.k.c does what $app does" cmp "$scratch/own-$app" "$scratch/library-$app"
done
t 'own: fib.k.c of the library' 0 '*fib = 610*right*' '' run src/apps/fib/fib.k.c --n 15 -v
t 'own: nqueens.k.c of the library' 0 '*nqueens = 92*right*' '' run src/apps/nqueens/nqueens.k.c --n 8 -v
t 'own: uts.k.c of the library' 0 '*uts = 981*right*' '' run src/apps/uts/uts.k.c --root 42 --first 100 --m 8 --threshold 257698038 -v
t 'own: uts, of the library' 0 '*981 nodes*' '' uts bin:100:0.12:8:42
t 'own: sum.k.c of the library' 0 '*sum = 820*right*' '' run src/apps/sum/sum.k.c --scenario 2 --tasks 40 --length 9 -v
t 'own: sort.k.c of the library' 0 '*data: 5000 values from 0 to 4999*right*' '' run src/apps/sort/sort.k.c --n 5000 --serial 16 -v
# ranked
for sched in heap multi bag; do
    t "own: branch and bound under $sched" 0 '*right*' '' run $own/bound.k.c --n 9 --room 150 -v --sched $sched
done
t 'own: branch and bound, several lanes' 0 '*right*' '' run $own/bound.k.c --n 9 --room 150 -v -d cpu:2x4

# task graphs
for sched in steal fifo; do
    t "own: Cholesky under $sched" 0 '*right*' '' run $own/cholesky.k.c --tiles 5 -v --sched $sched
    t "own: alignment under $sched, several lanes" 0 '*best = *right*' '' run $own/align.k.c --blocks 3 -v --sched $sched -d cpu:2x4
    t "own: the edges of a graph as dependencies under $sched" 0 '*right*' '' run $own/critical.k.c kron:8 -v --sched $sched
    t "own: a graph that grows under $sched" 0 '*answer = 144*right*' '' run $own/fibdag.k.c --n 12 -v --sched $sched --launch discrete
done
t 'own: all through the queue' 0 '*right*' '' run $own/align.k.c --blocks 6 -v --sched fifo --next queue
t 'own: deques that are full' 0 '*right*' '' run $own/cholesky.k.c --tiles 20 -v --sched steal --next queue --deque lock
t 'own: the edges of a graph, several lanes' 0 '*right*' '' run $own/critical.k.c star:3000 -v -d cpu:2x4
printf '%s\n' '3 0 5' '3 1 1' '1 0 9' '0 2 1' > "$scratch/acyclic.wel"
t 'own: a graph without cycles, all its edges' 0 "$(printf '%s\n' 10 1 11 0)" '' run $own/critical.k.c "$scratch/acyclic.wel" --whole 1 -q -o -
t 'own: a graph with cycles, all its edges' 3 '' '*4 of 4 tasks never became ready*' run $own/critical.k.c cycle:4 --whole 1
wrong() { # wrong NAME STDERR sed-expressions on examples/own/align.k.c
    _what=$1 _says=$2
    shift 2
    sed "$@" $own/align.k.c > "$scratch/bad.k.c"
    for sched in steal fifo; do
        t "own: $_what, $sched" 3 '' "$_says" run "$scratch/bad.k.c" --blocks 4 --sched $sched --timeout 20
    done
}
wrong 'tasks that wait for what does not come' '*15 of 16 tasks never became ready*' -e '/rd_app_waits/,/^}/s/return .*/return t > 0 ? 3 : 0;/'
wrong 'a task that is released too often' '*was released more often than it waits*' -e '/rd_app_waits/,/^}/s/return .*/return t == 0 ? 0 : 1;/'
wrong 'a release of nothing' '*released a task that does not exist; there may be 16*' -e 's/rd_release(w, t + 1)/rd_release(w, t + 99)/'
wrong 'more releases than it said' '*released more tasks than RD_TASK_RELEASES*' -e 's/RELEASES 2/RELEASES 1/'
sed 's/RD_TASKS(1, 2000000)/RD_TASKS(1, 100)/' $own/fibdag.k.c > "$scratch/bad.k.c"
t 'own: more new tasks than there is room for' 3 '' '*there is room for 100 tasks*' run "$scratch/bad.k.c"
sed 's/^RD_TASKS.*/RD_TASKS(2, 1)/' $own/fibdag.k.c > "$scratch/bad.k.c"
t 'own: more tasks known than there may be' 3 '' '*2 tasks known beforehand, of at most 1*' run "$scratch/bad.k.c"
sed 's/^RD_TASKS.*//' $own/fibdag.k.c > "$scratch/bad.k.c"
t 'own: no RD_TASKS' 3 '' '*a dag app has RD_TASKS*' run "$scratch/bad.k.c"
t 'bench: task graphs' 0 '*steal/wide*' '*' bench dag -d cpu -n 1 --filter steal/wide

# several results
t 'own: several results' 0 '' '' run $own/align.k.c --blocks 1 -q -o best="$scratch/best" -o "$scratch/result" -o letter="$scratch/letters"
ok 'own: several results, the result' cmp "$scratch/best" "$scratch/result"
ok 'own: several results, another array' test "$(wc -l < "$scratch/letters")" = 64
t 'own: an array on standard output' 0 "$(printf '%s\n' 2 1 0 1)" '' run $own/bfs.k.c path:4 -r 2 -q -o depth=-
t 'own: two on standard output' 2 '' '*two outputs go to *' run $own/bfs.k.c path:4 -o depth=- -o -
t 'own: two in one file' 2 '' '*two outputs go to *' run $own/align.k.c -o best="$scratch/best" -o letter="$scratch/best"
t 'own: an array that is not there is a name' 0 '' '' run $own/bfs.k.c path:4 -q -o "$scratch/width=3"
# at most 40 lines, without comments, blank lines and the check
for file in $own/*.k.c; do
    lines=$(sed '/^#ifdef RD_CHECK/,$d' "$file" | grep -v '^ *\(/\*\|\*\| \*\)' | grep -c .)
    ok "own: $file has at most 40 lines" test "$lines" -le 40
done

# the command
t 'own: help' 0 '*usage: raddle run examples/own/fib.k.c *--n N*runs under: steal fifo*' '' run $own/fib.k.c --help
t 'own: all help' 0 '*Of scheduler*' '' run $own/fib.k.c --help=all
t 'own: help of a file that is not there' 3 '' '*none.k.c: No such file*' run "$scratch/none.k.c" --help
t 'own: help of what is no app' 3 '' '*is no plain file*' run /dev/null --help
sed 's/^RD_OPTION.*/RD_OPTION(rd_u64, n, 18446744073709551615, "n")/' $own/fib.k.c > "$scratch/most.k.c"
t 'own: an option of the largest number' 0 '*--n N *18446744073709551615*' '' run "$scratch/most.k.c" --help
t 'own: help of the command' 0 '*raddle run FILE*' '' run --help
t 'own: json' 0 '*"fibonacci"*' '' run $own/fib.k.c --n 5 --json
t 'own: explain' 0 '*choice:*' '*' run $own/fib.k.c --n 5 --explain
# a name that a CPU would take, and a GPU would not
for name in half class float4 kernel; do
    sed "s/\\bside\\b/$name/g" $own/flood.k.c > "$scratch/word.k.c"
    t "own: $name is no name" 3 '' "*word.k.c:*the name '$name' is taken: it is a word of C, C++ or OpenCL C*" \
        run "$scratch/word.k.c"
done
t 'own: dry run' 0 '*filled*6400*' '' run $own/flood.k.c --side 40 --dry-run
t 'own: no file' 2 '' '*FILE comes first*' run
t 'own: a file that is not there' 3 '' '*no-such.k.c*No such file*' run no-such.k.c
t 'own: no such option' 2 '' "*there is no option '--limit'*Try 'raddle run examples/own/fib.k.c --help'*" run $own/fib.k.c --limit 3
t 'own: an option out of range' 2 '' '*n*50*' run $own/fib.k.c --n 51
t 'own: a graph that is missing' 2 '' '*INPUT is missing*' run $own/bfs.k.c
t 'own: the name of a scheduler' 2 '' '*does not run under*steal, fifo*' run $own/fib.k.c --sched bsp
RADDLE_CC=no-such-cc
export RADDLE_CC
t 'own: a C compiler that is not there' 4 '' "*RADDLE_CC names the C compiler 'no-such-cc'*GPUs*" run $own/fib.k.c --n 5
# Jumps are kept within 32 bytes by compilers that can; this one cannot, and says so as one assembler or another does.
printf '#!/bin/sh\ncase "$*" in *mbranches*) echo "as: unrecognized option -mbranches-within-32B-boundaries" >&2; exit 1 ;; esac\nexec cc "$@"\n' \
    > "$scratch/old-cc"
RADDLE_CC="sh $scratch/old-cc"
t 'own: a C compiler that cannot move jumps' 0 '*fib*' '' run $own/fib.k.c --n 5 -v -d cpu --no-cache
unset RADDLE_CC
_path=$PATH
ok 'own: no C compiler at all' sh -c "PATH=$scratch; export PATH; $raddle run $own/fib.k.c --n 5 -d cpu 2> $scratch/err;
    test \$? = 4" && ok 'own: says so' grep -q 'with the system.s C compiler, and there is none' "$scratch/err"
PATH=$_path
export RADDLE_CC="sh tests/unoptimised.sh"

# The tutorial, word for word: its files are made of the page, and its commands run one after another. Of what it says is
# printed, numbers of a time are left out. OpenCL is not among the devices: its compilers would take most of the time. What it
# measures is small here: those are the numbers of users.
page=$scratch/page
mkdir "$page" "$page/examples" "$page/examples/apps"
cp -r examples/own examples/ahead examples/own.c "$page/examples/"
cp src/apps/bfs/bfs.k.c "$page/examples/apps/"
block() { awk -v has="$1" '/^```c$/ { on = 1; text = ""; next } /^```$/ { if (on && index(text, has)) { printf "%s", text; exit } on = 0 }
    on { text = text $0 "\n" }' docs/own-tasks.md; }
block 'RD_APP(tree' > "$page/tree.k.c"
block 'RD_APP(labels' > "$page/labels.k.c"
block 'rd_app_check' > "$scratch/proof"
awk '/^    \$ / { on = 1 } !/^    / { on = 0 } on && !/^    \$ /' docs/own-tasks.md | sed 's/^    //' > "$scratch/promised"
sed -n 's/^    \(\$ \)\{0,1\}raddle /\1/p' docs/own-tasks.md | sed 's/ *#.*//' > "$scratch/commands"
: > "$scratch/printed"
while IFS= read -r line; do
    case $line in
    *' --for '*) continue ;; # needs NVRTC; below
    *' tree.k.c -v') cat "$scratch/proof" >> "$page/tree.k.c" ;;
    'bench '*) line=$(echo "$line" | sed 's/=34/=16/g; s/1000000/1000/; s/kron:16 road:256x256/kron:8 road:16x16/') ;;
    esac
    # shellcheck disable=SC2086
    ok "own: the tutorial: raddle $line" sh -c 'cd "$1" && top=$2 raddle=$3 && shift 3 && RADDLE_CC="sh $top/tests/unoptimised.sh" \
        OCL_ICD_VENDORS=/nonexistent RADDLE_DEVICE=cpu "$raddle" "$@" > out < /dev/null' sh "$page" "$PWD" "$raddle" ${line#\$ }
    case $line in \$*--stats | \$*--help) ;; \$*) cat "$page/out" >> "$scratch/printed" ;; esac
done < "$scratch/commands"
timeless='s/^\(time: *\).*( *kernel.*), on/\1, on/'
ok 'own: the tutorial prints what it says' test "$(sed "$timeless" "$scratch/promised")" = "$(sed "$timeless" "$scratch/printed")"

# what is wrong with a file: bad NAME STATUS STDERR sed-expressions on examples/own/fib.k.c
bad() {
    _what=$1 _code=$2 _says=$3
    shift 3
    sed "$@" $own/fib.k.c > "$scratch/bad.k.c"
    t "own: $_what" "$_code" '' "$_says" run "$scratch/bad.k.c" --timeout 20
}
bad 'not an app' 3 '*bad.k.c:6: this is no app: RD_APP(name*' -e '/^RD_APP/d'
bad 'no model' 3 '*bad.k.c:1: which model*' -e '/^#include/d'
bad 'no numbers of a task' 3 '*bad.k.c:6: *RD_TASK_WORDS*' -e '/RD_TASK_WORDS/s/.*//'
bad 'a number that the host cannot read' 3 '*bad.k.c:3: RD_TASK_WORDS is a number in digits*' -e 's/WORDS    1/WORDS    (0+1)/'
bad 'a function that is missing' 3 '*bad.k.c:6: *rd_fn void rd_app_join(const rd_app \*a*there is none*' -e 's/rd_app_join/rd_app_jion/'
bad 'a function of another kind' 4 '*bad.k.c:12:*rd_app_seed*' -e '12s/rd_u32 i/rd_u64 i/'
bad 'an error of C' 4 '*bad.k.c:14:*nn*' -e '14s/a->n/a->nn/'
bad 'an unknown declaration' 3 '*bad.k.c:9: there is no declaration RD_OPTIN*' -e 's/^RD_OPTION/RD_OPTIN/'
bad 'a declaration with parts missing' 3 '*bad.k.c:9: RD_OPTION(type, name*' -e 's/^RD_OPTION.*/RD_OPTION(rd_u32, n)/'
bad 'an unknown type' 3 "*bad.k.c:9: 'int' is no type*" -e 's/^RD_OPTION(rd_u32/RD_OPTION(int/'
bad 'a default that is not whole' 3 "*bad.k.c:9: the default of 'n' is a whole number, not '1e3'*" -e 's/^RD_OPTION(rd_u32, n, 30/RD_OPTION(rd_u32, n, 1e3/'
bad 'a default out of range' 3 "*bad.k.c:9: the default of 'n' is not among*" -e 's/^RD_OPTION(rd_u32, n, 30/RD_OPTION(rd_u32, n, 60/'
bad 'an option that every app has' 3 "*bad.k.c:9: every app has an option 'sched'*" -e 's/^RD_OPTION(rd_u32, n/RD_OPTION(rd_u32, sched/'
bad 'a result that is no array' 3 "*bad.k.c:10: RD_RESULT: 'value' is no array of this file, nor *" -e 's/^RD_SAMPLE.*/RD_RESULT(value)/'
bad 'a result of no type' 3 "*bad.k.c:10: 'rd_u23' is no type*" -e 's/^RD_SAMPLE.*/RD_RESULT(rd_u23)/'
bad 'a sum with a name that is not there' 3 "*bad.k.c:10: *names 'm'*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, 2 * m, 0)/'
bad 'an array that is too long' 3 '*bad.k.c:10: *more than 64 bits*' -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, n * 0xffffffffffffffff, 0)/'
bad 'an array that does not fit' 4 '*too large*' -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, n * 1000000000000, 0)/'
bad 'a comment that does not end' 3 '*bad.k.c:11: a comment that does not end*' -e '11s,^,/*,' -e '12,$s,\*/,,'
bad 'brackets that do not close' 3 '*the file ends inside brackets*' -e '$s/.*/{/'
bad 'a list of arguments of its own' 3 '*RD_APP_ARGS is made of the declarations*' -e '11s/^/#define RD_APP_ARGS(buf, arg) arg(rd_u32, n)/'
bad 'too many children' 3 '*bad.k.c:4: RD_TASK_CHILDREN is 1 to 32, not 33: spawn a task that spawns the rest*' -e 's/CHILDREN 2/CHILDREN 33/'
bad 'no children' 3 '*bad.k.c:4: RD_TASK_CHILDREN is 1 to 32, not 0*' -e 's/CHILDREN 2/CHILDREN 0/'
bad 'no model of that name' 3 '*bad.k.c:6: "model/forkjon.k.h" is none *models are *forkjoin, frontier*' -e 's/forkjoin.k.h/forkjon.k.h/'
bad 'a model without quotes' 3 '*bad.k.c:1: which model*in quotes*' -e 's,^#include.*,#include <model/forkjoin.k.h>,'
bad 'a word of C as a name' 3 "*bad.k.c:9: the name 'for' is taken*" -e '9s/, n,/, for,/'
bad 'a graph where there is none' 3 "*bad.k.c:10: *names 'vertices', and this app takes no graph*RD_ROWS*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, vertices, 0)/'
bad 'a first value that does not fit' 3 '*bad.k.c:10: *5000000000, which an array of rd_u32 does not hold*' -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, 4, 5000000000)/'
bad 'a number below 0 that does not fit' 3 "*bad.k.c:10: '-3000000000' is no whole number*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_i32, x, 4, -3000000000)/'
bad 'a number below 0 where there is no sign' 3 "*bad.k.c:10: '-1' is no whole number*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, 4, -1)/'
bad 'stages without seeds' 3 '*bad.k.c:10: RD_STAGES*' -e 's/^RD_SAMPLE.*/RD_STAGES(k, x)/'
sed '/RD_TASK_GIVES/d' $own/bound.k.c > "$scratch/bad.k.c"
t 'own: how many tasks one gives is not said' 3 '' '*bad.k.c:3: a ranked app defines RD_TASK_GIVES*' run "$scratch/bad.k.c"
sed 's/GIVES 2/GIVES 9/' $own/bound.k.c > "$scratch/bad.k.c"
t 'own: one gives too many' 3 '' '*bad.k.c:4: RD_TASK_GIVES is 1 to 8, not 9*' run "$scratch/bad.k.c"
sed '/RD_TASK_RELEASES/d' $own/align.k.c > "$scratch/bad.k.c"
t 'own: how many tasks one releases is not said' 3 '' '*bad.k.c:4: a dag app defines RD_TASK_RELEASES*' run "$scratch/bad.k.c"
sed '/^RD_SEEDS/d' $own/kcore.k.c > "$scratch/bad.k.c"
t 'own: where it starts is not said' 3 '' '*bad.k.c:4: where does it start*' run "$scratch/bad.k.c" kron:4
sed '17s/rd_task \*t/rd_task t/' $own/fib.k.c > "$scratch/bad.k.c"
"$raddle" run "$scratch/bad.k.c" > /dev/null 2> "$scratch/err"
same 'own: more messages than fit an error: status' $? 4
ok 'own: more messages than fit an error are said once' test "$(grep -c 'invalid type argument\|member reference type' "$scratch/err")" = 1
ok 'own: more messages than fit an error, the first' grep -q 'could not compile .*, first:$' "$scratch/err"
# what is below 0, and a file as some editors begin it
sed 's/^RD_SAMPLE.*/RD_ARRAY(rd_i64, x, 3, -9)\nRD_SET(x, 1, -5)\nRD_RESULT(x)/' $own/fib.k.c > "$scratch/below.k.c"
t 'own: first values below 0' 0 "$(printf '%s\n' -9 -5 -9)" '' run "$scratch/below.k.c" --n 3 -q -o -
sed 's/^RD_SAMPLE.*/RD_ARRAY(rd_i32, x, 2, -2147483648)\nRD_RESULT(x)/' $own/fib.k.c > "$scratch/below.k.c"
t 'own: the least first value' 0 "$(printf '%s\n' -2147483648 -2147483648)" '' run "$scratch/below.k.c" --n 3 -q -o -
{ printf '\357\273\277' && cat $own/fib.k.c; } > "$scratch/mark.k.c"
t 'own: a mark of UTF-8 before the text' 0 '*fibonacci = 2*' '' run "$scratch/mark.k.c" --n 3
# as people write C: ends of lines of another system, tabs, comments anywhere, directives with blanks, two in a line
sed 's/$/\r/' $own/fib.k.c > "$scratch/mark.k.c"
t 'own: lines that end in two characters' 0 '*fibonacci = 2*right*' '' run "$scratch/mark.k.c" --n 3 -v
{
    printf '/*\n#include "not.h"\n*/ // nor \\\n#include "this.h"\n'
    sed -e 's,^#include,  #\tinclude /* the model */\t,' -e 's/^#define RD_TASK_WORDS.*/# define RD_TASK_WORDS \\\r\n  1 \/\/ n\r/' \
        -e 's,^RD_APP(,RD_APP(/* name */ ,' -e 's/^RD_SAMPLE(.*/RD_ARRAY(rd_u32, x, n \/* ) *\/ * 2, 0); &/' $own/fib.k.c
} > "$scratch/written.k.c"
t 'own: comments and directives as C has them' 0 '*fibonacci = 2*right*' '' run "$scratch/written.k.c" --n 3 -v
t 'own: and on several lanes' 0 '*fibonacci = 2*right*' '' run "$scratch/written.k.c" --n 3 -v -d cpu:2x4
bad 'a comment that does not end, in a directive' 3 '*bad.k.c:3: a comment that does not end*' -e '3s,$, /*,' -e '4,$s,\*/,,'
bad 'a macro in a length' 3 "*bad.k.c:10: *names 'LENGTH'*macros are not followed here*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, x, LENGTH, 0)/' -e '1s/^/#define LENGTH 3 /'
bad 'a name of the library' 3 "*bad.k.c:10: *begin with RD_ are the library's*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, RD_LANES, n, 0)/'
bad 'a name that is a number in GNU C' 3 "*bad.k.c:10: *'unix' is taken*" -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, unix, n, 0)/'
"$raddle" compile $own/cholesky.k.c -o "$scratch/single" > /dev/null
ok 'own: only the proof has 64-bit floats: every device will do' sh -c '! grep -q "no 64-bit floats" "$1"' sh "$scratch/single/cholesky_steal.c"
"$raddle" compile $own/quadrature.k.c -o "$scratch/double" > /dev/null
ok 'own: tasks have 64-bit floats' grep -q 'no 64-bit floats' "$scratch/double/quadrature_steal.c"
t 'own: a file where a command should be' 2 '' "*there is no command 'mine.k.c'; a file of tasks is run by 'raddle run mine.k.c'*" mine.k.c
bad 'another file' 3 '*bad.k.c:11: "mine.h" is none of the library*' -e '11s/^/#include "mine.h"/'

# what goes wrong in a run
sed -e '20s/^/    while (n == 3) {}\n/' $own/fib.k.c > "$scratch/endless.k.c"
if ! slow; then
    t 'own: compiled before its time begins' 0 '*' '' run "$scratch/endless.k.c" --n 2 -d cpu:1
    in_time 'own: a task that never returns' 5 '' '*a task did not return*' run "$scratch/endless.k.c" --n 5 -d cpu:1
fi
sed -e '20s/n < 2/0/' -e 's/n - [12]/n/' $own/fib.k.c > "$scratch/itself.k.c"
# Whatever comes first: the end of its time, or of what a stack may hold.
"$raddle" run "$scratch/itself.k.c" --n 5 --timeout 2 -d cpu > /dev/null 2> "$scratch/why"
status=$?
# shellcheck disable=SC2016
ok 'own: a task that gives itself for ever' sh -c 'case $1 in
4) grep -q "stack would need more than" "$2" ;;
5) grep -q "stopped after the 2 s" "$2" ;;
*) false ;;
esac' sh "$status" "$scratch/why"
sed -e 's/^RD_SAMPLE.*/RD_ARRAY(rd_u32, cells, 10, 0)/' -e '20s/^/    a->cells[n] = 1;\n/' $own/fib.k.c > "$scratch/bounds.k.c"
t 'own: inside the bounds' 0 '*= 34*' '' run "$scratch/bounds.k.c" --n 9 --debug
t 'own: outside the bounds' 4 '' "*byte 48 of array 'cells', which has 40 bytes*" run "$scratch/bounds.k.c" --n 12 --debug
# what the processor refuses: with --debug a sentence, also of a stack that is used up; without it a sentence and the signal
sed -e '20s/^/    rd_app_task(a, w, t);\n/' $own/fib.k.c > "$scratch/recursion.k.c"
sed -e '20s/^/    volatile rd_u32 large[8000000];\n    large[n] = 1;\n/' $own/fib.k.c > "$scratch/large.k.c"
sed -e '20s/^/    *(volatile rd_u32 *)64 = n;\n/' $own/fib.k.c > "$scratch/nowhere.k.c"
sed -e '20s/^/    __builtin_trap();\n/' $own/fib.k.c > "$scratch/trap.k.c"
t 'own: a stack that is used up' 4 '' '*cpu: a task used up its stack: does it call itself without end*' run "$scratch/recursion.k.c" --n 5 --debug
if ! slow; then # with sanitizers lanes are threads, and none can be made to leave; and below a large frame lies memory of theirs
    t 'own: a large array inside a function' 4 '' '*cpu: a task used up its stack*RD_ARRAY*' run "$scratch/large.k.c" --n 5 --debug
    t 'own: the stack of a lane that is used up' 4 '' '*cpu:2x4: a task used up its stack*' run "$scratch/recursion.k.c" --n 5 --debug -d cpu:2x4
    for file in recursion nowhere trap; do
        "$raddle" run "$scratch/$file.k.c" --n 5 -d cpu > "$scratch/out" 2> "$scratch/err"
        ok "own: without --debug a signal ends it: $file" test $? -gt 128
        ok "own: without --debug it says what to do: $file" grep -q "by a task of .*$file.k.c: .*--debug says which" "$scratch/err"
    done
fi
t 'own: memory that is not there' 4 '' '*cpu: a task touched memory that is not there, at 0x40, far*' run "$scratch/nowhere.k.c" --n 5 --debug
t 'own: what the processor refuses' 4 '' '*cpu: a task did what the processor refuses*' run "$scratch/trap.k.c" --n 5 --debug
t 'own: check finds a stack that is used up, and runs it nowhere else' 4 'cpu --debug*FAILED*0 passed, 1 failed' '*used up its stack*' check "$scratch/recursion.k.c"
# more tasks than the file says: nothing is written beyond what is the task's, and nobody gets a result
sed -e 's/CHILDREN 2/CHILDREN 1/' $own/fib.k.c > "$scratch/values.k.c"
sed -e 's/CHILDREN 2/CHILDREN 1/' -e 's/RD_JOIN_VALUES/RD_JOIN_SUM/' -e 's/rd_value(w, 0) + rd_value(w, 1)/rd_sum(w)/' $own/fib.k.c > "$scratch/sum.k.c"
sed -e 's/CHILDREN 16/CHILDREN 3/' $own/nqueens.k.c > "$scratch/none.k.c"
sed -e 's/rd_value(w, 1)/rd_value(w, 2)/' $own/fib.k.c > "$scratch/third.k.c"
sed -e 's/GIVES 2/GIVES 1/' $own/bound.k.c > "$scratch/gives.k.c"
sed -e 's/^        rd_give(w, v);/{ rd_give(w, v); rd_give(w, v \/ 2); }/' $own/bfs.k.c > "$scratch/second.k.c"
export MALLOC_CHECK_=3 POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable # its optimiser takes two thirds of the time, and changes no count
for name in cpu cpu:2x4 $("$raddle" devices --json | sed -n 's/.*"name": "\(opencl:[^"]*\)".*"usable": true.*/\1/p'); do
    for sched in steal fifo; do
        for join in values sum none; do
            t "own: more children than it says, $join, $sched on $name" 3 '' '*spawned more than [13] tasks, which is RD_TASK_CHILDREN*' \
                run "$scratch/$join.k.c" --n 8 --sched $sched -d "$name"
        done
    done
    for sched in heap multi bag; do
        t "own: gives more than it says, $sched on $name" 3 '' '*bound: a task gave more than RD_TASK_GIVES says*' \
            run "$scratch/gives.k.c" --sched $sched -d "$name"
    done
    t "own: a chain that is longer than it says, on $name" 3 '' '*deep: tasks are more than 3 one below the other*' run tests/data/deep.k.c --chain 9 -d "$name"
    t "own: a chain as long as it says, on $name" 0 '*1600 values from 7 to 7*' '' run tests/data/deep.k.c -d "$name"
done
unset MALLOC_CHECK_ POCL_EXTRA_BUILD_FLAGS
# --debug says which line it is
for join in values sum none; do
    t "own: more children than it says, $join, where" 3 '' "*$join.k.c:[0-9]*: a call spawns more than [13] tasks*" run "$scratch/$join.k.c" --n 8 --debug
done
t 'own: gives more than it says, where' 3 '' '*gives.k.c:[0-9]*: a task gives more than RD_TASK_GIVES*' run "$scratch/gives.k.c" --debug
for sched in bsp fifo steal steal-levels; do
    t "own: a second task in a call, where, $sched" 3 '' '*second.k.c:40: a call gives a second task*' run "$scratch/second.k.c" kron:6 --debug --sched $sched
done
t 'own: as many as it says, watched' 0 '*= 55*' '' run $own/fib.k.c --n 10 --debug -v
t 'own: a child that is not there, watched' 3 '' '*:[0-9]*: no child has this number: RD_TASK_CHILDREN is 2*' run "$scratch/third.k.c" --n 5 --debug
sed -e 's/c->sum == value/c->sum != value/' $own/fib.k.c > "$scratch/wrong.k.c"
t 'own: a wrong result' 1 '*WRONG*' '*rd_app_check says*' run "$scratch/wrong.k.c" --n 5 -v
# the vertex that is wrong, as the file calls it
printf '%s\t%s\n' 700 800 800 90000000000 > "$scratch/names.snap"
sed -e 's/^    return wrong;/    return 2;/' $own/bfs.k.c > "$scratch/wrong-depth.k.c"
t 'own: a wrong value of a vertex' 1 '*WRONG*' '*rd_app_check says that depth of vertex 90000000000 is wrong*' run "$scratch/wrong-depth.k.c" "$scratch/names.snap" -v
t 'own: a wrong value of a vertex, counted from 1' 1 '*WRONG*' '*rd_app_check says that depth of vertex 3 is wrong*' run "$scratch/wrong-depth.k.c" tests/data/ranks.mtx -v
sed '/^#ifdef RD_CHECK/,$d' $own/kcore.k.c > "$scratch/unproved.k.c"
t 'own: nothing to check with' 2 '*' '*no serial function*' run "$scratch/unproved.k.c" kron:6 -v
sed 's/rd_add_rlx(&a->left\[v\], 0xffffffffu)/rd_ld_rlx(\&a->left[v])/' $own/kcore.k.c > "$scratch/low.k.c"
t 'own: k-cores that are wrong' 1 '*WRONG*' '*rd_app_check says that left of vertex 0 is wrong*' run "$scratch/low.k.c" star:5 -v

# new and check
echo nothing > "$scratch/mine.txt"
for model in forkjoin frontier ranked sweep plane dag; do
    t "own: new, $model" 0 '*mine.k.c is written; it runs: raddle run *mine.k.c* -v' '' new mine_$model --model $model -o "$scratch/mine.k.c"
    case $model in frontier | sweep) graph=kron:6 ;; *) graph= ;; esac
    t "own: new, $model, runs" 0 '*right*' '' run "$scratch/mine.k.c" $graph -v
    t "own: new, $model, is not written over" 3 '' '*is there already*' new mine_$model --model $model -o "$scratch/mine.k.c"
    rm -f "$scratch/mine.k.c"
done
t 'own: new on standard output' 0 '*RD_APP(mine,*' '' new mine -o -
t 'own: new without a name' 2 '' '*NAME is missing*' new
t 'own: new of a bad name' 2 '' "*'Mine' is no name*" new Mine
t 'own: new of a name of the library' 2 '' "*the library has an app 'bfs'*" new bfs
t 'own: new of no model' 2 '' "*there is no model 'heap'*" new mine --model heap
t 'own: check' 0 '*cpu*steal*right*fifo*right*4 passed, 0 failed' '' check $own/nqueens.k.c -d cpu
t 'own: check, several lanes' 0 '*bsp*right*fifo*right*steal*right*' '' check $own/bfs.k.c -d cpu:2x4
t 'own: check, nothing to prove it' 0 '*ran (no rd_app_check*the same result as the first*' '' check "$scratch/unproved.k.c" -d cpu
t 'own: check finds what is wrong' 1 '*FAILED*0 passed, 4 failed' '*rd_app_check says*' check "$scratch/wrong.k.c" -d cpu
t 'own: check finds what leaves an array, and runs it nowhere else' 4 'cpu --debug*FAILED*0 passed, 1 failed' "*of array 'cells'*" check "$scratch/bounds.k.c"
t 'own: check finds a second task in a call, and runs it nowhere else' 3 'cpu --debug*FAILED*0 passed, 1 failed' '*second.k.c:40:*' check "$scratch/second.k.c"
t 'own: check without a file' 2 '' '*FILE is missing*' check
# compile
t 'own: compile' 0 '4 files in *the program calls raddle_queens_register*' '' compile $own/nqueens.k.c -o "$scratch/ahead"
ok 'own: compile, what registers it' grep -q 'rd_app_register_compiled(text, label, programs' "$scratch/ahead/queens.c"
ok 'own: compile, a file for each program' test -s "$scratch/ahead/queens_steal.c" -a -s "$scratch/ahead/queens_fifo.c" -a -s "$scratch/ahead/queens_check.c"
ok 'own: compile, C' cc -std=c11 -fsyntax-only -Wall -Wextra -Werror -Iinclude "$scratch"/ahead/queens*.c
# machine code for GPUs, where NVRTC is
if "$raddle" compile $own/fib.k.c -o "$scratch/gpu" --for cuda:sm_90 --for cuda:compute_80 --set sched=steal > "$scratch/said" 2>&1; then
    ok 'own: compile for GPUs, files' grep -q '^5 files in ' "$scratch/said"
    ok 'own: compile for GPUs, machine code and PTX' test "$(grep -c '^const unsigned long long raddle_fibonacci_image_[01]' "$scratch/gpu/fibonacci_images.c")" = 2
    ok 'own: compile for GPUs, the table' test "$(grep -c '"fibonacci_steal", .*raddle_fibonacci_image_[01], [0-9]*}' "$scratch/gpu/fibonacci.c")" = 2
    ok 'own: compile for GPUs, C' cc -std=c11 -fsyntax-only -Wall -Wextra -Werror -Iinclude "$scratch"/gpu/fibonacci.c "$scratch"/gpu/fibonacci_images.c
    sed -e 's/^RD_APP(.*/&\nRD_CONSTANT(FIB_TWICE, 2 * n)\n#if defined(RD_TARGET_CUDA) \&\& FIB_TWICE != 14\n#error "FIB_TWICE"\n#endif/' $own/fib.k.c > "$scratch/constant.k.c"
    t 'own: a constant that a GPU compiles for' 0 '5 files in *' '' compile "$scratch/constant.k.c" -o "$scratch/gpu" --for cuda:sm_90 --set sched=steal --set n=7
    t 'own: a constant of another value' 4 '' '*FIB_TWICE*' compile "$scratch/constant.k.c" -o "$scratch/gpu" --for cuda:sm_90 --set sched=steal --set n=8
    t 'own: an architecture runs nothing' 4 '' '*compiles programs, and runs none*' run $own/fib.k.c -d cuda:sm_90
else
    ok 'own: compile for GPUs, no NVRTC' grep -q 'NVRTC' "$scratch/said"
fi
sed -e 's/^RD_APP(.*/&\nRD_CONSTANT(FIB_TWICE, 2 * n)\n#if defined(FIB_TWICE) \&\& FIB_TWICE != 14\n#error "FIB_TWICE"\n#endif/' $own/fib.k.c > "$scratch/constant.k.c"
t 'own: a constant on the CPU' 0 '*fibonacci = 13*' '' run "$scratch/constant.k.c" --n 7 -d cpu
t 'own: a constant of another value on the CPU' 4 '' '*FIB_TWICE*' run "$scratch/constant.k.c" --n 8 -d cpu
sed 's/^RD_APP(.*/&\nRD_SEEDS(1 + (2 < n) + (n < 2 * 3) + gpu)/' $own/fib.k.c > "$scratch/less.k.c"
t 'own: sums that compare' 0 '*fibonacci = 26*' '' run "$scratch/less.k.c" --n 7 -d cpu
sed 's/^RD_APP(.*/&\nRD_SEEDS(1 < 2 < n)/' $own/fib.k.c > "$scratch/less.k.c"
t 'own: sums that compare twice' 3 '' "*'1 < 2 < n' goes on where a sum should end*" run "$scratch/less.k.c"
sed 's/^RD_APP(.*/&\nRD_SEEDS(max_degree)/' $own/fib.k.c > "$scratch/less.k.c"
t 'own: a degree without a graph' 3 '' "*names 'max_degree'*" run "$scratch/less.k.c"
printf '%s\n' 'RD_CONSTANT(RD_LANES, 2)' > "$scratch/constant.k.c"
t 'own: a constant of a name that is ours' 3 '' "*constant.k.c:1: 'RD_LANES' is no name for a constant*" run "$scratch/constant.k.c"
t 'own: compile for an architecture that is none' 2 '' "*'cuda:sm_9' is no architecture*" compile $own/fib.k.c -o "$scratch/gpu" --for cuda:sm_9
t 'own: compile for a device that is none' 2 '' '*cpu is no architecture to compile for*' compile $own/fib.k.c -o "$scratch/gpu" --for cpu --set sched=steal
t 'own: compile for a GPU, which graph' 2 '' '*takes a graph*' compile $own/bfs.k.c -o "$scratch/gpu" --for cuda:sm_90
t 'own: compile, a graph for nothing' 2 '' "*'kron:8' is one word too many*" compile $own/fib.k.c kron:8 -o "$scratch/gpu"
t 'own: compile, a bad option' 2 '' '*KEY=VALUE*' compile $own/fib.k.c -o "$scratch/gpu" --set n
t 'own: compile without a folder' 2 '' '*-o FOLDER is missing*' compile $own/nqueens.k.c
t 'own: compile without a file' 2 '' '*FILE is missing*' compile -o "$scratch/ahead"
t 'own: compile of no app' 3 '' '*no app*' compile "$scratch/mine.txt" -o "$scratch/ahead"
t 'own: compile into a file' 3 '' '*' compile $own/nqueens.k.c -o $own/fib.k.c
# bench
t 'own: bench' 0 '*queens/steal*queens/fifo*' '*' bench run $own/nqueens.k.c --set n=6 -n 2 -d cpu
t 'own: bench, a graph' 0 '*depths/kron:6/bsp*' '*' bench run $own/bfs.k.c kron:6 -n 2 -d cpu --filter bsp
t 'own: bench, cases' 0 'queens/steal*queens/fifo' '' bench run $own/nqueens.k.c --list
t 'own: bench, several graphs against the library' 0 '*bfs/kron:6/bsp* x bfs, median of turns *bfs/mesh:9x9/bsp* x bfs*' '*' bench run src/apps/bfs/bfs.k.c kron:6 mesh:9x9 --against bfs -n 3 -d cpu --filter bsp
t 'own: bench against one with an input' 0 '*"against": "fib", "against_min_time": *"own_over_least": *"own_over_median": *' '*' bench run $own/fib.k.c --set n=9 --against fib=9 -n 2 -d cpu --json
t 'own: bench against nothing' 2 '' "*takes an app of the library, not 'fob'*" bench run $own/fib.k.c --against fob
t 'own: bench against what wants an input' 2 '' '*fib=INPUT: which input*' bench run $own/fib.k.c --against fib
t 'own: bench against what takes none' 2 '' '*bfs takes no input*' bench run $own/bfs.k.c kron:6 --against bfs=3
t 'own: bench against an app on graphs' 2 '' '*on graphs, and this one takes none*' bench run $own/fib.k.c --against bfs
t 'own: bench without a file' 2 '' '*FILE is missing*' bench run
t 'own: bench without its graph' 2 '' '*takes a graph*' bench run $own/bfs.k.c
t 'own: bench, a bad option' 2 '' '*KEY=VALUE*' bench run $own/nqueens.k.c --set n
t 'own: bench, one word too many' 2 '' '*one word too many*' bench run $own/nqueens.k.c kron:6
printf 'a\0b' > "$scratch/zero.k.c"
t 'own: not a text' 3 '' '*is no text*' run "$scratch/zero.k.c"
t 'own: a folder' 3 '' '* is a folder' run "$scratch"
t 'own: no plain file' 3 '' '*/dev/null is no plain file' run /dev/null
: > "$scratch/empty.k.c"
t 'own: an empty file' 3 '' '*no app*' run "$scratch/empty.k.c"
# Stopped while there is more to try: it says so.
: > "$scratch/out"
"$raddle" check $own/bfs.k.c > "$scratch/out" 2> "$scratch/err" &
pid=$!
_try=0
while [ $_try -lt 600 ] && ! grep -q right "$scratch/out"; do
    sleep 0.1
    _try=$((_try + 1))
done
kill -INT $pid
wait $pid
same 'own: check is stopped: status' $? 5
ok 'own: check is stopped' grep -q '^raddle check: it was stopped before all had been tried' "$scratch/err"
unset RADDLE_CACHE_DIR
