"""Runs programs of a manifest (../idioms/manifest.tsv) on the simulated cuda and compares where they raise with what was
recorded on a GPU.

    programs.py MANIFEST [--every N] [--all] [WORD in the name]

Only programs that name cuda, unless --all. What an old version of PyTorch has not, or its CPU cannot, is counted, not compared:
the program would not get so far on a GPU either, or nothing is known of it. So is a library that is not installed here. KNOWN
are those with another reason."""
import os
import re
import runpy
import signal
import sys
import traceback
import warnings

from watcher import TORCH, simulate

import torch

# The program itself is on the CPU there, which an old version cannot.
OLD_CPU = re.compile("not implemented for '(?:Half|BFloat16)'|primitive descriptor")
NEWER = re.compile("has no attribute|unexpected keyword argument")
MISSING = re.compile(r"ModuleNotFoundError: No module named '(?!torch\b)")
KNOWN = {
    "half_input_on_cpu_bug.py": "it is a bug without a GPU",
    "position_cumsum_half_bug.py": "an index that is too large is noticed later on a GPU",
}
if TORCH < (2, 0):
    for name in ("mask_of_floats_bug.py", "masked_mean_of_bool_bug.py", "optional_mask_float_bug.py"):
        KNOWN[name] = "a mask of floats is accepted"
    KNOWN["causal_mask_of_stack_fixed.py"] = "a causal mask is not recognised"


def run(start, path, args):
    """The line of the file where it raised, and what; 0: it raised nothing."""
    sys.argv = [start] + args
    sys.path.insert(0, os.path.dirname(start))
    torch.manual_seed(1)
    warnings.simplefilter("ignore")
    try:
        with simulate.mode(None):
            runpy.run_path(start, run_name="__main__")
    except SystemExit:
        pass
    except BaseException as e:
        if os.environ.get("SHOW"):
            traceback.print_exc()
        frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == path]
        return frames[-1].lineno if frames else -1, f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"[:200]
    return 0, ""


def in_child(start, path, args):
    """Each in a process of its own, with torch already imported."""
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        if not os.environ.get("SHOW"):
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 1)
            os.dup2(devnull, 2)
        signal.alarm(300)
        line, text = run(start, path, args)
        os.write(w, f"{line}\t{text}".encode())
        os._exit(0)
    os.close(w)
    with os.fdopen(r, "rb") as f:
        line, _, text = f.read().decode().partition("\t")
    os.waitpid(child, 0)
    return int(line or -1), text if line else "ended without a word"


def start_of(folder, name):
    """A file of a package is run by the program beside it: main.py, else the one that no other imports."""
    path = os.path.join(folder, "programs", name)
    package = os.path.dirname(path)
    if "/" not in name:
        return path, path
    files = {f[:-3]: open(os.path.join(package, f)).read() for f in os.listdir(package) if f.endswith(".py")}
    if "main" in files:
        return os.path.join(package, "main.py"), path
    free = [f for f in files if not any(re.search(rf"\b(?:import|from)\s+{f}\b", text) for text in files.values())]
    return os.path.join(package, free[0] + ".py") if len(free) == 1 else path, path


def uses_cuda(start):
    folder = os.path.dirname(start)
    files = [start] if os.path.basename(folder) == "programs" else [os.path.join(folder, f) for f in os.listdir(folder)]
    return any("cuda" in open(f).read() for f in files if f.endswith(".py"))


def main(args):
    manifest, every, everything = os.path.abspath(args[0]), 1, "--all" in args
    folder = os.path.dirname(manifest)
    args = [a for a in args[1:] if a != "--all"]
    if args[:1] == ["--every"]:
        every, args = int(args[1]), args[2:]
    torch.set_num_threads(1)
    simulate.install()
    with open(manifest) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    raising = {os.path.dirname(row[0]) for row in rows if row[1] == "bug"} - {""}
    rows = [row for row in rows if row[1] != "right" or os.path.dirname(row[0]) not in raising]
    count = {"same": 0, "by the version": 0, "not installed": 0, "known": 0, "differ": 0}
    taken = 0
    for name, kind, line, _, options, *_ in rows:
        start, path = start_of(folder, name)
        if (args and args[0] not in name) or not (everything or uses_cuda(start)):
            continue
        taken += 1
        if taken % every:
            continue
        at, text = in_child(start, path, [] if options == "-" else options.split())
        expected = [int(n) for n in line.split(",")] if kind == "bug" else [0]
        verdict = "same"
        if at not in expected:
            old = TORCH < (2, 2) and (OLD_CPU.search(text) or NEWER.search(text))
            verdict = "known" if name in KNOWN else "by the version" if old else "differ"
            if MISSING.search(text):
                verdict = "not installed"
        count[verdict] += 1
        if verdict == "differ" or (os.environ.get("WORDS") and verdict != "same"):
            print(name, kind, line, "->", at, text, flush=True)
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return count["differ"] > 0 or count["same"] == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
