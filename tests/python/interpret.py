"""Runs the IR of a Python file with Python's own operations, so that what a program prints can be
compared with what the interpreter prints for the source: interpret.py IR_FILE. A development helper;
metaclasses, async and formats in f-strings are left out."""
import builtins
import importlib
import inspect
import operator
import re
import sys
import types

UNBOUND = object()

BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "matmul": operator.matmul,
    "div": operator.truediv, "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift, "iadd": operator.iadd, "isub": operator.isub, "imul": operator.imul,
    "imatmul": operator.imatmul, "idiv": operator.itruediv, "ifloordiv": operator.ifloordiv,
    "imod": operator.imod, "ipow": operator.ipow, "iand": operator.iand, "ior": operator.ior,
    "ixor": operator.ixor, "ilshift": operator.ilshift, "irshift": operator.irshift,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "eq": operator.eq,
    "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "is": operator.is_, "isnot": operator.is_not, "in": lambda x, y: x in y,
    "notin": lambda x, y: x not in y, "truth": operator.truth, "not": operator.not_,
    "isa": isinstance, "len": len, "getitem": operator.getitem, "setitem": operator.setitem,
    "delitem": operator.delitem,
}


class Inst:
    """One instruction: its word, the name or words behind it, operands with labels, targets."""

    def __init__(self, line):
        m = re.match(r"(?:([%#])(\d+) (?:= )?)?(\w+) ?(.*)$", line)
        self.number = int(m[2]) if m[2] else 0
        self.op, rest = m[3], m[4]
        rest = re.sub(r" @[\d:f-]+$", "", rest)
        self.is_bool = rest.endswith(" : bool")
        rest = re.sub(r" ?: (dyn|bool)$", "", rest) if m[1] == "%" else rest
        self.strings = []
        rest = re.sub(r'"((?:[^"\\]|\\.)*)"', self.keep, rest)
        self.head, _, inside = rest.partition("(")
        inside = inside[:-1] if "(" in rest else ""
        self.args = [self.labelled(a.strip()) for a in inside.split(",") if a.strip()]
        self.plain = [int(x) for x in re.findall(r"%(\d+)", self.head)]
        self.targets = [int(x) for x in re.findall(r"\bb(\d+)", self.head)]
        self.slot = int(re.search(r"\$(\d+)", self.head)[1]) if "$" in self.head else None

    def keep(self, m):
        self.strings.append(unescape(m[1]))
        return f"<{len(self.strings) - 1}>"

    def word(self, i=0):
        """The i-th part of what stands before the operands, commas between them."""
        w = self.head.split(",")[i].strip()
        return self.named(w)

    def named(self, w):
        m = re.fullmatch(r"<(\d+)>", w)
        return self.strings[int(m[1])] if m else w

    def labelled(self, text):
        m = re.fullmatch(r"(\*\*|\*)%(\d+)", text)
        if m:
            return m[1], [int(m[2])]
        m = re.fullmatch(r"%(\d+): %(\d+)", text)
        if m:
            return ":", [int(m[1]), int(m[2])]
        m = re.fullmatch(r"([\w<>]+)(=|: )%(\d+)", text)
        if m:
            return self.named(m[1]) + (":" if m[2] == ": " else ""), [int(m[3])]
        return None, [int(text[1:])]


def unescape(s):
    raw = re.sub(r'\\(x..|.)', lambda m: {"n": "\n", "t": "\t"}.get(m[1]) or
                 (chr(int(m[1][1:], 16)) if m[1][0] == "x" else m[1]), s)
    return raw.encode("latin-1").decode("utf-8")


class Local:
    def __init__(self, line):
        line = re.sub(r" @[\d:f-]+$", "", line)
        m = re.match(r'\$\d+ = (param|local)( (?:"[^"]*"|[\w.$]+))? : dyn ?(.*)$', line)
        words = m[3].split()
        self.name = (m[2] or "").strip().strip('"')
        self.is_param = m[1] == "param"
        self.mode = words[0] if words and words[0] != "default" else "plain"
        self.outer = int(words[1][1:]) if self.mode == "captured" else None
        self.has_default = "default" in words


