"""Runs the programs of tests/python/idioms with shadow values, and counts those with a loss that are reported at its line,
and those that are right and reported all the same. A helper for development. Most programs are for cuda, which is simulated
without a GPU; some need PyTorch 2.

    python3 tests/python/shadow/idioms.py [WORD in the name]...

As many at once as there are processors, one fork each; programs that use a GPU share it."""
import concurrent.futures
import json
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
WATCHER = os.path.join(TOP, "analyzer", "verify", "python", "watcher")
IDIOMS = os.path.join(TOP, "tests", "python", "idioms")
SECONDS = int(os.environ.get("SECONDS", "300"))
WORDS, sys.argv = sys.argv[1:], [sys.argv[0], WATCHER]
sys.path.insert(0, HERE)

import check  # noqa: E402
import torch  # noqa: E402


class Row:
    def __init__(self, fields):
        self.name, self.kind = fields[0], fields[1]
        self.line = int(fields[2].split(",")[0]) if fields[2] != "-" else 0
        self.rule = fields[3]
        self.arguments = [] if fields[4] == "-" else fields[4].split()
        self.is_missed = "missed" in fields[5]
        self.path = os.path.join(IDIOMS, "programs", self.name)
        start = os.path.join(IDIOMS, "programs", self.name.split(os.sep)[0], "main.py")
        self.start = start if os.path.exists(start) else self.path


def become(row, file):
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    if len(WORDS) == 0:
        os.dup2(null, 2)
    signal.alarm(SECONDS)
    os.environ["MISCAST_RUN"] = file
    sys.argv = [row.start] + row.arguments
    sys.path.insert(0, os.path.dirname(row.start))
    warnings.simplefilter("ignore")
    if not torch.cuda.is_available():
        simulate.mode(start.Context({}, row.start, None)).__enter__()
    sanitize.start()
    try:
        runpy.run_path(row.start, run_name="__main__")
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc()
        raise


def run(row):
    """Its losses, how it ended, and the seconds that it took."""
    begun = time.monotonic()
    with tempfile.NamedTemporaryFile() as f:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                become(row, f.name)
                code = 0
            finally:
                os._exit(code)
        status = os.waitpid(child, 0)[1]
        lines = [json.loads(line) for line in f]
    return [l for l in lines if "loss" in l], status, time.monotonic() - begun


def text(loss):
    at = loss["at"]
    return "%s %s:%d %s%s gave %s instead of %s in %s, %d times" % (
        loss["loss"], os.path.basename(at["file"] or "?"), at["line"], at["op"], " (backward)" * at["backward"],
        loss["got"], loss["expected"], loss["dtype"], loss["times"])


def main():
    with open(os.path.join(IDIOMS, "manifest.tsv"), encoding="utf-8") as f:
        rows = [Row(line.rstrip("\n").split("\t")) for line in f if not line.startswith("#")]
    rows = [r for r in rows if r.kind != "bug" and all(w in r.name for w in WORDS)]
    lost = reported = either = right = wrong = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, (losses, status, seconds) in zip(rows, pool.map(run, rows)):
            here = any(l["at"]["line"] == row.line and l["at"]["file"] == row.path for l in losses)
            is_loss = row.kind == "loss"
            failed += status != 0
            lost += is_loss
            reported += is_loss and here
            either += is_loss and (here or not row.is_missed)
            right += not is_loss
            wrong += not is_loss and bool(losses)
            if is_loss or losses or status:
                word = "found" if is_loss and here else "-" if is_loss else "right" if not losses else "FALSE"
                print(word, row.name, row.line or "", row.rule, "" if not status else "ended with %d" % status,
                      "%.1f s" % seconds, flush=True)
            for loss in losses if not (is_loss and here) else ():
                print("     ", text(loss))
    print("%d of %d losses reported at their line, %d with check; %d of %d right programs reported; %d did not end well"
          % (reported, lost, either, wrong, right, failed))


if __name__ == "__main__":
    sanitize = check.load()
    __import__("miscast_watcher.shadow")
    from miscast_watcher import simulate, start
    torch.set_num_threads(1)
    main()
