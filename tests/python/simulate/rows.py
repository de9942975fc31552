"""Replays recorded rows (tests/truth/rows, tests/pack/rows) with operands on the simulated cuda and compares outcomes.

    rows.py [--every N] [NAME...]

NAME is one of elementwise, ops, device, autocast, autocastwide, python, more, grad; default: all. A row agrees if the dtype, the device and
the number of dimensions do, or if both raise. A row on which PyTorch itself has changed is left out and counted: one for
which this version of PyTorch does something else than was recorded on the CPU too, or that uses what it has not."""
import contextlib
import gzip
import os
import sys
import warnings

from watcher import ROOT, simulate

import torch
import torch.nn.functional as F

RARE = ("float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64")
MISSING = [name for name in RARE if not hasattr(torch, name)]
for name in MISSING:
    setattr(torch, name, name)
NEWER = [name for name in ("scaled_dot_product_attention", "rms_norm") if not hasattr(F, name)]
for name in NEWER:
    setattr(F, name, None)
sys.path[:0] = [os.path.join(ROOT, "tests/truth"), os.path.join(ROOT, "tests/pack")]
import record  # noqa: E402
import record_python  # noqa: E402

for table in (record.DTYPES, record_python.ALL):
    for key in [k for k, v in table.items() if isinstance(v, str)]:
        del table[key]
record.FLOATING = [name for name in record.FLOATING if name in record.DTYPES]
record.WITH_0D = [name + dims for name in record.DTYPES for dims in ("", ".0d")]


class Turn:
    """Which rows are evaluated: every N-th that has an operand on cuda."""

    def __init__(self, every):
        self.every, self.count = every, 0


turn = Turn(1)
NOT_SIMULATED = "not simulated"
evaluate = record.outcome


def outcome(call, words=record.describe):
    """None: not this row's turn."""
    turn.count += 1
    if turn.count % turn.every:
        return None
    try:
        return evaluate(call, words)
    except simulate.CannotSimulate:
        return NOT_SIMULATED


record.outcome = outcome
import record_more  # noqa: E402


def use(function):
    record.outcome = record_more.outcome = function


def python_rows():
    with open(os.path.join(ROOT, "tests/pack/python_expressions.txt")) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                a, b, expression = line.strip().split(None, 2)
                yield from record_python.rows((int(a), int(b)), expression)


def source(name):
    if name == "more":
        return record_more.rows, os.path.join(ROOT, "tests/pack/rows/more.tsv.gz")
    if name == "python":
        return python_rows, os.path.join(ROOT, "tests/pack/rows/python.tsv.gz")
    return getattr(record, name), os.path.join(ROOT, f"tests/truth/rows/{name}.tsv.gz")


def recorded(path):
    with gzip.open(path, "rt") as lines:
        return {tuple(row[:3]): row[3] for row in (line.rstrip("\n").split("\t") for line in lines)}


def agrees(found, expected):
    return found in (expected, NOT_SIMULATED) or (found.startswith("error") and expected.startswith("error"))


def changed(key, expected, rows):
    """Whether this version of PyTorch differs from the recorded one on the CPU as well."""
    op, mode, args = key
    if mode.startswith("autocast"):
        mode = "plain"
    plain = (op, mode, args.replace("@cuda", ""))
    if plain not in expected or plain not in rows:
        return False
    return not agrees(rows[plain], expected[plain])


def is_cuda(row):
    return "@cuda" in row[2] or row[0].endswith("_cuda")


def replay(name, every):
    """Rows that differ."""
    make, path = source(name)
    expected = recorded(path)
    turn.every, turn.count = every, 0
    with simulate.mode(None):
        found = [row for row in make() if row[3] is not None and is_cuda(row) and tuple(row[:3]) in expected]
    turn.unknown = sum(row[3] == NOT_SIMULATED for row in found)
    return [row for row in found if not agrees(row[3], expected[tuple(row[:3])])], len(found), expected


def on_the_cpu(name, keys):
    """What this version of PyTorch does with the same rows on the CPU, outside of the simulation."""
    wanted = {(op, "plain", args.replace("@cuda", "")) for op, _, args in keys}
    result = {}
    # The row's key is only known when it is yielded: evaluate lazily.
    use(lambda call, words=record.describe: (call, words))
    # These rows make operands on cuda as they go.
    with simulate.mode(None) if name == "grad" else contextlib.nullcontext():
        collect(name, wanted, result)
    use(outcome)
    return result


def collect(name, wanted, result):
    for part in [name] if name in ("python", "more", "grad") else ("elementwise", "ops"):
        for op, mode, args, lazy in source(part)[0]():
            if (op, mode, args) in wanted and (op, mode, args) not in result:
                result[op, mode, args] = evaluate(*lazy)


def main(args):
    every = 1
    if args[:1] == ["--every"]:
        every, args = int(args[1]), args[2:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    failed = False
    for name in args or ("elementwise", "ops", "device", "autocast", "autocastwide", "python", "more", "grad"):
        differ, count, expected = replay(name, every)
        plain = dict(expected)
        for part in ("elementwise", "ops") if name not in ("python", "more", "grad") else ():
            plain.update(recorded(source(part)[1]))
        here = on_the_cpu(name, [tuple(row[:3]) for row in differ]) if differ else {}
        newer = [row for row in differ if is_newer(row) or changed(tuple(row[:3]), plain, here)]
        for row in differ:
            if row not in newer:
                failed = True
                print(*row[:3], "recorded", expected[tuple(row[:3])], "simulated", row[3])
        print(f"{name}: {count} rows, {len(differ) - len(newer)} disagree, {len(newer)} by the version of PyTorch, "
              f"{turn.unknown} not simulated", flush=True)
        failed |= turn.unknown * 10 > count or count == 0
    return failed


def is_newer(row):
    if row[0].startswith("gradscaler") and not hasattr(torch.amp, "GradScaler"):
        return True
    return bool((NEWER and any(name in row[0] for name in ("sdpa", "rms_norm"))) or any(m in row[0] for m in MISSING))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
