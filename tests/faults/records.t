# SPDX-License-Identifier: Apache-2.0
# Several processes that append records to one file: every line is whole.
lines=$scratch/records.jsonl
writers=''
for writer in 1 2 3 4 5 6 7 8; do
    # Summaries of 100 trials have lines of several KiB, more than a stream's buffer.
    (
        for _ in 1 2 3 4 5; do
            "$raddle" bfs path:50 -q -d cpu:1 -n 100 --json-file "$lines" || echo "$writer" >> "$scratch/failed"
        done
    ) &
    writers="$writers $!"
done
# shellcheck disable=SC2086
wait $writers
ok 'every writer was content' test ! -e "$scratch/failed"
ok 'every line is JSON' "$json" < "$lines"
same 'every record is there' "$("$json" record < "$lines" | sort | uniq -c | tr -s ' \n' ' ')" ' 40 "summary" 4000 "trial" '

# A half line that a killed program left behind does not spoil the next one.
printf '{"half": ' > "$lines"
t 'after half a line' 0 '' '' bfs path:3 -q --json-file "$lines"
same 'the half is alone' "$(head -n 1 "$lines")" '{"half": '
ok 'the others are whole' sh -c 'tail -n +2 "$1" | "$2" record' sh "$lines" "$json"
