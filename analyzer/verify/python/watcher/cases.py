"""The cases of a bundle, on a machine that has Python and torch: run.py starts this. Torch is imported
once, and every case is a process of its own; what happened is written into verdict.json, for
`miscast verify --import`.

    main(["FOLDER", "--device", "cuda", "--jobs", "8", "--only", "WORD", "--timeout", "60"])
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time

# Read when torch is imported.
BEFORE = {"PYTORCH_JIT": "0", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TORCH_COMPILE_DISABLE": "1",
          "TORCHDYNAMO_DISABLE": "1"}


class File:
    """In place of the channel: records go to a file, a line each."""

    def __init__(self, path, wants_shadow):
        self.file = open(path, "ab", buffering=0)
        self.wants_shadow = wants_shadow
        self.owner = os.getpid()

    def send(self, record):
        if os.getpid() == self.owner:
            self.file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def main(words):
    parser = argparse.ArgumentParser(prog="run.py")
    parser.add_argument("folder")
    parser.add_argument("--device", choices=("cuda", "sim"), default="sim")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="a word in the name of the case")
    parser.add_argument("--timeout", type=float, default=60, help="seconds")
    options = parser.parse_args(words)
    os.environ.update(BEFORE)
    if options.device == "sim":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import torch

    torch.set_num_threads(1)
    names = sorted(n for n in os.listdir(options.folder)
                   if options.only in n and os.path.exists(os.path.join(options.folder, n, "case.json")))
    running, left = {}, list(names)
    while left or running:
        while left and len(running) < options.jobs:
            case = Case(options, left.pop(0))
            child = os.fork()
            if child == 0:
                return case.become()  # runs it, and never returns
            running[child] = case, time.monotonic() + options.timeout
        wait(running)
    print("%d cases were run with torch %s, cuda %s" % (
        len(names), torch.__version__, "simulated" if options.device == "sim" else torch.cuda.get_device_name()))
    sys.exit(0)


def wait(running):
    """For one that ends; ends those that take too long."""
    child, status = os.waitpid(-1, os.WNOHANG)
    if child in running:
        case, _ = running.pop(child)
        case.end(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
        return
    for child, (case, until) in list(running.items()):
        if time.monotonic() > until:
            case.timed_out = True
            os.kill(child, signal.SIGKILL)
    time.sleep(0.005)


class Case:
    def __init__(self, options, name):
        self.options = options
        self.name = name
        self.folder = os.path.join(os.path.abspath(options.folder), name)
        self.room = tempfile.mkdtemp()
        self.timed_out = False
        for each in ("events", "verdict.json", "stdout", "stderr"):
            path = os.path.join(self.folder, each)
            if os.path.exists(path):
                os.unlink(path)

    def read(self, name):
        """With its folders filled in."""
        with open(os.path.join(self.folder, name), encoding="utf-8") as f:
            return self.filled(json.load(f))

    def filled(self, value):
        if isinstance(value, str):
            source = os.path.realpath(os.path.join(self.folder, "source"))
            for word, path in (("{source}", source), ("{room}", self.room), ("{case}", self.folder)):
                value = value.replace(word, path)
            return value
        if isinstance(value, list):
            return [self.filled(v) for v in value]
        if isinstance(value, dict):
            return {self.filled(k): self.filled(v) for k, v in value.items()}
        return value

    def become(self):
        """In the child: the program."""
        from . import start

        how, plan = self.read("case.json"), self.read("plan.json")
        own = {k: os.environ[k] for k in ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH") if k in os.environ}
        os.environ.clear()
        os.environ.update(own)
        os.environ.update(how["environment"])
        if self.options.device == "cuda":
            os.environ.pop("CUDA_VISIBLE_DEVICES", None)
            plan["modules"] = [m for m in plan["modules"] if m != "simulate"]
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            file = os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            os.dup2(file, descriptor)
        os.dup2(os.open(how["input"] or os.devnull, os.O_RDONLY), 0)
        os.makedirs(how["cwd"], exist_ok=True)
        os.chdir(how["cwd"])
        channel = File(os.path.join(self.folder, "events"), how["shadow"])
        start.run(channel, plan, how["program"], how["words"])

    def end(self, status):
        import torch

        shutil.rmtree(self.room, ignore_errors=True)
        source = os.path.realpath(os.path.join(self.folder, "source")) + os.sep
        events = []
        path = os.path.join(self.folder, "events")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                events = [placed(json.loads(line), source) for line in f if line.endswith("\n")]
            os.unlink(path)
        with open(os.path.join(self.folder, "verdict.json"), "w", encoding="utf-8") as f:
            json.dump({"backend": self.options.device, "status": 124 if self.timed_out else status,
                       "version": torch.__version__, "events": events}, f)
        with open(os.path.join(self.folder, "expected"), encoding="utf-8") as f:
            print("%s: expected %s" % (self.name, f.read().strip()))
        errors = [e for e in events if e.get("error")]
        for e in errors[:3]:
            print("    %s:%d raised %s: %s" % (e["file"], e["line"], e["error"]["type"],
                                              e["error"]["message"].split("\n")[0][:160]))
        if not errors:
            print("    raised nothing%s" % (", and was ended" if self.timed_out else ""))
        sys.stdout.flush()


def placed(value, source):
    """Files are named as below the project."""
    if isinstance(value, dict):
        return {k: v[len(source):] if k == "file" and isinstance(v, str) and v.startswith(source) else placed(v, source)
                for k, v in value.items()}
    if isinstance(value, list):
        return [placed(v, source) for v in value]
    return value
