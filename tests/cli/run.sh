#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh BUILD [FOLDER] - tests of the command. Each FOLDER/*.t (tests/cli, unless said) is a list of
#
#     t NAME STATUS STDOUT STDERR ARGUMENT...
#
# which runs `raddle ARGUMENT...` and compares: STATUS exactly, STDOUT and STDERR as glob patterns of the whole text
# ('' = nothing at all, '*' = anything). $raddle, $json (json_lines), $late, $scratch and the functions below are there too.
#   QUICK=1 leaves out what is slow under a sanitizer (tests marked with `slow ||`). JOBS=n runs n files at a time,
#   FILTER="bfs serve" those that have one of the words in their name, EXCEPT="pr.t" leaves some out.
set -u
build=$(cd "$1" && pwd) || exit 1
folder=${2:-tests/cli}
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
. tests/workers.sh

raddle=$build/raddle json=$build/tests/json_lines late=$build/tests/late
passed=0 failed=0 file=''
device=cpu # where runs go unless a test says otherwise

slow() { [ "${QUICK:-0}" = 1 ]; } # true when slow tests are to be left out: slow || t ...

pass() { passed=$((passed + 1)); }
fail() { # fail NAME TEXT
    echo "FAILED: $file: $1"
    printf '%s\n' "$2" | sed 's/^/    /'
    failed=$((failed + 1))
}
matches() { # matches TEXT PATTERN; quoting would make the pattern literal
    # shellcheck disable=SC2254
    case $1 in $2) return 0 ;; esac
    return 1
}
# compare NAME STATUS STDOUT STDERR ARGUMENT...: sets $why to what is wrong, '' when nothing is.
compare() {
    # Variables of a test file must survive this, hence the underscores.
    _status=$2 _out=$3 _err=$4 why=''
    shift 4
    export RADDLE_DEVICE="$device"
    limit 300 "$raddle" "$@" > "$scratch/out" 2> "$scratch/err" < /dev/null
    _got=$? out='' err='' # thousands of tests: no process more than it takes
    unset RADDLE_DEVICE
    [ ! -s "$scratch/out" ] || out=$(cat "$scratch/out")
    [ ! -s "$scratch/err" ] || err=$(cat "$scratch/err")
    if [ "$_got" != "$_status" ]; then
        why="raddle $*
exit status $_got, wanted $_status
stderr: $err"
    elif ! matches "$out" "$_out"; then
        why="raddle $*
stdout: $out
wanted: $_out"
    elif ! matches "$err" "$_err"; then
        why="raddle $*
stderr: $err
wanted: $_err"
    fi
}
t() {
    compare "$@"
    if [ -z "$why" ]; then pass; else fail "$1" "$why"; fi
}
# in_time NAME STATUS STDOUT STDERR ARGUMENT...: as t, with --timeout 0.5, for runs that have something to show when their
# time is up. A busy machine has more of it, and more again.
in_time() {
    for _seconds in 0.5 5 60; do
        compare "$@" --timeout $_seconds
        [ -n "$why" ] || break
    done
    if [ -z "$why" ]; then pass; else fail "$1" "$why"; fi
}
# ok NAME COMMAND...: passes when the command succeeds.
ok() {
    _name=$1
    shift
    if "$@" > "$scratch/ok" 2>&1; then pass; else fail "$_name" "$*
$(cat "$scratch/ok")"; fi
}
# same NAME GOT WANTED
same() { if [ "$2" = "$3" ]; then pass; else fail "$1" "got:    $2
wanted: $3"; fi; }

wanted() { # wanted FILE
    case " ${EXCEPT:-} " in *" $1 "*) return 1 ;; esac
    [ -n "${FILTER:-}" ] || return 0
    for _word in $FILTER; do
        case $1 in *"$_word"*) return 0 ;; esac
    done
    return 1
}
# Each file in a shell and a scratch folder of its own; what it says and its counts are told in the order of names.
run_file() { # run_file PATH
    file=$(basename "$1") scratch=$scratch/$file
    mkdir "$scratch"
    # shellcheck disable=SC1090
    . "./$1"
    processor_time
    echo "$passed $failed $used" > "$scratch.counts"
}
files=$(for path in "$folder"/*.t; do name=$(basename "$path"); wanted "$name" && echo "$name"; done)
work() { # takes the next file that nobody has taken, until there is none
    for name in $files; do
        mkdir "$scratch/$name.taken" 2> /dev/null || continue
        (trap - EXIT; run_file "$folder/$name") > "$scratch/$name.log" 2>&1
    done
}
by_workers "${JOBS:-1}" work
wait
for name in $files; do
    cat "$scratch/$name.log"
    if [ -s "$scratch/$name.counts" ]; then
        read -r ok bad used < "$scratch/$name.counts"
        echo "$name: $ok passed, $bad failed ($used s of processor time)"
    else
        ok=0 bad=1
        echo "FAILED: $name did not come to its end"
    fi
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
