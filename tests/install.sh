#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh - installs a copy into a scratch folder and builds the examples against it, as a stranger's program would be:
# shared and static, by pkg-config and by CMake. Then uninstalls and looks for remains.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/common.sh
make=${MAKE:-make}
unset MAKEFLAGS MFLAGS MAKELEVEL

passed=0 failed=0
ok() { # ok NAME COMMAND...
    _name=$1
    shift
    if "$@" > "$scratch/log" 2>&1; then passed=$((passed + 1)); else
        cat "$scratch/log"
        echo "FAILED: $_name"
        failed=$((failed + 1))
    fi
}

refused() { # refused NAME PATTERN COMMAND...: it fails, and says so
    _name=$1 _pattern=$2
    shift 2
    if "$@" > "$scratch/log" 2>&1 || ! grep -q -e "$_pattern" "$scratch/log"; then
        cat "$scratch/log"
        echo "FAILED: $_name"
        failed=$((failed + 1))
    else passed=$((passed + 1)); fi
}

refused 'WITHOUT of an unknown name' "no optional library 'zlip'; there are: zlib zstd bzip2 xz png embree mpi" \
    $make -n WITHOUT='zlib zlip'
refused 'PREFIX with a space' "PREFIX='/opt/my tools' has a space in it" $make -n PREFIX='/opt/my tools' install
refused 'BUILD with a space' "BUILD='my build' has a space in it" $make -n BUILD='my build'
refused 'BUILD of nothing' 'BUILD is empty' $make -n BUILD=

prefix=$scratch/prefix stage=$scratch/stage build=build-gcc
ok install $make -s BUILD=$build CC=gcc WERROR=-Werror PREFIX="$prefix" install
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
ok 'pkg-config finds it' pkg-config --exists raddle
ok 'version agrees' test "$(pkg-config --modversion raddle)" = "$("$prefix/bin/raddle" --version | sed -n 's/^raddle //p')"
ok 'man page' test -s "$prefix/share/man/man1/raddle.1"
ok 'soname' test -L "$prefix/lib/libraddle.so.0" -a -L "$prefix/lib/libraddle.so"

