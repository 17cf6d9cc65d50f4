# SPDX-License-Identifier: Apache-2.0
# tools/hunt: draws, keeps what is bad as a case, goes on where it ended, replays. Nothing here depends on times: what
# is bad is decided by limits that all or none exceed.

hunt() { sh tools/hunt --raddle "$raddle" --device cpu --cases "$scratch/cases" --scale 4-5 --seed 3 --time 100 "$@"; }

hunt --count 2 --chosen 1000000 --sibling 1000000 > "$scratch/first" 2>&1
same 'nothing is bad' "$?" 0
same '... two were drawn' "$(grep -c '^good  [a-z]* [a-z0-9]*:.* --seed [0-9]*.*  # .* ms; best .* ms; worst .* ms$' "$scratch/first")" 2
ok '... no case' test ! -e "$scratch/cases"
hunt --count 2 --chosen 0 --sibling 0 --floor 0 > "$scratch/second" 2>&1
same 'everything is bad' "$?" 1
same '... and kept' "$(sed 's/  #.*//' "$scratch/cases")" "$(sed 's/^bad   //; s/  #.*//' "$scratch/second")"
ok '... others than before' sh -c "! grep -qxF \"\$(sed -n '1s/^good  //; 1s/  #.*//p' '$scratch/first')\" '$scratch/cases'"
same 'it knows where it was' "$(cat "$scratch/cases.next")" 4
hunt --replay --chosen 1000000 --sibling 1000000 > "$scratch/third" 2>&1
same 'a replay measures again' "$? $(grep -c ^good "$scratch/third")" '0 2'
rm "$scratch/cases.next"
hunt --count 2 --chosen 1000000 --sibling 1000000 > "$scratch/again" 2>&1
same 'the same draws from the same seed' "$(sed 's/  #.*//' "$scratch/again")" "$(sed 's/  #.*//' "$scratch/first")"
hunt --scale 3 > "$scratch/out" 2>&1
same 'a bad option' "$? $(cat "$scratch/out")" "2 hunt: --scale takes LO-HI such as 10-18, not '3'"
