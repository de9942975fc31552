"""Compares what programs did (see record.py) with what miscast infers about them.

    python3 compare.py MISCAST [--bar PERCENT] [--show KIND,...] RESULTS.jsonl[.gz]

Counted are the expressions in reveal_type():

    exact      the dtype and the device are those of all runs
    wide       several, as it was in several runs
    imprecise  several, though it was the same in all runs
    unsound    a run had another one, or got where no run is said to get

and of the errors that runs raised, by program and line:

    found      there is a warning or an error in that line
    missed     there is none

and, of the warnings and errors about what raises, "false": in a line where no run raised. Exit code 1: something is unsound or false, or more than PERCENT are imprecise."""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

NAMES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "i16": "int16",
         "i8": "int8", "u8": "uint8", "bool": "bool", "c64": "complex64", "c128": "complex128"}
GROUPS = {"ints": ["u8", "i8", "i16", "i32", "i64"], "floats": ["f16", "bf16", "f32", "f64"], "f8": ["f8e4m3", "f8e5m2"]}
# About what raises no error: whether these are right, a run cannot show.
SILENT = {"cast-undone-by-autocast", "inplace-on-cast-alias", "rebound-cast"}


def dtypes_of(text):
    found = set()
    for word in text.split("|"):
        for name in GROUPS.get(word, [word]):
            found.add(NAMES.get(name, name))
    return found


def facts(miscast, path):
    """What is revealed, by line: (dtypes, devices), None for any, or a text: no run gets there."""
    out = subprocess.run([miscast, "types", "--isolated", "--no-cache", path], capture_output=True, text=True)
    found = {}
    for line in out.stdout.split("\n"):
        m = re.match(r".*\.py:(\d+):\d+: note: .* is (.*?)(miscast: .*)?$", line)
        if not m:
            continue
        text = m.group(2)
        if text.startswith(("not reached", "gives no", "not known")):
            found[int(m.group(1))] = text
            continue
        any_dtype = text.startswith("any dtype")
        rest = text[len("any dtype"):] if any_dtype else text.partition(" ")[2]
        devices = None if rest.strip().startswith("any device") else set(re.match(r" ?([\w|:]*)", rest).group(1).split("|"))
        found[int(m.group(1))] = (None if any_dtype else dtypes_of(text.split(" ")[0].rstrip(",")), devices)
    return found, out.stderr if out.returncode > 1 or "miscast: error" in out.stderr else ""


def findings(miscast, path):
    out = subprocess.run([miscast, "check", "--isolated", "--no-cache", path], capture_output=True, text=True,
                         env=dict(os.environ, NO_COLOR="1"))
    found = []
    for line in out.stdout.split("\n"):
        m = re.match(r".*?\.py:(\d+):\d+: (error|warning): (.*) \[([\w-]+)\]$", line)
        if m:
            found.append((int(m.group(1)), m.group(2), m.group(4), m.group(3)))
    return found, "" if out.returncode < 2 else out.stderr


class Count(dict):
    def add(self, key):
        self[key] = self.get(key, 0) + 1


def judge(fact, seen):
    """Of one expression: what is said of it, compared with what it was."""
    if isinstance(fact, str):
        return "unsound"
    dtypes, devices = {s.split()[0] for s in seen}, {s.split()[1] for s in seen if " " in s}
    if any(" " not in s for s in seen):
        return "other"
    if fact is None:
        return "imprecise"
    known, places = fact
    if known is not None and not dtypes <= known or places is not None and not devices <= places:
        return "unsound"
    if (len(dtypes) == 1 and (known is None or len(known) > 1)) or (len(devices) == 1 and (places is None or len(places) > 1)):
        return "imprecise"
    return "exact" if len(dtypes) == 1 and len(devices) == 1 else "wide"


def compare(miscast, path, result, counts, show):
    known, problem = facts(miscast, path)
    found, more = findings(miscast, path)
    name = os.path.basename(path)
    source = open(path).read().split("\n")
    if problem or more:
        counts.add("broken")
        print(f"{name}: broken: {(problem or more)[:300]}")
        return
    seen = {}
    for run in result["runs"]:
        for line, all in run["seen"].items():
            seen.setdefault(int(line), set()).update(all)
    for line, all in sorted(seen.items()):
        verdict = judge(known.get(line), all)
        counts.add(verdict)
        if verdict in show:
            print(f"{name}:{line}: {verdict}: {known.get(line)} was {sorted(all)}   {source[line - 1].strip()}")
    raised = {}
    for run in result["runs"]:
        if run["error"]:
            raised.setdefault(run["error"][0], set()).add(run["error"][1])
    lines = {f[0] for f in found}
    for line, texts in raised.items():
        verdict = "found" if line in lines else "missed"
        counts.add(verdict)
        if verdict in show:
            print(f"{name}:{line}: {verdict}: {sorted(texts)[0]}   {source[line - 1].strip()}")
    for line, severity, rule, text in found:
        wrong = line not in raised
        if rule in SILENT:
            counts.add("silent rule " + rule)
        elif wrong:
            counts.add("false")
            if "false" in show:
                print(f"{name}:{line}: false: {severity} {text} [{rule}]   {source[line - 1].strip()}")


# What PyTorch of other versions or other machines says, where 2.11 says something else.
SKIPPED = re.compile(r"not implemented for '(Half|BFloat16)'|Found no NVIDIA|not compiled with CUDA|killed|CUDA error")


def main():
    args, show, bar = sys.argv[1:], {"unsound", "false", "imprecise", "missed"}, None
    while args and "--show" in args:
        at = args.index("--show")
        show = set(args[at + 1].split(","))
        del args[at : at + 2]
    if "--bar" in args:
        at = args.index("--bar")
        bar = float(args[at + 1])
        del args[at : at + 2]
    miscast, results = args[:2]
    counts = Count()
    with (gzip.open if results.endswith(".gz") else open)(results, "rt") as f, tempfile.TemporaryDirectory() as folder:
        for line in f:
            result = json.loads(line)
            if any(r["error"] and SKIPPED.search(r["error"][1]) for r in result["runs"]):
                counts.add("skipped programs")
                continue
            counts.add("programs")
            counts["runs"] = counts.get("runs", 0) + len(result["runs"])
            path = os.path.join(folder, result["file"])
            with open(path, "w") as program:
                program.write(result["source"])
            compare(miscast, path, result, counts, show)
    marks = sum(counts.get(k, 0) for k in ("exact", "wide", "imprecise", "unsound"))
    percent = 100 * counts.get("imprecise", 0) / max(1, marks)
    print(" ".join(f"{k}: {v};" for k, v in sorted(counts.items())), f"imprecise {percent:.2f}%")
    return 1 if counts.get("unsound") or counts.get("false") or counts.get("broken") or bar is not None and percent > bar else 0


if __name__ == "__main__":
    sys.exit(main())
