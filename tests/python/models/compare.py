"""Compares what miscast infers with rows.tsv: each row and column becomes a function of a Python program, which
"miscast types" shows.

    python3 compare.py MISCAST FOLDER KNOWN [COLUMN...]

What does not agree is compared with the file KNOWN, and counted: "wrong" (PyTorch does something else), "missed" (an
error of PyTorch), "imprecise" (one of several dtypes), "unknown". MISCAST_BLESS=1 rewrites it; nothing may be wrong."""
import os
import re
import subprocess
import sys
import tempfile

DTYPES = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "bool", "uint8")
FAILS = re.compile(r"(fails|can fail): (?!shape)")  # sizes are not compared
MANY = 50  # cases in one program
HEAD = "import copy\n\nimport numpy\nimport torch\nfrom collections import OrderedDict\nfrom torch import nn\n"

# Dtype that the module is cast to, dtype of the inputs, device of the module and of the inputs, autocast.
MODES = {
    "f32": (None, "float32", "cpu", "cpu", None),
    "f16": ("float16", "float16", "cpu", "cpu", None),
    "bf16": ("bfloat16", "bfloat16", "cpu", "cpu", None),
    "f64": ("float64", "float64", "cpu", "cpu", None),
    "f16 module, f32 input": ("float16", "float32", "cpu", "cpu", None),
    "f32 module, f16 input": (None, "float16", "cpu", "cpu", None),
    "f32 module, f64 input": (None, "float64", "cpu", "cpu", None),
    "autocast bf16": (None, "float32", "cpu", "cpu", "bfloat16"),
    "cuda f32": (None, "float32", "cuda", "cuda", None),
    "cuda f16": ("float16", "float16", "cuda", "cuda", None),
    "cuda f16 module, f32 input": ("float16", "float32", "cuda", "cuda", None),
    "cuda autocast f16": (None, "float32", "cuda", "cuda", "float16"),
    "cuda autocast f16, f16 module": ("float16", "float32", "cuda", "cuda", "float16"),
    "cuda module, cpu input": (None, "float32", "cuda", "cpu", None),
}
CAST = {"as made": "", "half()": ".half()", "to(bfloat16)": ".to(torch.bfloat16)", "double()": ".double()"}


def inputs(takes, dtype, device):
    on = f', device="{device}"' if device != "cpu" else ""
    takes = re.sub(r"\bF\(([^()]*)\)", rf"torch.randn(\1, dtype=torch.{dtype}{on})", takes)
    takes = re.sub(r"\bP\(([^()]*)\)", rf"torch.rand(\1, dtype=torch.{dtype}{on})", takes)
    takes = re.sub(r"\bI\((\d+), ([^()]*)\)", rf"torch.randint(\1, (\2,){on})", takes)
    return re.sub(r"\bB\(([^()]*)\)", rf"torch.zeros(\1, dtype=torch.bool{on})", takes)


def member(name):
    return "m" + "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in name.split("."))


# (what it is called in the list of known differences, lines of the function, expected)
def cases_of(row, columns):
    if row[0] == "statements":
        yield row[1], statement_lines(row[1]), row[2]
        return
    names = [m.split(":") for m in row[3].split() if m != "-"]
    for column, cell in zip(columns[2:], row[3:]):
        if column in CAST:
            made = f"m = {row[1]}{CAST[column]}"
            dtypes = [n[2] for n in names] if column == "as made" else cell.split()
            for (name, _, _), dtype in zip(names, dtypes):
                yield f"{row[1]}{CAST[column]} {name}", [made, f"r = {member(name)}"], dtype
        elif row[2] != "-":
            own = "torch." in row[2] or "nn." in row[2]
            dtype, input_dtype, on, of, cast = MODES[column]
            if on == "cuda" and own:
                continue
            made = f"m = {row[1]}" + (".cuda()" if on == "cuda" else "") + (f".to(torch.{dtype})" if dtype else "")
            call = f"m({inputs(row[2], input_dtype, of)})"
            first, expected = first_of(cell)
            lines = [made, f"r = {call}{first}"]
            if cast:
                lines = [made, f'with torch.autocast("{on}", dtype=torch.{cast}):', "    " + lines[1]]
            yield f"{row[1]} {row[2]} {column}", lines, expected


