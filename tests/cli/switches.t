# SPDX-License-Identifier: Apache-2.0
# Switches together: every configuration of the study on a small graph, each result proved. By turns: a part of them each day,
# and all of them with SWITCHES=all (make soak).

frontier='bfs-wl=bfs:direction=push bfs-topo=bfs:direction=push,frontier=bitmap bfs-cx=bfs:claim=take bfs-tp=bfs:claim=apart bfs-hybrid=bfs
sssp-nf=sssp sssp-wl=sssp:delta=4294967294 sssp-topo=sssp:delta=4294967294,frontier=bitmap bc=bc kcore=kcore'
day=$(date +%j)
day=${day#0} day=${day#0}
nth() { # nth N WORD...: counted from 0, around
    shift $(($1 % ($# - 1) + 1))
    echo "$1"
}
all_right() { # all_right NAME FILE OPTION...: a study, of which every point was run and is right
    _name=$1 _file=$scratch/$2
    shift 2
    t "$_name" 0 '' '*' study -q -o "$_file" -g kron:6 -n 4 --no-micro --no-defaults --jobs 1 "$@"
    same "$_name: none was refused" "$(grep -c '"record": "study_point"' "$_file")" "$(grep -c '"status": "ok"' "$_file")"
    ok "$_name: there were some" grep -q '"status": "ok"' "$_file"
}

if [ "${SWITCHES:-}" = all ]; then
    for app in $frontier; do
        case $app in *:*) own=$app,worker=4 ;; *) own=$app:worker=4 ;; esac
        all_right "${app%%=*}, lanes of a core" "cores-${app%%=*}" -d cpu:2x4 -a "$app"
        all_right "${app%%=*}, PoCL" "pocl-${app%%=*}" -d opencl:0.0 -a "$own" --switch coop-cv --switch oitergb --switch wg --switch fg1 --switch fg8
    done
else
    # shellcheck disable=SC2086
    for i in 0 1; do
        ! slow || [ $i = $((day % 2)) ] || continue # half of it is half a part each day
        app=$(nth $((2 * day + i)) $frontier)
        all_right "${app%%=*}, lanes of a core" "cores-$i" -d cpu:2x4 -a "$app"
    done
    # shellcheck disable=SC2086
    app=$(nth "$day" $frontier)
    case $app in *:*) app=$app,worker=4 ;; *) app=$app:worker=4 ;; esac
    if "$raddle" devices | grep -q '^opencl:0.0.*pthread'; then # compiling takes a second each
        slow || all_right "${app%%=*}, PoCL" pocl -d opencl:0.0 -a "$app" --switch "$(nth "$day" coop-cv oitergb wg)" --switch "$(nth "$day" fg1 fg8)"
    fi
fi
