# SPDX-License-Identifier: Apache-2.0
# Scenes name other files: only plain ones beside them are read, and no message repeats what is in them.
mkdir "$scratch/scene" "$scratch/elsewhere" "$scratch/scene/below"
scene=$scratch/scene
printf 'newmtl red\nKd 1 0 0\n' > "$scene/good.mtl"
cp "$scene/good.mtl" "$scene/below/good.mtl"
cp "$scene/good.mtl" "$scratch/elsewhere/good.mtl"
echo 'secret=hunter2' > "$scene/secret.mtl"
echo 'secret=hunter2' > "$scratch/elsewhere/secret"
printf 'newmtl red\nKd 1 hunter2 0\n' > "$scene/number.mtl"
mkfifo "$scene/fifo.mtl"
ln -s ../elsewhere/good.mtl "$scene/out.mtl"
ln -s ../elsewhere "$scene/folder"
ln -s good.mtl "$scene/in.mtl"
ln -s /dev/zero "$scene/zero.mtl"
named() { # named MTLLIB: writes the scene
    printf 'mtllib %s\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' "$1" > "$scene/a.obj"
}
renders() { # renders NAME MTLLIB
    named "$2"
    t "$1" 0 '*' '' ray "$scene/a.obj" --size 8x8
}
refused() { # refused NAME MTLLIB MESSAGE
    named "$2"
    t "mtllib $1" 3 '' "raddle ray: *$3*" ray "$scene/a.obj" --size 8x8 --timeout 30
    ok "mtllib $1: nothing is quoted" sh -c '! grep -q "hunter2\|secret=" "$1"' sh "$scratch/err"
}
renders 'a file beside the scene' good.mtl
renders 'a file in a folder below' below/good.mtl
renders 'a link that stays in the folder' in.mtl
refused '../x' ../elsewhere/good.mtl "a.obj:1: mtllib: '../elsewhere/good.mtl' is no file beside this one"
refused 'below/../../x' below/../../elsewhere/good.mtl 'is no file beside this one'
refused 'an absolute name' "$scene/good.mtl" 'is no file beside this one'
refused /dev/zero /dev/zero 'is no file beside this one'
refused /etc/passwd /etc/passwd 'is no file beside this one'
refused 'no name' '' 'is no file beside this one'
refused 'a link that leads out' out.mtl 'leads out of the folder'
refused 'a link to a folder elsewhere' folder/secret 'leads out of the folder'
refused 'a link to /dev/zero' zero.mtl 'leads out of the folder'
refused 'a FIFO' fifo.mtl 'is not a plain file'
refused 'a folder' below 'is not a plain file'
named none.mtl
t 'mtllib a file that is not there' 0 '*' "raddle: warning: *a.obj:1: mtllib: 'none.mtl' cannot be opened: No such file or directory; its materials are plain" ray "$scene/a.obj" --size 8x8
refused 'a file of another kind' secret.mtl 'secret.mtl:1: a statement before the first newmtl'
refused 'a word for a number' number.mtl 'number.mtl:2: Kd: not a finite number'
head -c 17000000 /dev/zero | tr '\0' '\n' > "$scene/large.mtl"
refused 'a large file' large.mtl 'more than 16777216 bytes'
gzip -c "$scene/large.mtl" > "$scene/bomb.mtl" 2> /dev/null && "$raddle" --version | grep -q zlib &&
    refused 'a small file that grows' bomb.mtl 'more than 16777216 bytes'
i=0
while [ $i -lt 16500 ]; do echo "newmtl m$i"; i=$((i + 1)); done > "$scene/many.mtl"
refused 'many materials' many.mtl 'more than 16384 materials'

# An endless scene is told before memory ends.
( ulimit -v 4000000; "$raddle" ray /dev/zero -d cpu --timeout 50 > "$scratch/out" 2> "$scratch/err"; echo $? > "$scratch/status" )
same 'a scene without an end' "$(cat "$scratch/status")" 4
