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

# Each figure and table of the five documents is in a line of its part: FIGURES; TABLES as they number them.
listed() { # listed PART: "figure 3.1" a line, of what the first column of that part has; "3.1 to 3.4" is four of them
    awk -v part="$1" '
        function say(number) { sub(/a$/, "", number); print kind, number }
        /^## / { at = index($0, part) }
        at && /^\| (figure|table)/ {
            sub(/^\| /, ""); sub(/ \|.*/, ""); gsub(/,/, ""); count = split($0, word, " ")
            for (i = 1; i <= count; i++) {
                if (word[i] ~ /^(figure|table)s?$/) { kind = word[i]; sub(/s$/, "", kind) }
                else if (word[i] == "to") {
                    chapter = word[i - 1]; sub(/[^.]*$/, "", chapter); from = substr(word[i - 1], length(chapter) + 1)
                    for (n = from + 1; n <= substr(word[i + 1], length(chapter) + 1) + 0; n++) say(chapter n)
                } else if (word[i] ~ /^[0-9B]/) say(word[i])
            }
        }' docs/reproduce.md | sort -u
}
wanted() { # wanted KIND CHAPTER LAST: 1 to LAST of a chapter
    n=0
    while [ "$n" -lt "$3" ]; do n=$((n + 1)); echo "$1 $2$n"; done
}
complete() { sort -u "$scratch/wanted" | diff - "$scratch/listed"; }
all() { listed "$1" > "$scratch/listed"; ok "docs/reproduce.md has all of: $1" complete; }

{ wanted figure 3. 3; wanted figure 4. 1; wanted figure 6. 2; wanted figure 7. 10; wanted figure 8. 2
  wanted table 6. 2; wanted table 7. 2; wanted table 8. 2; } > "$scratch/wanted"
all Troendle
{ wanted figure '' 4; wanted table '' 4; } > "$scratch/wanted"
all Atos
{ wanted figure 2. 11; wanted figure 3. 7; wanted figure 5. 4; wanted table 5. 5; } > "$scratch/wanted"
all Huang
{ wanted figure 2. 1; wanted figure 3. 10; wanted figure 4. 14; wanted figure B. 1; wanted table 3. 2; wanted table 4. 2; } > "$scratch/wanted"
all 'Work stealing'
{ wanted figure 2. 1; wanted figure 3. 11; wanted figure 4. 8; wanted figure 5. 7; wanted figure 6. 4
  wanted table 2. 2; wanted table 3. 4; wanted table 4. 10; wanted table 5. 6; wanted table 6. 2; } > "$scratch/wanted"
all Sorensen

# What it says of the study on the H200 is what the records say.
"$raddle" study results/h200/study-*.jsonl > "$scratch/study" 2>&1
over() { awk -v known="$1" '$1 == known && NF == 5 { printf "%.2f\n", $5 }' "$scratch/study"; }
says=$(awk '/ points: / { points = $1; if (points >= 1000) points = int(points / 1000) "," substr(points, length(points) - 2)
                          print points " points (`results/h200/study-*.jsonl`)" }' "$scratch/study")
says="$says: baseline $(over baseline), one set for all $(over global), by device and app $(over device+app)"
says="$says, what apps choose by themselves $(awk '/^what apps choose/ { printf "%.2f", $6 }' "$scratch/study")"
says="$says; $(awk '/ configurations beside none; / { print $5 " of " $1 " configurations slow nothing down" }' "$scratch/study")"
ok "docs/reproduce.md: $says" grep -qF "$says" docs/reproduce.md
