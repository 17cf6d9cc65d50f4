#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# stage.sh [--build] NAME COMMAND... - one stage of `make check`, for tests/check.mk. What the command says goes to
# build/check/NAME.log and is shown when it has ended, so that stages beside each other do not talk into one another;
# build/check/NAME.result is "PASSED FAILED SECONDS SECONDS_OF_PROCESSOR_TIME" and their status. When the last line of the
# command is "N passed, N failed" those are the counts, else it is one test by its exit status. --build: the command is
# a make; its output is shown only when something is wrong, and a warning is.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/common.sh

build=0
[ "$1" != --build ] || { build=1; shift; }
name=$1 results=build/check
shift
mkdir -p $results
log=$results/$name.log started=$(date +%s)
echo "=== $name: begins"
"$@" > "$log" 2>&1
status=$?
processor_time
[ $build = 0 ] || ! grep -qi 'warning:' "$log" || status=1
last=$(tail -n 1 "$log")
case $last in
[0-9]*' passed, '[0-9]*' failed')
    ok=${last%% passed*} bad=${last##*passed, } bad=${bad%% failed*}
    [ $status = 0 ] || [ "$bad" != 0 ] || bad=1 ;;
*) if [ $status = 0 ]; then ok=1 bad=0; else ok=0 bad=1; fi ;;
esac
seconds=$(($(date +%s) - started))
echo "$ok $bad $seconds $used" > $results/$name.result
until mkdir $results/talking 2> /dev/null; do sleep 0.1; done
echo "=== $name"
[ $build = 1 ] && [ "$bad" = 0 ] || cat "$log"
echo "--- $name: $ok passed, $bad failed in $seconds s ($used s of processor time)"
rmdir $results/talking
[ "$bad" = 0 ]
