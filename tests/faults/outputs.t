# SPDX-License-Identifier: Apache-2.0
# Output files: links, modes, names that cannot be written, and outputs that are other things than files.
here=$scratch/outputs
mkdir "$here"
mode() { stat -c %a "$1"; }
depths=$(printf '1\n0\n1')

# ---- Links are written through, and a file keeps its mode ----
"$raddle" gen path:3 -o "$here/real.el" > "$scratch/ok"
ln -s real.el "$here/link.el"
chmod 600 "$here/real.el"
t 'a link as output of gen' 0 '*' '' gen path:4 -o "$here/link.el"
ok 'a link stays a link' test -L "$here/link.el"
same 'what it leads to was written' "$(wc -l < "$here/real.el")" 6
same 'a file keeps its mode' "$(mode "$here/real.el")" 600
printf 'old\n' > "$here/depths"
chmod 640 "$here/depths"
ln -s depths "$here/depths.link"
t 'a link as output of an app' 0 '' '' bfs path:3 -q -o "$here/depths.link"
ok 'it stays a link too' test -L "$here/depths.link"
same 'depths behind a link' "$(cat "$here/depths")" "$depths"
same 'they keep the mode' "$(mode "$here/depths")" 640
ln -s ../outputs/link.to.come "$here/a.link"
ln -s a.link "$here/b.link"
t 'links to a file yet to be' 0 '' '' bfs path:3 -q -o "$here/b.link"
same 'the file is made where they lead' "$(cat "$here/link.to.come")" "$depths"
ln -s loop "$here/loop"
t 'a link to itself' 3 '' '*loop: cannot be written: Too many levels of symbolic links' bfs path:3 -q -o "$here/loop"
(
    umask 027
    "$raddle" bfs path:3 -q -d cpu -o "$here/new"
)
same 'a new file has the mode that umask leaves' "$(mode "$here/new")" 640
printf '0 7\n' > "$here/s.txt"
printf 'old\n' > "$here/ids"
chmod 604 "$here/ids"
ln -s ids "$here/ids.link"
t 'a link for --ids' 0 '*' '' convert "$here/s.txt" "$here/s.rdg" --ids "$here/ids.link"
same 'ids behind a link' "$(cat "$here/ids" && mode "$here/ids" && readlink "$here/ids.link")" "$(printf '0\n7\n604\nids')"
printf 'old\n' > "$here/flake.ppm"
chmod 600 "$here/flake.ppm"
t 'a picture keeps the mode' 0 '' '' ray box:6 -q --size 8x8 -o "$here/flake.ppm"
same 'of the picture before it' "$(mode "$here/flake.ppm")" 600
ln -s lines.jsonl "$here/lines.link"
t 'a link for --json-file' 0 '' '' bfs path:3 -q --json-file "$here/lines.link"
ok 'records behind a link' sh -c 'test -L "$1.link" && "$2" record < "$1.jsonl"' sh "$here/lines" "$json"
if [ "$(id -u)" = 0 ]; then
    chown 12345:54321 "$here/depths"
    t 'the file of another user' 0 '' '' bfs path:3 -q -o "$here/depths"
    same 'stays the other user'\''s' "$(stat -c '%u:%g %a' "$here/depths")" '12345:54321 640'
fi

# ---- Standard output by its other names ----
"$raddle" bfs path:3 -q -d cpu -o /dev/stdout > "$here/stdout"
same '-o /dev/stdout >file' "$(cat "$here/stdout")" "$depths"
ok '/dev/stdout is still there' test -L /dev/stdout
{
    echo first
    "$raddle" gen path:2 -o /dev/fd/1 --to el
    "$raddle" bfs path:3 -q -d cpu -o /proc/self/fd/1
    echo last
} > "$here/stdout"
same 'it goes on where others stopped' "$(tr '\n' ' ' < "$here/stdout")" 'first 0 1 1 0 1 0 1 last '
t 'the report makes room' 0 "$depths" 'answer: *' bfs path:3 -o /dev/stdout
"$raddle" bfs path:3 -q -d cpu -o /dev/fd/7 7> "$here/seven"
same 'any descriptor' "$(cat "$here/seven")" "$depths"
same 'into a pipe' "$("$raddle" bfs path:3 -q -d cpu -o /dev/fd/1 | cat)" "$depths"
mkfifo "$here/fifo"
cat "$here/fifo" > "$here/read" &
t 'a named pipe' 0 '' '' bfs path:3 -q -o "$here/fifo"
wait $!
same 'a reader gets it all' "$(cat "$here/read")" "$depths"
ok 'it is still a pipe' test -p "$here/fifo"
t 'a device' 0 '' '' bfs path:3 -q -o /dev/null
ok 'it is still a device' test -c /dev/null

