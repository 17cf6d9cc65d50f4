# SPDX-License-Identifier: Apache-2.0
# raddle astar: right answers, unreachable targets, every error path.

printf '....\n.##.\n....\n' > "$scratch/grid"
t 'a path' 0 "$(printf '%s\n' 0 1 2 3 7)" '' astar "$scratch/grid" -t 3,1 -q -o -
t 'corners' 0 '*1 reachable,*44 cost*right*' '' astar "$scratch/grid" --cut-corners -v --stats
t 'a report' 0 '*, sched *1 reachable,** cost,*steps,*cells needed*right*' '' astar grid:60x40:0.1 -v --stats
t 'source and target' 0 '*20 cost*right*' '' astar "$scratch/grid" -r 1,2 -t 3,2 -v --stats
t 'source is target' 0 '*0 cost,*0 steps*right*' '' astar "$scratch/grid" -r 1,2 -t 1,2 -v --stats
printf '.#.\n' > "$scratch/cut"
t 'unreachable' 0 '*0 reachable*right*' '' astar "$scratch/cut" -v --stats
printf 'type octile\nheight 2\nwidth 3\nmap\n.T.\n.G@\n' > "$scratch/city.map"
t 'a map' 0 '*1 reachable,*20 cost*right*' '' astar "$scratch/city.map" -r 0,0 -t 1,1 -v --stats
t 'several lanes' 0 '*right*' '' astar grid:30x30:0.3 -d cpu:2x4 -v
t 'several trials' 0 '*3 of 3 right*' '' astar grid:30x30:0.3 --seed 3 -v -n 3

# Errors.
t 'no GRID' 2 '' '*GRID is missing*' astar
t 'a wall as source' 2 '' '*source 1,1 is a wall*' astar "$scratch/grid" -r 1,1
t 'outside' 2 '' '*target 4,0 is outside the grid: columns 0 to 3, rows 0 to 2*' astar "$scratch/grid" -t 4,0
t 'no place' 2 '' "*source 'x' is not of the form X,Y*" astar "$scratch/grid" -r x
t 'half a place' 2 '' "*source '1,' is not of the form X,Y*" astar "$scratch/grid" -r 1,
printf '...\n.x.\n' > "$scratch/odd"
t 'an odd cell' 3 '' '*odd:2: column 2 is neither open nor a wall*' astar "$scratch/odd"
printf '###\n' > "$scratch/walls"
t 'walls only' 3 '' '*every cell is a wall*' astar "$scratch/walls"
t 'a grid too large' 2 '' '*is too large*' astar grid:100000x100000
