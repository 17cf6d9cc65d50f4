# SPDX-License-Identifier: Apache-2.0
# The frame: help, version, unknown words, full disks, signals.

t 'no command: help on stderr' 2 '' 'usage: raddle COMMAND*'
t 'help' 0 'usage: raddle COMMAND*devices*selftest*bench*bfs*Exit status*' '' help
t '--help' 0 'usage: raddle COMMAND*' '' --help
t '-h' 0 'usage: raddle COMMAND*' '' -h
t 'help of a command' 0 'usage: raddle devices*' '' help devices
t 'help of an app' 0 'usage: raddle bfs INPUT*--source*' '' help bfs
t 'help of nothing' 2 '' "*there is no command 'frob'*" help frob
t 'help of two' 2 '' '*one command at a time*' help devices bfs
t 'unknown command' 2 '' "raddle: there is no command 'frob'*Try 'raddle --help'*" frob
t 'unknown option' 2 '' "raddle: there is no option '--frob'*" --frob
t 'a mistyped command' 2 '' "raddle: there is no command 'cnovert'; did you mean 'convert'[?]*" cnovert
t 'a mistyped app' 2 '' "raddle: there is no command 'ssp'; did you mean 'sssp'[?]*" ssp
t 'a mistyped command to be helped with' 2 '' "*'selftst'; did you mean 'selftest'[?]*" help selftst
t 'a word that is near to none' 2 '' "raddle: there is no command 'frob'
Try*" frob
t 'a mistyped option of an app' 2 '' "*no option '--verfiy'; did you mean '--verify'[?]*" bfs path:3 --verfiy
t 'a mistyped option with a value' 2 '' "*no option '--sourec=2'; did you mean '--source'[?]*" bfs path:3 --sourec=2
t 'a mistyped option of a command' 2 '' "*no option '--breif'; did you mean '--brief'[?]*" info path:3 --breif
t 'a value where none belongs' 2 '' "*option '--brief' takes no value*" info path:3 --brief=1
t 'a mistyped generator' 3 '' "*krno:8: cannot be opened: *; did you mean 'kron:8'[?]" bfs krno:8
t 'a generator without its colon' 3 '' "*; did you mean 'kron:8'[?]" info kron8
t "a mistyped generator of an app's own" 3 '' "*; did you mean 'strongly:10'[?]" knapsack strongyl:10
t 'a file that is not there' 3 '' '*road7.el: cannot be opened: No such file or directory' bfs road7.el
t 'a mistyped suite' 2 '' "*no suite 'barier'; did you mean 'barrier'[?]*" bench barier
t '-v has one meaning' 2 '' "*there is no option '-v'; did you mean '--verbose'[?]*" devices -v
t '-V' 0 'raddle [0-9]*commit *' '' -V
t '-V of a command' 0 'raddle [0-9]*commit *' '' bfs -V
t '--version of a command' 0 'raddle [0-9]*commit *' '' devices --version
t 'version' 0 'raddle [0-9]*.[0-9]*.[0-9]*commit *with: *' '' --version
t 'version in JSON' 0 '{"version": "[0-9]*.[0-9]*.[0-9]*", "git_commit_sha": "*", "compiler": "*", "with": "*"}' '' --version --json
t 'version with rubbish' 2 '' '*' --version --frob

