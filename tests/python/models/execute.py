"""Executes the model files in rules/packs/python by Python itself, with PyTorch's operations and with _mc written in
Python, and compares with rows.tsv what they do. A helper for development: it shows mistakes in model files without
the analysis. Without a GPU, only the columns for the CPU are compared; PyTorch 2.11 agrees with all rows.

    python3 tests/python/models/execute.py [WORD in the rows to compare]"""
import builtins
import copy
import os
import sys
import types
import warnings

import numpy
import record
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.environ.get("MODELS", os.path.join(HERE, "../../../rules/packs/python"))
loaded = {}  # model files, by dotted name


# ---- import: a model file if there is one, with what PyTorch has behind it ----

def path_of(name):
    base = os.path.join(FOLDER, *name.split("."))
    for path in (os.path.join(base, "__init__.py"), base + ".py"):
        if os.path.exists(path):
            return path


def real(name):
    try:
        found = __import__(name, fromlist=["x"])
    except ImportError:
        return None
    return found


class Unit(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        below = self.__name__ + "." + name
        if path_of(below):
            return load(below)
        return getattr(real(self.__name__), name)


def load(name):
    if name in loaded:
        return loaded[name]
    if name == "_mc":
        return primitives
    path = path_of(name)
    if path is None or not name.startswith("torch"):
        return real(name) if path is None or name in ("sys", "os", "os.path", "math") else load_file(name, path)
    return load_file(name, path)


def load_file(name, path):
    unit = loaded[name] = Unit(name)
    unit.__dict__["__builtins__"] = dict(vars(builtins), __import__=import_model)
    with open(path) as f:
        exec(compile(f.read(), path, "exec"), unit.__dict__)
    if name == "torch.nn.parameter":
        unit.Parameter = torch.nn.Parameter  # which is what _mc.parameter makes
    if name == "torch.nn.modules.module":
        Module = unit.Module
        Module.__setattr__ = set_attribute
        Module.__delattr__ = lambda self, n: object.__delattr__(self, n)
    return unit


def import_model(name, globals=None, locals=None, fromlist=(), level=0):
    found = load(name)
    return found if fromlist else load(name.split(".")[0])


# ---- _mc ----

def is_module(x):
    return isinstance(x, load("torch.nn.modules.module").Module)


def set_attribute(self, name, value):
    of = self.__dict__
    if name in of.get("(buffers)", {}) and not (value is None or isinstance(value, torch.Tensor)):
        raise TypeError(f"cannot assign '{type(value)}' as buffer '{name}'")
    if isinstance(of.get(name), torch.nn.Parameter) and isinstance(value, torch.Tensor) \
            and not isinstance(value, torch.nn.Parameter):
        raise TypeError(f"cannot assign '{value.type()}' as parameter '{name}' (torch.nn.Parameter or None expected)")
    of[name] = value


def own_members(m):
    pairs = [(n, v) for n, v in m.__dict__.items() if n not in ("_mc_members", "(buffers)")]
    members = m.__dict__.get("_mc_members", [])
    return pairs + [(str(k), v) for k, v in (members.items() if isinstance(members, dict) else enumerate(members))]


def named_modules(m, prefix="", seen=None):
    seen = set() if seen is None else seen
    if id(m) in seen:
        return []
    seen.add(id(m))
    found = [(prefix, m)]
    for name, child in named_children(m):
        found += named_modules(child, prefix + ("." if prefix else "") + name, seen)
    return found


def named_children(m):
    return [(n, v) for n, v in own_members(m) if is_module(v)]


def named_tensors(m, of_kind):
    found, seen = [], set()
    for prefix, owner in named_modules(m):
        for name, t in own_members(owner):
            if isinstance(t, torch.Tensor) and id(t) not in seen and of_kind(owner, name, t):
                seen.add(id(t))
                found.append((prefix + ("." if prefix else "") + name, t))
    return found


def is_parameter(owner, name, t):
    return isinstance(t, torch.nn.Parameter)


def is_buffer(owner, name, t):
    return name in owner.__dict__.get("(buffers)", {})


def each_tensor(m, fn):
    for _, p in named_tensors(m, is_parameter):
        p.data = fn(p.data)
        if p.grad is not None:
            p.grad.data = fn(p.grad.data)
    for _, owner in named_modules(m):
        for name in owner.__dict__.get("(buffers)", {}):
            if owner.__dict__[name] is not None:
                owner.__dict__[name] = fn(owner.__dict__[name])


def set_buffer(m, name, t, persistent):
    m.__dict__.setdefault("(buffers)", {})[name] = persistent
    m.__dict__[name] = t


def deep_copy(x):
    return copy.deepcopy(x)


def autocast_begin(device, dtype, enabled):
    region = torch.autocast(device, dtype=dtype, enabled=enabled)
    region.__enter__()
    return region


def grad_mode_begin(enabled):
    token = torch.is_grad_enabled()
    torch._C._set_grad_enabled(enabled)
    return token


class Turns:
    """An unknown value: true once, so that loops end; index 0."""

    def __init__(self):
        self.left = 1

    def __bool__(self):
        self.left -= 1
        return self.left >= 0

    def __int__(self):
        return 0

    __index__ = __int__

    def __float__(self):
        return 0.5


turns = Turns()


def unknown():
    return turns


def collate(item):
    turns.left = 1
    return torch.utils.data.default_collate([item])


def clip(params):
    return torch.nn.utils.clip_grad_norm_(params, 1.0)


def fresh_unknown():
    return Turns()


primitives = types.SimpleNamespace(
    named_modules=lambda m: named_modules(m), modules=lambda m: [x for _, x in named_modules(m)],
    named_children=named_children, children=lambda m: [x for _, x in named_children(m)],
    named_parameters=lambda m: named_tensors(m, is_parameter),
    parameters=lambda m: [t for _, t in named_tensors(m, is_parameter)],
    named_buffers=lambda m: named_tensors(m, is_buffer), buffers=lambda m: [t for _, t in named_tensors(m, is_buffer)],
    each_tensor=each_tensor, set_buffer=set_buffer, copy=deep_copy,
    parameter=lambda t, requires_grad: torch.nn.Parameter(t, requires_grad),
    autocast_begin=autocast_begin, autocast_end=lambda region: region.__exit__(None, None, None),
    grad_mode_begin=grad_mode_begin, grad_mode_end=torch._C._set_grad_enabled,
    set_default_dtype=torch.set_default_dtype, set_default_device=lambda d: torch.set_default_device(d),
    unknown=fresh_unknown, unknown_tensor=lambda: torch.zeros(1), collate=collate, clip=clip,
    optimizer=lambda params: torch.optim.SGD(params, lr=0.1), step=lambda o: o.step(), zero_grad=lambda o: o.zero_grad(),
    namedtuple=lambda name, fields, defaults: __import__("collections").namedtuple(name, fields, defaults=defaults),
)


# ---- comparison with the rows ----

def agrees(ours, expected, column):
    if "Error: " in expected:  # of whichever kind: operations differ between versions and devices
        return "Error: " in ours
    if column in ("half()", "to(bfloat16)", "double()", "as made"):
        return sorted(ours.split()) == sorted(expected.split())
    return ours == expected


def main():
    warnings.simplefilter("ignore")
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    record.torch = load("torch")
    record.nn = load("torch.nn")
    record.copy = load("copy")
    with open(os.path.join(HERE, "rows.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    columns = rows[1][1:]
    compared = wrong = 0
    for row in rows[2:]:
        if word not in "\t".join(row[:3]):
            continue
        if row[0] == "class":
            ours = record.guarded(lambda: record.class_row(row[1] + ("\t" + row[2] if row[2] != "-" else "")))
            pairs = zip(columns[2:], [ours] * 20 if isinstance(ours, str) else ours, row[3:])
        else:
            pairs = [("statements", record.guarded(lambda: record.statements_result(row[1])), row[2])]
            torch.set_default_dtype(torch.float32)
        for column, a, b in pairs:
            if "cuda" in column and not torch.cuda.is_available():
                continue
            compared += 1
            if not agrees(a, b, column):
                wrong += 1
                print(f"{row[1]}  [{row[2]}]  {column}:\n    model: {a}\n    torch: {b}")
    print(f"{compared} compared, {wrong} differ")


if __name__ == "__main__":
    sys.exit(main())
