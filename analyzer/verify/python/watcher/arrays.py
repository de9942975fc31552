"""Measures operations of NumPy, which no mode sees: where the plan says ("arrays"), the program is
compiled with calls of this module around them. Each operation is made as it is, and again with wider
operands, as in measure.py; how they are written there:

    wide      floats in float64, integers in int64
    float     the same in floats
    quotient  the operands of a division
"""

import ast
import builtins
import copy
import operator
import os
import sys
import threading

import torch

from . import measure, texts
from .tensors import NoFunction

NAME = "__miscast_arrays__"
SPAN = ("file", "line", "column", "end_line", "end_column")
MOST_ELEMENTS = 1 << 22
OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_",
    ast.BitOr: "or_", ast.BitXor: "xor", ast.MatMult: "matmul", ast.Invert: "invert", ast.USub: "neg",
}


def install(context):
    places = together(context.plan.get("arrays", ()))
    if not places:
        return
    setattr(builtins, NAME, Arrays(context, places))
    by_file = {}
    for i, place in enumerate(places):
        by_file.setdefault(os.path.realpath(place["file"]), []).append((i, place))
    texts.change({file: changer(places) for file, places in by_file.items()})


def together(wanted):
    """Each place once, with all that is to be measured there."""
    places = {}
    for p in wanted:
        key = tuple(p[k] for k in SPAN)
        places.setdefault(key, dict(p, how=set()))["how"].add(p["how"])
    return list(places.values())


def changer(places):
    def change(source, path):
        tree = Wrapping(places).visit(ast.parse(source, path))
        return ast.fix_missing_locations(tree)

    return change


# ---- the program --------------------------------------------------------------------------------


def span(node):
    """As in the plan: columns are bytes, and count from 1."""
    return node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1


class Wrapping(ast.NodeTransformer):
    def __init__(self, places):
        self.places = places

    def find(self, node, by_end=False, by_start=False):
        """The number of the place that a node is at; None: it is at none."""
        line, column, end_line, end_column = span(node)
        for i, p in self.places:
            starts = (p["line"], p["column"]) == (line, column)
            ends = (p["end_line"], p["end_column"]) == (end_line, end_column)
            if (starts or by_end) and (ends or by_start):
                return i
        return None

    def made(self, node, method, *args, keywords=()):
        owner = ast.Name(NAME, ast.Load())
        call = ast.Call(ast.Attribute(owner, method, ast.Load()), list(args), list(keywords))
        for n in ast.walk(call):
            if not hasattr(n, "lineno"):
                ast.copy_location(n, node)
        return call

    def visit_BinOp(self, node):
        at = self.find(node)
        self.generic_visit(node)
        if at is None:
            return node
        return self.made(node, "operate", ast.Constant(at), ast.Constant(OPERATORS[type(node.op)]),
                         node.left, node.right)

    def visit_UnaryOp(self, node):
        at = self.find(node) if type(node.op) in OPERATORS else None
        self.generic_visit(node)
        if at is None:
            return node
        return self.made(node, "operate", ast.Constant(at), ast.Constant(OPERATORS[type(node.op)]),
                         node.operand)

    def visit_Call(self, node):
        at = self.find(node, by_end=True)  # a finding may begin at the name of a method
        self.generic_visit(node)
        if at is None or (isinstance(node.func, ast.Name) and node.func.id == "super"):
            return node
        return self.made(node, "call", ast.Constant(at), node.func, *node.args,
                         keywords=node.keywords)

    def visit_Assign(self, node):
        at = self.find(node, by_start=True)
        self.generic_visit(node)
        if at is None or len(node.targets) != 1 or not is_element(node.targets[0]):
            return node
        node.value = self.made(node.value, "keep", ast.Constant(at), node.value)
        return [node, self.stored(node, at)]

    def visit_AugAssign(self, node):
        at = self.find(node, by_start=True)
        self.generic_visit(node)
        if at is None or not (isinstance(node.target, ast.Name) or is_element(node.target)):
            return node
        node.value = self.made(node.value, "keep_result", ast.Constant(at),
                               ast.Constant(OPERATORS[type(node.op)]), loaded(node.target), node.value)
        return [node, self.stored(node, at)]

    def stored(self, node, at):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        call = self.made(node, "stored", ast.Constant(at), loaded(target))
        return ast.copy_location(ast.Expr(call), node)


SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Constant,
          ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
          getattr(ast, "Index", ast.Slice), getattr(ast, "ExtSlice", ast.Slice))


def is_element(target):
    """Whether it is an element or attribute that may be read again: no call is in it."""
    return isinstance(target, (ast.Subscript, ast.Attribute)) and all(
        isinstance(n, SIMPLE) for n in ast.walk(target))


def loaded(target):
    out = copy.deepcopy(target)
    out.ctx = ast.Load()
    return out