def first_of(cell):  # of a tuple, the first
    if not cell.startswith("("):
        return "", cell
    return "[0]", re.split(r"[ ()]+", cell)[1]


def statement_lines(line):
    if line.startswith("with "):
        region, _, rest = line.partition(": ")
        return [region + ":", "    " + rest]
    return line.split("; ")


# An operation that fails unless r has that dtype and device; another dtype makes it fail.
def probes(expected):
    dtype, _, device = expected.partition("@")
    if not dtype.startswith(("float", "bfloat")):
        return []
    other = "float64" if dtype != "float64" else "float32"
    return [f'torch.lerp(r, torch.zeros(1, dtype=torch.{d}, device="{device or "cpu"}"), 0.5)' for d in (dtype, other)]


def program(cases):
    text, at = HEAD, []
    for i, (_, lines, expected) in enumerate(cases):
        text += f"\n\ndef case_{i}():\n" + "".join(f"    {line}\n" for line in lines + probes(expected))
        at.append(text.count("\n") - len(probes(expected)))
    return text, at


# The facts of each line: what "types" writes next to it, and below it.
def facts_of(miscast, path, text):
    shown = subprocess.run([miscast, "types", "--isolated", "--no-cache", path], capture_output=True, text=True).stdout
    facts, current = {}, 0
    source = text.split("\n")
    for line in shown.split("\n"):
        m = re.match(r" *(\d*) +\| ?(.*)", line)
        if not m:
            continue
        rest = m.group(2)
        if m.group(1):
            current = int(m.group(1))
            rest = rest[len(source[current - 1].expandtabs()):]
        facts[current] = facts.get(current, "") + "; " + rest.strip()
    return facts


def judge(expected, fact, same, other):
    fails = FAILS.search(fact)
    if "Error" in expected:
        return "agrees" if fails else "missed"
    if fails:
        return "wrong"
    dtype, _, device = expected.partition("@")
    if dtype not in DTYPES:
        return None  # a number, a bool or None: not shown
    if probes(expected):
        return "wrong" if FAILS.search(same) else "agrees" if FAILS.search(other) else "unknown"
    found = re.search(r"(?:^|[ ;])r: (\S+) ([^\s,;]+)", fact)
    if not found or found.group(1) in ("any", "unknown"):
        return "unknown"
    dtypes = found.group(1).split("|")
    if dtypes == [dtype]:
        return "agrees" if found.group(2) in (device or "cpu", "any") else "wrong"
    groups = {"floats": ("float16", "bfloat16", "float32", "float64"),
              "ints": ("uint8", "int8", "int16", "int32", "int64")}
    all_dtypes = {t for d in dtypes for t in groups.get(d, (d,))}
    return "imprecise" if dtype in all_dtypes else "wrong"


# What does not agree, as text; all is counted.
def compare(miscast, cases, counts):
    text, at = program(cases)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "cases.py")
        with open(path, "w") as f:
            f.write(text)
        facts = facts_of(miscast, path, text)
    lines = ""
    for (name, _, expected), line in zip(cases, at):
        verdict = judge(expected, *[facts.get(line + i, "") for i in range(3)])
        counts[verdict] = counts.get(verdict, 0) + (verdict is not None)
        if verdict not in (None, "agrees"):
            lines += f"{verdict}\t{name}\t{expected[:60]}\n"
    return lines


def main(miscast, folder, known, *only):
    with open(os.path.join(folder, "rows.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    columns = rows[1][1:]
    cases = [c for row in rows[2:] for c in cases_of(row, columns)
             if not only or row[0] == "statements" or any(c[0].endswith(" " + o) for o in only)]
    counts, lines = {}, ""
    for first in range(0, len(cases), MANY):
        lines += compare(miscast, cases[first : first + MANY], counts)
    print(" ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items(), key=str) if verdict))
    if os.environ.get("MISCAST_BLESS"):
        with open(known, "w") as f:
            f.write(lines)
    with open(known) as f:
        before = f.read()
    for line in sorted(set(lines.split("\n")) ^ set(before.split("\n"))):
        print(("- " if line in before else "+ ") + line)
    return 1 if lines != before or counts.get("wrong") else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
