#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sanitize.sh RADDLE RECORD - compute-sanitizer over the cases of the self-test, each case under each tool in a process of
# its own; a line of JSON for each goes to RECORD. What RECORD has as clean is left out, or with AGAIN comes at the very
# end, and what had not ended comes after what is new: so a long list is done in as many goes as it takes. Kernels run
# hundreds of times slower there; hence one repeat, and a device as if it had few units.
#
#   SECONDS_IN_ALL=600   begin nothing after so long   JOBS=8       side by side
#   SECONDS_EACH=120     for one case                  DEVICE=cuda:0  UNITS=4, or none: UNITS=
#   TOOLS="memcheck racecheck synccheck"               AGAIN=1      those that are clean too
#   ONLY="PATTERN ..."   cases, as the shell matches   SANITIZER=compute-sanitizer
#
# Prints a line for each. Exit status: 0 all that were begun are clean, 1 some are not, 2 usage, 3 no tool.
set -u
[ $# = 2 ] || { sed -n '4,14s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
raddle=$1 record=$2 sanitizer=${SANITIZER:-compute-sanitizer} device=${DEVICE:-cuda:0} units=${UNITS-4}
[ -x "$raddle" ] || { echo "sanitize: $raddle is no program; build it first" >&2 && exit 2; }
command -v "$sanitizer" > /dev/null || { echo "sanitize: $sanitizer was not found; it comes with the CUDA toolkit" >&2 && exit 3; }
. "$(dirname "$0")/../workers.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-sanitize.XXXXXX") || exit 3
trap 'rm -rf "$scratch"' EXIT
trap 'kill $(jobs -p) 2> /dev/null; exit 130' INT TERM
until=$(($(date +%s) + ${SECONDS_IN_ALL:-600}))
touch "$record" || exit 2

# A pair is "tool case". The last line of the record about it counts.
said() { # said TOOL CASE: clean, errors, failed, unfinished or nothing
    sed -n "s|^{\"tool\": \"$1\", \"case\": \"$2\", \"status\": \"\([a-z]*\)\".*|\1|p" "$record" | tail -n 1
}
wanted() { # wanted CASE
    [ -n "${ONLY:-}" ] || return 0
    for _pattern in $ONLY; do
        # shellcheck disable=SC2254
        case $1 in $_pattern) return 0 ;; esac
    done
    return 1
}
: > "$scratch/first" && : > "$scratch/last" && : > "$scratch/again"
for tool in ${TOOLS:-memcheck racecheck synccheck}; do
    "$raddle" selftest --list -d cpu > "$scratch/cases" || exit 2
    while read -r case; do
        wanted "$case" || continue
        case $(said "$tool" "$case") in
        clean) [ "${AGAIN:-0}" = 0 ] || echo "$tool $case" >> "$scratch/again" ;;
        unfinished) echo "$tool $case" >> "$scratch/last" ;;
        *) echo "$tool $case" >> "$scratch/first" ;;
        esac
    done < "$scratch/cases"
done
cat "$scratch/first" "$scratch/last" "$scratch/again" > "$scratch/pairs"
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD 2> /dev/null || echo unknown)

one() { # one NUMBER TOOL CASE: an exit status that the tool alone has says that it found something
    _begun=$(date +%s)
    timeout -k 5 "${SECONDS_EACH:-120}" "$sanitizer" --tool "$2" --error-exitcode 99 "$raddle" selftest -q -d "$device" \
        --filter "=$3" --repeats 1 ${units:+--units "$units"} > "$scratch/log.$1" 2>&1
    case $? in
    0) _status=clean ;;
    99) _status=errors ;;
    124 | 137) _status=unfinished ;;
    *) _status=failed ;;
    esac
    # one write: lines of several at once stay whole
    printf '{"tool": "%s", "case": "%s", "status": "%s", "seconds": %d, "device": "%s", "units": %d, "git_commit_sha": "%s"}\n' \
        "$2" "$3" $_status $(($(date +%s) - _begun)) "$device" "${units:-0}" "$commit" >> "$record"
    echo "$2 $3: $_status, $(($(date +%s) - _begun)) s"
    case $_status in
    errors | failed)
        grep -v '^=========  *Host Frame' "$scratch/log.$1" | head -n 40
        : > "$scratch/bad"
        ;;
    esac
    rm -f "$scratch/log.$1"
}

# Workers take the next pair: a folder that can be made once is whose it is.
work() {
    _number=0
    while read -r _tool _case <&3; do
        _number=$((_number + 1))
        [ "$(date +%s)" -lt $until ] || break
        mkdir "$scratch/taken.$_number" 2> /dev/null || continue
        one $_number "$_tool" "$_case"
    done 3< "$scratch/pairs"
}
by_workers "${JOBS:-8}" work
wait
begun=$(find "$scratch" -name 'taken.*' | wc -l) all=$(wc -l < "$scratch/pairs")
echo "$begun of $all begun"
[ ! -e "$scratch/bad" ]
