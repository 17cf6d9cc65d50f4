# SPDX-License-Identifier: Apache-2.0
# raddle ray: pictures, reports, every error path.

t 'a picture' 0 '*sched tiles*rays*1 of 1 right (1200 pixels rendered again, *' '' ray box:6 --size 40x30 -v --stats
for schedule in static central steal hardware; do
    t "schedule $schedule" 0 '*tiles*right*' '' ray box:6 --size 40x40 -v --schedule $schedule --tile 8
done
t 'an octree' 0 '*right*' '' ray flake:1:6 --size 40x40 -v --accel octree
t 'an even scene: two rays a pixel' 0 '*"lane_use": 1,*"rays": 800,*' '' ray hills:8 --size 20x20 --json
t 'no task is stolen' 0 '*"tasks_stolen": 0,*' '' ray flake:1:6 --size 40x40 --json --share 0
t 'launches' 0 '*launch persistent*right*' '' ray terrain:8 --size 20x20 -v --launch persistent
t 'the default is explained' 0 '*choice: *tiles*' '' ray terrain:1 --size 4x4 --explain
t 'dry run' 0 '*scene: nodes*image*stacks of tasks*offers of tasks*' '' ray terrain:8 --dry-run
t 'JSON' 0 '*"rays": *"mrays_per_s": *' '' ray terrain:8 --size 20x20 --json
t 'other views' 0 '*right*' '' ray corner:0 --size 30x30 -v --view 2 --fov 40 --depth 2 --cutoff 0.5 --shadows 0
t 'a camera' 0 '*right*' '' ray box:6 --size 30x30 -v --camera 0,1,2 --look 0,0.5,-1
t 'straight down' 0 '*right*' '' ray terrain:8 --size 20x20 -v --camera 0,9,0 --look 0,0,0
t 'groups of several lanes' 0 '*2 groups of 4*right*' '' ray box:4 --size 20x20 -v -d cpu:2x4 --stats

# Files. Equal pictures whatever the scheme and the structure; rays that others steal would be added in another order.
"$raddle" ray box:6 --size 33x21 -q -d cpu --share 0 -o "$scratch/a.ppm"
same 'a PPM file' "$(head -c 15 "$scratch/a.ppm" | tr '\n' ' ')" 'P6 33 21 255 '"$(head -c 15 "$scratch/a.ppm" | tail -c 2 | tr '\n' ' ')"
same 'its size' "$(wc -c < "$scratch/a.ppm" | tr -d ' ')" $((13 + 3 * 33 * 21))
for schedule in static central hardware; do
    "$raddle" ray box:6 --size 33x21 -q -d cpu:2 --schedule $schedule --tile 4 -o "$scratch/b.ppm"
    ok "schedule $schedule: the same picture" cmp "$scratch/a.ppm" "$scratch/b.ppm"
done
"$raddle" ray box:6 --size 33x21 -q -d cpu --share 0 --accel octree -o "$scratch/b.ppm"
ok 'an octree: the same picture' cmp "$scratch/a.ppm" "$scratch/b.ppm"
same 'a picture on standard output' "$("$raddle" ray box:6 --size 33x21 -q -d cpu --share 0 -o - | cksum)" "$(cksum < "$scratch/a.ppm")"
"$raddle" ray box:6 --size 33x21 -q -d cpu --share 0 -o "$scratch/a.png"
same 'a PNG file' "$(head -c 4 "$scratch/a.png" | tail -c 3)" PNG
"$raddle" ray box:6 --size 33x21 -q -d cpu --share 0 --heatmap -o "$scratch/heat.ppm"
ok 'a heat map is another picture' sh -c '! cmp -s "$0" "$1"' "$scratch/a.ppm" "$scratch/heat.ppm"

printf 'newmtl red\nKd 1 0 0\nmap_Pr rough.png\n' > "$scratch/m.mtl"
printf 'mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 2 2\nusemtl red\nf 1 2 3\nf 1 2 2\n' > "$scratch/t.obj"
t 'an OBJ file' 0 '*1 triangles,*1 degenerate*right*' '*1 triangles without area were left out*' ray "$scratch/t.obj" --size 20x20 -v --stats
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' > "$scratch/t.ply"
t 'a PLY file' 0 '*right*' '' ray "$scratch/t.ply" --size 20x20 -v
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' > "$scratch/bad.obj"
t 'a bad OBJ file' 3 '' '*bad.obj:4: f: there is no vertex 9*' ray "$scratch/bad.obj"
printf 'v 0 0 0\nusemtl blue\n' > "$scratch/bad.obj"
t 'a missing material, and nothing to see' 3 '' "*warning: *bad.obj:2: usemtl: material 'blue'*no triangle*" ray "$scratch/bad.obj"
printf 'mtllib lost.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl blue\nf -3 -2 -1\n' > "$scratch/lost.obj"
t 'a missing library of materials' 0 '*1 triangles*' "raddle: warning: *lost.obj:1: mtllib: 'lost.mtl' cannot be opened: *; its materials are plain" ray "$scratch/lost.obj" --size 8x8
# Files by hand, good and awkward: FILE, exit status, output and messages as patterns.
while IFS='|' read -r name status words message; do
    t "scene $name" "$status" "$words" "$message" ray "tests/data/scenes/$name" --size 24x24 -v
