# SPDX-License-Identifier: Apache-2.0
# Checkpoints of one process. tests/unit/test_checkpoint.c kills runs where it wants; machines.t has those over MPI.
ck=$scratch/ck
t 'they come and go' 0 '*checkpoints*1 of 1 right' '' bfs road:20x20 --window 16 -r 0 -v --stats --checkpoint "$ck" --every 0
same 'nothing is left when a run has ended' "$(ls -A "$ck")" ''
t 'and nothing to go on with' 3 '' "raddle resume: $ck/manifest: there is no checkpoint: the run wrote none yet, or has ended" resume "$ck"
t 'an app without' 2 '' "raddle color: there is no option '--checkpoint'*" color kron:6 --checkpoint "$ck"
t 'every what?' 2 '' 'raddle uts: --every is for --checkpoint DIR*' uts T1 --every 3
t 'no number' 2 '' "raddle uts: --every wants a number of seconds (0: as often as can be), not '-3'*" uts T1 --checkpoint "$ck" --every=-3
t 'one trial' 2 '' 'raddle bfs: --checkpoint is for one trial, from one source*' bfs kron:6 --checkpoint "$ck" -n 2
t 'standard input is gone' 2 '' 'raddle bfs: --checkpoint: standard input*' bfs - --checkpoint "$ck"
t 'no folder to be made' 3 '' '*/dev/null/ck: cannot be made*' uts T1 --checkpoint /dev/null/ck
t 'resume what?' 2 '' 'raddle resume: DIR comes first*' resume
t 'resume, options first' 2 '' "raddle resume: there is no option '-v' before DIR*" resume -v

# Killed: the words with a space and the device are in the checkpoint. A run that was faster than the look at it has
# nothing to go on with, and is right itself. Under a sanitizer a tree of a fifteenth of the size takes as long.
if slow; then tree=geo:fixed:4:8:19 nodes=257042; else tree=T1 nodes=4130071; fi
"$raddle" uts $tree -v -d cpu:1 --checkpoint "$ck" --every 0 -o "$scratch/two words" > "$scratch/first" 2>&1 &
pid=$!
while [ -e "/proc/$pid" ] && ! [ -e "$ck/manifest" ] && ! [ -s "$scratch/first" ]; do sleep 0.05; done
kill -KILL "$pid" 2> /dev/null
wait "$pid" 2> /dev/null
if [ -e "$ck/manifest" ]; then
    t 'a checkpoint is not written over' 2 '' "raddle uts: $ck has a checkpoint of an earlier run: 'raddle resume'*" uts $tree --checkpoint "$ck"
    t 'as many ranks' 3 '' '*is of 1 rank, and here are 2' resume "$ck" -d cpu:1 -d cpu:1
    t 'another device goes on' 0 "answer:    $nodes nodes*on cpu:2*1 of 1 right" '' resume "$ck" --every 100 -d cpu:2
    same 'with the options of the first one' "$(cat "$scratch/two words")" $nodes
else
    ok 'it had ended, and is right' grep -q '1 of 1 right' "$scratch/first"
fi
rm -rf "$ck"
