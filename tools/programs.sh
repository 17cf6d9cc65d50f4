#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# programs.sh FOLDER [NAME FILE] - which programs there are. A program is a kernel root (a .k.c) and, when the root includes a model
# (model/NAME.k.h), the kernels of one engine for that model: each line of src/sched/engines.def whose needs the root's
# text meets. Roots without a model are programs by themselves. Names: apps/bfs/bfs.k.c is bfs, apps/pr/push.k.c is
# pr_push, selftest/queue.k.c is selftest_queue; then _TAG of the engine. A line of src/apps/apps.def may name a root once more,
# with constants of its own: ALSO.
#   Writes FOLDER/programs.def: PROGRAM(name, root, engine root, constants), and FOLDER/roots.def: ROOT(name, root,
# model, traits), both for C; FOLDER/args/NAME.h, the kernel arguments of root NAME as its text lists them
# (RD_APP_ARGS) or declares them (an own file, docs/own-tasks.md), for its host side; of own files FOLDER/own/PATH.k.h, what
# goes before their text, as src/apps/own/kernel.c writes it for users' files; FOLDER/vectors.def: VECTOR(name), the programs whose lanes run several tasks in the
# places of vectors (RD_APP_PACK), which the CPU has once more for wider ones; and prints a line "name|root|engine
# root|constants" for each program, for make. Files are written only when they change. With NAME and FILE: only
# FOLDER/args/NAME.h, for a root that is elsewhere.
set -eu
folder=$1
mkdir -p "$folder"

# What a text may say of itself: A|B|C.
known=$(sed -n 's/^TRAIT(\([A-Z_]*\)).*/\1/p' "$(dirname "$0")/../src/model/traits.def" | tr '\n' '|')
known=${known%|}
[ -n "$known" ] || { echo "programs.sh: src/model/traits.def has no traits" >&2 && exit 1; }

# A root that includes another one says the same as that one, and what it says itself.
text_of() {
    cat "$1"
    sed -n 's/^#include "\(.*\.k\.c\)".*/src\/\1/p' "$1" | while read -r other; do text_of "$other"; done
}

# root PATH [NAME CONSTANTS]: its line: name, path, model or "-", traits of text and constants or "-", constants.
root() {
    { [ $# = 1 ] || echo "$3" | tr ' ' '\n' | sed 's/^-D\([A-Z_]*\)=/#define \1 /'; text_of "$1"; } |
        awk -v path="${1#src/}" -v name="${2:-}" -v constants="${3:-}" -v known="^RD_APP_($known)\$" '
            /^#include "model\/[a-z]+\.k\.h"/ { model = $2; gsub(/"model\/|\.k\.h"/, "", model) }
            $1 == "#define" && $2 ~ known {
                trait = tolower($2); sub(/^rd_app_/, "", trait); traits = traits (traits ? "," : "") trait }
            /^RD_SEEDS\(where\)/ { traits = traits (traits ? "," : "") "seeds" }
            END {
                of_path = path; sub(/\.k\.c$/, "", of_path); sub(/^apps\//, "", of_path)
                n = split(of_path, part, "/")
                if (n == 2 && part[1] == part[2]) of_path = part[1]
                gsub("/", "_", of_path)
                print name ? name : of_path, path, model ? model : "-", traits ? traits : "-", constants
            }'
}
also=src/apps/apps.def
[ -r $also ] || also=/dev/null # a folder of roots alone, as in tests
roots() {
    for path in src/*/*.k.c src/*/*/*.k.c; do
        root "$path"
    done
    grep -o 'ALSO([^)]*)' $also | sed -n 's/ALSO(\([a-z_]*\), "\([^"]*\)", "\([^"]*\)")/\1|src\/\2|\3/p' |
        while IFS='|' read -r name path constants; do root "$path" "$name" "$constants"; done
}

# A line for each program: name|root|engine root|constants.
programs() {
    while read -r name path model traits own; do
        if [ "$model" = - ]; then
            echo "$name|$path||$own"
            continue
        fi
        sed -n 's/^\(ENGINE\|VARIANT\)(\([a-z_]*\), "[^"]*", \([a-z]*\), "\([^"]*\)", "\([^"]*\)", "\([^"]*\)").*/\2|\3|\4|\5|\6/p' \
            src/sched/engines.def | while IFS='|' read -r tag of root constants needs; do
            [ "$of" = "$model" ] || continue
            met=1
            for need in $needs; do
                case $need in
                edges) bar=vertex ;; rounds) bar=no_rounds ;; once) bar=repeats ;; early) bar=late ;; loose) bar=due ;;
                ranks) case ",$traits," in *,ranks,*) ;; *) met=0 ;; esac; continue ;;
                *) echo "programs.sh: src/sched/engines.def has a need called '$need'" >&2; exit 1 ;;
                esac
                case ",$traits," in *",$bar,"*) met=0 ;; esac
            done
            [ $met = 0 ] || echo "${name}_$tag|$path|$root|$constants${own:+${constants:+ }$own}"
        done
    done
}

keep() { # keep FILE: standard input, unless it is there already
    cat > "$1.tmp.$$" # of this process alone: two makes may be here at once
    if cmp -s "$1.tmp.$$" "$1"; then rm -f "$1.tmp.$$"; else mv "$1.tmp.$$" "$1"; fi
}

