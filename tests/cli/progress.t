# SPDX-License-Identifier: Apache-2.0
# raddle progress: what must show on a CPU, where groups run in a known order.

# Records go to a folder of their own.
RADDLE_CACHE_DIR=$scratch/progress-cache
export RADDLE_CACHE_DIR

few='--programs 1 --shapes 6 --repeats 1 --patience 0.05'
# Where threads wait for each other a busy machine may keep one of them off its core for a while.
long='--programs 1 --shapes 6 --repeats 1 --patience 0.4'
t 'help' 0 'usage: raddle progress*--need*--patience*--device*' '' progress --help
t 'list' 0 '*fair *0: await x == 1 | 1: x = 1*hsa,hsa+obe,lobe,fair *0: x = 1 | 1: await x == 1*hsa+obe,lobe,fair *' '' progress --list
t 'list --json' 0 '{"schema": 1, "record": "progress_program", "threads": 2, "steps": 2, *"ends_under": *' '' progress --list --json
# One thread runs group after group: nobody who waits for a higher group comes to its end, all else does.
# shellcheck disable=SC2086
t 'one thread' 0 'cpu:1 (*
* programs of * run, * launches of at most * groups, *; seed 27491
scheduler  programs  verdict
opencl *not seen to be violated
hsa *not seen to be violated
obe *not seen to be violated
hsa+obe *not seen to be violated
lobe *not seen to be violated
fair *VIOLATED by 0: await x == 1 | 1: x = 1
 *1 copy (one copy) in 2 groups of 1 lanes*: 0 stays at '\''await x == 1'\''; 1 never began
strongest that was not violated: lobe' '' progress -d cpu:1 -q $few
# shellcheck disable=SC2086
t '--need' 1 '*fair *VIOLATED*' '' progress -d cpu:1 -q --need fair $few
# shellcheck disable=SC2086
t 'groups of lanes' 0 '*obe *not seen to be violated*' '' progress -d cpu:2x3 -q --most 3 $long --shapes 3
# shellcheck disable=SC2086
"$raddle" progress -d cpu:1 -q --json --seed 7 $few > "$scratch/progress.json"
same '--json: status' $? 0
ok '--json is JSON' "$json" < "$scratch/progress.json"
ok '--json: the verdict' grep -q '"seed": 7, .*{"scheduler": "fair", "violated": true, .*"program": "0: await x == 1 | 1: x = 1".*"strongest_kept": "lobe", "need": "obe", "passed": true' "$scratch/progress.json"

# The verdict is kept.
# shellcheck disable=SC2086
t 'of the cpu' 0 '*obe *not seen*' '' progress -d cpu -q --most 2 $long
t 'devices has it' 0 '*progress: *fair violated; opencl, hsa, obe,* kept in * launches*' '' devices
t 'devices --json has it' 0 '*"progress": {"violated": "*fair", "launches": *' '' devices --json
rm -r "$RADDLE_CACHE_DIR"
t 'devices without a record' 0 '*progress: not tested; raddle progress -d cpu does*' '' devices
# shellcheck disable=SC2086
t '--no-cache' 0 '*' '' progress -d cpu:1 -q --no-cache --most 2 $few
t 'keeps nothing' 0 '*progress: not tested*' '' devices
unset RADDLE_CACHE_DIR

t 'no argument' 2 '' '*takes no argument*' progress cpu
t 'need what' 2 '' "*--need: 'nope' is not one of*" progress --need nope
t 'most' 2 '' '*--most wants*' progress --most 6
t 'programs' 2 '' '*--programs wants*' progress --programs 0
t 'patience' 2 '' '*--patience wants*' progress --patience x
t 'no such device' 4 '' 'raddle progress: *cuda*' progress -d cuda:77
# Far more launches than the time allows.
t 'time is up' 5 '' '*stopped after the 1 s that --timeout allows: *' progress -d cpu -q --no-cache --repeats 4096 --shapes 100000 --seed $((7654321 + $$)) --timeout 1
# Its child is gone with it.
ok 'nobody is left' sh -c "! grep -lzx '$((7654321 + $$))\{1\}' /proc/[0-9]*/cmdline 2> /dev/null | grep -q ." # not this one
