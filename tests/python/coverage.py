"""How many of a program's tensors miscast knows. A helper for development: it needs PyTorch.

    python3 coverage.py record OUT.json SCRIPT [ARGUMENT...]
    python3 coverage.py ask MISCAST OUT.json SCRIPT

record runs the script and writes down which expressions were tensors, in it and in the modules beside it. ask puts each
of these into reveal_type(), in a copy, and counts what miscast says about them:

    known   a dtype, or several
    open    any dtype, or any floating-point one: it is decided outside of the program
    lost    nothing, or that no run gets there
"""
import ast
import builtins
import importlib.abc
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import types

EXPRESSIONS = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.IfExp)
RECORD = "record_tensor__"
seen = {}


class Wrap(ast.NodeTransformer):
    """Each expression becomes an argument of a function that looks at it. Annotations, decorators and parts of
    f-strings stay as they are, and so does what is called: its name may have a meaning, as super has."""

    def __init__(self, path):
        self.path = path

    def visit_JoinedStr(self, node):
        return node

    visit_arg = visit_JoinedStr

    def visit_FunctionDef(self, node):
        node.body = [self.visit(s) for s in node.body]
        return node

    def visit_AnnAssign(self, node):
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit(self, node):
        place = [self.path] + [getattr(node, of, 0) for of in ("lineno", "col_offset", "end_lineno", "end_col_offset")]
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            node.args = [self.visit(a) for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
        else:
            node = super().visit(node)
        if not isinstance(node, EXPRESSIONS) or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == RECORD:
            return node
        call = ast.Call(ast.Name(RECORD, ast.Load()), [ast.Constant(tuple(place)), node], [])
        return ast.copy_location(call, node)


def look(place, value):
    import torch
    if isinstance(value, torch.Tensor):
        seen.setdefault(place, set()).add(f"{value.dtype} {value.device.type}")
    return value


def compiled(path):
    with open(path, encoding="utf-8") as f:
        tree = Wrap(path).visit(ast.parse(f.read()))
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules below a folder, and runs them with their expressions looked at."""

    def __init__(self, root):
        self.root = root

    def find_spec(self, name, path, target=None):
        base = os.path.join(path[0] if path else self.root, name.split(".")[-1])
        for file, inside in ((base + ".py", None), (os.path.join(base, "__init__.py"), [base])):
            if file.startswith(self.root) and os.path.exists(file):
                return importlib.util.spec_from_file_location(name, file, loader=self, submodule_search_locations=inside)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compiled(module.__spec__.origin), module.__dict__)


def record(out, script, arguments):
    script = os.path.abspath(script)
    root = os.path.dirname(script)
    setattr(builtins, RECORD, look)
    sys.meta_path.insert(0, Modules(root))
    sys.path.insert(0, root)
    sys.argv = [script] + arguments
    main = types.ModuleType("__main__")
    main.__file__ = script
    sys.modules["__main__"] = main
    try:
        exec(compiled(script), main.__dict__)
    except (Exception, SystemExit):  # what ran until then counts
        traceback.print_exc()
    with open(out, "w", encoding="utf-8") as f:
        json.dump([[list(place), sorted(kinds)] for place, kinds in seen.items()], f)
    print(f"{len(seen)} expressions were tensors")


def revealed(path, places):
    """The text with the expressions in reveal_type(); and which of them begins where, in the new text."""
    with open(path, "rb") as f:
        lines = f.read().split(b"\n")
    begins, ends, where = {}, {}, {}
    for line, column, end_line, end_column in places:
        begins.setdefault((line, column), []).append((end_line, end_column))
        ends[end_line, end_column] = ends.get((end_line, end_column), 0) + 1
    for number, text in enumerate(lines, 1):
        new, done = b"", 0
        for column in sorted({c for n, c in list(begins) + list(ends) if n == number}):
            new += text[done:column] + b")" * ends.get((number, column), 0)
            for end in sorted(begins.get((number, column), []), reverse=True):  # the outermost first
                where[number, len(new) + 1] = (number, column) + end
                new += b"reveal_type("
            done = column
        lines[number - 1] = new + text[done:]
    return b"\n".join(lines), where


def kind_of(text):
    if text is None or text.startswith(("not known", "not reached", "gives no")):
        return "lost"
    return "open" if text.startswith(("any dtype", "floats", "ints")) else "known"


def no_sources(folder, names):
    return [n for n in names if os.path.isfile(os.path.join(folder, n)) and not n.endswith(".py")]


def ask(miscast, results, script):
    with open(results, encoding="utf-8") as f:
        files = {}
        for (path, *place), _ in json.load(f):
            files.setdefault(path, []).append(tuple(place))
    root = os.path.dirname(os.path.abspath(script))
    work = tempfile.mkdtemp()
    copy = os.path.join(work, "copy")
    shutil.copytree(root, copy, ignore=no_sources)
    asked = []
    for path, places in sorted(files.items()):
        text, where = revealed(path, places)
        there = os.path.join(copy, os.path.relpath(path, root))
        with open(there, "wb") as f:
            f.write(text)
        asked.append((path, there, where))
    command = [miscast, "types", "--isolated", "--no-cache"] + [there for _, there, _ in asked]
    out = subprocess.run(command, capture_output=True, text=True)
    notes = {}
    for line in out.stdout.split("\n"):
        m = re.match(r"(.*\.py):(\d+):(\d+): note: .* is (.*)", line)
        if m:
            notes[os.path.realpath(m.group(1)), int(m.group(2)), int(m.group(3))] = m.group(4)
    for path, there, where in asked:
        counts = {"known": 0, "open": 0, "lost": 0}
        for new, place in sorted(where.items()):
            kind = kind_of(notes.get((os.path.realpath(there),) + new))
            counts[kind] += 1
            if kind == "lost":
                print(f"{path}:{place[0]}:{place[1] + 1}: lost")
        print(f"{os.path.relpath(path, root)}: {len(where)} expressions, " + ", ".join(f"{n} {k}" for k, n in counts.items()))
    shutil.rmtree(work)


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "record":
        record(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) == 5 and sys.argv[1] == "ask":
        ask(*sys.argv[2:])
    else:
        sys.exit(__doc__)


main()
