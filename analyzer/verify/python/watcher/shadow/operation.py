"""One operation with its shadow: it runs as it is, then on the shadow values of its operands, and
the results are compared. If a result has to be explained, it runs a third time, on the real operands
in f64: the difference to that is what was lost here, the rest came with the operands.
"""

import torch

from .compare import MANY
from .formulas import NEEDS_REAL
from .judge import Operand, Result
from .ledger import FLOATS, INTS, SHADOWED, WIDE, WIDEST, is_plain, storage_of
from .operations import AS_THEY_ARE


class Unshadowed(Exception):
    """The shadow cannot be computed."""


def flatten(value, out):
    if isinstance(value, torch.Tensor):
        out.append(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            flatten(v, out)
    return out


def tensors_at(plan, args, kwargs, positions):
    """The tensors of some arguments."""
    out = []
    for i in positions:
        flatten(args[i] if i < len(args) else kwargs.get(plan.names[i]), out)
    return out


class Operation:
    __slots__ = ("ledger", "plan", "func", "args", "kwargs", "site", "group", "operands", "results",
                 "saved", "targets", "written", "lost", "worst", "is_pair", "by_element", "entries", "floats",
                 "gives_floats", "failed", "is_open", "met", "of_half", "broken_before", "shadows")

    def __init__(self, ledger, plan, func, args, kwargs, site, group):
        self.ledger = ledger
        self.plan = plan
        self.func = func
        self.args = args
        self.kwargs = kwargs
        self.site = site
        self.group = group
        self.operands = []
        self.results = []
        self.saved = {}  # by id: the real values of what is overwritten
        self.targets = {}  # by id: the shadow of what is overwritten
        self.written = ()
        self.lost = []
        self.worst = None
        self.is_pair = plan.is_pair
        self.by_element = site.op.endswith("_step")
        self.entries = {}  # of its operands, by the id of the tensor
        self.floats = False  # some operand has floats
        self.gives_floats = False
        self.is_open = False  # some operand cannot have a shadow
        self.failed = None  # why it has no shadow
        # An operation on lists has hundreds of operands and results: what is asked about all
        # operands for each result is known beforehand.
        self.met = set()  # ids of the entries of its operands
        self.of_half = self.broken_before = False  # some operand is; see look()
        self.shadows = None  # storages of the shadows of its operands; None: not asked for

    # ---- operands -------------------------------------------------------------------------------

    def find_operands(self):
        names = self.plan.names
        for i, value in enumerate(self.args):
            if isinstance(value, (torch.Tensor, list, tuple)):
                self.find_in(names[i], value)
        for name, value in self.kwargs.items():
            if name != "out" and isinstance(value, (torch.Tensor, list, tuple)):
                self.find_in(name, value)

    def find_in(self, name, value):
        if not isinstance(value, torch.Tensor):
            for v in value:
                if isinstance(v, (torch.Tensor, list, tuple)):
                    self.find_in(name, v)
            return
        dtype = value.dtype
        if dtype not in SHADOWED or id(value) in self.entries or name in AS_THEY_ARE:
            return
        if not is_plain(value):
            self.is_open = True
            return
        entry = self.ledger.have(value)
        self.entries[id(value)] = entry
        self.floats = self.floats or dtype in FLOATS
        if id(entry) not in self.met:
            self.met.add(id(entry))
            self.operands.append(Operand(entry, value))

    def is_exact(self):
        return all(o.entry.is_exact() for o in self.operands)

    def error_before(self):
        return self.worst.error if self.worst is not None else 0.0

    def look(self):
        """The state of the operands, when the operation is judged."""
        self.worst = None
        for o in self.operands:
            o.look()
            if self.worst is None or o.error > self.worst.error:
                self.worst = o
            self.of_half = self.of_half or o.of_half
            self.broken_before = self.broken_before or o.broken

    def before(self, t):
        """The real values of an operand, as they were before the operation."""
        return self.saved.get(id(t), t)

    # ---- what is overwritten --------------------------------------------------------------------

    def save(self):
        """Before the operation runs: keeps what it writes to. Returns those tensors."""
        plan = self.plan
        self.written = [t for t in tensors_at(plan, self.args, self.kwargs, plan.written)
                        if t.dtype in SHADOWED and is_plain(t)]
        if plan.overwrites:
            return self.written
        for t, copy in zip(self.written, copies_of(self.written)):
            self.saved[id(t)] = copy
            self.target(t)
        return self.written

    def target(self, t):
        """Where the shadow of a result in place is written."""
        found = self.targets.get(id(t))
        if found is None:
            entry = self.ledger.have(t)
            found = t.to(WIDEST[t.dtype], copy=True) if entry.exposed else \
                self.ledger.write(entry, t)
            self.targets[id(t)] = found
        return found

    # ---- running it again -----------------------------------------------------------------------

    def shadow(self, t, name):
        """An argument of the run on shadow values."""
        found = self.targets.get(id(t))
        if found is not None:
            return found
        entry = self.entries.get(id(t))
        if entry is None or name in AS_THEY_ARE:
            return t
        if self.plan.jumps or name in self.plan.real:
            return self.real(t, name)
        if t.dtype in INTS:
            return self.whole(t, self.ledger.read(entry, t) if self.plan.is_arithmetic or
                              not self.floats else t)
        return self.ledger.read(entry, t)

    def real(self, t, name):
        """An argument of the run on real values."""
        if t.dtype not in SHADOWED or name in AS_THEY_ARE or not is_plain(t):
            return t
        is_written = id(t) in self.saved or id(t) in self.targets
        t = self.before(t)
        if t.dtype in INTS:
            return self.whole(t, t.to(torch.int64, copy=is_written) if self.plan.is_arithmetic or
                              not self.floats else t)
        return t.to(WIDEST[t.dtype], copy=is_written or t.dtype in WIDE)

    def whole(self, t, wide):
        """Integers; in a result of floats they would be converted to the default dtype."""
        if self.plan.is_arithmetic and id(t) not in self.targets and self.gives_floats:
            return wide.to(torch.float64)
        return wide

    def widen(self, value, name, pick):
        if isinstance(value, torch.Tensor):
            return pick(value, name)
        if isinstance(value, torch.dtype):
            return WIDEST.get(value, value)
        if isinstance(value, (list, tuple)):
            return [self.widen(v, name, pick) for v in value]
        return False if name == "half_to_float" else value

    def run(self, pick, out):
        """The results of the operation on other values, in their order."""
        plan = self.plan
        if plan.formula is not None:
            return self.run_formula(pick, out)
        args = [self.widen(a, n, pick) for a, n in zip(self.args, plan.names)]
        kwargs = {n: self.widen(a, n, pick) for n, a in self.kwargs.items()}
        if plan.makes:
            kwargs["dtype"] = WIDEST[out[0].dtype]
        found = self.func(*args, **kwargs)
        if plan.written and not plan.is_out and not isinstance(found, (list, tuple)):
            return []
        return flatten(found, [])

    def run_formula(self, pick, out):
        plan = self.plan
        pairs = list(zip(plan.names, self.args)) + list(self.kwargs.items())
        given = {n: self.widen(a, n, pick) for n, a in pairs}
        more = (dict(pairs),) if plan.name in NEEDS_REAL else ()
        found = plan.formula(given, out, *more)
        if found is None:
            raise Unshadowed
        return found

    def again(self):
        """The results on the real operands; None if they are what the shadow run had."""
        if self.is_exact_before():
            return [r.wide for r in self.results]
        targets, self.targets = self.targets, {}
        copies = {}

        def pick(t, name):
            if id(t) not in targets:
                return self.real(t, name)
            if id(t) not in copies:
                copies[id(t)] = self.before(t).to(WIDEST[t.dtype], copy=True)
            return copies[id(t)]

        try:
            found = self.run(pick, [r.real for r in self.results])
        except (RuntimeError, TypeError, Unshadowed):
            return None
        finally:
            self.targets = targets
        out = []
        made = iter([f for f in found])
        for r in self.results:
            if id(r.real) in copies:
                out.append(copies[id(r.real)])
            else:
                out.append(matched(next(made, None), r.real))
        return out

    def is_exact_before(self):
        return all(o.error == 0 and not o.broken for o in self.operands)


def copies_of(tensors):
    """Of many at once, in one kernel."""
    first = tensors[0] if tensors else None
    if len(tensors) < MANY or any(t.dtype is not first.dtype or t.device != first.device
                                  for t in tensors):
        return [t.clone() for t in tensors]
    flat = torch.cat([t.reshape(-1) for t in tensors])
    return [c.view(t.shape) for c, t in zip(flat.split([t.numel() for t in tensors]), tensors)]


def matched(wide, real):
    """A result of a run on other values as that of the real one; None: it is not one."""
    if wide is None or wide.shape != real.shape:
        return None
    return wide.to(WIDEST[real.dtype])


def covers(t):
    return t.numel() * t.element_size() >= storage_of(t).nbytes()


def make_result(ledger, t, wide):
    return Result(t, wide, ledger.have(t), covers(t))


def is_shared(wide, op):
    """Whether it is a view of the shadow of an operand."""
    if op.shadows is None:
        op.shadows = {storage_of(o.entry.values)._cdata for o in op.operands
                      if o.entry.values is not None}
    return storage_of(wide)._cdata in op.shadows


def found_infinite(op):
    """Of a scaler: whether some gradient is not finite."""
    return bool(op.args[1].item())
