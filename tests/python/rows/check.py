"""Compares what miscast infers about Python programs with rows recorded on PyTorch.

    check.py MISCAST [--every N] EXPRESSIONS ROWS.tsv.gz...

Each row becomes a function that makes its operands, evaluates its expression and asks for the dtype of the result,
by a call that fails for every dtype. EXPRESSIONS says which expressions the names in rows stand for
(tests/pack/python.txt); a row can have the expression itself instead of a name. A row counts as

    agree      the error is found, or the dtype is the recorded one
    less       the error is not found, or nothing is known of the result
    disagree   an error that is none, or another dtype: exit code 1, as is any other failure
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile

NAMES = {
    "bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "c64": "complex64", "c128": "complex128",
}  # fmt: skip
NUMBERS = {"int": "2", "float": "2.5", "bool": "True"}
# Nothing is said of what these dtypes do not fit, so that they cannot be asked for.
NOT_ASKED = ("u16", "u32", "u64", "c64", "c128", "f8e5m2")
ACTIVATIONS = "elu gelu hardswish hardtanh leaky_relu logsigmoid mish relu6 selu silu softplus".split()
LOSSES = "mse_loss l1_loss smooth_l1_loss huber_loss kl_div prelu".split()
HEAD = "import numpy as np\nimport torch\nimport torch.nn.functional as F\n\n"
PROBE = (
    "torch.masked_scatter(y, torch.ones_like(y, dtype=torch.bool),"
    " torch.ones_like(y, dtype=torch.float8_e5m2))"
)
AT_A_TIME = 400


def read_expressions(path):
    found = {}
    with open(path) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, a, b, expression = line.strip().split(None, 3)
                found.setdefault(name, []).append(((int(a), int(b)), expression))
    return found


def spellings(row, expressions):
    """The expressions of a row, with the number of dimensions of its operands."""
    op, args = row[0], row[2].split(",")
    if not re.fullmatch(r"\w+", op):
        return [(None, op)]
    name = op + ":dtype" if args[0].startswith("dtype:") else op
    if name in expressions:
        return expressions[name]
    operands = "a, b" if len(args) == 2 else "a"
    if op.endswith("_") or op == "contiguous":
        return [((1, 1), f"a.{op}({'b' if len(args) == 2 else ''})")]
    return [((1, 1), f"{'F' if op in ACTIVATIONS + LOSSES else 'torch'}.{op}({operands})")]


def operand(spec, rank):
    kind, _, rest = spec.partition(":")
    if kind == "scalar":
        return NUMBERS[rest]
    if kind == "dtype":
        return "torch." + NAMES[rest]
    name, _, device = spec.partition("@")
    name, _, dims = name.partition(".")
    rank = int(dims[:-1]) if dims else rank
    where = ', device="cuda"' if device else ""
    return f"torch.ones({(2,) * rank!r}, dtype=torch.{NAMES[name]}{where})"


class Program:
    def __init__(self):
        self.lines = HEAD.split("\n")[:-1]
        self.calls, self.probes = {}, {}

    def add(self, row, ranks, expression):
        _, mode, args, outcome = row
        self.lines.append(f"def row_{len(self.calls)}():")
        for name, spec, rank in zip("ab", args.split(",") if args else (), ranks or (1, 1)):
            self.lines.append(f"    {name} = {operand(spec, rank)}")
        indent = "    "
        if mode.startswith("autocast:"):
            _, device, dtype = mode.split(":")
            self.lines.append(f'    with torch.autocast("{device}", dtype=torch.{NAMES[dtype]}):')
            indent *= 2
        assigned = re.fullmatch(r"(a\[.*\] = .*)", expression)
        self.lines.append(indent + (expression if assigned else "y = " + expression))
        case = (row, expression)
        self.calls[len(self.lines)] = case
        if assigned:
            self.lines.append(indent + "y = a")
        if not re.match(r"error|py:|\(|true|false", outcome):
            self.lines.append("    " + PROBE)
            self.probes[len(self.lines)] = case
        self.lines.append("    return y\n".rstrip("\n"))
        self.lines.append("")

    def findings(self, miscast, folder):
        path = os.path.join(folder, "rows.py")
        with open(path, "w") as out:
            out.write("\n".join(self.lines) + "\n")
        run = subprocess.run(
            [miscast, "check", "--no-cache", "--isolated", "--format", "concise", path],
            capture_output=True,
            text=True,
            timeout=100,
        )
        if run.returncode not in (0, 1):
            sys.exit(f"miscast ended with {run.returncode}: {run.stderr[-500:]}")
        found = {}
        for match in re.finditer(r"rows\.py:(\d+):\d+: error: (.*)", run.stdout):
            found.setdefault(int(match[1]), []).append(match[2])
        return found


def check(program, miscast, folder, counts):
    found = program.findings(miscast, folder)
    for line, (row, expression) in program.calls.items():
        errors, fails = found.get(line), row[3].startswith("error")
        if errors and not fails:
            counts["disagree"] += 1
            print(f"{expression} {row[1]} {row[2]}: expected {row[3]}, got {errors[0]}")
        elif fails:
            counts["agree" if errors else "less"] += 1
    for line, (row, expression) in program.probes.items():
        want = re.split(r"[.@]", row[3])[0]
        said = [re.search(r"'y' is (\S+),", error) for error in found.get(line, [])]
        said = [match[1] for match in said if match]
        if want in NOT_ASKED or not said:
            counts["less"] += 1
        elif said[0] == NAMES.get(want, want):
            counts["agree"] += 1
        else:
            counts["disagree"] += 1
            print(f"{expression} {row[1]} {row[2]}: expected {row[3]}, got {said[0]}")


def main(miscast, *rest):
    every = 1
    if rest[0] == "--every":
        every, rest = int(rest[1]), rest[2:]
    expressions, failed = read_expressions(rest[0]), False
    with tempfile.TemporaryDirectory() as folder:
        for path in rest[1:]:
            counts = {"agree": 0, "less": 0, "disagree": 0}
            with gzip.open(path, "rt") as lines:
                rows = [line.rstrip("\n").split("\t") for i, line in enumerate(lines) if i % every == 0]
            for begin in range(0, len(rows), AT_A_TIME):
                program = Program()
                for row in rows[begin : begin + AT_A_TIME]:
                    for ranks, expression in spellings(row, expressions):
                        program.add(row, ranks, expression)
                check(program, miscast, folder, counts)
            print(os.path.basename(path), *(f"{key} {n}" for key, n in counts.items()))
            failed |= counts["disagree"] > 0 or not counts["agree"]
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