class Function:
    KINDS = {"plain": inspect.Parameter.POSITIONAL_OR_KEYWORD,
             "position": inspect.Parameter.POSITIONAL_ONLY,
             "keyword": inspect.Parameter.KEYWORD_ONLY,
             "rest": inspect.Parameter.VAR_POSITIONAL, "keywords": inspect.Parameter.VAR_KEYWORD}

    def __init__(self, name, lines):
        self.name, self.locals, self.blocks = name, [], []
        for line in lines:
            block = re.match(r"b\d+:(?: catch b(\d+))?$", line)
            if line.startswith("$"):
                self.locals.append(Local(line))
            elif block:
                self.blocks.append((int(block[1] or 0), []))
            else:
                self.blocks[-1][1].append(Inst(line))
        self.yields = any(i.op == "yield" for _, b in self.blocks for i in b)

    def signature(self, defaults):
        empty = inspect.Parameter.empty
        return inspect.Signature([
            inspect.Parameter(l.name, self.KINDS[l.mode], default=defaults.get(l.name, empty))
            for l in self.locals if l.is_param])


class Iterator:
    """Knows whether there is another element."""

    def __init__(self, of):
        self.of, self.ahead = iter(of), []

    def more(self):
        try:
            self.ahead.append(next(self.of))
        except StopIteration:
            return False
        return True


def unpack(v, before, after=None):
    items = list(v)
    if after is None:
        if len(items) != before:
            raise ValueError("unpack")
        return tuple(items)
    if len(items) < before + after:
        raise ValueError("unpack")
    end = len(items) - after
    return tuple(items[:before]) + (items[before:end],) + tuple(items[end:])


class Escaped(Exception):
    """A StopIteration that left a function; a generator, as which it is run, may not raise it."""

    def __init__(self, of):
        self.of = of


