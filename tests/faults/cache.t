# SPDX-License-Identifier: Apache-2.0
# The cache of compiled kernels holds code: what others could have put there is not run. Own apps on the CPU fill it here;
# tests/unit/test_cache.c has the rules one by one.
cache=$scratch/kernels
if command -v cc > /dev/null; then
    export RADDLE_CC="sh tests/unoptimised.sh" # it is compiled a dozen times
    cached() { # cached NAME STDERR: a verified run with this cache
        RADDLE_CACHE_DIR=$cache t "$1" 0 '*right*' "$2" run examples/own/fib.k.c --n 12 -v
    }
    # at_once NUMBER NAME COMMAND...: so many, nothing there yet
    at_once() {
        _number=$1 _name=$2
        shift 2
        rm -f "$scratch"/once.?
        i=0
        while [ $i -lt "$_number" ]; do
            "$@" > "$scratch/once.$i" 2>&1 &
            i=$((i + 1))
        done
        wait
        same "$_name" "$(grep -L right "$scratch"/once.? | xargs -r cat)" ''
    }
    RADDLE_CACHE_DIR=$cache
    export RADDLE_CACHE_DIR
    at_once 8 'eight at once on a cold cache are right' "$raddle" run examples/own/fib.k.c --n 12 -v -d cpu
    if "$raddle" devices 2> /dev/null | grep -q '^opencl:0.0 '; then # PoCL's own cache then; what is compiled does not matter
        mkdir "$scratch/pocl-cold"
        at_once 3 'three at once on OpenCL are right' env POCL_CACHE_DIR="$scratch/pocl-cold" \
            POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable "$raddle" bfs kron:8 -v -d opencl:0.0 --sched bsp
    fi
    same 'they leave no unfinished entry' "$(find "$cache" -name '.new-*' | wc -l)" 0
    same 'the folder is private' "$(stat -c %a "$cache")" 700
    same 'entries are private' "$(find "$cache" -type f -perm /077 | wc -l)" 0
    entries() { find "$cache" -type f; }
    cached 'a warm cache' ''
    ok 'there are entries' test "$(entries | wc -l)" -gt 0

    for entry in $(entries); do printf x | dd of="$entry" bs=1 seek=200 conv=notrunc 2> /dev/null; done
    cached 'a damaged entry' '*ignored and rebuilt: it is damaged*'
    cached 'it was rebuilt' ''
    for entry in $(entries); do truncate -s 100 "$entry"; done
    cached 'a truncated entry' '*ignored and rebuilt: it is damaged*'
    for entry in $(entries); do chmod g+w "$entry"; done
    cached 'an entry others may write to' '*ignored and rebuilt: others may write to it*'
    cached 'it was replaced' ''
    if [ "$(id -u)" = 0 ]; then
        for entry in $(entries); do chown 12345 "$entry"; done
        cached 'an entry of another user' '*ignored and rebuilt: it belongs to another user*'
        cached 'it is ours again' ''
    fi
    for entry in $(entries); do mv "$entry" "$scratch/moved"; ln -s "$scratch/moved" "$entry"; done
    cached 'an entry that is a link' '*ignored and rebuilt: it is a link*'
    for entry in $(entries); do rm "$entry"; mkfifo "$entry"; done
    cached 'an entry that is a FIFO' '*ignored and rebuilt: it is no plain file*'

    chmod g+w "$cache"
    cached 'a folder others may write to' '*is not used: others may write to it*'
    chmod 700 "$cache"
    if [ "$(id -u)" = 0 ]; then
        chown 12345 "$cache"
        cached 'a folder of another user' '*is not used: it belongs to another user*'
        chown 0 "$cache"
    fi
    mv "$cache" "$cache.real"
    ln -s "$cache.real" "$cache"
    cached 'a folder that is a link' '*is not used: it is a link*'
    rm "$cache"
    echo > "$cache"
    cached 'a file in its place' '*is not used: it is a link, or no folder*'
    unset RADDLE_CACHE_DIR RADDLE_CC
fi