# Own apps from the installed command, in a folder that has nothing of ours; and the headers that kernels include.
mkdir -p "$scratch/files" && cp "$prefix"/share/raddle/examples/own/*.k.c "$scratch/files/"
ok 'an app of the library, installed as an own file' env RADDLE_CACHE_DIR="$OWN_CACHE" "$prefix/bin/raddle" run \
    "$prefix/share/raddle/examples/apps/bfs.k.c" kron:8 -d cpu
devices=cpu
"$prefix/bin/raddle" devices 2>/dev/null | grep '^opencl:0\.0 ' | grep -qv absent && devices='cpu opencl:0.0'
for own in "$scratch"/files/*.k.c; do
    for device in $devices; do # compilers take half the time that way, and are not what is tested
        ok "own app $(basename "$own") on $device" env POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable RADDLE_CC="sh $PWD/tests/unoptimised.sh" \
            RADDLE_CACHE_DIR="$OWN_CACHE" "$prefix/bin/raddle" check "$own" -d $device
    done
done
for model in frontier sweep forkjoin ranked plane dag; do
    printf '%s\n' '#define RD_TASK_WORDS 1' '#define RD_TASK_CHILDREN 1' '#define RD_TASK_JOIN 0' '#define RD_APP_PACK 1' \
        '#define RD_APP_GIVES 1' '#define RD_TASK_RELEASES 1' "#include \"model/$model.k.h\"" > "$scratch/model.c"
    ok "headers of model $model" gcc -std=gnu11 -fsyntax-only -DRD_TARGET_CPU=1 -DRD_CPU_WIDE=0 -DRD_ROUNDS=1 -DRD_URGENT=0 \
        -I"$prefix/include" -I"$prefix/include/raddle" "$scratch/model.c"
done

for example in examples/*.c; do
    [ -e "$example" ] || continue
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046
    ok "$name, shared" gcc -std=c11 -Wall -Wextra -Werror -o "$scratch/$name" "$example" $(pkg-config --cflags --libs raddle)
    ok "$name, shared, runs" env LD_LIBRARY_PATH="$prefix/lib" "$scratch/$name"
    # As README has it, word for word; and where the archive is alone it is what -lraddle means.
    # shellcheck disable=SC2046
    ok "$name, static" gcc -std=c11 -o "$scratch/$name-static" "$example" -l:libraddle.a $(pkg-config --static --cflags --libs raddle)
    ok "$name, static, runs" env -u LD_LIBRARY_PATH "$scratch/$name-static"
    mkdir -p "$scratch/archive" && cp "$prefix/lib/libraddle.a" "$scratch/archive/"
    # shellcheck disable=SC2046
    ok "$name, the archive alone" gcc -std=c11 -o "$scratch/$name-alone" "$example" \
        $(pkg-config --define-variable=libdir="$scratch/archive" --static --cflags --libs raddle)
    ok "$name, the archive alone, runs" "$scratch/$name-alone"
done

# An own app inside a program, which then runs where there is no compiler.
ok 'compiled ahead of time' "$prefix/bin/raddle" compile examples/own/nqueens.k.c -o "$scratch/queens"
# shellcheck disable=SC2046
ok 'compiled ahead of time, builds' gcc -std=c11 -O2 -Wall -Wextra -Werror -o "$scratch/ahead" examples/ahead/ahead.c \
    "$scratch"/queens/*.c $(pkg-config --cflags --libs raddle)
ok 'compiled ahead of time, no compiler' env RADDLE_CC=no-such-cc RADDLE_CACHE_DIR="$scratch/none" \
    LD_LIBRARY_PATH="$prefix/lib" "$scratch/ahead"
sed 's/{0x/{1 + 0x/' "$scratch/queens/queens.c" > "$scratch/other.c" && mv "$scratch/other.c" "$scratch/queens/queens.c"
# shellcheck disable=SC2046
ok 'compiled ahead of time, of another version' gcc -std=c11 -o "$scratch/ahead" examples/ahead/ahead.c "$scratch"/queens/*.c \
    $(pkg-config --cflags --libs raddle)
refused 'compiled ahead of time, of another version: is not used' "the C compiler 'no-such-cc'" env RADDLE_CC=no-such-cc \
    RADDLE_CACHE_DIR="$scratch/none" LD_LIBRARY_PATH="$prefix/lib" "$scratch/ahead"

# The same by CMake, where it is.
if command -v cmake >/dev/null 2>&1; then
    mkdir -p "$scratch/cmake" && cp examples/own.c "$scratch/cmake/"
    cat > "$scratch/cmake/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.13)
project(stranger C)
find_package(Raddle 0.1 REQUIRED)
foreach(kind raddle static)
    add_executable(own-${kind} own.c)
    target_link_libraries(own-${kind} PRIVATE Raddle::${kind})
endforeach()
END
    ok 'CMake finds it' cmake -S "$scratch/cmake" -B "$scratch/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER=gcc
    ok 'CMake builds' cmake --build "$scratch/cmake/build"
    ok 'CMake, shared, runs' "$scratch/cmake/build/own-raddle"
    ok 'CMake, static, runs' "$scratch/cmake/build/own-static"
    sed -i 's/Raddle 0.1 /Raddle 99.1 /' "$scratch/cmake/CMakeLists.txt"
    refused 'CMake: a version that is not there' 'with requested version' \
        cmake -S "$scratch/cmake" -B "$scratch/cmake/other" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER=gcc
else
    echo 'skipped: find_package(Raddle), because there is no cmake'
fi

# Nothing but rd_ is exported: names of ours must not collide with a program's.
others=$(nm -D --defined-only "$prefix/lib/libraddle.so.0" 2>/dev/null | awk '$3 !~ /^rd_[a-z]/ && $2 ~ /[A-Z]/ { print $3 }')
ok "only rd_ is exported ($others)" test -z "$others"
# The headers are C++ too, where a C++ compiler is at hand.
if command -v g++ >/dev/null 2>&1; then
    echo '#include <raddle/fairness.h>
#include <raddle/progress.h>
#include <raddle/litmus.h>
#include <raddle/study.h>
#include <raddle/tool.h>
int main() { return rd_status_exit_code(RD_OK); }' > "$scratch/a.cc"
    # shellcheck disable=SC2046
    ok 'headers in C++' g++ -Wall -Wextra -Werror -o "$scratch/a" "$scratch/a.cc" $(pkg-config --cflags --libs raddle)
fi

ok uninstall $make -s BUILD=$build CC=gcc WERROR=-Werror PREFIX="$prefix" uninstall
ok 'nothing is left' test -z "$(find "$prefix" ! -type d)"
ok 'install with DESTDIR' $make -s BUILD=$build CC=gcc WERROR=-Werror PREFIX=/usr DESTDIR="$stage" install
ok 'DESTDIR is not in raddle.pc' grep -qx 'prefix=/usr' "$stage/usr/lib/pkgconfig/raddle.pc"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
