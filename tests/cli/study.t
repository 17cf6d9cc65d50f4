# SPDX-License-Identifier: Apache-2.0
# raddle study: what is asked wrongly; a study that is interrupted and goes on; what is said of planted effects.

t 'nothing to do' 2 '' '*-o FILE measures, FILE... says*' study
t 'no such app' 2 '' "*--app takes*not 'bfs-wk'; did you mean 'bfs-wl'?*" study --list -a bfs-wk
t 'an app without graphs' 2 '' '*--app takes*' study --list -a fib
t 'an app twice' 2 '' "*app 'bfs' is there twice*" study --list -a bfs -a bfs
t 'no such scheduler' 2 '' '*bfs has no such scheduler*' study --list -a x=bfs:sched=heap
t 'no such switch' 2 '' "*--switch takes*not 'fg2'; did you mean*" study --list --switch fg2
t 'half a switch' 2 '' '*--switch takes*' study --list --switch a=b:c
t 'too few runs' 2 '' '*runs*' study -o "$scratch/none" -n 3
t 'no such table' 2 '' "*--csv takes switches, *not 'all'*" study x --csv all
t 'measure and not' 2 '' '*--analyse measures nothing*' study -o "$scratch/none" --analyse x
t 'to standard output' 2 '' '*--output takes a file*' study -o -
t 'no such file' 3 '' '*no/such*cannot be opened*' study /no/such/file
t 'no study' 3 '' '*no test*all switches off*' study tests/cli/directed.el
t 'the list' 0 '*coop-cv*--push group instead of lane*mine*--push warp instead of lane*bfs-topo*frontier=bitmap*own*bfs under fifo*kron:3*' '' \
    study --list --switch coop-cv --switch mine=push:warp/lane -a bfs-topo -a own=bfs:sched=fifo,chunk=2 -g kron:3
ok 'nothing was written' test ! -e "$scratch/none"

# A study of one switch, and of one that means nothing where a group is one lane. It is interrupted, and goes on.
study="$scratch/small.jsonl"
small() { # small NAME STATUS STDOUT STDERR [OPTION...]
    _n=$1 _s=$2 _o=$3 _e=$4
    shift 4
    t "$_n" "$_s" "$_o" "$_e" study -o "$study" -d cpu:2 -g path:50 -a bfs-wl -n 4 --switch oitergb --switch fg8 --no-defaults "$@"
}
points() { grep -c '^{"schema": 1, "record": "study_point".*"status": "ok".*}$' "$study"; }
small 'a budget of nothing' 5 '' '*0 of 2 points were measured, then the budget was used up; the same command goes on*' \
    --no-micro --budget 0.000001
small 'a study' 0 '2 points: 1 tests (1 devices, 1 apps, 1 inputs), at least 4 runs each*oitergb*1 configurations*oracle*cpu:2*' '' --no-micro
same 'a line a point' "$(points)" 2
ok 'with the options that were set' grep -q '"config": "oitergb".*"options": {"direction": "push", "launch": "persistent"}' "$study"
small 'all is there' 0 '' '' --no-micro -q
same 'nothing was run again' "$(points)" 2
size=$(wc -c < "$study")
head -c $((size - 100)) "$study" > "$scratch/cut" && mv "$scratch/cut" "$study"
same 'half a line is no point' "$(points)" 1
small 'it goes on' 0 '' '*1 lines are passed over: they were cut off*' --no-micro -q
same 'what was cut off is run again' "$(points)" 2
small 'microbenchmarks' 0 '*launch-utilisation-20us*' '*1 lines are passed over*'
same 'and their records' "$(grep -c '"study_micro"' "$study")" 2
t 'the same file alone, as CSV' 0 'config,tests,faster,slower,best,speedup
*"oitergb",1,*' '*' study "$study" --csv configs
t 'or in the other order' 0 'device,name,value
"cpu:2","launch-utilisation-20us",*
"cpu:2","launch-utilisation-200us",*' '*' study --analyse --csv micro "$study"
# All configurations of those that mean something: two on or off, and wg or not by three of fg, on lanes without warps.
t 'how many there are' 5 '' '*0 of 24 points*' study --no-defaults -o "$scratch/many" -d cpu:2x4 -g path:3 -a bfs-wl -q --budget 0.000001
t 'where edges are not spread' 5 '' '*0 of 3 points*' study -o "$scratch/many" -d cpu:2x4 -g path:3 -a cc -q --budget 0.000001
# What cannot be run is recorded, and not tried again.
t 'a point that is refused' 0 '*1 points*' '*bfs on tests/cli/directed.el, cpu, *pull* is left out: *symmetric*' \
    study -o "$scratch/refused" -d cpu -g tests/cli/directed.el -a bfs --switch pull=direction:pull/push --no-micro --no-defaults
t 'is not tried again' 0 '*1 points*' '' \
    study -o "$scratch/refused" -d cpu -g tests/cli/directed.el -a bfs --switch pull=direction:pull/push --no-micro --no-defaults
