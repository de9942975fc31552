"""Runs recorded programs (../agree/random.jsonl.gz, from ../agree/generate.py) on the simulated cuda and compares what their
reveal_type() shows, dtype, device and whether it requires grad, and where they raise, with what was recorded on a GPU.

    revealed.py RESULTS.jsonl.gz [WORD in the name]

An old version of PyTorch that gets no further on its CPU is compared as far as it gets."""
import gzip
import json
import os
import re
import sys
import tempfile

from watcher import ROOT, TORCH, simulate

import torch

sys.path.insert(0, os.path.join(ROOT, "tests/python/agree"))
import record  # noqa: E402

OLD = re.compile("not implemented for '(?:Half|BFloat16)'|primitive descriptor|has no attribute|unexpected keyword")


def in_child(path, how):
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        if not os.environ.get("SHOW"):
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 1)
            os.dup2(devnull, 2)
        with simulate.mode(None):
            record.AVAILABLE = torch.cuda.is_available
            try:
                result = record.run(path, how)
            except BaseException as e:
                result = {"seen": {}, "error": [-1, repr(e)]}
        os.write(w, json.dumps(result).encode())
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as f:
        text = f.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"seen": {}, "error": [-1, "ended"]}


def differences(found, expected):
    """Lines whose tensors differ, or where it raised."""
    old = TORCH < (2, 2) and found["error"] and OLD.search(found["error"][1])
    last = found["error"][0] if old else 1 << 30
    for line, seen in expected["seen"].items():
        also = found["seen"].get(line)
        if also != seen and (int(line) < last or also):
            yield f"line {line}: recorded {seen}, simulated {also}"
    at = [e[0] if e else 0 for e in (expected["error"], found["error"])]
    if at[0] != at[1] and not old:
        yield f"recorded {expected['error']}, simulated {found['error']}"


def main(args):
    torch.set_num_threads(1)
    runs = wrong = lines_seen = 0
    with tempfile.TemporaryDirectory() as folder, gzip.open(args[0], "rt") as lines:
        for line in lines:
            result = json.loads(line)
            if len(args) > 1 and args[1] not in result["file"]:
                continue
            path = os.path.join(folder, result["file"])
            with open(path, "w") as f:
                f.write(result["source"])
            for how, expected in zip(json.loads(result["source"].split("\n")[0].split("runs: ")[1]), result["runs"]):
                runs += 1
                result_here = in_child(path, how)
                lines_seen += len(result_here["seen"])
                found = list(differences(result_here, expected))
                wrong += bool(found)
                for text in found[:3]:
                    print(result["file"], *how["args"], text, flush=True)
    print(f"{runs} runs, {lines_seen} tensors, {wrong} differ")
    return wrong > 0 or lines_seen == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