# ---- a run --------------------------------------------------------------------------------------


class Arrays:
    """What the program calls instead of its operations."""

    def __init__(self, context, places):
        self.context, self.places = context, places
        self.times = [0] * len(places)
        self.kept = threading.local()

    def is_next(self, at):
        self.times[at] += 1
        return measure.is_measured(self.times[at])

    def operate(self, at, name, *operands):
        again = None
        if has_array(operands):
            again = self.again(at, lambda how, wide: operation(how, name, wide), operands)
        result = getattr(operator, name)(*operands)
        self.end(at, again, result)
        return result

    def call(self, at, function, *args, **kwargs):
        owner = getattr(function, "__self__", None)
        owner = owner if is_array(owner) else None
        again = None
        if owner is not None or is_of_numpy(function):
            again = self.again(at, lambda how, wide: called(function, *wide), (owner, args, kwargs))
        result = function(*args, **kwargs)
        self.end(at, again, owner if result is None else result)
        return result

    def keep(self, at, value):
        self.kept.again = self.again(at, lambda how, wide: wide[0], (value,))
        return value

    def keep_result(self, at, name, target, value):
        self.kept.again = self.again(at, lambda how, wide: operation(how, name, wide), (target, value))
        return value

    def stored(self, at, now):
        again, self.kept.again = getattr(self.kept, "again", None), None
        self.end(at, again, now)

    def again(self, at, make, operands):
        """What it would be with wider operands, by how it is measured, before it is made."""
        if not self.is_next(at):
            return {}
        with NoFunction():
            return {how: tried(make, how, wide(how, operands)) for how in self.places[at]["how"]}

    def end(self, at, again, result):
        recorder = self.context.recorder
        for how, wide in (again or {}).items():
            if wide is None:
                continue
            recorder.quiet = True
            try:
                with NoFunction():
                    self.compare(at, how, result, wide)
            except Exception:  # it is not the program's: nothing is measured
                pass
            finally:
                recorder.quiet = False

    def compare(self, at, how, got, wide):
        if how == "quotient":
            self.send(at, "quotient", wide)
            return
        got, wide = as_tensor(got), as_tensor(wide)
        found = measure.difference(got, wide.expand(got.shape))
        if found:
            self.send(at, "measure", found)

    def send(self, at, name, record):
        record.update((key, self.places[at][key]) for key in SPAN)
        self.context.recorder.send({name: record})


# ---- wider --------------------------------------------------------------------------------------


def tried(make, *args):
    try:
        return make(*args)
    except Exception:  # as above
        return None


def wide(how, value):
    import numpy

    to_float = how == "float"
    if is_array(value):
        if value.size > MOST_ELEMENTS:
            raise ValueError("too large")
        if value.dtype.kind not in "iuf":
            return value.copy()
        return value.astype(numpy.float64 if to_float or value.dtype.kind == "f" else numpy.int64)
    if is_number_type(value):
        kind = numpy.dtype(value).kind
        return numpy.dtype(numpy.float64 if to_float or kind == "f" else numpy.int64)
    if isinstance(value, (list, tuple)):
        return type(value)(wide(how, v) for v in value)
    if isinstance(value, dict):
        return {k: wide(how, v) for k, v in value.items()}
    return value


def operation(how, name, operands):
    if how == "quotient":
        return quotient(*operands)
    exact = "truediv" if how == "float" and name == "floordiv" else name
    return getattr(operator, exact)(*operands)


def called(function, owner, args, kwargs):
    if owner is None:
        return function(*args, **kwargs)
    made = getattr(owner, function.__name__)(*args, **kwargs)
    return owner if made is None else made


def quotient(of, by):
    """The element of a division that loses most."""
    of, by = torch.broadcast_tensors(as_tensor(of).double(), as_tensor(by).double())
    of, by = of.reshape(-1), by.reshape(-1)
    lost = torch.where(by != 0, of / by - (of / by).trunc(), torch.zeros_like(of)).abs()
    worst = int(lost.argmax())
    return {"of": float(of[worst]), "by": float(by[worst])}


def is_array(value):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))


def has_array(value):
    if isinstance(value, dict):
        value = list(value.values())
    return is_array(value) or isinstance(value, (list, tuple)) and any(has_array(v) for v in value)


def as_tensor(value):
    import numpy

    return torch.from_numpy(numpy.array(value))


def is_of_numpy(function):
    module = getattr(function, "__module__", None) or type(function).__module__
    return module.split(".")[0] == "numpy"


def is_number_type(value):
    import numpy

    if isinstance(value, numpy.dtype):
        return value.kind in "iuf"
    if isinstance(value, type):
        return value is not bool and issubclass(value, (numpy.integer, numpy.floating, int, float))
    return isinstance(value, str) and value in ("uint8", "int8", "int16", "int32", "int64", "int",
                                                "float16", "float32", "float64", "float")
