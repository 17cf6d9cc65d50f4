#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# unused.sh - what is written in src/ and nobody uses: macros, enumerators with a value, fields of structs in headers,
# functions of headers and kernels that nobody calls, and functions of other files that only their own file or nobody calls
# although a header declares them (the compiler finds those that are static). One line each, "place: what"; nothing when all
# is used. Names that macros put together (a##b) and what include/ offers count as used; comments do not, and the
# tests, examples and skeletons do. tests/lint.sh runs it.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/rooms.sh
scratch=$(mktemp -d "${TMPDIR:-/tmp}/raddle-unused.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

${CC:-cc} -std=c11 -o "$scratch/complexity" tools/complexity.c || exit 1
find src -name '*.[ch]' -o -name '*.cu' -o -name '*.def' -o -name '*.fn' | sort > "$scratch/files"
find include tests examples tools/skeleton -name '*.[ch]' -o -name '*.txt' -o -name '*.sh' > "$scratch/others"
code_of < "$scratch/files" | sed 's/"\([^"\\]\|\\.\)*"/""/g' > "$scratch/code"
code_of < "$scratch/others" > "$scratch/used"
grep -E '\.(c|h|cu)$' "$scratch/files" | xargs "$scratch/complexity" | awk '{ print $4, $3 }' > "$scratch/functions"

awk '
    function words(text, here,    word) {
        while (match(text, /[A-Za-z_][A-Za-z_0-9]*/)) {
            word = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            if (here == "") { outside[word] = 1; continue }
            count[word]++
            if (here !~ /\.h$/ || here ~ /\.k\.h$/) { bodies[word]++; if (file[word] != here) { homes[word]++; file[word] = here } }
            else declared[word]++
        }
    }
    # cli_##name##_run: words that begin or end with _ are what they are, the others stand for any.
    function paste(text,    chain, part, n, i, pattern) {
        gsub(/ *## */, "@", text)
        while (match(text, /[A-Za-z_0-9]+@[A-Za-z_0-9@]+/)) {
            chain = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            n = split(chain, part, "@"); pattern = ""
            for (i = 1; i <= n; i++) pattern = pattern (part[i] ~ /^_|_$/ ? part[i] : "[A-Za-z0-9_]+")
            if (chain ~ /(^|@)_|_(@|$)/) pasted["^" pattern "$"] = 1
        }
    }
    function is_pasted(word,    pattern) { for (pattern in pasted) if (word ~ pattern) return 1; return 0 }
    FILENAME ~ /functions$/ { if ($1 !~ /\(/) { n_functions++; function_name[n_functions] = $1; function_at[n_functions] = $2 } next }
    { place = $0; at = index(place, ":"); here = substr(place, 1, at - 1); rest = substr(place, at + 1)
      line = rest; sub(/:.*/, "", line); text = substr(rest, index(rest, ":") + 1) }
    FILENAME ~ /used$/ { words(text, ""); next }
    {
        words(text, here); paste(text)
        if (match(text, /^ *# *define +[A-Za-z_0-9]+/)) {
            name = substr(text, RSTART, RLENGTH); sub(/.* /, "", name); defined[name] = here ":" line
        }
        if (text ~ /(^|[^a-z_])enum( [a-z_0-9]+)? *\{/) in_enum = 1
        if (in_enum && text !~ /^ *#/)
            for (copy = text; match(copy, /[A-Z][A-Z_0-9]+ *=/); copy = substr(copy, RSTART + RLENGTH)) {
                name = substr(copy, RSTART, RLENGTH); sub(/ *=/, "", name); valued[name] = here ":" line
            }
        if (text ~ /\}/) in_enum = 0
        if (here ~ /\.h$/ && text ~ /^    [a-z_0-9A-Z ]+[ *]+[a-z_0-9]+(\[[^()]*\])?; *$/) {
            name = text; sub(/(\[[^()]*\])?; *$/, "", name); sub(/.*[ *]/, "", name); field[name] = here ":" line
        }
    }
    END {
        for (name in defined) if (count[name] == 1 && !(name in outside) && !is_pasted(name)) print defined[name] ": macro " name
        for (name in valued) if (count[name] == 1 && !(name in outside)) print valued[name] ": enumerator " name
        for (name in field) if (count[name] == 1 && !(name in outside)) print field[name] ": field " name
        for (i = 1; i <= n_functions; i++) {
            name = function_name[i]
            if ((name in outside) || is_pasted(name)) continue
            if (function_at[i] ~ /\.h:|\.k\.c:/) { if (count[name] == 1) print function_at[i] ": function " name " is never called" }
            else if (bodies[name] <= 1 && declared[name] == 1) print function_at[i] ": function " name " is never called"
            else if (declared[name] == 1 && homes[name] == 1) print function_at[i] ": function " name " is used by its own file only: make it static"
        }
    }' "$scratch/functions" "$scratch/used" "$scratch/code" | sort
