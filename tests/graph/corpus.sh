#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# corpus.sh RADDLE DATA - files by hand. DATA/bad: each must be refused with the message and exit code in DATA/bad/EXPECTED
# (lines "file<TAB>options<TAB>exit code<TAB>message"). DATA/good: each must read as DATA/good/expected/FILE.mtx says.
# With UPDATE=1 the expectations are written anew; look at the difference before you commit it.
set -u
raddle=$(realpath "$1")
data=$2
failed=0
count=0
. "$(dirname "$0")/../common.sh"
work=$scratch

# Whether this build reads the file: it may lack a library.
can_read() {
    case $1 in
    *.gz) "$raddle" --version | grep -q zlib ;;
    *.zst) "$raddle" --version | grep -q zstd ;;
    *.bz2) "$raddle" --version | grep -q bzip2 ;;
    *.xz) "$raddle" --version | grep -q 'xz' ;;
    esac
}

cd "$data/bad" || exit 1
: > "$work/actual"
for file in *; do
    [ "$file" = EXPECTED ] && continue
    can_read "$file" || continue
    options=
    [ "$file" = content.rdg ] && options=--check
    limit 100 "$raddle" info $options "$file" > "$work/out" 2> "$work/err"
    code=$?
    [ -s "$work/out" ] && echo "$file: printed something on standard output" && failed=1
    printf '%s\t%s\t%s\t%s\n' "$file" "$options" "$code" "$(cat "$work/err")" >> "$work/actual"
    count=$((count + 1))
done
[ "${UPDATE:-}" ] && cp "$work/actual" EXPECTED
while IFS= read -r line; do can_read "${line%%	*}" && printf '%s\n' "$line"; done < EXPECTED > "$work/expected"
diff -u "$work/expected" "$work/actual" || failed=1

# The same from standard input: the same codes, under another name.
for file in *.mtx *.gz *.zst *.bz2 *.xz; do
    can_read "$file" || continue
    limit 100 "$raddle" info - < "$file" > /dev/null 2> "$work/err"
    code=$?
    want=$(awk -F '\t' -v f="$file" '$1 == f { print $3 }' EXPECTED)
    # without its name, a file without a banner may be taken for an edge list
    case $file in no-banner.mtx) continue ;; esac
    [ "$code" = "$want" ] || { echo "$file from standard input: exit code $code, expected $want"; failed=1; }
done

cd ../good || exit 1
mkdir -p expected
for file in *; do
    [ -d "$file" ] && continue
    case $file in *.v | *.properties) continue ;; esac # of the .e file beside it
    can_read "$file" || continue
    for threads in 1 3; do
        limit 100 "$raddle" convert "$file" - --to mtx --threads $threads > "$work/out" 2> "$work/err" ||
            { echo "$file: $(cat "$work/err")"; failed=1; }
        [ "${UPDATE:-}" ] && cp "$work/out" "expected/$file.mtx"
        diff -u "expected/$file.mtx" "$work/out" || failed=1
    done
    count=$((count + 1))
done
[ $failed = 0 ] && echo "corpus: $count files as expected"
exit $failed
