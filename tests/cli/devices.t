# SPDX-License-Identifier: Apache-2.0
# raddle devices

t 'devices' 0 'cpu *memory:*compute units:*' '' devices
t 'each back end is there or says why not' 0 '*cpu*cuda*opencl*' '' devices
t 'devices -v' 0 '*environment:*RADDLE_DEVICE*CUDA_VISIBLE_DEVICES*OCL_ICD_VENDORS*' '' devices -v
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