# Every command explains itself on one screen of 24 lines, an app with many options on 40; bench and help, which name
# all suites, commands and apps, on 60.
commands=$("$raddle" help | sed -n 's/^  \([a-z0-9]*\) .*/\1/p')
for command in $commands; do
    t "$command --help" 0 "usage: raddle *" '' "$command" --help
    same "$command --help fits the width" "$("$raddle" "$command" --help | awk 'length > 110')" ''
    lines=$("$raddle" "$command" --help | wc -l) room=40
    case $command in bench | help) room=60 ;; esac
    ok "$command --help fits the screen" test "$lines" -le $room
    t "$command, an unknown option" 2 '' "raddle $command: there is no option*Try 'raddle $command --help'*" "$command" --frob
    t "$command, an unknown letter" 2 '' "raddle $command: there is no option*" "$command" -Z
    # Each long option is in the manual.
    for option in $("$raddle" "$command" --help=all | grep -oE '(^|[ ,(])--[a-z][a-z-]*' | sed 's/.*--//' | sort -u); do
        pattern=$(printf '%s' "$option" | sed 's/-/\\\\-/g')
        ok "$command --$option is in the man page" grep -q -e "\\\\-\\\\-$pattern" man/raddle.1
    done
done

# An app has the options of the driver on its first page, whatever else it has.
for app in $("$raddle" help | sed -n '/^Apps:/,$s/^  \([a-z0-9]*\) .*/\1/p'); do
    t "$app --help has what every app has" 0 '*--trials*--verify*--output*--json*--worker*--device*' '' "$app" --help
done

# A result that could not be written is an error.
if [ -w /dev/full ]; then
    "$raddle" --version > /dev/full 2> "$scratch/err"
    same 'full disk: status' $? 3
    ok 'full disk: message' grep -q 'could not be written' "$scratch/err"
    "$raddle" bfs path:1000 -q -d cpu -o /dev/full 2> "$scratch/err"
    same 'full disk for -o: status' $? 3
    "$raddle" bfs path:10 -q -d cpu --json-file /dev/full 2> "$scratch/err"
    same 'full disk for --json-file: status' $? 3
fi

# The first SIGINT stops cleanly: a message, status 5, no half lines.
"$raddle" bfs road:1500x1500:0.65 -q -d cpu -n 100000 2> "$scratch/err" &
pid=$!
ok 'SIGINT: it runs' busy $pid 80
kill -INT $pid
wait $pid
same 'SIGINT: status' $? 5
ok 'SIGINT: message' grep -q '^raddle bfs: ' "$scratch/err"
# Also in the middle of one long launch.
"$raddle" nqueens 20 -q -d cpu --sched steal 2> "$scratch/err" &
pid=$!
ok 'SIGINT inside a launch: it runs' busy $pid 80
kill -INT $pid
wait $pid
ok 'SIGINT inside a launch: message' grep -q '^raddle nqueens: nqueens was stopped on request' "$scratch/err"

# A CPU's worker is what the device says, whatever was asked for: no vertex of many edges is left out.
for app in 'pr' 'cc' 'mis' 'color --sched bsp' 'bfs --sched bsp' 'bfs --sched fifo' 'bfs --sched steal' 'sssp --sched heap'; do
    # shellcheck disable=SC2086
    t "$app --worker 32 on cpu" 0 '*groups of 1?*right*' '' $app star:5000 -v --worker 32
done
t 'fib --worker 32 on cpu' 0 '*groups of 1?*right*' '' fib 12 -v --worker 32

