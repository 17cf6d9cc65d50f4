# throw-away
set -x
d=$(mktemp -d); echo libnvidia-opencl.so.1 > $d/nvidia.icd; export OCL_ICD_VENDORS=$d
export RADDLE_CACHE_DIR=/tmp/rc
time make -s -j16 2>&1 | tail -5
R=build/raddle
$R --version
timeout 30 $R devices
for dev in cuda:0 opencl:0.0 cpu; do timeout 100 $R selftest -d $dev --repeats 300 2>&1 | cut -c1-300 | tail -15; done
$R gen kron:20 -o /tmp/k.rdg; $R gen road:2048x2048:0.65 -o /tmp/r.rdg
for dev in cuda:0 opencl:0.0 cpu; do for g in /tmp/k.rdg /tmp/r.rdg; do timeout 100 $R bfs $g -v -n 7 -d $dev 2>&1 | grep -E "trial|run:|summ|medi|wrong|error|raddle" | cut -c1-200; done; done
for w in 128 256 512 1024; do for g in /tmp/k.rdg /tmp/r.rdg; do echo w $w; timeout 60 $R bfs $g -n 5 -d cuda:0 --worker $w 2>&1 | grep -E "trial 5|run:"; done; done
for gr in 132 264 528; do for g in /tmp/k.rdg /tmp/r.rdg; do echo groups $gr; timeout 60 $R bfs $g -n 5 -d cuda:0 --groups $gr 2>&1 | grep -E "trial 5|run:"; done; done