ok 'and has its reason' grep -q '"config": "pull", "seconds": \[\], "status": "refused", "reason": "--direction pull' "$scratch/refused"

# Kernels alone: where NVRTC is, without a GPU.
t 'nothing to compile' 2 '' '*--compile is for devices with kernels to compile*' study --compile -d cpu -g path:3 -a bfs-wl
if "$raddle" study --compile -d cuda:sm_90 -g path:3 -a bfs-cx --switch oitergb --no-defaults > "$scratch/said" 2>&1; then
    same 'compiled for a GPU that is not there' "$(cat "$scratch/said")" '2 configurations are compiled, or were before'
else
    ok 'without NVRTC it is said' grep -q 'NVRTC' "$scratch/said"
fi

# Planted effects: a switch that takes a quarter off on one device and adds as much on the other, one that always helps.
awk 'BEGIN {
    for (d = 0; d < 2; d++) for (i = 0; i < 4; i++) for (on = 0; on < 4; on++) {
        config = (on % 2 ? "helps" : "") (on == 3 ? "," : "") (on >= 2 ? "splits" : "")
        printf "{\"record\":\"study_point\",\"device\":\"dev%d\",\"model\":\"m\",\"app\":\"a\",\"input\":\"i%d\",\"config\":\"%s\",\"seconds\":[", d, i, config
        for (r = 0; r < 5; r++) {
            time = (1 + i) * (on % 2 ? 0.5 : 1) * (on >= 2 ? (d ? 1.25 : 0.75) : 1) * (1 + (r * 7 + on * 3) % 5 / 100)
            printf "%s%d.%03d", r ? "," : "", int(time), int(1000 * (time - int(time)))
        }
        print "]}"
    }
}' > "$scratch/planted"
t 'planted effects are found' 0 '32 points: 8 tests*helps *yes*splits *no*oracle *1.000*to turn on*dev0*' '' study "$scratch/planted"
t 'planted effects, as CSV' 0 '*"global","","","","helps"
"device","dev0","","","helps,splits"
"device","dev1","","","helps"
*' '' study "$scratch/planted" --csv choices
t 'one switch of two' 0 'switch,*
"helps",0,0,*
"splits",8,8,*,8,*' '' study "$scratch/planted" --switch splits=option:on/off --csv switches
t 'a switch that no point has' 3 '' "*switches 'wg' one is on in no point*" study "$scratch/planted" --switch wg
t 'what moving costs' 0 'device,best_of,over_best
"dev0","dev0",1
"dev0","dev1",1.3*
"dev1","dev0",1.2*
"dev1","dev1",1' '' study "$scratch/planted" --csv moved

# What an app chooses by itself, beside the best of its variants on the same input and device.
{
    cat "$scratch/planted"
    for times in 'b dev0 1.5,1.52,1.51,1.53,1.54' 'c dev0 9,9,9,9,9' 'b dev1 0.5,0.52,0.51,0.5,0.49'; do
        set -- $times
        echo '{"record":"study_point","device":"'$2'","model":"m","app":"'$1'","primitive":"b","input":"i0","config":"defaults","seconds":['$3']}'
    done
} | sed 's/"app":"a"/"app":"a","primitive":"b"/' > "$scratch/chosen"
t 'what an app chooses by itself' 0 '32 points: 8 tests (2 devices, 1 apps, 4 inputs)*by themselves: *slower for sure in * of 3*b on i0, dev0: best is a with helps,splits*' '' \
    study "$scratch/chosen"
t 'and as CSV' 0 'device,app,input,seconds,*
"dev0","b","i0",1.52,0.3*,1,"a","helps,splits"
*"dev1","b","i0",0.5,*,0,"a","helps"*' '' study "$scratch/chosen" --csv defaults
ok 'it is measured' "$raddle" study -o "$scratch/natural" -d cpu:2 -g path:50 -a bfs-wl -n 4 --switch oitergb --no-micro -q
ok 'and recorded' grep -q '"app": "bfs", "input": "path:50", "config": "defaults".*"options": {}' "$scratch/natural"

# A signal ends a study that would take minutes: points that are done stay, and nothing is half written.
RADDLE_DEVICE=cpu "$raddle" study -o "$scratch/long.jsonl" -d cpu:2 -g path:40 -n 10000 -q --no-micro > "$scratch/out" 2> "$scratch/err" < /dev/null &
pid=$!
tries=0
until [ -s "$scratch/long.jsonl" ] || [ $tries -ge 1200 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
kill "$pid"
wait "$pid"
same 'a signal: exit status' $? 5
ok 'a signal: what is left is said' grep -q 'points were measured, then it was stopped; the same command goes on from here' "$scratch/err"
same 'a signal: whole lines' "$(grep -vc '^{"schema": 1, "record": "study_point".*"status": "ok".*}$' "$scratch/long.jsonl")" 0
