"""Runs the programs of the manifest by PyTorch and compares what they raise, and where, with their rows. A helper for
development: it needs PyTorch 2.11 and a GPU.

    python3 tests/python/idioms/run.py [WORD in the name]

As many at once as there are processors."""
import concurrent.futures
import os
import runpy
import signal
import sys
import traceback
import warnings

import torch

HERE = os.path.dirname(os.path.abspath(__file__))


def run(path, args):
    """The line of the file where it raised, and what; 0: it raised nothing. A file of a package is run by the program
    beside it."""
    start = os.path.join(HERE, "programs", os.path.relpath(path, os.path.join(HERE, "programs")).split(os.sep)[0], "main.py")
    start = start if os.path.exists(start) else path
    sys.argv = [start] + args
    sys.path.insert(0, os.path.dirname(start))
    warnings.simplefilter("ignore")
    try:
        runpy.run_path(start, run_name="__main__")
    except SystemExit:  # so does click end a program
        pass
    except Exception as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == path]
        return frames[-1].lineno if frames else -1, f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"[:120]
    return 0, ""


def in_child(path, args):  # each in a process of its own, with torch already imported
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        signal.alarm(60)
        line, text = run(path, args)
        os.write(w, f"{line}\t{text}".encode())
        os._exit(0)
    os.close(w)
    with os.fdopen(r, "rb") as f:
        line, _, text = f.read().decode().partition("\t")
    os.waitpid(child, 0)
    return int(line or -1), text


def main():
    wrong = 0
    with open(os.path.join(HERE, "manifest.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    raising = {os.path.dirname(row[0]) for row in rows if row[1] == "bug"} - {""}
    rows = [row for row in rows if len(sys.argv) < 2 or sys.argv[1] in row[0]]
    rows = [row for row in rows if row[1] != "right" or os.path.dirname(row[0]) not in raising]
    paths = [os.path.join(HERE, "programs", row[0]) for row in rows]
    options = [[] if row[4] == "-" else row[4].split() for row in rows]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, kind, line, *_), (at, text) in zip(rows, pool.map(in_child, paths, options)):
            expected = [int(n) for n in line.split(",")] if kind == "bug" else [0]
            wrong += at not in expected
            print("ok  " if at in expected else "BAD ", name, kind, line, "->", at, text, flush=True)
    print(f"{len(rows)} programs, {wrong} differ")


if __name__ == "__main__":
    main()
