"""Records of what a program does: numbered, in full where findings are, in brief elsewhere, and not
at all where nothing depends on them.

The plan says what is wanted:
    wanted    by file: lines whose operations are reported in full
    history   other operations are reported in brief: which tensors they read and make
"""

import os
import sys
import threading

import torch

from . import compatible, plain
from .tensors import Tensors, Unseen

MOST = 200000  # as the runtime (runtime/trace/protocol.h)
MOST_ERRORS = 100  # beyond that
TOGETHER = 100  # so many brief ones are sent in one message
ALIKE = 8  # so many operations of a place with like operands are reported in full


class Recorder:
    def __init__(self, context, device_of=None):
        self.context = context
        self.places = context.places
        self.tensors = Tensors(device_of)
        self.history = bool(context.plan.get("history"))
        self.wanted = {os.path.realpath(f): frozenset(l)
                       for f, l in context.plan.get("wanted", {}).items()}
        self.lines = {}  # by co_filename
        self.count = 0
        self.errors = 0
        self.ops = 0  # that were seen, reported or not
        self.cut = False
        self.alike = {}
        self.threads = {}
        self.raised = None  # the last error that was reported
        self.open_regions = []
        self.in_backward = False
        self.briefs = []  # that were not sent yet
        self.quiet = False  # what happens now is not the program's doing
        self.nested = 0  # in methods that are reported as one operation
        self.training = None  # what optimizers get at

    def misses_reads(self):
        """Not every read of a tensor is seen: that nothing read it cannot be concluded."""
        if self.history:
            self.context.send({"cut": True})

    # ---- which ----------------------------------------------------------------------------------

    def lines_of(self, name):
        """The wanted lines of a file, by its name in code; None: it is not of the project."""
        file = self.places.file_of(name)
        self.lines[name] = found = None if file is None else self.wanted.get(file, frozenset())
        return found

    def frame_of(self, frame):
        """The innermost frame of the project, and whether its line is wanted."""
        lines = self.lines
        while frame is not None:
            name = frame.f_code.co_filename
            wanted = lines[name] if name in lines else self.lines_of(name)
            if wanted is not None:
                return frame, bool(wanted) and frame.f_lineno in wanted
            frame = frame.f_back
        return None, False

    # ---- records --------------------------------------------------------------------------------

    def send(self, record, is_error=False):
        if self.count >= MOST + (MOST_ERRORS if is_error else 0):
            if not self.cut:
                self.cut = True
                self.context.send({"cut": True})
            return
        self.flush()
        self.count += 1
        numbered = {"seq": self.count}
        numbered.update(record)
        self.context.send(numbered)

    def thread(self):
        return self.threads.setdefault(threading.get_ident(), len(self.threads))

    def is_alike(self, op, frame, tensors):
        """Whether such an operation was reported often enough."""
        with Unseen():
            key = (id(frame.f_code), frame.f_lasti, op, torch.is_grad_enabled(),
                   compatible.is_autocasting(), tuple(
                       (t.dtype, t.requires_grad, self.tensors.device_of(t)) for _, t in tensors))
        seen = self.alike.get(key, 0)
        self.alike[key] = seen + 1
        return seen >= ALIKE

    def brief(self, op, line, operands, results, in_place):
        if self.count >= MOST:
            self.send({})
            return
        with Unseen():
            number_of = self.tensors.number_of
            made = number_of(results[0][1]) if results else (0, 0)
            record = [op, line, in_place, made[0], made[1]]
            for _, t in operands:
                record.extend(number_of(t))
        self.count += 1
        self.briefs.append(record)
        if len(self.briefs) >= TOGETHER:
            self.flush()

    def flush(self):
        if self.briefs:
            self.context.send({"briefs": self.briefs})
            self.briefs = []

    def full(self, op, frame, operands, more, is_statement=False):
        """Of an operation that has ended, or failed. operands: described before it began.
        is_statement: its place is a statement, of which only the first line counts."""
        place = self.places.place_of(frame)
        autocast = compatible.autocast_state()
        record = {"op": op}
        record.update(place.record(is_statement))
        record.update({
            "pid": os.getpid(),
            "thread": self.thread(),
            "operands": operands,
            "skipped": False,
            "backward": False,  # places are those of the program, in whichever pass
            "autocast": autocast,
            "grad_mode": torch.is_grad_enabled(),
        })
        record.update(more)
        self.send(record, is_error=bool(more.get("error")))

    def describe_all(self, tensors):
        with Unseen():
            return [self.tensors.describe(t, name) for name, t in tensors]

    def error(self, op, frame, operands, error):
        """An error that an operation raised, wherever that is."""
        if error is self.raised:
            return
        self.raised = error
        self.errors += 1
        if self.errors <= MOST_ERRORS:
            self.full(op, frame, operands, {"result": None, "error": error_record(error)})

    def end(self, how, called=None):
        """The closing record; how: what the program ended with; called: what a harness called."""
        self.flush()
        record = {"end": True, "pid": os.getpid(), "events": self.count, "ops": self.ops,
                  "open_autocast": [p.record() for _, p in self.open_regions if p]}
        if self.training is not None and self.training.steps:
            record["training"] = self.training.record()
        if how:
            record["ended"] = how
        if called:
            record["called"] = called
        if plain.used:
            record["without"] = sorted(plain.used)
        simulate = sys.modules.get(__package__ + ".simulate")
        if simulate is not None and simulate.state.unknown is not None:
            record["unknown"] = "%s cannot be simulated" % simulate.state.unknown
        elif simulate is not None and simulate.state.is_hidden:
            record["unknown"] = "it ran without a GPU"  # what goes well then may fail with one
        self.context.send(record)


def error_record(error):
    text = str(error)
    kind = type(error)
    return {"type": kind.__name__, "message": text[:2000],
            "bases": [c.__name__ for c in kind.__mro__[1:-1]]}
