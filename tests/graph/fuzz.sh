#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh BUILD DATA [RUNS] - builds a libFuzzer target for every reader with clang, ASan and UBSan, and gives each a bounded number of inputs,
# starting from the files in DATA and from inputs that once failed (tests/fuzz/found). A new failure is kept in BUILD/fuzz/found: move it to
# tests/fuzz/found when it is mended.
set -u
# The target counts its allocations itself; looking for leaks again at the end of each process takes seconds on some machines.
export ASAN_OPTIONS=detect_leaks=0
build=$1
data=$2
runs=${3:-3000}
clang=${CLANG:-clang}
command -v "$clang" > /dev/null || { echo "fuzz: skipped, there is no clang"; exit 0; }
mkdir -p "$build/fuzz/found" "$build/fuzz/seeds"
flags="-std=c11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Iinclude -Isrc -pthread"
libs="-lm -pthread"
for feature in zlib:zlib zstd:libzstd; do
    if pkg-config --exists "${feature#*:}" 2> /dev/null; then
        flags="$flags -DRD_WITH_${feature%:*}=1 $(pkg-config --cflags "${feature#*:}")"
        libs="$libs $(pkg-config --libs "${feature#*:}")"
    fi
done
# objects are as new as the newest header, or made again
[ -e "$build/fuzz/made" ] && [ -z "$(find src include -name '*.h' -newer "$build/fuzz/made")" ] || rm -f "$build"/fuzz/*.o
: > "$build/fuzz/made"
objects=
for source in src/core/*.c src/graph/*.c src/graph/*/*.c; do
    case $source in *build_info.c) continue ;; esac
    object=$build/fuzz/$(echo "$source" | tr / _).o
    objects="$objects $object"
    [ "$object" -nt "$source" ] || "$clang" $flags -c -o "$object" "$source" || exit 1
done
cp "$data"/good/* "$data"/bad/* tests/fuzz/found/* "$build/fuzz/seeds/" 2> /dev/null
failed=0
for format in auto rdg mtx gr col metis snap wel el sg wsg egr; do
    name="\"$format\""
    [ $format = auto ] && name=NULL
    target=$build/fuzz/fuzz_$format
    "$clang" $flags "-DFUZZ_FORMAT=$name" -fsanitize=fuzzer -o "$target" tests/fuzz/fuzz_read.c $objects $libs || exit 1
    mkdir -p "$build/fuzz/corpus_$format"
    if "$target" -runs="$runs" -max_total_time="${SECONDS_EACH:-60}" -max_len=2000 -timeout=600 -rss_limit_mb=2000 -verbosity=0 -print_final_stats=0 \
        -artifact_prefix="$build/fuzz/found/$format-" "$build/fuzz/corpus_$format" "$build/fuzz/seeds" > "$build/fuzz/$format.log" 2>&1; then
        echo "fuzz: $format, no failure"
    else
        echo "fuzz: $format FAILED; see $build/fuzz/$format.log"
        tail -n 30 "$build/fuzz/$format.log"
        failed=1
    fi
done
exit $failed