done < tests/data/scenes/EXPECTED
# Colours of vertices: red, green and blue corners; below, all of it is red, and the picture has no green pixel.
printf 'v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n' > "$scratch/rgb.obj"
printf 'v 0 0 0 255 0 0\nv 1 0 0 255 0 0\nv 0 1 0 255 0 0\nf 1 2 3\n' > "$scratch/red.obj"
t 'colours of vertices' 0 '*right*' '' ray "$scratch/rgb.obj" --size 40x40 -v
t 'colours of vertices, lanes' 0 '*right*' '' ray "$scratch/rgb.obj" --size 40x40 -v -d cpu:2x4
t 'colours of vertices, octree' 0 '*right*' '' ray "$scratch/rgb.obj" --size 40x40 -v --accel octree
t 'a red triangle' 0 '*' '' ray "$scratch/red.obj" --size 1x1 --camera 0.3,0.3,1 --look 0.3,0.3,0 --fov 1 -o "$scratch/red.ppm"
ok 'it is red' sh -c "tail -c 3 '$scratch/red.ppm' | od -An -tu1 | awk '{ exit !(\$1 > 2 * \$2 && \$1 > 2 * \$3) }'"
printf 'hello\n' > "$scratch/bad.ply"
t 'no PLY file' 3 '' '*bad.ply:1: *' ray "$scratch/bad.ply"

# Errors.
t 'no SCENE' 2 '' 'raddle ray: SCENE is missing*' ray
t 'a missing file' 3 '' 'raddle ray: *no-such.obj*' ray no-such.obj
t 'not a scene' 3 '' '*is no statement of an .obj file*' ray tests/cli/run.sh
t 'a bad generator' 2 '' '*LEVEL is a number from 0 to 7*' ray flake:99
t 'a bad size' 2 '' '*WIDTHxHEIGHT*' ray box --size 10
t 'a size of nothing' 2 '' '*WIDTHxHEIGHT*' ray box --size 0x10
t 'a bad depth' 2 '' '*depth*1 to 15*' ray box --depth 16
t 'a bad cutoff' 2 '' '*cutoff*' ray box --cutoff 2
t 'a bad camera' 2 '' '*camera takes 3 numbers*' ray box --camera 1,2
t 'an eye at what it looks at' 2 '' '*the eye is at the point*' ray box --camera 1,2,3 --look 1,2,3
t 'a bad structure' 2 '' '*accel*' ray box --accel kd
t 'a bad schedule' 2 '' '*schedule*' ray box --schedule fair
t 'a share of nobody' 0 '*' '*share does nothing on cpu: it is for schedule steal*' ray box --size 32x32 --schedule static --share 0 -d cpu
t 'a bad share' 2 '' '*share*' ray box --share 2
t 'a bad tile' 2 '' '*tile*' ray box --tile 7
t 'a picture of no known kind' 2 '*' '*end it in one of .png .ppm*' ray box:4 --size 4x4 -o a.jpg
t 'a picture that cannot be' 3 '*' '*/no/such/place*' ray box:4 --size 4x4 -o /no/such/place/a.png
t 'a time-out' 5 '*' '*' ray flake:3 --size 4096x4096 --timeout 0.5 -n 1000 -q

# The suite.
t 'bench: cases' 0 '*hills:32/static/8*terrain:32/static/8*terrain:32/steal/32/view1*terrain:32/hardware/8/view2*corner:1/primary*' '' bench ray --quick --list
t 'bench: one view' 0 '*hills:32/static/8/view1*hills:32/hardware/32/view1*' '' bench ray --quick --list --view 1
ok 'bench: no other view' sh -c '! "$0" bench ray --quick --list --view 1 | grep -v view1' "$raddle"
t 'bench: a bad view' 2 '' '*--view wants*' bench ray --view 3
t 'bench: a table' 0 '*box:4/steal/8 *cpu *rays/s*box:4/octree *box:4/primary *' '' bench ray -g box:4 --size 32 -n 2 -q
t 'bench: a bad size' 2 '' '*--size wants*' bench ray --size 5
"$raddle" bench ray -g box:4 --size 32 -n 2 -d cpu --filter steal/8 --json-file "$scratch/ray.jsonl" > /dev/null 2> "$scratch/err"
ok 'bench: records are JSON' "$json" < "$scratch/ray.jsonl"
for field in scene settings width height rays mrays_per_s tiles lane_use balance steals steal_attempts tasks_stolen units_returned triangles degenerate build_s; do
    ok "bench: a record has $field" test -n "$("$json" $field < "$scratch/ray.jsonl")"
    ok "docs/json.md explains $field" grep -q "\`$field\`" docs/json.md
done
t 'lights of your own, tiles dealt once' 0 '*right*' '' ray box:4 --size 30x30 -v --lights 0,1.5,0,1,0,0:.5,1,.5,0,1,1 --ambient .1,.1,.2 --schedule fixed
t 'a light of two numbers' 2 '' '*option lights takes 6 numbers*' ray box:4 --size 9x9 --lights 1,2
t 'lights with something else between' 2 '' "*option lights takes 6 numbers *colons between lights, not '1,1,1,1,1,1;1,1,1,1,1,1'*" ray box:4 --size 9x9 --lights '1,1,1,1,1,1;1,1,1,1,1,1'
t 'too many lights' 2 '' '*option lights takes up to*' ray box:4 --size 9x9 --lights 1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1:1,1,1,1,1,1
t 'ambient light below nothing' 2 '' '*option ambient takes colours of 0 and more*' ray box:4 --size 9x9 --ambient .1,-.1,0
t 'a light that takes light away' 2 '' '*option lights takes colours of 0 and more*' ray box:4 --size 9x9 --lights 0,1,0,1,-1,0
t 'ambient light of two numbers' 2 '' '*option ambient takes 3 numbers*' ray box:4 --size 9x9 --ambient 1,2

# A face without an area has no place for the colours of its corners; as the first one of a scene it has nothing at all.
printf 'v 0 0 0 1 0 0\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 0 1 0\nf 1 2 3\nf 1 3 4\n' > "$scratch/flat.obj"
t 'ray: colours of a face without an area' 0 '*right*' '*' ray "$scratch/flat.obj" --size 16x16 -v -d cpu
