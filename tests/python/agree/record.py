"""Runs programs by PyTorch and records what they reveal: a line of JSON for each program.

    python3 record.py [--jobs N] PROGRAM.py... > RESULTS

A result: "file", "torch" (its version), "source", and "runs", for each command line that the program names: "seen" ({line: ["float32 cpu
grad", ...]}), and "error" ([line, text], of the program's own innermost frame) or null."""
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

import torch


AVAILABLE = torch.cuda.is_available
BROKEN = re.compile("CUDA error|device-side assert")  # nothing works on the GPU after that


def run(path, how):
    seen = {}

    def reveal_type(x):
        line = sys._getframe(1).f_lineno
        text = type(x).__name__
        if isinstance(x, torch.Tensor):
            text = f"{str(x.dtype)[6:]} {x.device.type} {'grad' if x.requires_grad else '-'}"
        seen.setdefault(line, set()).add(text)
        return x

    builtins.reveal_type = reveal_type
    before = dict(os.environ)
    os.environ.update(how["env"])
    sys.argv = [path] + how["args"]
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float32)
    torch.cuda.is_available = AVAILABLE if how["gpu"] else lambda: False
    error = None
    signal.alarm(60)
    try:
        runpy.run_path(path, run_name="__main__")
    except (Exception, SystemExit) as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if f.filename == path]
        text = str(e).splitlines()[0] if str(e) else ""
        error = [frames[-1].lineno if frames else 0, f"{type(e).__name__}: {text}"[:160]]
    signal.alarm(0)
    os.environ.clear()
    os.environ.update(before)
    return {"seen": {str(k): sorted(v) for k, v in sorted(seen.items())}, "error": error}


def record(path):
    with open(path) as f:
        source = f.read()
    hows = json.loads(source.split("\n")[0].split("runs: ")[1])
    return {"file": os.path.basename(path), "torch": torch.__version__, "source": source,
            "runs": [run(path, h) for h in hows]}


def in_child(paths):
    """The programs one by one in one process, until one breaks it: their results."""
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(r)
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        with os.fdopen(w, "w") as f:
            for path in paths:
                result = record(path)
                f.write(json.dumps(result, separators=(",", ":")) + "\n")
                f.flush()
                if any(x["error"] and BROKEN.search(x["error"][1]) for x in result["runs"]):
                    break
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as f:
        lines = [line for line in f.read().split("\n") if line.endswith("}")]
    os.waitpid(child, 0)
    return lines


def record_all(paths):
    lines = []
    while len(lines) < len(paths):
        more = in_child(paths[len(lines):])
        if not more:  # it ended the process
            more = [json.dumps({"file": os.path.basename(paths[len(lines)]), "torch": torch.__version__, "source": "",
                                "runs": [{"seen": {}, "error": [0, "killed"]}]})]
        lines += more
    return lines


def main():
    args = sys.argv[1:]
    jobs = 2
    if args[0] == "--jobs":
        jobs, args = int(args[1]), args[2:]
    torch.set_num_threads(1)
    size = max(1, min(40, len(args) // jobs))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for lines in pool.map(record_all, [args[i : i + size] for i in range(0, len(args), size)]):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
