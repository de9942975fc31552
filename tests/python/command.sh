#!/bin/sh
# command.sh MISCAST HAS_GRAMMAR: what commands say about Python files.
set -eu
miscast=$1
has_grammar=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "$*"
    cat out err
    exit 1
}

# run CODE COMMAND...: runs it, expecting that exit code
run() {
    wanted=$1
    shift
    code=0
    "$@" >out 2>err || code=$?
    [ "$code" -eq "$wanted" ] || fail "$* returned $code, not $wanted"
}

printf 'import torch\nx = torch.zeros(2)\n' >good.py
printf 'def f():\n    return 1\n\ndef g(:\n    return (\n\ndef h():\n    return 3\n' >broken.py

run 0 "$miscast" doctor
if [ "$has_grammar" = 0 ]; then
    grep -q '^Python .*built without' out || fail "doctor does not say what is missing"
    run 3 "$miscast" ir good.py
    exit 0
fi
grep -q '^Python .*tree-sitter' out || fail "doctor does not name the grammar"
for command in check types contracts; do
    run 0 "$miscast" "$command" good.py
done
printf 'import torch\ny = torch.zeros(2, 2) @ torch.zeros(2, 2).half()\n' >bad.py
run 1 "$miscast" check bad.py
grep -q "^bad.py:2:5: error: '@' needs one dtype" out || fail "the error is not found"
run 0 "$miscast" ir good.py
grep -q 'invoke %[0-9]*, zeros(%[0-9]*)' out || fail "the call is missing"
run 3 "$miscast" ir broken.py
grep -q '^func f ' out && grep -q '^func h ' out || fail "more than the broken function is lost"
grep -q '^errors 1 "broken.py:4:1: not valid Python"' out || fail "the error is not reported"

# A fix inside of a condition; none where a loop would do it twice.
clip() {
    printf '%s\n' 'import sys' 'import torch' 'model = torch.nn.Linear(8, 4).cuda()' \
        'optimizer = torch.optim.SGD(model.parameters(), lr=0.1)' 'scaler = torch.cuda.amp.GradScaler()' \
        'for i in range(4):' '    scaler.scale(model(torch.randn(2, 8, device="cuda")).mean()).backward()' \
        "    $1" '        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)' '    scaler.step(optimizer)' >clip.py
    "$miscast" check --fix --unsafe-fixes --select clip-before-unscale clip.py >out 2>err || [ $? -eq 1 ]
}
clip 'if len(sys.argv) > 1:'
grep -q '^        scaler.unscale_(optimizer)$' clip.py || fail "the gradients are not unscaled"
clip 'for k in range(2):'
grep -q '^        torch.nn.utils.clip' clip.py && ! grep -q unscale_ clip.py || fail "they are unscaled twice"
