# SPDX-License-Identifier: Apache-2.0
# Scheduler bsp: each option and value alone and together, in both launches; wrong values; workers; what is explained.

for launch in discrete persistent; do
    for options in '--push group' '--push warp' '--push lane' '--spread search' '--spread degree' '--spread edge1' \
        '--spread edge2' '--spread edge4' '--spread edge8' '--frontier queue' '--frontier bitmap' \
        '--direction push --push lane --spread degree --frontier bitmap' '--direction pull --frontier bitmap' \
        '--direction auto --push warp --spread edge1 --frontier queue'; do
        # Where a group is one lane there is nothing to spread and there are no warps, which is said.
        case $options in
            *search*) said='' ;;
            *'--push warp --spread'*) said='*option spread does nothing on cpu*option push: a group of 1 lane has no warps on cpu*' ;;
            *'--push warp'*) said='*option push: a group of 1 lane has no warps on cpu; each lane reserves for itself' ;;
            *--spread*) said='*warning: option spread does nothing on cpu: a group is one lane there' ;;
            *) said='' ;;
        esac
        # shellcheck disable=SC2086
        t "bfs --launch $launch $options" 0 "*sched bsp, launch $launch*1 of 1 right*" "$said" bfs kron:9 -v --launch $launch $options
    done
    # Tasks that repeat, in phases, with all options away from their defaults.
    t "sssp --launch $launch, every option" 0 "*sched bsp, launch $launch*1 of 1 right*" '*spread does nothing*' \
        sssp kron:9 -v --launch $launch --push lane --spread degree --frontier bitmap --delta 8
    # A vertex with more edges than a part has.
    t "a big vertex --launch $launch" 0 '*1 of 1 right*' '*spread does nothing*' bfs star:9000 -r 5 -v --launch $launch --spread degree --push warp
done

# A chain that hangs from a hub, and one before it: phases of one task are run together, and become narrow again.
chains() { awk -v n="$1" 'BEGIN { for (v = 0; v < n; v++) print v, v + 1; for (v = n + 1; v < n + 600; v++) { print n, v; print v, n + 1 + v * 7 % 599 } for (v = n + 600; v < 2 * n + 600; v++) print v - 1, v }'; }
hub=150
! slow || hub=50 # where lanes are threads each phase wakes them all
chains $hub > "$scratch/chains.el"
for where in 'cpu --launch discrete' 'cpu:3 --launch persistent' 'cpu:2x4 --launch discrete'; do
    for widen in '' '--widen off' '--widen 1' '--widen 9 --push lane' '--widen 1000000 --delta 1' '--widen 20 --frontier bitmap'; do
        for source in 0 $hub; do
            # shellcheck disable=SC2086
            t "chains, $where, from $source $widen" 0 '*1 of 1 right*' '' sssp "$scratch/chains.el" -s -v -r $source -d $where --sched bsp $widen
        done
    done
done
chains 3000 > "$scratch/long.el"
rounds() { "$raddle" sssp "$scratch/long.el" -s -r 0 -d cpu:2 --json --sched bsp "$@" | head -n 1 | "$json" rounds; }
ok 'wide phases save rounds' test "$(rounds --widen off)" -gt $((10 * $(rounds)))
t 'no width' 2 '' '*widen*' sssp path:9 --widen 0
t 'phases that must be over' 2 '' "*no option '--widen'*" kcore path:9 --widen 5

# An option does what it says: what was pulled and what was planned tell.
pulled() { "$raddle" bfs kron:10 -d cpu --json "$@" | head -n 1 | "$json" pulled; }
planned() { "$raddle" bfs kron:10 -d cpu --dry-run --direction push "$@" | awk '/sets of vertices/ { print $(NF - 2), $(NF - 1), $NF }'; }
same 'pushing only pulls in no round' "$(pulled --direction push)" 0
ok 'pulling only pulls in every round that has many edges' test "$(pulled --direction pull)" -ge 2
same 'and in none of a chain' "$("$raddle" bfs path:500 -d cpu --json --direction pull | head -n 1 | "$json" pulled)" 0
ok 'auto pulls in some round of a dense graph' test "$(pulled --direction auto)" -ge 1
same 'auto does not pull on a sparse graph' "$("$raddle" bfs path:500 -d cpu --json | head -n 1 | "$json" pulled)" 0
same 'a queue needs no set' "$(planned --frontier queue)" ''
ok 'a bitmap needs some' test -n "$(planned --frontier bitmap)"
same 'parents are the same whatever the options' \
    "$("$raddle" bfs kron:8 -d cpu -q -o - --push lane --spread degree 2> /dev/null)" "$("$raddle" bfs kron:8 -d cpu -q -o -)"

