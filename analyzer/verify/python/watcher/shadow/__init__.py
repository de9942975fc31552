"""Shadow values: next to each tensor, its value as it would be without rounding, in f64 (integers in
i64), computed by the same operations. What comes out are losses by source line, as the runtime
reports them for C programs (runtime/shadow).

    __init__.py    turns it on; sees every operation of aten, gradients and optimizers included
    operation.py   one operation: operands and results, in the order of what has to happen
    operations.py  what is known about operations
    formulas.py    those whose kernels cannot compute their shadow
    ledger.py      the shadow values of each storage
    compare.py     results compared with their shadow
    judge.py       which differences are losses
    updates.py     updates in place that change nothing
    frames.py      the calls of the program that operations belong to
    losses.py      losses by source line
    exposed.py     memory that others can write to
    report.py      where the losses go

Indices, masks, random numbers and everything that is not continuous follow the real values. The
shadow of a tensor is on its device; there the comparisons are read some at a time, so that the
device is not waited for after each operation.
"""

import os
import sys
import threading
from threading import get_ident

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import exposed, report
from .compare import quick_all, quick_numbers
from .frames import Frames, Group
from .judge import Judge
from .ledger import FLOATS, INTS, NARROW, SHADOWED, WIDE, Ledger, is_plain, storage_of
from .losses import Losses
from .operation import (Operation, Unshadowed, covers, flatten, found_infinite, is_shared,
                        make_result, matched, tensors_at)
from .operations import PASS, REAL, Plan
from .updates import is_update

BELOW = torch._C._AutoDispatchBelowAutograd  # no gradients of what is computed here
THRESHOLD = 0.01
MOST_WAITING = 48  # operations whose comparison has not been read
WAITS = os.environ.get("MISCAST_RUN_WAITS") == "1"  # as on a GPU; for tests


if hasattr(BELOW, "__enter__"):
    BelowAutograd = BELOW
else:
    class BelowAutograd:
        """Before torch 2.0 it ends with its object."""

        def __enter__(self):
            self.guard = BELOW()

        def __exit__(self, *error):
            del self.guard


class Mode(TorchDispatchMode):
    """Sees the operations of one thread."""

    supports_higher_order_operators = True  # which are let pass

    def __init__(self, shadow):
        super().__init__()
        self.shadow = shadow

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.shadow.dispatch(func, args, kwargs or {}, sys._getframe(1))