# Which are own files, or include one and have no arguments of their own, and is this one?
owns=" $({ grep -l '^RD_APP(' ${3:+"$3"} src/*/*.k.c src/*/*/*.k.c || true
    grep -l '^#include ".*\.k\.c"' src/*/*.k.c src/*/*/*.k.c | while read -r path; do
        grep -q 'RD_APP_ARGS' "$path" || ! text_of "$path" | grep -q '^RD_APP(' || echo "$path"
    done || true; } | tr '\n' ' ')"
is_own() { case $owns in *" $1 "*) ;; *) false ;; esac; }

# What an own file declares as kernel arguments: a line "buf TYPE NAME" or "arg TYPE NAME" for each, in their order.
declared_in() {
    text_of "$1" | awk '/^RD_[A-Z]+\(/ { on = 1; text = "" }
        on { line = $0; gsub(/"([^"\\]|\\.)*"/, "", line); text = text line; more = text
             if (gsub(/\(/, "", more) != gsub(/\)/, "", more)) next
             on = 0; what = text; sub(/\(.*/, "", what); sub(/^[A-Z_]*\(/, "", text)
             split(text, part, ","); for (i = 1; i <= 2; i++) gsub(/[ ()]/, "", part[i])
             if (what == "RD_OPTION" || what == "RD_SCALAR") print "arg", part[1], part[2]
             if (what == "RD_SOURCE" || what == "RD_STAGES") print "arg rd_u32", part[1]
             if (what == "RD_ARRAY") print "buf", part[1], part[2]
             if (what == "RD_ROWS") print "buf const rd_u64", part[1]
             if (what == "RD_TARGETS" || what == "RD_WEIGHTS") print "buf const rd_u32", part[1] }'
}

# declared_list NAME PREFIX: those lines as a list of arguments.
declared_list() {
    awk -v list="$1" -v prefix="$2" '{ type = NF == 4 ? $2 " " $3 : $2; all = all " " $1 "(" type ", " prefix $NF ")" }
        END { print "#define " list "(buf, arg)" all }'
}

# The arguments of each root with a model: the list in its text, under a name of its own.
arguments_of() { # arguments_of NAME FILE
    echo "/* Generated by tools/programs.sh from $2. */"
    if is_own "$2"; then
        declared_in "$2" | declared_list "$(echo "$1" | tr '[:lower:]' '[:upper:]')_ARGS" ''
        return
    fi
    text_of "$2" | awk -v list="$(echo "$1" | tr '[:lower:]' '[:upper:]')_ARGS" '
        /^#define RD_APP_ARGS\(buf, arg\)/ { on = 1; sub(/RD_APP_ARGS/, list) }
        on { print; if ($0 !~ /\\$/) exit }'
}
arguments() {
    mkdir -p "$folder/args"
    while read -r name path model _ also; do # ALSO: its file's root has them
        [ "$model" = - ] || [ -n "$also" ] || arguments_of "$name" "src/$path" | keep "$folder/args/$name.h"
    done
}

# What goes before an own file: its arguments, under names that no engine has, and the struct with its own names.
before() { # before FILE
    echo "/* Generated by tools/programs.sh from $1. */"
    echo '#include "raddle/kernel.h"'
    ! grep -q '^RD_SEEDS(where)' "$1" || echo '#define RD_APP_SEEDS 1'
    declared_in "$1" | declared_list RD_APP_ARGS rd_own_
    echo 'typedef struct {'
    declared_in "$1" | awk '{ type = NF == 4 ? $2 " " $3 : $2
        print ($1 == "buf" ? "rd_global " type " *" : type " ") $NF ";" }'
    echo '} rd_app;'
}
befores() {
    while read -r _ path _; do
        ! is_own "src/$path" || echo "$path"
    done | while read -r path; do
        mkdir -p "$folder/own/${path%/*}"
        before "src/$path" | keep "$folder/own/${path%.k.c}.k.h"
    done
}

if [ $# = 3 ]; then
    mkdir -p "$folder/args"
    arguments_of "$2" "$3" | keep "$folder/args/$2.h"
    exit
fi
all=$(roots)
list=$(echo "$all" | programs)
echo "$all" | awk 'BEGIN { print "/* Generated by tools/programs.sh. */" }
    { model = $3 == "-" ? "NONE" : toupper($3); traits = "0"
      n = split($4, part, ",")
      for (i = 1; i <= n && $4 != "-"; i++) traits = traits " | RD__TRAIT_" toupper(part[i])
      printf "ROOT(\"%s\", \"%s\", RD__MODEL_%s, %s)\n", $1, $2, model, traits }' | keep "$folder/roots.def"
echo "$list" | awk -F'|' 'BEGIN { print "/* Generated by tools/programs.sh. */" }
    { printf "PROGRAM(%s, \"%s\", \"%s\", \"%s\")\n", $1, $2, $3, $4 }' | keep "$folder/programs.def"
echo "$list" | while IFS='|' read -r name path rest; do
    ! grep -q '^#define RD_APP_PACK ' "src/$path" || echo "VECTOR($name)"
done | awk 'BEGIN { print "/* Generated by tools/programs.sh. */" } { print }' | keep "$folder/vectors.def"
echo "$all" | arguments
for file in "$folder"/own/*/*/*.k.h; do # of files that are no more
    path=src/${file#"$folder"/own/}
    is_own "${path%.k.h}.k.c" || rm -f "$file"
done
echo "$all" | befores
echo "$list"