# Workers. A CPU's groups are as wide as the device; any --worker from 1 to 1024 is taken.
for lanes in 1 2 33 1024; do
    t "--worker $lanes" 0 '*1 of 1 right*' '' bfs kron:8 -v --sched bsp --worker $lanes
done
t 'wide groups, every option' 0 '*2 groups of 4*1 of 1 right*' '*option push: a group of 4 lanes has no warps*' \
    bfs kron:6 -v -d cpu:2x4 --sched bsp --push warp --spread degree --frontier bitmap --stats
t 'wide groups, one launch' 0 '*2 groups of 3*1 of 1 right*' '*always have four edges in flight*' \
    bfs kron:6 -v -d cpu:2x3 --sched bsp --launch persistent --spread edge8 --stats
# Nested parallelism by degree, each part for itself.
for spread in lane group group,edge1; do
    t "wide groups, spread $spread" 0 '*1 of 1 right*' '*' sssp kron:7 -v -d cpu:2x4 --sched bsp --spread $spread
done
t 'wide groups without warps' 0 '*1 of 1 right*' '*option spread: a group of 4 lanes has no warps on cpu:2x4*' \
    bfs kron:6 -v -d cpu:2x4 --sched bsp --spread group,warp,edge8
t 'a worker of no lanes is the default' 0 '*right*' '' bfs path:9 -v --worker 0
t 'a worker that is too wide' 2 '' '*worker takes a number from 0 to 1024*' bfs path:9 --worker 1025
t 'a worker below nothing' 2 '' '*worker takes a number from 0 to 1024*' bfs path:9 --worker -1
t 'one group' 0 '*1 groups of 1*right*' '' bfs kron:8 -v --sched bsp --groups 1 --stats
t 'more groups than can meet' 2 '' '*cannot be resident*--launch discrete*' bfs kron:8 --sched bsp --launch persistent --groups 4096
t 'more groups than cores, not meeting' 0 '*right*' '' bfs kron:8 -v --sched bsp --launch discrete --groups 64

# Values that are not there, and options that are not bsp's.
t 'an unknown push' 2 '' '*option push takes group|warp|lane, not*block*' bfs path:9 --push block
t 'half a word' 2 '' '*option push takes*' bfs path:9 --push gr
t 'no word' 2 '' '*option push takes*' bfs path:9 --push ''
t 'an unknown spread' 2 '' '*option spread takes search|degree|edge1*, not*edge3*' bfs path:9 --spread edge3
t 'an unknown frontier' 2 '' '*option frontier takes queue|bitmap, not*list*' bfs path:9 --frontier list
for option in '--push warp' '--spread degree' '--frontier bitmap'; do
    # shellcheck disable=SC2086
    t "fifo has no $option" 2 '' "*scheduler fifo has no option '*" bfs path:9 --sched fifo $option
    # shellcheck disable=SC2086
    t "steal has no $option" 2 '' "*scheduler steal has no option '*" bfs path:9 --sched steal $option
done
t 'bsp has no --queue' 2 '' "*scheduler bsp has no option 'queue'*" bfs path:9 --sched bsp --queue an
t 'bsp has no --capacity' 2 '' "*scheduler bsp has no option 'capacity'*" bfs path:9 --sched bsp --capacity 64
t 'bsp has no --deque' 2 '' "*scheduler bsp has no option 'deque'*" bfs path:9 --sched bsp --deque lock
t 'no scheduler has both' 2 '' '*has no option*' bfs path:9 --queue an --deque lock
t 'cc has no --queue' 2 '' '*queue*' cc path:9 --queue an
t 'knapsack has no --push' 2 '' '*push*' knapsack weakly:9 --push lane
# Sweeps, wide groups: scattered vertices, small parts.
for d in cpu:2x4 cpu:2x16 cpu:1x20; do
    for app in pr cc mis mst color; do
        t "$app, scattered, $d" 0 '*right*' '' $app attach:8 --sched bsp --scatter on --span 64 -v -d $d
    done
done
t 'parts are not that small' 2 '' '*span takes*' pr path:9 --span 3
t 'two values at once' 2 '' '*option direction takes auto|push|pull, not *push|pull*' bfs path:9 --direction 'push|pull'
for choice in '--sched fifo|bsp' '--launch discrete|persistent' '--push group|warp' '--frontier queue|bitmap' '--format el|snap'; do
    # shellcheck disable=SC2086
    t "two values at once: $choice" 2 '' "*'${choice#* }'*" bfs path:9 $choice
done
t 'no value' 2 '' '*option direction takes auto|push|pull, not *' bfs path:9 --direction ''
