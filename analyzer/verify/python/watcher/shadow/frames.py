"""The calls of the program that operations belong to. An operation that the program calls directly
is a group of its own; those that a function of a library makes for one call of the program are one
group. A loss in a temporary of a group counts only if a result of the group is wrong, too: a loss
function may be computed by way of an infinity. What an optimizer does to a parameter is one update.
"""

import os
from threading import get_ident

import torch

from ..places import HERE
from .losses import Site
from .updates import Update, judge_update

TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
ENGINE = os.path.join(TORCH, "autograd") + os.sep
OPTIMIZERS = os.path.join(TORCH, "optim") + os.sep
FUNCTIONS = os.path.join(TORCH, "nn", "functional.py")
DISPATCH = os.path.join(TORCH, "utils", "_python_dispatch.py")
STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep

WRONG = 0.01  # an error of a result that makes a loss in a temporary count
MOST_RESULTS = 4096

NAMES = {"_to_copy": "to", "linalg_vector_norm": "norm", "convolution": "conv", "addmm": "linear",
         "_local_scalar_dense": "item"}
CURRENT_NODE = getattr(torch._C, "_current_autograd_node", None)
MARK = "miscast"


def plain_name(name):
    """An operation of aten, as people call it."""
    if name in NAMES:
        return NAMES[name]
    name = name.lstrip("_")
    return name[7:] if name.startswith("native_") else name


class Group:
    __slots__ = ("key", "first", "count", "lost", "results", "updates", "made", "backward",
                 "optimizer")

    def __init__(self, key, first, made, backward):
        self.key = key
        self.first = first
        self.count = 0
        self.lost = []
        self.results = []
        self.updates = {}
        self.made = made  # entries with a higher number were made inside
        self.backward = backward
        self.optimizer = False


class Where:
    """What a frame says: the frame of the program, and how it got to the operation."""

    __slots__ = ("frame", "direct", "backward")


