"""Random Python programs on PyTorch, as people write them. Sizes always fit; dtypes and devices mostly do. Each asks by
reveal_type(x), in places, what x is.

    python3 generate.py SEED [--cuda]     prints the program

A program begins with a comment that lists the command lines and environments under which it is to be run: all that
its options can be, so that what is the same in all runs is the same in every run."""
import itertools
import json
import random
import sys

import blocks

FLOATS = ["float32", "float64", "float16", "bfloat16"]


class Var:
    """A variable: its sizes, 'f' (floating), 'i' (int64) or 'b' (bool), a word for its dtype (variables with the same
    one have the same dtype; None: nobody knows), on the program's device or not, and whether backward reaches it."""

    def __init__(self, name, shape, kind, dtype=None, home=True, grad=False, fresh=False):
        self.name, self.shape, self.kind, self.dtype, self.home, self.grad, self.fresh = \
            name, tuple(shape), kind, dtype, home, grad, fresh


class Program:
    def __init__(self, seed, cuda):
        self.r = random.Random(seed)
        self.cuda = cuda
        self.options = []  # (lines that declare it, [[argv...]...])
        self.env = []      # (name, [values])
        self.available = False
        self.top, self.lines, self.indent = [], [], 0
        self.vars, self.modules, self.functions, self.classes = [], [], [], []
        self.flags, self.dtype_names, self.dtypes = [], [], []
        self.device = None
        self.count = 0
        self.no_grad = self.in_autocast = self.in_loop = 0
        self.scope, self.base = "main", 0

    # ---- text ----

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def name(self, hint="x"):
        self.count += 1
        return f"{hint}{self.count}"

    def chance(self, p):
        return self.r.random() < p

    def pick(self, *all):
        return self.r.choice(all)

    def reveal(self, text):
        self.emit(f"reveal_type({text})")

    # ---- variables ----

    def new(self, shape, kind, dtype=None, home=True, grad=False, fresh=True, hint=None):
        v = Var(self.name(hint or self.pick("x", "h", "y", "z", "t", "out")), shape, kind, dtype, home,
                grad and not self.no_grad, fresh)
        return v

    def add(self, v, text):
        self.emit(f"{v.name} = {text}")
        self.vars.append(v)
        if self.chance(0.4):
            self.reveal(v.name)
        return v

    def find(self, kind=None, shape=None, test=None):
        found = [v for v in self.vars if (not kind or v.kind in kind) and (shape is None or v.shape == tuple(shape))
                 and (not test or test(v))]
        return self.r.choice(found[-6:]) if found else None

    def tensor(self, kind="f", shape=None, test=None):
        v = self.find(kind, shape, test) if self.chance(0.9) else None
        return v or blocks.create(self, kind[0], shape)

    def on(self):
        """How a new tensor gets to the program's device."""
        if not self.device or self.chance(0.03):
            return ""
        return f", device={self.device}"

    def is_home(self, text):
        return not self.device or "device=" in text

    def body(self, steps, indent=1):
        kept = list(self.vars)
        self.indent += indent
        before = len(self.lines)
        for _ in range(steps):
            blocks.step(self)
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= indent
        self.vars = kept

    # ---- options ----

    def add_option(self):
        total = 1
        for _, values in self.options + self.env:
            total *= len(values)
        if total >= 8:
            return
        kind = self.pick("flag", "flag", "flag", "dtype", "choice", "int", "env", "not")
        flag = self.r.choice([f for f in ("half", "amp", "fp64", "fast", "compat", "big", "bias", "norm", "clip", "mixed")
                              if not any(f in o[0] for o in self.options)])
        if kind == "flag":
            self.options.append((f'parser.add_argument("--{flag}", action="store_true")', [[], [f"--{flag}"]]))
            self.flags.append(f"args.{flag}")
        elif kind == "not":
            self.options.append((f'parser.add_argument("--no-{flag}", dest="{flag}", action="store_false")',
                                 [[], [f"--no-{flag}"]]))
            self.flags.append(f"args.{flag}")
        elif kind == "dtype" and not self.dtype_names:
            names = self.r.sample(FLOATS, self.pick(2, 3))
            self.options.append((f'parser.add_argument("--dtype", default="{names[0]}", choices={names!r})'.replace("'", '"'),
                                 [["--dtype", n] for n in names]))
            self.dtype_names.append("args.dtype")
        elif kind == "choice":
            self.options.append((f'parser.add_argument("--{flag}", choices=["a", "b"], default="a")',
                                 [[], [f"--{flag}", "b"]]))
            self.flags.append(f'args.{flag} == "b"')
        elif kind == "int":
            self.options.append((f'parser.add_argument("--{flag}", type=int, default=0)', [[], [f"--{flag}", "1"]]))
            self.flags.append(self.pick(f"args.{flag}", f"args.{flag} > 0", f"args.{flag} == 1"))
        elif kind == "env":
            name = flag.upper()
            self.env.append((name, [None, "1"]))
            self.flags.append(self.pick(f'os.environ.get("{name}") == "1"', f'os.environ.get("{name}", "0") != "0"',
                                        f'bool(int(os.environ.get("{name}", "0")))', f'os.getenv("{name}") is not None',
                                        f'"{name}" in os.environ'))

    def choose_device(self):
        if not self.cuda or self.chance(0.25):
            if self.chance(0.3):
                self.emit('device = torch.device("cpu")')
                self.device = "device"
            return
        kind = self.pick("fixed", "available", "flag", "option")
        if kind == "fixed":
            self.emit(f"device = {self.pick(chr(34) + 'cuda' + chr(34), 'torch.device(' + chr(34) + 'cuda' + chr(34) + ')')}")
        elif kind == "available":
            self.available = True
            self.emit(self.pick('device = torch.device("cuda" if torch.cuda.is_available() else "cpu")',
                                'device = "cuda" if torch.cuda.is_available() else "cpu"'))
        elif kind == "flag" and self.flags:
            self.emit(f'device = "cpu" if {self.r.choice(self.flags)} else "cuda"')
        else:
            self.options.append(('parser.add_argument("--device", default="cuda")',
                                 [[], ["--device", "cpu"]]))
            self.emit("device = args.device" if self.chance(0.5) else "device = torch.device(args.device)")
        self.device = "device"

    def choose_dtype(self):
        if self.dtype_names:
            self.emit(self.pick("dtype = getattr(torch, args.dtype)",
                                'dtype = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, '
                                '"float64": torch.float64}[args.dtype]'))
            self.dtypes.append("dtype")
        elif self.flags and self.chance(0.6):
            a, b = self.r.sample(FLOATS, 2)
            flag = self.r.choice(self.flags)
            if self.chance(0.5):
                self.emit(f"dtype = torch.{a} if {flag} else torch.{b}")
            else:
                self.emit(f"dtype = torch.{b}")
                self.emit(f"if {flag}:")
                self.emit(f"    dtype = torch.{a}")
            self.dtypes.append("dtype")

    # ---- the whole ----

    def make(self):
        for _ in range(self.pick(0, 1, 1, 2, 2, 3)):
            self.add_option()
        for _ in range(self.pick(0, 1, 1, 2)):
            blocks.define_function(self)
        for _ in range(self.pick(0, 1, 1, 2)):
            blocks.define_class(self)
        is_main = self.chance(0.5)
        self.lines, self.indent = [], int(is_main)
        self.base = self.indent
        options_at = len(self.lines)
        self.choose_device()
        self.choose_dtype()
        if self.chance(0.08):
            self.emit(f"torch.set_default_dtype(torch.{self.pick('float64', 'float32', 'float64')})")
        for _ in range(2):
            blocks.create(self, "f", blocks.BASE)
        for _ in range(self.pick(4, 6, 8, 10, 12, 14)):
            blocks.step(self)
        for v in self.r.sample(self.vars, min(3, len(self.vars))):
            self.reveal(v.name)
        body = self.lines
        head = ["import argparse", "import copy", "import os", "import math", "", "import numpy as np", "import torch",
                "import torch.nn as nn", "import torch.nn.functional as F", ""]
        parse = ["parser = argparse.ArgumentParser()"] + [o[0] for o in self.options] + ["args = parser.parse_args()"]
        if not self.options:
            parse = []
        pad = "    " if is_main else ""
        text = head + self.top
        if is_main:
            text += ["", "def main():"] + [pad + p for p in parse] + body[options_at:]
            text += ["", "", 'if __name__ == "__main__":', "    main()"] if self.chance(0.7) else ["", "", "main()"]
        else:
            text += parse + body
        return "# runs: " + json.dumps(self.runs()) + "\n" + "\n".join(text) + "\n"

    def runs(self):
        argvs = itertools.product(*[values for _, values in self.options])
        envs = list(itertools.product(*[[(n, v) for v in values] for n, values in self.env]))
        return [{"args": sum(a, []), "env": {n: v for n, v in e if v is not None}, "gpu": g}
                for a in argvs for e in envs for g in ((True, False) if self.available else (True,))]


def program(seed, cuda=False):
    return Program(seed, cuda).make()


if __name__ == "__main__":
    print(program(int(sys.argv[1]), "--cuda" in sys.argv), end="")
