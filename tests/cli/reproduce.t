# SPDX-License-Identifier: Apache-2.0
# docs/reproduce.md: each command that it has can be run. Suites are asked for their cases, of which there must be some;
# other commands are run, on small inputs.

"$raddle" gen kron:5 -o "$scratch/small.el" > /dev/null 2>&1
grep -o '`raddle [^`]*`' docs/reproduce.md | tr -d '`' | sed 's/ *\\|.*//; s/^raddle //' | sort -u > "$scratch/commands"
ok 'there are commands' test "$(wc -l < "$scratch/commands")" -gt 30
while read -r words; do
    case $words in
        study*) words="study --list" ;; # a study takes hours; study.t has small ones
        progress*) words="progress --list" ;;
        knapsack*) words="knapsack strongly:20:100" ;;
        bench*) words="$words --list" ;;
        ray*) words="$words --size 16x16" ;;
    esac
    words=$(printf '%s\n' "$words" | sed "s|GRAPH|kron:5|g; s|FILE.ppm|$scratch/map.ppm|; s|FILE.png|$scratch/heat.png|; s|SCENE|box|; s|APP|bfs|; s|FILE|$scratch/small.el|; s|cuda:0|cpu|; s|--trace $scratch/small.el|--trace $scratch/trace|")
    eval "set -- $words" # quotes are those of a shell
    t "docs/reproduce.md: $words" 0 '?*' '*' "$@"
done < "$scratch/commands"