class Shadow:
    def __init__(self, places, threshold):
        self.ledger = Ledger()
        self.losses = Losses()
        self.judge = Judge(threshold)
        self.frames = Frames(places, self.ledger, self.losses)
        self.plans = {}
        self.lock = threading.RLock()
        self.waiting = []  # operations and their comparisons
        self.read_by_waiting = set()  # storages that they may have to be run on again
        self.ops = self.uncovered = 0
        self.names = []
        self.on = True
        self.on_gpu = False  # so far

    # ---- one operation --------------------------------------------------------------------------

    def dispatch(self, func, args, kwargs, start):
        plan = self.plans.get(func)
        if plan is None:
            if not hasattr(func, "_schema"):
                return func(*args, **kwargs)
            plan = self.plans[func] = Plan(func)
        if not self.on or (self.on_gpu and torch.cuda.is_current_stream_capturing()) or (plan.how == PASS and not plan.makes):
            return func(*args, **kwargs)
        with BelowAutograd():
            with self.lock:
                op = self.try_begin(plan, func, args, kwargs, start)
            out = func(*args, **kwargs)
            with self.lock:
                self.end(op, out)
        return out

    def try_begin(self, plan, func, args, kwargs, start):
        """The program runs, whatever happens here."""
        try:
            return self.begin(plan, func, args, kwargs, start)
        except Exception as error:  # no memory, most likely
            site = self.frames.intern(None, plan.name, False)
            op = Operation(self.ledger, plan, func, args, kwargs, site, Group(None, None, 0, True))
            op.failed = error
            return op

    def begin(self, plan, func, args, kwargs, start):
        frames = self.frames
        frames.mark_last()
        where = frames.find(start)
        site = frames.site(where, start, plan.name)
        if self.waiting and self.ends_group(where, start):
            self.settle()
        group = frames.group(where, start)
        op = Operation(self.ledger, plan, func, args, kwargs, site, group)
        if plan.written and self.read_by_waiting and any(
                storage_of(t)._cdata in self.read_by_waiting
                for t in tensors_at(plan, args, kwargs, plan.written) if is_plain(t)):
            self.settle()
        if plan.how == PASS:
            return op
        op.find_operands()
        if plan.how == REAL or op.is_open or (plan.written and self.is_right_anyway(op)):
            return op
        group.optimizer = group.optimizer or op.by_element
        if op.by_element and self.losses.held:
            self.losses.release()  # a step uses them
        if plan.written and not plan.is_out:
            self.prepare(op)
        return op

    def ends_group(self, where, start):
        """Whether what the current group lost has to be known: it may be in temporaries."""
        group = self.frames.groups.get(get_ident())
        return group is not None and (group.count > 1 and not group.backward or group.updates)

    def prepare(self, op):
        for t in op.save():
            if t.dtype in NARROW and is_update(op.plan.name) and id(t) in op.targets:
                by_number = len(op.operands) < 2 and not op.by_element
                self.frames.add_update(op.group, self.ledger.have(t), t, op.saved[id(t)],
                                       op.targets[id(t)], op.site, by_number)

    def is_right_anyway(self, op):
        """Operands are exact and results as wide as their shadow would be."""
        plan = op.plan
        if plan.number or (plan.is_cast and op.floats):
            return False
        written = tensors_at(plan, op.args, op.kwargs, plan.written)
        return all(t.dtype in WIDE or t.dtype not in SHADOWED for t in written) and op.is_exact()

    def end(self, op, out):
        plan = op.plan
        made = flatten(out, [])
        op.group.count += 1
        if plan.how == PASS or plan.how == REAL or op.is_open:
            self.take_as_right(op, made)
            return
        self.ops += 1
        if op.failed is not None:
            self.miss(op, made, op.failed)
            return
        try:
            if plan.written and not plan.is_out:
                self.end_in_place(op, made)
            else:
                self.end_functional(op, made)
        except Unshadowed:
            self.take_as_right(op, made)
        except Exception as e:
            self.miss(op, made, e)
        if self.frames.marks and made and not plan.written and not op.site.backward and \
                torch.is_grad_enabled():
            self.frames.last[get_ident()] = (made[0], op.site)

    def take_as_right(self, op, made):
        """The real values of its results are right."""
        plan = op.plan
        positions = range(len(plan.names)) if plan.is_foreign else plan.written
        for t in tensors_at(plan, op.args, op.kwargs, positions) if plan.how != PASS else ():
            self.forget(t)
        for t in made:
            if t.dtype in SHADOWED and t.dtype is not torch.int64 and is_plain(t):
                self.note_origin(op, t)

    def forget(self, t):
        entry = self.ledger.find(t) if is_plain(t) else None
        if entry is None:
            return
        if covers(t) or entry.values is None or entry.dtype is not t.dtype:
            entry.forget()
        else:
            self.ledger.view(entry, t).copy_(t)

    def miss(self, op, made, error):
        """Its shadow could not be computed."""
        self.uncovered += 1
        if op.plan.name not in self.names and len(self.names) < 4:
            self.names.append(op.plan.name)
        if os.environ.get("MISCAST_RUN_DEBUG"):
            sys.stderr.write("miscast: %s has no shadow: %r\n" % (op.plan.name, error))
        self.ledger.sweep()
        self.take_as_right(op, made)

    # ---- results --------------------------------------------------------------------------------

    def is_shadowed(self, op, t):
        if t.dtype in FLOATS:
            return not (t.dtype in WIDE and op.is_exact() and op.operands)
        if t.dtype not in INTS or op.floats:
            return False
        return t.dtype is not torch.int64 or not op.is_exact()

    def end_as_integers(self, op, results, made, source):
        """What floats became as integers is judged at once; source: which argument they are, 1 if the
        result is written in place. Whether nothing else is to be done: it was a cast."""
        if not results or results[0].dtype not in INTS:
            return False
        if op.plan.is_cast and op.floats:
            self.settle()
            self.judge.judge_cast(op, op.args[source], results[0], source == 1)
            self.take_as_right(op, made)
            self.finish(op)
            return True
        if op.plan.number:
            self.judge_number(op, results[0])
        return False

    def end_functional(self, op, made):
        plan = op.plan
        if self.end_as_integers(op, made, made, 0):
            return
        fresh = [self.is_shadowed(op, t) and is_plain(t) and t.numel() > 0 for t in made]
        if not any(fresh):
            self.take_as_right(op, made)
            self.finish(op)
            return
        op.gives_floats = made[fresh.index(True)].dtype in FLOATS
        found = op.run(op.shadow, made)
        for i, t in enumerate(made):
            if not fresh[i]:
                continue
            result = make_result(self.ledger, t, None)
            if id(result.entry) in op.met:
                continue  # a view
            wide = matched(found[i], t) if i < len(found) else None
            if wide is None:
                self.forget(t)
                continue
            if not plan.is_out and is_shared(wide, op):
                wide = wide.clone()
            self.note_origin(op, t)
            result.wide = self.ledger.put(result.entry, t, wide, result.covers)
            op.results.append(result)
        self.compare(op)

    def end_in_place(self, op, made):
        plan = op.plan
        written = op.written or [t for t in tensors_at(plan, op.args, op.kwargs, plan.written)
                                 if t.dtype in SHADOWED and is_plain(t)]
        if self.is_right_anyway(op):
            self.finish(op)
            return
        if self.end_as_integers(op, written, made, 1):
            return
        if plan.name == "zero_" or plan.name == "_foreach_zero_":
            for t in written:
                self.forget(t)
            self.finish(op)
            return
        for t in written:
            op.target(t)
        op.results = [make_result(self.ledger, t, op.target(t)) for t in written if t.numel()]
        op.gives_floats = bool(written) and written[0].dtype in FLOATS
        try:
            op.run(op.shadow, made)
        except Exception:
            for t in written:
                self.forget(t)
            raise
        for r in op.results:
            self.note_origin(op, r.real)
        fresh = [t for t in made if not any(t is w for w in written)]
        for t in fresh:
            if is_plain(t):
                self.note_origin(op, t)
        self.compare(op)
        if plan.unscales and self.losses.held and found_infinite(op):
            self.settle()
            self.losses.release(dropped=True)

    def judge_number(self, op, t):
        value = op.kwargs.get(op.plan.number)
        at = op.plan.names.index(op.plan.number) if op.plan.number in op.plan.names else len(op.args)
        value = op.args[at] if at < len(op.args) else value
        if isinstance(value, float):
            self.judge.judge_number(op, value, t)

    def note_origin(self, op, t):
        """Where values of this dtype came from: an operand that has it, or this operation."""
        entry = self.ledger.have(t)
        if entry.since is not None and entry.dtype in (None, t.dtype):
            return
        for o in op.operands:
            if o.dtype is t.dtype and o.entry.since is not None and o.entry is not entry:
                entry.since = o.entry.since
                return
        entry.since = op.site

    # ---- comparisons ----------------------------------------------------------------------------

    def compare(self, op):
        if not op.results:
            self.finish(op)
            return
        for r in op.results:
            self.frames.add_result(op.group, r.entry)
        if not WAITS and not op.results[0].real.is_cuda:
            pairs = [quick_numbers(r.real, r.wide) for r in op.results]
            self.judge.judge(op, pairs)
            self.finish(op)
            return
        self.on_gpu = self.on_gpu or op.results[0].real.is_cuda
        pairs = quick_all(op.results)
        self.waiting.append((op, pairs))
        for o in op.operands:
            self.read_by_waiting.add(storage_of(o.real)._cdata)
        for r in op.results:
            self.read_by_waiting.add(storage_of(r.real)._cdata)
        if len(self.waiting) >= MOST_WAITING:
            self.settle()

    def settle(self):
        """Reads the comparisons that have been waiting, and judges them in order."""
        waiting, self.waiting = self.waiting, []
        self.read_by_waiting = set()
        if not waiting:
            return
        by_device = {}
        for _, pairs in waiting:
            for pair in pairs:
                by_device.setdefault(pair[0].device, []).extend(pair)
        read = {d: iter(torch.stack(n).tolist()) for d, n in by_device.items()}
        for op, pairs in waiting:
            self.judge.judge(op, [(next(read[e.device]), next(read[e.device])) for e, _ in pairs])
            self.finish(op)

    def finish(self, op):
        if op.lost:
            for loss in op.lost:
                if loss.since is None:
                    loss.since = op.site
            op.group.lost.extend(op.lost)
            if op.group is not self.frames.groups.get(get_ident()):
                self.frames.report(op.group)  # which has been closed
                op.group.lost = []

    # ---- the end --------------------------------------------------------------------------------

    def result(self):
        """What was lost, worst first."""
        with self.lock, BelowAutograd():
            self.on = False  # what is computed here is not the program's
            self.settle()
            self.frames.close_all()
            return self.losses.all()


def mode(context):
    """The mode, for a program that miscast verifies; losses come before the closing record."""
    shadow = Shadow(context.places, float(context.plan.get("threshold", THRESHOLD)))
    exposed.watch(shadow)
    end = report.End(shadow, report.to_channel(context))
    finish = context.finish

    def finish_both():
        end()
        finish()

    context.finish = finish_both
    return Mode(shadow)


def begin(places, threshold, write):
    """The mode that has to be entered; write gets everything at the end of the program."""
    shadow = Shadow(places, threshold)
    exposed.watch(shadow)
    report.at_end(shadow, write)
    return Mode(shadow)