# ---- Names that cannot be written: said before the work, nothing touched ----
t 'a folder' 3 '' "*outputs: cannot be written: it is a folder; name a file in it" bfs kron:22 -o "$here"
t 'a folder by its slash' 3 '' "*outputs/: cannot be written: it is a folder*" gen kron:22 -o "$here/" --to el
t 'a folder for --json-file' 3 '' "*outputs: cannot be written: it is a folder*" bfs path:3 -q --json-file "$here"
t 'no such folder' 3 '' "*nowhere/x: cannot be written: its folder *nowhere': No such file or directory" bfs kron:22 -o "$here/nowhere/x"
t 'a file as a folder' 3 '' "*new/x: cannot be written: its folder *new': Not a directory" bfs kron:22 -o "$here/new/x"
t 'a link into nowhere' 3 '' '*void: cannot be written: its folder *' bfs path:3 -q -o "$(ln -s nowhere/x "$here/void" && echo "$here/void")"
t 'no name' 2 '' '*no output file was named' bfs path:3 -o ''
long=$(printf '%0300d' 0)
t 'a name that is too long' 3 '' '*cannot be written: File name too long' bfs path:3 -q -o "$here/$long"
long=$(printf '%0250d' 0)
t 'the longest names' 0 '' '' bfs path:3 -q -o "$here/$long"
t 'ids over the graph' 2 '' '*two outputs go to *' convert "$here/s.txt" "$here/both.rdg" --ids "$here/both.rdg"
t 'ids over the graph, through a link' 2 '' '*two outputs go to *' convert "$here/s.txt" "$here/ids" --to el --ids "$here/ids.link"
t 'depths over the records' 2 '' '*two outputs go to *' bfs path:3 -o "$here/x" --json-file "$here/x"
if [ "$(id -u)" = 0 ] && command -v setpriv > "$scratch/ok"; then
    user() { setpriv --reuid 12345 --regid 12345 --clear-groups env RADDLE_DEVICE=cpu XDG_CACHE_HOME=/nowhere "$@"; }
    chmod 711 "$scratch" "${scratch%/*}"
    cp "$raddle" "$scratch/raddle" # the build may be in a folder that others may not enter
elif [ "$(id -u)" != 0 ]; then
    user() { env RADDLE_DEVICE=cpu "$@"; }
    cp "$raddle" "$scratch/raddle"
fi
if [ -x "$scratch/raddle" ]; then # a user whom permissions bind
    mkdir -m 777 "$here/open"
    user sh -c 'umask 022; echo old > "$1/kept"; chmod 444 "$1/kept"' sh "$here/open"
    user "$scratch/raddle" bfs path:3 -q -o "$here/open/kept" 2> "$scratch/err"
    same 'a file that is not to be written: status' $? 3
    ok 'a file that is not to be written: message' grep -q 'kept: cannot be written: Permission denied' "$scratch/err"
    same 'a file that is not to be written: is not' "$(cat "$here/open/kept")" old
    user mkdir -m 555 "$here/open/shut"
    user "$scratch/raddle" gen path:3 -o "$here/open/shut/x.el" 2> "$scratch/err"
    same 'a folder that is not to be written: status' $? 3
    ok 'a folder that is not to be written: message' \
        grep -q 'x.el: cannot be written: no new file can be made in its folder.*Permission denied' "$scratch/err"
    user mkdir -m 300 "$here/open/blind"
    user "$scratch/raddle" bfs path:3 -q -o "$here/open/blind/x" 2> "$scratch/err"
    same 'a folder that cannot be listed will do' "$? $(cat "$scratch/err")" '0 '
fi

# ---- The input as output ----
"$raddle" gen path:9 -o "$here/self.rdg" > "$scratch/ok"
before=$(cksum < "$here/self.rdg")
t 'a graph over itself' 0 '*9 vertices*' '' convert "$here/self.rdg" "$here/self.rdg"
same 'it is the same graph' "$(cksum < "$here/self.rdg")" "$before"
t 'its checksum is right' 0 '*vertices     9*' '' info --check "$here/self.rdg"

same 'no temporary file is left' "$(find "$here" -name '*.tmp')" ''

# ---- What cannot be written is said before the work, not after it: no report on standard output ----
t 'a file system where nothing can be made' 3 '' '*/proc/raddle-test: cannot be written: no new file can be made*' bfs kron:10 -o /proc/raddle-test
t 'a picture of no known kind' 2 '' "*--output '$here/a.bmp' does not tell what to write; end it in one of .png .ppm*" ray flake:1 -o "$here/a.bmp"
t 'a picture that is all suffix' 2 '' '*does not tell*' ray flake:1 -o .png
same 'a look at the output leaves nothing' "$(ls -A "$here" | grep -c tmp)" 0