class Frame:
    def __init__(self, unit, function, cells):
        self.unit, self.function, self.cells = unit, function, cells
        self.values, self.caught = {}, None

    def operands(self, inst):
        return [self.values[n] for label, ns in inst.args for n in ns]

    def arguments(self, inst):
        args, keywords = [], {}
        for label, (n, *_) in inst.args:
            if label == "*":
                args.extend(self.values[n])
            elif label == "**":
                keywords.update(self.values[n])
            elif label:
                keywords[label] = self.values[n]
            else:
                args.append(self.values[n])
        return args, keywords

    def run(self):
        block = 0
        while True:
            catch, insts = self.function.blocks[block]
            try:
                for inst in insts[:-1]:
                    if inst.op == "yield":
                        v = yield self.values[inst.plain[0]]
                    else:
                        v = self.step(inst)
                    self.values[inst.number] = v
                last = insts[-1]
                if last.op == "jump":
                    block = last.targets[0]
                elif last.op == "branch":
                    block = last.targets[0 if self.values[last.plain[0]] else 1]
                elif last.op == "return":
                    return self.values[last.plain[0]] if last.plain else None
                elif last.op == "raise":
                    raise self.values[last.plain[0]] if last.plain else self.caught
                else:
                    raise SystemExit("the IR stops in " + self.function.name)
            except BaseException as e:
                if isinstance(e, Escaped) and catch:
                    e = e.of
                if catch and not isinstance(e, SystemExit):
                    self.caught, block = e, catch
                elif isinstance(e, StopIteration) and not self.function.yields:
                    raise Escaped(e)
                else:
                    raise

    def step(self, inst):
        op, x = inst.op, [self.values[n] for n in inst.plain]
        if op == "int":
            return bool(int(inst.head)) if inst.is_bool else int(inst.head)
        if op == "real":
            return float.fromhex(inst.head) if "x" in inst.head else float(inst.head)
        if op == "null":
            return None
        if op == "text":
            return inst.word()
        if op == "undef":
            return UNBOUND
        if op == "get":
            v = self.cells[inst.slot][0]
            if v is UNBOUND:
                raise UnboundLocalError(self.function.locals[inst.slot].name)
            return v
        if op == "set":
            self.cells[inst.slot][0] = x[0]
        elif op == "name":
            return self.unit.name(inst.word())
        elif op == "setname":
            if x[0] is UNBOUND:
                del self.unit.names[inst.word()]
            else:
                self.unit.names[inst.word()] = x[0]
        elif op == "import":
            return importlib.import_module(inst.word())
        elif op == "attr":
            return getattr(x[0], inst.word(1))
        elif op == "setattr":
            if x[1] is UNBOUND:
                delattr(x[0], inst.word(1))
            else:
                setattr(x[0], inst.word(1), x[1])
        elif op in ("invoke", "call"):
            args, keywords = self.arguments(inst)
            return (getattr(x[0], inst.word(1)) if op == "invoke" else x[0])(*args, **keywords)
        elif op == "apply":
            return self.apply(inst.word(), self.operands(inst))
        elif op == "make":
            return self.make(inst)
        elif op == "closure":
            return self.closure(inst)
        elif op == "class":
            bases, keywords = self.arguments(inst)
            made = types.new_class(inst.word(), tuple(bases), keywords)
            made.__module__ = "__main__"
            return made
        elif op == "caught":
            return self.caught
        else:
            raise SystemExit("cannot run " + op + " " + inst.head)

    def apply(self, what, x):
        if what in BINARY:
            return BINARY[what](*x)
        if what == "iter":
            return Iterator(x[0])
        if what == "more":
            return x[0].more()
        if what == "next":
            return x[0].ahead.pop()
        if what == "unpack":
            return unpack(*x)
        if what == "append":
            (x[0].add if isinstance(x[0], set) else x[0].append)(x[1])
        elif what == "enter":
            return type(x[0]).__enter__(x[0])
        elif what == "exit":
            e = x[1] if len(x) > 1 else None
            return type(x[0]).__exit__(x[0], type(e) if e else None, e, None)
        elif what == "all":
            names = getattr(x[0], "__all__", [n for n in dir(x[0]) if n[0] != "_"])
            self.unit.names.update({n: getattr(x[0], n) for n in names})
        elif what == "annotate":
            if "__annotations__" not in x[0].__dict__:
                x[0].__annotations__ = {}
            x[0].__annotations__[x[1]] = x[2]
        else:
            raise SystemExit("cannot apply " + what)

    def make(self, inst):
        kind, x = inst.word(), self.operands(inst)
        if kind in ("list", "tuple", "set"):
            return {"list": list, "tuple": tuple, "set": set}[kind](self.arguments(inst)[0])
        if kind == "dict":
            made = {}
            for label, ns in inst.args:
                if label == "**":
                    made.update(self.values[ns[0]])
                else:
                    made[self.values[ns[0]]] = self.values[ns[1]]
            return made
        return {"slice": lambda: slice(*x), "text": lambda: "".join(map(str, x)),
                "bytes": lambda: x[0].encode("latin-1"), "complex": lambda: complex(0, x[0]),
                "ellipsis": lambda: ...}[kind]()

    def closure(self, inst):
        function = self.unit.functions[inst.word()]
        defaults, annotations = {}, {}
        for label, (n, *_) in inst.args:
            if label.endswith(":"):
                annotations[label[:-1]] = self.values[n]
            else:
                defaults[label] = self.values[n]
        captured = {i: self.cells[l.outer] for i, l in enumerate(function.locals)
                    if l.mode == "captured"}
        made = self.unit.callable(function, captured, function.signature(defaults))
        made.__annotations__ = annotations
        made.__name__ = made.__qualname__ = inst.word().split(".")[-1].split("#")[0]
        return made


class Unit:
    def __init__(self, text, module):
        self.names = {"__name__": module, "__builtins__": builtins}
        self.functions = {}
        for m in re.finditer(r'^func (".*?"|\S+) : .*?\{\n(.*?)^\}', text, re.M | re.S):
            name = m[1].strip('"')
            self.functions[name] = Function(name, [l.strip() for l in m[2].splitlines()])

    def name(self, name):
        if name in self.names:
            return self.names[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(name)

    def callable(self, function, captured, signature):
        def call(*args, **keywords):
            bound = signature.bind(*args, **keywords)
            bound.apply_defaults()
            cells = [captured.get(i) or [bound.arguments.get(l.name, UNBOUND)
                                         if l.is_param else UNBOUND]
                     for i, l in enumerate(function.locals)]
            running = Frame(self, function, cells).run()
            if function.yields:
                return running
            try:
                next(running)
            except StopIteration as end:
                return end.value
            except Escaped as escaped:
                raise escaped.of
        return call

    def run(self):
        return self.callable(self.functions["(init)"], {}, inspect.Signature())()


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    Unit(open(sys.argv[1], encoding="utf-8").read(), "__main__").run()
