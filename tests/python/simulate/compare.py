"""Runs programs on a GPU and on the simulated cuda, each in a process of its own, and prints where they differ. A helper for
development: it needs a GPU.

    compare.py [--jobs N] PROGRAM.py... MANIFEST.tsv... FOLDER...

A manifest names programs beside it and their arguments (../idioms/manifest.tsv); of a folder all .py files are run. Compared are the
line of the program that raised, the kind of exception, and what was printed to the standard output but for numbers. Messages that
differ are printed, not counted."""
import builtins
import concurrent.futures
import json
import os
import re
import runpy
import signal
import sys
import traceback
import warnings

import programs
from watcher import simulate

import torch


def reveal_type(x):
    """As in programs of ../agree/generate.py."""
    is_tensor = isinstance(x, torch.Tensor)
    print(f"{x.dtype} {x.device.type} {x.requires_grad}" if is_tensor else type(x).__name__)
    return x


def run(start, path, args, is_simulated):
    builtins.reveal_type = reveal_type
    sys.argv = [start] + args
    sys.path.insert(0, os.path.dirname(start))
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    try:
        if is_simulated:
            with simulate.mode(None):
                runpy.run_path(start, run_name="__main__")
        else:
            runpy.run_path(start, run_name="__main__")
    except SystemExit:
        return [0, "", ""]
    except BaseException as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == path]
        return [frames[-1].lineno if frames else -1, type(e).__name__, str(e).strip().split("\n")[0][:300]]
    return [0, "", ""]


def in_child(start, path, args, is_simulated):
    r, w = os.pipe()
    printed_r, printed_w = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(printed_w, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.close(printed_r)
        os.close(r)
        signal.alarm(100)
        torch.set_num_threads(1)
        result = run(start, path, args, is_simulated)
        sys.stdout.flush()
        os.write(w, json.dumps(result).encode())
        os._exit(0)
    os.close(w)
    os.close(printed_w)
    with os.fdopen(printed_r, "rb") as f:
        printed = f.read().decode(errors="replace")
    with os.fdopen(r, "rb") as f:
        text = f.read().decode()
    os.waitpid(child, 0)
    return (json.loads(text) if text else [-1, "ended", ""]), words_of(printed)


def words_of(printed):
    """What was printed, but for numbers and how tensors are laid out."""
    text = re.sub(r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?|\binf\b|\bnan\b", "#", printed)
    return re.sub(r"[\s,#\[\]]+", " ", text)


def programs_in(args):
    for arg in args:
        if arg.endswith(".tsv"):
            folder = os.path.dirname(os.path.abspath(arg))
            with open(arg) as f:
                for line in f:
                    if not line.startswith("#"):
                        name, _, _, _, options, *_ = line.rstrip("\n").split("\t")
                        yield (*programs.start_of(folder, name), [] if options == "-" else options.split())
        elif os.path.isdir(arg):
            for name in sorted(os.listdir(arg)):
                if name.endswith(".py"):
                    path = os.path.abspath(os.path.join(arg, name))
                    for words in command_lines(path):
                        yield path, path, words
        else:
            yield os.path.abspath(arg), os.path.abspath(arg), []


def command_lines(path):
    """Those that a program of ../agree/generate.py names in its first line."""
    with open(path) as f:
        first = f.readline()
    return [how["args"] for how in json.loads(first.split("runs: ")[1])] if first.startswith("# runs: ") else [[]]


def both(program):
    return program, in_child(*program, False), in_child(*program, True)


def main(args):
    jobs = os.cpu_count() or 2
    if args[:1] == ["--jobs"]:
        jobs, args = int(args[1]), args[2:]
    count = {"same": 0, "raise elsewhere": 0, "print something else": 0, "not simulated": 0}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (start, path, _), (real, printed), (found, also) in pool.map(both, programs_in(args)):
            name = os.path.relpath(path)
            if found[1] == "CannotSimulate":
                what = "not simulated"
            elif real[:2] != found[:2] and not (real[0] == found[0] and same_kind(real[1], found[1])):
                what = "raise elsewhere"
            else:
                what = "same" if printed == also else "print something else"
                if real[2][:60] != found[2][:60]:
                    print(f"{name}: message\n    cuda:      {real[2]}\n    simulated: {found[2]}", flush=True)
            count[what] += 1
            if what in ("not simulated", "raise elsewhere"):
                print(f"{name}: {what}\n    cuda:      {real}\n    simulated: {found}", flush=True)
            elif what != "same":
                at = next((i for i, (a, b) in enumerate(zip(printed, also)) if a != b), min(len(printed), len(also)))
                print(f"{name}: {what}\n    cuda:      {printed[max(0, at - 30):at + 60]}\n    simulated: {also[max(0, at - 30):at + 60]}",
                      flush=True)
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return count["raise elsewhere"] > 0


def same_kind(a, b):
    return {a, b} <= {"RuntimeError", "NotImplementedError", "AcceleratorError", "OutOfMemoryError"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