# Options that would do nothing are refused, and the help does not name them.
t 'fifo, tasks: no other queue' 2 '' "*there is no option '--queue'*" fib 9 --sched fifo --queue cas
t 'fifo, tasks: no capacity' 2 '' "*there is no option '--capacity*" fib 9 --sched fifo --capacity 4
t 'fifo, tasks: no gate' 2 '' "*there is no option '--gate'*" fib 9 --sched fifo --gate
t 'bsp, sweeps: no direction' 2 '' "*there is no option '--direction'*" cc path:9 --direction pull
t 'bsp, sweeps: no spread' 2 '' "*there is no option '--spread'*" pr path:9 --spread degree
t 'steal, vertices: no stack' 2 '' "*there is no option '--stack'*" bfs path:9 --sched steal --stack 4
t 'bsp, tasks that repeat: no direction' 2 '' "*there is no option '--direction'*" sssp path:9 --direction pull
t 'fifo, tasks that repeat: no gate' 2 '' "*there is no option '--gate'*" sssp path:9 --sched fifo --gate
options_of() { "$raddle" "$1" --help=all | sed -n "/^Of scheduler $2:/,/^[^ ]/s/^ *--\([a-z]*\) .*/\1/p" | sort | tr '\n' ' '; }
same 'options of bfs under fifo' "$(options_of bfs fifo)" 'capacity chunk fetch gate queue reserve '
same 'options of sssp under fifo' "$(options_of sssp fifo)" 'capacity chunk fetch queue reserve '
same 'options of color under fifo' "$(options_of color fifo)" 'capacity chunk fetch queue reserve '
same 'options of sssp under bsp' "$(options_of sssp bsp)" 'delay discovery frontier push spread widen '
same 'options of kcore under bsp' "$(options_of kcore bsp)" 'delay direction discovery frontier push spread '
same 'options of pr under bsp' "$(options_of pr bsp)" 'delay discovery scatter span '
same 'options of fib under fifo' "$(options_of fib fifo)" 'frames stack steps '
t 'a time beyond any clock' 0 '*right*' '' bfs path:9 -v --timeout 1e300
t 'a time that a clock has' 0 '*right*' '' bfs path:9 -v --timeout 999999999
t 'a directory is no file' 3 '' '*is a directory, not a file*' knapsack .

# Help has what can apply, and no more.
ok 'help of bfs has a choice of schedulers' sh -c '"$1" bfs --help | grep -q -e --sched' sh "$raddle"
ok 'help of ray has none' sh -c '! "$1" ray --help | grep -q -e --sched' sh "$raddle"
ok 'help of fib knows no sources' sh -c '! "$1" fib --help | grep -q source' sh "$raddle"
t 'help of ray says what it writes' 0 '*--output FILE*.png .ppm*' '' ray --help

# What people type first.
t 'the input first' 2 '' "*there is no command 'path:10'; the command comes first: raddle bfs ...*" path:10 bfs
t 'an option first' 2 '' "*there is no option '-d'; the command comes first: raddle bfs ...*" -d cpu bfs path:10
t 'version is an option' 2 '' "*did you mean '--version'*" version
t 'an option in capitals' 2 '' "*did you mean '--version'*" --Version
t 'help before its command' 0 'usage: raddle bfs INPUT*' '' --help bfs
t 'help as INPUT' 3 '' "*help: cannot be opened*'raddle help *' explains it" bfs help
t 'a generator of graphs without numbers' 3 '' '*kron: cannot be opened*; the generator is kron:SCALE\[:DEGREE\]' bfs kron
t 'a generator of items without numbers' 3 '' "*; the generator wants numbers: 'strongly:...'" knapsack strongly
t 'a graph where items are asked for' 3 '' "*; that would be a graph, and knapsack takes none: 'raddle help knapsack'" knapsack path:5
t 'a name with a dash is near' 3 '' "*did you mean 'even-odd:5'*" knapsack even-od:5
t 'what is missing is said' 2 '' '*N is missing*N is a number from 0 to 50*' fib

# A word in the environment that nobody knows.
for said in RADDLE_CHORES=maybe RADDLE_LOG=loud RADDLE_OPENCL_SUBGROUPS=no RADDLE_OPENCL_ATOMICS=new RADDLE_WATCH=off; do
    env "$said" "$raddle" bfs path:9 -d cpu:1 > "$scratch/out" 2>&1
    same "$said: status" $? 2
    ok "$said" matches "$(cat "$scratch/out")" "raddle bfs: the environment's ${said%=*} takes *, not '${said#*=}'"
done
for said in RADDLE_CHORES=on RADDLE_CHORES=off RADDLE_CHORES= RADDLE_LOG=debug RADDLE_WATCH=0; do
    ok "$said is fine" env "$said" "$raddle" bfs path:9 -d cpu:1 -q
done
