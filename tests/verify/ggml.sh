#!/bin/sh
# verify --run of programs that link ggml: a stand-in for ggml, with a kernel that aborts in a thread of its
# own. What is confirmed aborted in the operation of that line, and because of types.
#
#   ggml.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
"$program" doctor | grep -q '^sandbox *namespaces' || { echo "skipped: no namespaces here"; exit 77; }
command -v addr2line >/dev/null || { echo "skipped: no addr2line here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unset MISCAST_PACKS FORCE_COLOR MAKEFLAGS
NO_COLOR=1
export NO_COLOR
cp -R "$folder"/. "$work"
cd "$work"
echo "-I$work/library" >compile_flags.txt
failures=0
compile() {
    cc -std=gnu17 "$@" -Ilibrary -pthread >cc.out 2>&1 || { cat cc.out; echo "skipped: programs cannot be linked here"; exit 77; }
}
compile -fPIC -shared -O2 -o libggml.so library/*.c
compile -g -o program program.c -L. -lggml "-Wl,-rpath,$work"
compile -o bare program.c -L. -lggml "-Wl,-rpath,$work"
compile -g -o static program.c library/*.c
mkdir bound
compile -fPIC -shared -O2 -Wl,-Bsymbolic -o bound/libggml.so library/*.c
compile -g -o symbolic program.c -Lbound -lggml "-Wl,-rpath,$work/bound"

verified() {
    "$program" verify --isolated --no-cache --exit-zero --timeout 2 --run "$1" program.c >got 2>said || true
}

# expect NAME PLACE VERDICT: the verdict of the finding at that place of program.c
expect() {
    line=$(grep -n "here: $2 " program.c | cut -d: -f1)
    awk -v at="program.c:$line:" 'index($0, at) == 1 { here = 1 }
        here && /^  (confirmed|refuted|not r)/ { print; exit }' got >verdict
    if grep -q "^  $3" verdict; then
        echo "ok   $1"
        return
    fi
    echo "FAIL $1: $2 should be $3:"
    cat got said
    failures=$((failures + 1))
}
# none VERDICT...: no finding has it
none() {
    for verdict; do
        grep -q "$verdict 0" said && continue
        echo "FAIL something is $verdict:" && cat got said
        failures=$((failures + 1))
    done
}

verified './program product'
expect 'a kernel, in a thread' product 'confirmed: ./program product ran on cpu and raised "GGML_ASSERT(src1->type == GGML_TYPE_F32) failed" here'
expect 'what did not run' normed "not reached: ./program product ran on cpu and ended at program.c:.* before that place with ggml's abort: GGML_ASSERT(src1->type"
grep -q 'confirmed 1, refuted 0' said || { cat got said; failures=$((failures + 1)); }
grep -q '1 process used the runtime or ggml' said || { cat said; failures=$((failures + 1)); }
verified './program normed'
expect 'an end of a switch over types' normed 'confirmed: ./program normed ran on cpu and raised "fatal error" here'
verified './program resized'
expect 'while the graph is built' resized 'confirmed: ./program resized ran on cpu and raised "GGML_ASSERT(a->type == GGML_TYPE_F32) failed" here'
verified './program sized-wrong'
expect 'an error of sizes' sized 'not reached: .*raised "GGML_ASSERT(a->ne.0. == b->ne.0.) failed" here before it could'
none confirmed refuted
verified './program product,only-builds'
expect 'a graph that is not computed' product 'not reached: .* did not compute what this line adds to a graph'
none confirmed refuted
verified './program'
expect 'another way' product 'not reached: ./program ran on cpu and did not get to that place'
none confirmed refuted
verified './bare product'
expect 'no debug information' product 'not run: incomplete: a part of the program has no debug information'
none confirmed refuted
for how in static symbolic; do
    for place in product resized; do
        verified "./$how $place"
        expect "ggml that is not called by name: $how" "$place" 'not run: incomplete: ggml is linked statically, or'
        none confirmed refuted
    done
done
verified './program product,closes'
none confirmed refuted
verified './program product,writes; ./program product'
expect 'a foreign message' product 'not run'
none confirmed refuted
grep -q 'tampered: something other than the runtime wrote' said || { cat said; failures=$((failures + 1)); }
touch program.c
verified './program product'
expect 'an old program' product "not run: './program product' was built before program.c changed"
[ "$failures" = 0 ]
