#!/bin/sh
# Programs that fail with some command lines only, which are found and reported; and one that fails after
# very many ops.
#
#   lines.sh PROGRAM INCLUDE SOURCES [N]: each Nth of them
set -eu
program=$1 include=$2 sources=$3 every=${4:-1} number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$sources"/*.c "$work"
echo "-I$include" >"$work/compile_flags.txt"
cd "$work"
unset MISCAST_PACKS FORCE_COLOR
failures=0

# expect FILE TEXT: it has one finding, with that verdict
expect() {
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || return 0
    "$program" verify --isolated --no-cache --exit-zero "$1" >out 2>err || cat err
    if [ "$(grep -c '^[^ ].*: .*\[[a-z-]*\]$' out)" = 1 ] && grep -q "^  $2" out; then
        echo "ok   $1: $2"
    else
        echo "FAIL $1: not $2"
        cat out err
        failures=$((failures + 1))
    fi
}

expect usage.c 'confirmed: main --dtype [b]*f16 --device cuda ran on simulated cuda and raised'
expect table.c 'confirmed: main --device cuda ran on simulated cuda and raised'
expect equals.c 'confirmed: main --precision=half --on=gpu ran on simulated cuda and raised'
expect any_case.c 'confirmed: main --precision=BF16 ran on cpu and raised'
expect getopt.c 'confirmed: main -p f16 -c ran on simulated cuda and raised'
expect words.c 'confirmed: main f16 cuda ran on simulated cuda and raised'
expect loss.c 'confirmed: main --half ran on cpu and was off here'
expect product.c 'not reached: main --half ran on cpu and lost nothing here with these values$'
expect large_product.c 'confirmed: main --half ran on cpu and got inf instead of [0-9.e+-]* here in f16'
expect average.c 'confirmed: main --half ran on cpu and got 1 instead of 0.52486 here in bf16; [0-9]* times'
expect positions.c 'confirmed: main ran on cpu and got 512 instead of 514 here in bf16, in element .514. of .1024.'
expect backward.c 'not reached: main ran on cpu and executed this line, but not with the operands that fail: a was f32.*; backward.c:10 needs fgetc(file) . 31 % 257 == 162'
expect variable.c 'confirmed: MODEL_DTYPE=half main ran on cpu and raised'
expect header.c 'confirmed: main (data/model.bin: .*) ran on cpu and raised'
expect settings.c 'confirmed: main miscast-file (miscast-file: .*precision=half.*) ran on cpu and raised'
expect first_letter.c 'confirmed: main (mode: h) ran on cpu and raised'
expect input.c 'confirmed: main (standard input: half) ran on cpu and raised'
expect numbers.c 'confirmed: main [0-9]* 16 .*ran on cpu and raised'
expect letters.c 'confirmed: main h ran on cpu and raised'
expect local_table.c 'confirmed: main --half ran on cpu and raised'
expect subcommand.c 'confirmed: main eval .*--quantized ran on cpu and raised'
expect repeated.c 'confirmed: main -q -q ran on cpu and raised'
expect dashes.c 'confirmed: main --\(conv\|half\|bias\) --[a-z]* --[a-z]* ran on cpu and raised'
expect required.c 'confirmed: main .*--cast weights.* ran on cpu and raised'
expect version.c 'confirmed: main 2\.[0-3] ran on cpu and raised'
expect magic.c 'confirmed: main miscast-file (miscast-file: MC.*) ran on cpu and raised'
expect variable_and_word.c 'confirmed: LOW_PRECISION=[a-z1]* main muon ran on cpu and raised'
expect list.c 'confirmed: main half,linear.* ran on cpu and raised'
expect machine.c 'confirmed: main (standard input: .*d.*m.*) ran on cpu and raised'
expect response.c 'confirmed: main .*--half.*--fold.* ran on cpu and raised'
expect turned_off.c 'confirmed: main .*--device cuda .*--no-fused.* ran on simulated cuda and raised'
expect same_by_numbers.c 'refuted: main -v .*ran on cpu and went well here under the condition of the finding'
expect slow_average.c 'confirmed: main ran on cpu and came elsewhere than in f64 when this was repeated from here: 0.25 instead of 0.632'
expect share.c 'confirmed: main ran on cpu and got 4 of 4 elements here that differ from those in f32'
expect harmless.c 'not reached: main 1.* ran on cpu and lost nothing here with these values$'
expect still_average.c "confirmed: main ran on cpu and came elsewhere .* repeated from here, with 'p' twice as large: 1 instead of 2"
expect draws.c 'confirmed: main ran on cpu and drew [0-9]* of [0-9]* numbers here that differ from those drawn in f64, when this was repeated'
expect rare_zero.c 'confirmed: main 1.*, with unlikely random numbers, ran on cpu and got -inf instead of -27.631 from log here in f16'
expect bounded.c 'not reached: main ran on cpu and lost nothing here with these values$'
expect comment.c 'confirmed: main --half --amp ran on cpu and raised'
expect unscaled.c 'confirmed: main ran on cpu and raised "parameter 1 has a gradient of f16, which cannot be unscaled'
expect behind_error.c 'not reached: main ran on cpu and raised "no loss was scaled yet.* before it could$'
expect many.c 'confirmed: main ran on cpu and raised "bool cannot be subtracted'
[ "$failures" = 0 ]
