#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh demo|check - installs what `make demo` or `make check` needs and this machine lacks, on Debian and Ubuntu.
# Says what it installs and why. Looks for the thing itself, not for its package, so nothing is installed that is
# there by other means, and nothing at all happens on a machine that has everything.
set -u

goal=${1:-check}
missing=''
required_missing=0

has_command() { command -v "$1" >/dev/null 2>&1; }
has_library() { has_command pkg-config && pkg-config --exists "$1" 2>/dev/null; }
compiles() { # compiles COMPILER FLAGS...: can it build and link a program with them?
    dir=$(mktemp -d) && echo 'int main(void) { return 0; }' > "$dir/a.c"
    "$@" -o "$dir/a" "$dir/a.c" >/dev/null 2>&1
    got=$?
    rm -rf "$dir"
    return $got
}
has_bzip2() { # it has no file for pkg-config on most systems
    for folder in /usr/include /usr/local/include; do [ -e "$folder/bzlib.h" ] && return 0; done
    return 1
}
fuzzes() {
    dir=$(mktemp -d) &&
        echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d == 0 && n; }' > "$dir/a.c"
    clang -fsanitize=fuzzer,address -o "$dir/a" "$dir/a.c" >/dev/null 2>&1
    got=$?
    rm -rf "$dir"
    return $got
}
has_opencl() {
    for icd in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
        [ -e "$icd" ] && { ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null; } | grep -q 'libOpenCL\.so\.1' &&
            return 0
    done
    return 1
}

# need required|wanted PACKAGE WHY PROBE...
need() {
    kind=$1 package=$2 why=$3
    shift 3
    "$@" && return
    echo "setup: $package is missing: $why"
    missing="$missing $package"
    [ "$kind" = required ] && required_missing=1
}

look() {
    missing='' required_missing=0
    # shellcheck disable=SC2086 # a compiler may be several words: CC='ccache gcc'
    need required gcc 'a C compiler' compiles ${CC:-cc}
    need required make 'runs the build' has_command make
    need wanted pkg-config 'finds optional libraries' has_command pkg-config
    [ "$goal" = demo ] && return
    need required gcc 'one of the two compilers the tests build with' compiles gcc
    need required clang 'the other compiler the tests build with' compiles clang
    need required libcmocka-dev 'the unit tests are written with cmocka' has_library cmocka
    need wanted lld 'optional: links the tests in half the time' has_command ld.lld
    need wanted zlib1g-dev 'optional library: reads .gz files' has_library zlib
    need wanted libopenmpi-dev 'optional: ranks over Open MPI' has_command mpicc.openmpi
    need wanted openmpi-bin 'optional: ranks over Open MPI' has_command mpirun.openmpi
    need wanted libmpich-dev 'optional: ranks over MPICH' has_command mpicc.mpich
    need wanted mpich 'optional: ranks over MPICH' has_command mpirun.mpich
    need wanted cmake 'optional: tests that CMake finds the installed library' has_command cmake
    need wanted libpng-dev 'optional library: compresses .png files' has_library libpng
    need wanted libzstd-dev 'optional library: reads .zst files' has_library libzstd
    need wanted liblzma-dev 'optional library: reads .xz files' has_library liblzma
    need wanted libbz2-dev 'optional library: reads .bz2 files' has_bzip2
    need wanted ocl-icd-libopencl1 'the OpenCL loader' has_opencl
    need wanted pocl-opencl-icd 'an OpenCL device on the CPU, to test kernels on' has_opencl
    need wanted "$(clang_runtime)" "clang's fuzzer and sanitizers, for the readers of files" fuzzes
}

# Debian 12 and later have the unversioned package, older Ubuntus ship the runtime with clang itself.
clang_runtime() {
    version=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
    for name in libclang-rt-dev "libclang-rt-${version:-14}-dev" "libclang-common-${version:-14}-dev"; do
        apt-cache show "$name" >/dev/null 2>&1 && { echo "$name"; return; }
    done
    echo libclang-rt-dev
}

look
[ -z "$missing" ] && exit 0

as_root=''
if [ "$(id -u)" != 0 ]; then
    if has_command sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as_root=sudo; else as_root=none; fi
fi
if ! has_command apt-get || [ "$as_root" = none ]; then
    echo "setup: cannot install here (needs apt-get, and root or sudo). Please install by hand:$missing" >&2
else
    export DEBIAN_FRONTEND=noninteractive
    # A fresh machine has no lists of packages. They tell what the runtime of clang is called here, too: look again.
    apt-cache show make >/dev/null 2>&1 || { $as_root apt-get update >/dev/null 2>&1; look >/dev/null; }
    packages=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
    echo "setup: installing: $packages"
    # Lists may be old: fetching them is worth the time only when that keeps a package from being found.
    # shellcheck disable=SC2086
    $as_root apt-get install -y --no-install-recommends $packages >/dev/null 2>&1 ||
        { $as_root apt-get update >/dev/null 2>&1
          $as_root apt-get install -y --no-install-recommends $packages >/dev/null 2>&1; } ||
        for package in $packages; do # one that does not exist here must not keep the others away
            $as_root apt-get install -y --no-install-recommends "$package" >/dev/null 2>&1 ||
                echo "setup: $package could not be installed" >&2
        done
    look
fi
[ -n "$missing" ] && [ $required_missing = 0 ] && echo "setup: going on without:$missing; what needs them is skipped"
if [ $required_missing = 1 ]; then
    echo "setup: cannot go on without:$missing" >&2
    exit 1
fi
exit 0
