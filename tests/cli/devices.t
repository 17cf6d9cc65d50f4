# SPDX-License-Identifier: Apache-2.0
# raddle devices

t 'devices' 0 'cpu *memory:*compute units:*' '' devices
t 'each back end is there or says why not' 0 '*cpu*cuda*opencl*' '' devices
t 'devices --verbose' 0 '*environment:*RADDLE_DEVICE*CUDA_VISIBLE_DEVICES*OCL_ICD_VENDORS*' '' devices --verbose
t 'devices with an argument' 2 '' '*takes no argument*' devices cpu
t 'devices --json' 0 '{"schema": 1, "record": "device", "device": {"name": "cpu"*' '' devices --json
"$raddle" devices --json > "$scratch/devices.json"
ok 'devices --json is JSON' "$json" < "$scratch/devices.json"

# An OpenCL loader without drivers, CUDA without GPUs: reasons, not failures.
OCL_ICD_VENDORS=$scratch/none CUDA_VISIBLE_DEVICES='' "$raddle" devices > "$scratch/out" 2> "$scratch/err"
same 'no drivers: status' $? 0
ok 'no drivers: cuda says why' grep -q '^cuda .*absent: .' "$scratch/out"
ok 'no drivers: opencl says why' grep -q '^opencl .*absent: .' "$scratch/out"

for name in foo cpu: cpu:x cpu:0 cpu:2x cpu:2x0 cuda:x opencl:x opencl:0.x cpu:1x2x3 'cpu '; do
    t "device '$name' is not a name" 2 '' 'raddle bfs: *' bfs path:9 -d "$name"
done
t 'cuda:7 is not here' 4 '' 'raddle bfs: *cuda*' bfs path:9 -d cuda:7
t 'opencl:9.9 is not here' 4 '' 'raddle bfs: *opencl*' bfs path:9 -d opencl:9.9

# Limits on the process are limits of the cpu device. (A sanitizer's own memory is beyond any.)
slow || ok 'a limit of data is seen' sh -c "ulimit -d 1000000; '$raddle' devices | grep -q 'memory: 976.6 MiB, [1-9][0-9]*.[0-9] MiB free'"
slow || ok 'a limit of address space is seen' sh -c "ulimit -v 4000000; '$raddle' devices | grep -q 'memory: 3.8 GiB'"
slow || ok 'what a limit does not hold is refused' sh -c \
    "ulimit -d 1000000; '$raddle' bfs star:100000000 -d cpu --dry-run > /dev/null 2> '$scratch/err'; [ \$? = 4 ]"
