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

# Water and land.
printf 'type octile\nheight 2\nwidth 4\nmap\n.WWW\nSGTW\n' > "$scratch/lake.map"
t 'water from water' 0 "$(printf '%s\n' 1 2 3 7)" '' astar "$scratch/lake.map" -r 1,0 -q -o -
t 'not from land' 0 '*there is no path*right*' '' astar "$scratch/lake.map" -r 0,0 -t 1,0 -v
t 'swamp from land' 0 '*cost 20, 2 steps*right*' '' astar "$scratch/lake.map" -r 0,0 -t 1,1 -v
t 'the root of two' 0 '*a path of length 1.41421356, 1 steps*right*' '' astar grid:2x2:0 --diagonal sqrt2 -v

# Scenarios.
maps=tests/data/maps
t 'scenarios' 0 '*13 scenarios, each path as long as published*right*' '' astar $maps/lake.map --scen $maps/lake.scen -v
t 'scenarios, lanes' 0 '*each path as long*1 of 1 right*' '' astar $maps/lake.map --scen $maps/lake.scen -v -d cpu:2x4
t 'scenarios, lengths' 0 '0*5.41421*24.4142*' '' astar $maps/lake.map --scen $maps/lake.scen -q -o -
t 'scenarios, JSON' 0 '*"scenarios": 13, "as_published": 13,*' '' astar $maps/lake.map --scen $maps/lake.scen --json
t 'scenarios of several maps' 0 '*2 scenarios, each path as long as published*right*' '' astar $maps/ford.map --scen $maps/ford.scen -v
sed 's/\t5.41421356/\t5.3/' $maps/lake.scen > "$scratch/wrong.scen"
t 'a length that is not' 0 '*12 of 13 scenarios as long as published; line 3: 5.4142*, published 5.3*' '' \
    astar $maps/lake.map --scen "$scratch/wrong.scen"
t 'proved' 1 '*0 of 1 right*' '*1 of 13 lengths are not as published*line 3*' astar $maps/lake.map --scen "$scratch/wrong.scen" -v
t 'scenarios and a source' 2 '' '*scenarios have sources and targets of their own*' \
    astar $maps/lake.map -r 1,1 --scen $maps/lake.scen
t 'scenarios of another map' 3 '' '*lake.scen:2: for a map of 32 x 20, but * has 4 x 3*' \
    astar "$scratch/grid" --scen $maps/lake.scen
t 'no such scenarios' 3 '' '*nosuch.scen*' astar "$scratch/grid" --scen nosuch.scen

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
