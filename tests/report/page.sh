#!/bin/sh
# The HTML report, without a browser: page.py checks it. The sources contain markup, invalid bytes and
# a hostile file name. Skipped (77) without Python.
#
#   page.sh PROGRAM INCLUDE FOLDER
set -eu
program=$1 include=$2 folder=$3
command -v python3 >/dev/null 2>&1 || {
    echo "skipped: no python3" >&2
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
unset MISCAST_PACKS FORCE_COLOR
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# a file whose name is markup, and bytes that are not text
mkdir case
sed "s/BYTES/$(printf '\377\300\257\342\200\256')/" "$folder/page/hostile.c" >"case/a <b> & \"c\" 'd'.c"
echo "-I$include" >case/compile_flags.txt
cd case
check() { # NAME OPTION...
    name=$1
    shift
    status=0
    "$program" report --isolated --no-cache -o "../$name" "$@" >../out 2>../err || status=$?
    [ "$status" -eq 1 ] || {
        cat ../err >&2
        echo "report ended with $status" >&2
        exit 1
    }
}
check one --layout plain -j 1
check two --layout plain -j 2
check dot
check three
cmp ../one/index.html ../two/index.html
cmp ../dot/index.html ../three/index.html
"$program" check --isolated --no-cache --format json=../found.json >/dev/null 2>&1 || true
"$program" graph --isolated --no-cache --function forward --layout plain -o ../flow.svg ./*.c 2>/dev/null
"$program" graph --isolated --no-cache --function forward -o ../dot.svg ./*.c 2>/dev/null
for page in one dot; do
    python3 "$folder/page.py" "../$page/index.html" ../found.json "$folder/../../analyzer/report/page/script.js"
done
python3 "$folder/page.py" --svg ../flow.svg ../dot.svg

# a value that can come from hundreds of places does not take forever, and that is said
{
    printf '#include <miscast/tensor.h>\nmc_tensor *many(mc_tensor *t, int k)\n{\n'
    i=0
    while [ $i -lt 200 ]; do
        i=$((i + 1))
        echo "    if (k > $i) t = mc_relu(t);"
    done
    printf '    return t;\n}\n'
} >many.c
"$program" report --isolated --no-cache --layout plain -o ../many many.c >../out 2>../err
grep -q 'more are left out' ../many/index.html
grep -q 'Not all ways are drawn' ../many/index.html

# a report without findings is a page, too; a folder that cannot be created is an error
echo 'int main(void) { return 0; }' >../clean.c
(cd .. && "$program" report --isolated --no-cache -o clean clean.c >out 2>err)
grep -q 'Nothing was found' ../clean/index.html
status=0
"$program" report --isolated --no-cache -o ../out/folder . >../out2 2>../err || status=$?
[ "$status" -eq 2 ] || {
    echo "a folder in a file was made" >&2
    exit 1
}
