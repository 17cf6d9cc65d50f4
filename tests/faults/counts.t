# SPDX-License-Identifier: Apache-2.0
# Numbers of threads, groups and lanes that nobody can mean: refused at once, with what is allowed.
for name in cpu:1000000 cpu:4096x4096 cpu:4096x64 cpu:65x64 cpu:99999999999999999999 cpu:0 cpu:2x0 cpu:-1; do
    t "device $name" 2 '' "*'$name' is no CPU device: use cpu, cpu:THREADS (1..4096)*" bfs path:10 -d $name
done
t '--threads 4000000000' 2 '' '*4096*' bfs path:10 --threads 4000000000
t '--threads 4000000000 of gen' 2 '' '*4096*' gen path:10 --threads 4000000000 -o "$scratch/never.el"
t '--groups 4000000000' 2 '' '*option groups takes a number from 0 to 1048576*' bfs path:10 --groups 4000000000
t '--worker 4000000000' 2 '' '*option worker takes a number from 0 to 1024*' bfs path:10 --worker 4000000000
t 'a million groups of one lane' 0 '*' '*' bfs path:10 -d cpu:2 --groups 1000000 --sched bsp
