# SPDX-License-Identifier: Apache-2.0
# tests/gpu/sanitize.sh, with a program in place of the sanitizer: what is clean, what is not, and that it goes on later.

cat > "$scratch/tool" << 'END'
#!/bin/sh
# --tool T --error-exitcode N COMMAND...
[ "$1 $3" = '--tool --error-exitcode' ] || exit 3
case "$2 $*" in
racecheck*crew/tasks*) echo '========= a hazard'; exit "$4" ;;
synccheck*crew/tasks*) exit 124 ;; # as timeout ends it
memcheck*crew/barrier*) exit 7 ;;
esac
shift 4
exec "$@"
END
chmod +x "$scratch/tool"
sanitize() { env DEVICE=cpu SANITIZER="$scratch/tool" UNITS= ONLY='crew/tasks crew/barrier' "$@" \
    sh tests/gpu/sanitize.sh "$raddle" "$scratch/sanitizers.jsonl" 2>&1; }
said() { sed 's/, [0-9]* s$//' | sort | tr '\n' ';'; }
same 'all kinds of ends' "$(sanitize | said)" '6 of 6 begun;========= a hazard;memcheck crew/barrier: failed;memcheck crew/tasks: clean;racecheck crew/barrier: clean;racecheck crew/tasks: errors;synccheck crew/barrier: clean;synccheck crew/tasks: unfinished;'
same 'a record of each' "$(sed 's/.*"tool": "\([a-z]*\)", "case": "\([a-z/]*\)", "status": "\([a-z]*\)", "seconds": [0-9]*, "device": "cpu", "units": 0, .*/\1 \2 \3/' "$scratch/sanitizers.jsonl" | sort | tr '\n' ';')" \
    'memcheck crew/barrier failed;memcheck crew/tasks clean;racecheck crew/barrier clean;racecheck crew/tasks errors;synccheck crew/barrier clean;synccheck crew/tasks unfinished;'
same 'what is clean is left out, the unfinished come last' "$(sanitize JOBS=1 TOOLS='synccheck memcheck' | sed 's/, [0-9]* s$//' | tr '\n' ';')" \
    'memcheck crew/barrier: failed;synccheck crew/tasks: unfinished;2 of 2 begun;'
same 'the status says it' "$(sanitize TOOLS=racecheck > /dev/null; echo $?) $(sanitize TOOLS=synccheck ONLY=crew/barrier AGAIN=1 > /dev/null; echo $?)" '1 0'
same 'no time' "$(sanitize SECONDS_IN_ALL=0)" '0 of 3 begun'
same 'no tool' "$(sanitize SANITIZER=no-such-tool; echo $?)" 'sanitize: no-such-tool was not found; it comes with the CUDA toolkit
3'
ok 'no program' sh -c "! sh tests/gpu/sanitize.sh '$scratch/none' '$scratch/x' 2> '$scratch/err' && grep -q 'is no program' '$scratch/err'"
same 'one case of the self-test' "$("$raddle" selftest --list -d cpu --filter =models/frontier)" models/frontier
t 'no such case' 2 '' '*=models*' selftest -d cpu --filter =models