class Frames:
    def __init__(self, places, ledger, losses):
        self.places = places
        self.ledger = ledger
        self.losses = losses
        self.groups = {}  # by thread: the one that runs
        self.last = {}  # by thread: the last result that may have a node, and its site
        self.sites = {}
        self.known = {}  # by code, instruction and operation
        self.kept = {}  # code, so that its id stays its own
        self.began = None  # the place of the last call of backward
        self.marks = CURRENT_NODE is not None

    # ---- where ----------------------------------------------------------------------------------

    def find(self, frame):
        where = Where()
        where.direct, where.backward = True, frame is None
        places, files = self.places, self.places.files
        start = frame
        while frame is not None:
            name = frame.f_code.co_filename
            if files[name] if name in files else places.file_of(name):
                break
            if where.direct and name != DISPATCH and not name.startswith(HERE):
                where.direct = False
            if name.startswith(ENGINE) and frame.f_code.co_name in ("backward", "grad",
                                                                    "_engine_run_backward"):
                where.backward = True
            frame = frame.f_back
        if frame is None and not where.backward:
            frame = self.outside(start)
            where.backward = frame is None  # on cuda, gradients are computed by a thread of the engine
        where.frame = frame
        return where

    def outside(self, frame):
        """The program is an installed one: the innermost frame outside of torch."""
        while frame is not None:
            name = frame.f_code.co_filename
            if not name.startswith((TORCH, HERE, STANDARD, "<")):
                return frame
            frame = frame.f_back
        return None

    def site(self, where, start, name):
        frame = where.frame
        if where.backward:
            found = self.node_site()
            if found is not None:
                return found
            if frame is None:
                return self.intern(self.began, plain_name(name), True)
        if frame is None:
            return self.intern(None, plain_name(name), False)
        key = (id(frame.f_code), frame.f_lasti, name, where.backward)
        found = self.known.get(key)
        if found is None:
            self.kept[key[0]] = frame.f_code
            op = plain_name(name) if where.direct else library_name(start, frame, name)
            found = self.intern(self.place(frame), op, where.backward)
            self.known[key] = found
        if where.backward:
            self.began = found.place
        return found

    def place(self, frame):
        """Of this very frame, which may be outside of the project."""
        place = self.places.place_of(frame)
        if place.file is None:
            place.file = os.path.realpath(frame.f_code.co_filename)
        return place

    def intern(self, place, op, backward):
        key = (place.file, place.line, place.function, op, backward) if place else (op, backward)
        site = self.sites.get(key)
        if site is None:
            site = self.sites[key] = Site(place, op, backward, len(self.sites))
        return site

    # ---- gradients belong to the operation that they are of --------------------------------------

    def node_site(self):
        if not self.marks:
            return None
        try:
            node = CURRENT_NODE()
            site = node.metadata.get(MARK) if node is not None else None
        except (AttributeError, RuntimeError, TypeError):
            self.marks = False
            return None
        if site is None:
            return None
        if site.gradient is None:
            site.gradient = self.intern(site.place, site.op, True)
        return site.gradient

    def mark_last(self):
        """The result of the last operation of this thread has its node by now."""
        last = self.last.pop(get_ident(), None)
        if last is None:
            return
        try:
            node = last[0].grad_fn
            if node is not None:
                node.metadata[MARK] = last[1]
        except (AttributeError, RuntimeError, TypeError):
            self.marks = False

    # ---- groups ---------------------------------------------------------------------------------

    def group(self, where, start):
        """The group that an operation belongs to; if another one ends with that, it is closed."""
        frame, current = where.frame, self.groups.get(get_ident())
        key = (id(frame.f_code), frame.f_lasti) if frame is not None else None
        first = (id(start.f_code), start.f_lasti) if start is not None else None
        if current is not None:
            if not where.direct and not where.backward and current.key == key and \
                    current.first != first:
                return current
            self.close()
        made = Group(None if where.direct or where.backward else key, first, self.ledger.made,
                     where.backward)
        self.groups[get_ident()] = made
        return made

    def close_all(self):
        for thread in list(self.groups):
            self.close(thread)

    def close(self, thread=None):
        """What the group of a thread lost is decided; everything it ran has been judged."""
        group = self.groups.pop(thread or get_ident(), None)
        if group is None:
            return
        self.report(group)
        for update in group.updates.values():
            loss = judge_update(update)
            if loss is not None:
                self.losses.add(loss)

    def report(self, group):
        lost = group.lost
        if not lost:
            return
        hidden = [group.count > 1 and not group.backward and l.entry is not None and
                  l.entry.made > group.made and not l.entry.is_alive() for l in lost]
        seen = not all(hidden) or any(
            (e.broken or e.error > WRONG) and e.is_alive() for e in group.results)
        for loss, is_hidden in zip(lost, hidden):
            if is_hidden and (not seen or loss.kind == "accumulated"):
                continue  # what matters is in the result
            if loss.site.backward and loss.kind in ("overflow", "not-finite", "underflow"):
                self.losses.hold(loss)
            else:
                self.losses.add(loss)

    def add_update(self, group, entry, real, was, wide, site, by_number):
        if entry.made <= group.made and id(entry) not in group.updates:
            group.updates[id(entry)] = Update(entry, real, was, wide, site, by_number)

    def add_result(self, group, entry):
        if len(group.results) < MOST_RESULTS:
            group.results.append(entry)


def library_name(start, end, name):
    """What the program called: the step of an optimizer, or a function of torch.nn.functional."""
    found = None
    frame = start
    while frame is not None and frame is not end:
        code = frame.f_code
        if code.co_filename.startswith(OPTIMIZERS) and code.co_name == "step":
            owner = frame.f_locals.get("self")
            return type(owner).__name__.lower() + "_step"
        if code.co_filename == FUNCTIONS and not code.co_name.startswith("_"):
            found = code.co_name
        frame = frame.f_back
    return found or plain_name(name)
