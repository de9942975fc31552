#!/bin/sh
# run.sh LOGS [PART...]: everything to run on a machine with an NVIDIA GPU, at once. Each part has a
# time limit, writes LOGS/PART.log, and leaves a line in LOGS/summary.txt. The parts, by default all:
#
#   build      the runtime, the GPU module, the tests and the benchmark
#   memory     test_memory, and test_large
#   truth      the runtime on cuda compared with every file of recorded rows
#   parity     cuda compared with the CPU
#   unit       the unit tests, with cuda instead of simulated cuda
#   models     the programs of corpus/models, each in its precisions, which check themselves
#   bench      the benchmark, compared with PyTorch if it is installed
#   sanitize   compute-sanitizer over the unit tests, some rows and a sample of parity: memory, races
#
# BUILD is the build folder (default: build/gpu), ARCHITECTURES the GPUs to build for (default: 90). If
# MISCAST_CUDA_MODULE names a module, such as the translation for the host (tests/gpu/host), it is used
# and none is built.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
if [ $# -eq 0 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
fi
mkdir -p "$1"
logs=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- build memory truth parity unit models bench sanitize
build=${BUILD-$source/build/gpu}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
failed=0
own_module=
[ -n "${MISCAST_CUDA_MODULE-}" ] || own_module=$build/runtime/libmiscast-cuda.so

say() {
    printf '%s\n' "$*" | tee -a "$logs/summary.txt"
}

# part NAME SECONDS COMMAND...: the last line of its output goes to the summary. Status 77: skipped.
part() {
    name=$1 seconds=$2
    shift 2
    start=$(date +%s)
    timeout -k 10 "$seconds" "$@" >"$logs/$name.log" 2>&1
    status=$?
    took=$(($(date +%s) - start))
    ! grep -q 'before first instrumented' "$logs/$name.log" || status=77 # it never calls CUDA
    # Rows that were not understood were not compared.
    ! tail -n 1 "$logs/$name.log" | grep -q ' disagree [0-9]* skipped [1-9]' || status=1
    case $status in
        0) word=ok ;;
        77) word=skipped ;;
        124 | 137) word="OUT OF TIME" ;;
        *) word="FAILED ($status)" ;;
    esac
    [ $status -eq 0 ] || [ $status -eq 77 ] || failed=$((failed + 1))
    say "$name: $word, $took s: $(tail -n 1 "$logs/$name.log" | cut -c 1-150)"
    return $status
}

# part_on_cuda NAME SECONDS COMMAND...: with the module, and without falling back to the simulation
part_on_cuda() {
    name=$1 seconds=$2
    shift 2
    part "$name" "$seconds" env MISCAST_CUDA=real \
        MISCAST_CUDA_MODULE="${MISCAST_CUDA_MODULE-$own_module}" "$@"
}

# ---- parts ---------------------------------------------------------------------------------------

configure() {
    set -- -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMISCAST_ANALYZER=OFF \
        -DMISCAST_EXAMPLES=ON -DMISCAST_BENCH=ON
    command -v ninja >/dev/null 2>&1 && set -- "$@" -G Ninja
    if [ -n "$own_module" ]; then
        set -- "$@" -DMISCAST_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="${ARCHITECTURES-90}"
    else
        set -- "$@" -DMISCAST_CUDA=OFF
    fi
    if ! echo '#include <cmocka.h>' | cc -E -include stdarg.h -include stddef.h -include setjmp.h \
        -include stdint.h - >/dev/null 2>&1; then
        set -- "$@" -DCMOCKA_INCLUDE_DIR="$here/cmocka" -DCMOCKA_LIBRARY=m
    fi
    part configure 120 cmake "$@"
}

run_build() {
    configure && part build 580 cmake --build "$build" --parallel "$jobs" -- -k 0
}

# rows NAME: the path of that file, unpacked, so that zlib is not needed
rows() {
    [ -s "$logs/rows/$1.tsv" ] || {
        mkdir -p "$logs/rows"
        gzip -dc "$source/tests/truth/rows/$1.tsv.gz" >"$logs/rows/$1.tsv"
    }
    echo "$logs/rows/$1.tsv"
}

run_truth() {
    for file in "$source"/tests/truth/rows/*.tsv.gz; do
        file=$(basename "$file" .tsv.gz)
        program=truth
        case $file in shapes | lossvalues) program=shaped ;; esac
        part_on_cuda "truth.$file" 120 "$build/tests/truth/$program" runtime "$(rows "$file")"
    done
}

run_parity() {
    part_on_cuda parity 300 "$build/tests/gpu/parity" "$(rows elementwise)" "$(rows ops)" "$(rows device)"
    differ=$(grep -c ': .*\(cpu\|differ\)' "$logs/parity.log")
    [ "$differ" -eq 0 ] || cut -d ' ' -f 1 "$logs/parity.log" | sort | uniq -c | sort -rn | head -n 40 \
        >"$logs/parity-by-op.txt"
}

run_memory() {
    part_on_cuda memory 120 "$build/tests/gpu/test_memory"
    part_on_cuda large 120 "$build/tests/gpu/test_large"
}

run_unit() {
    part_on_cuda unit 300 ctest --test-dir "$build" -L unit --parallel 4 --timeout 120 \
        --output-on-failure
    grep -E '^[[:space:]]+[0-9]+ - |tests passed' "$logs/unit.log" | tee -a "$logs/summary.txt"
}

# models DTYPES MODEL [ARGUMENT...]
models() {
    dtypes=$1 model=$2
    shift 2
    for dtype in $dtypes; do
        part_on_cuda "models.$model.$dtype" 120 "$build/corpus/model_$model" --dtype "$dtype" --device cuda "$@"
    done
}

run_models() {
    models "f32 f16 bf16" gpt2
    models "f32 bf16" llama --weights "$logs/llama.safetensors"
    models "f32 f16 bf16" resnet --steps 20
    models "f32 f16 bf16" vit
    models "f32 f16 bf16" lstm --steps 60
    models "f32 f16 bf16" unet --steps 4
    models "f32 f16 bf16" amp
}

run_bench() {
    part_on_cuda bench 580 sh "$source/tests/bench/cuda.sh" "$build/tests/bench_cuda" ${BENCH-}
    cat "$logs/bench.log"
}

# sanitized TOOL NAME COMMAND...: errors of calls are left to the tests, since running out of memory is
# what one of them is about.
sanitized() {
    check=$1 name=$2
    shift 2
    part_on_cuda "sanitize.$check.$name" "${SANITIZE_SECONDS-280}" "$tool" --tool "$check" \
        --report-api-errors no --error-exitcode 9 "$@"
}

run_sanitize() {
    tool=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    if [ ! -x "$tool" ]; then
        say "sanitize: skipped: there is no compute-sanitizer"
        return
    fi
    for check in memcheck racecheck; do
        for program in "$build"/tests/test_* "$build/tests/gpu/test_memory"; do
            [ ! -x "$program" ] || sanitized $check "$(basename "$program")" "$program"
        done
        for name in device opbits; do
            sanitized $check "truth.$name" "$build/tests/truth/truth" runtime "$(rows $name)"
        done
        sanitized $check parity "$build/tests/gpu/parity" --sample "${SAMPLE-60}" \
            "$(rows elementwise)" "$(rows ops)"
    done
}

# --------------------------------------------------------------------------------------------------

for what; do
    case $what in
        build) run_build || break ;;
        memory | truth | parity | unit | models | bench | sanitize) "run_$what" ;;
        *)
            say "there is no part $what"
            exit 2
            ;;
    esac
done
say "$failed failed"
[ $failed -eq 0 ]
