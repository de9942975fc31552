"""Sees every operation on tensors that a program makes: a mode whose handler describes the operands
of wanted places and lets everything else pass."""

import dis
import os
import sys
import time

import torch
from torch.overrides import TorchFunctionMode

from . import calls, measure, state
from .places import HERE
from .records import Recorder, error_record
from .tensors import NoFunction, flatten, is_same, kept_elements, tensors_of


TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep


class Observer(TorchFunctionMode):
    def __init__(self, context):
        super().__init__()
        simulate = sys.modules.get(__package__ + ".simulate")
        self.height = None  # of the stack of modes, with this one on it
        self.recorder = Recorder(context, simulate.label if simulate else None)
        shadowed = context.channel is not None and context.channel.wants_shadow
        wanted = () if shadowed else context.plan.get("measures", ())  # shadow values measure more
        self.measures = measure.Measures(self.recorder, wanted)
        context.recorder = self.recorder
        context.observer = self
        state.install(self)
        calls.install(self)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return self.see(func, args, kwargs or {})

    def __enter__(self):
        entered = super().__enter__()
        if self.height is None:
            self.height = torch._C._len_torch_function_stack()
        return entered

    def is_active(self):
        """Whether operations are seen now: not in what one of them does inside."""
        return self.height is not None and torch._C._len_torch_function_stack() >= self.height

    def see(self, func, args, kwargs):
        op = calls.name_of(func)
        if op is None:
            return func(*args, **kwargs)
        recorder = self.recorder
        recorder.ops += 1
        frame, wanted = recorder.frame_of(sys._getframe(2))
        if frame is None:
            return func(*args, **kwargs)
        if wanted and self.is_new(op, frame, args, kwargs):
            return self.report(op, func, args, kwargs, frame)
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self.failed(op, frame, args, kwargs, error)
            raise
        if recorder.history:
            self.mention(op, frame, args, kwargs, result)
        return result

    def is_new(self, op, frame, args, kwargs):
        """Whether it is reported in full: it shows something that others before it did not."""
        recorder = self.recorder
        if self.measures.is_next(frame):
            return True
        return not recorder.nested and not recorder.is_alike(op, frame, tensors_of(args, kwargs))

    def failed(self, op, frame, args, kwargs, error):
        recorder = self.recorder
        if error is not recorder.raised:
            recorder.error(op, frame, recorder.describe_all(tensors_of(args, kwargs)), error)

    def mention(self, op, frame, args, kwargs, result):
        made = tensors_of((result,), None)
        operands = tensors_of(args, kwargs)
        if operands or made:
            self.recorder.brief(op, frame.f_lineno, operands, made, calls.is_writer(op))

    def report(self, op, func, args, kwargs, frame):
        recorder = self.recorder
        given = tensors_of(args, kwargs)
        operands = recorder.describe_all(given)
        written = written_by(op, given, kwargs)
        with NoFunction():
            before = kept_elements(written) if written is not None else None
        how = self.measures.how(frame)
        again = self.measures.begin(how, op, func, args, kwargs) if how else None
        begun = time.perf_counter_ns()
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            if error is not recorder.raised:
                recorder.error(op, frame, operands, error)
            raise
        ns = time.perf_counter_ns() - begun
        made = []
        flatten(result, made)
        more = {"ns": ns, "error": None, "in_place": op.endswith("_")}
        results = recorder.describe_all(made)
        more["result"] = results[0] if results else None
        if len(results) > 1:
            more["more_results"] = results[1:8]
        more["conversions"] = {"count": conversions(operands, more["result"])}
        if written is not None:
            more["written"] = [self.write_of(written, before)]
        if again is not None:
            self.measures.end(again, frame, result)
        recorder.full(op, frame, operands, more)
        return result

    def write_of(self, t, before):
        with NoFunction():
            out = self.recorder.tensors.describe(t)
            changed = before is None or not is_same(before, t)
        out["before"], out["after"] = "0", "1" if changed else "0"
        out["changed"] = changed
        return out

    def uncaught(self, error):
        """What ended the program, at the innermost place of the project."""
        recorder = self.recorder
        trace = error.__traceback__
        at = None
        while trace is not None:
            if recorder.places.file_of(trace.tb_frame.f_code.co_filename):
                at = trace
            trace = trace.tb_next
        how = error_record(error)
        if at is None:
            return how
        place = recorder.places.make(at.tb_frame.f_code, at.tb_lasti, at.tb_lineno)
        if error is not recorder.raised and isinstance(error, Exception):
            recorder.raised = error
            record = {"op": "", "operands": [], "result": None,
                      "error": dict(how, own=is_raised_by_program(error))}
            record.update(place.record())
            recorder.send(record, is_error=True)
        how.update(place.record())
        return how


def is_raised_by_program(error):
    """Whether a raise statement outside of torch made it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return True
    code = trace.tb_frame.f_code
    if code.co_filename.startswith((TORCH, HERE)):  # ours simulates what torch does
        return False
    name = dis.opname[code.co_code[trace.tb_lasti]]
    return name.startswith(("RAISE", "RERAISE", "LOAD_ASSERTION"))


def written_by(op, given, kwargs):
    """The tensor that an operation writes into; None: it makes a new one."""
    out = kwargs.get("out")
    if isinstance(out, torch.Tensor):
        return out
    if calls.is_writer(op):
        return given[0][1] if given else None
    return None


def conversions(operands, result):
    """How many operands autocast has converted: they are wider than what came out of it."""
    state = torch_autocast(result)
    if state is None:
        return 0
    return sum(1 for o in operands if o["dtype"] in FLOATS and o["dtype"] != state)


FLOATS = ("f16", "bf16", "f32", "f64")


def torch_autocast(result):
    from .compatible import autocast_state

    if not result or result["dtype"] not in ("f16", "bf16"):
        return None
    on = autocast_state()["cuda" if result["device"].startswith("cuda") else "cpu"]
    return on if on == result["dtype"] else None


def mode(context):
    return Observer(context)
