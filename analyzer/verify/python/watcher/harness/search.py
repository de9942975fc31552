"""Changes what a function is called with until the call gets to the place of the finding: attempts
are made in children, which report nothing to miscast, and how far each of them got decides which one
is changed next. The first that gets further than all before is where the search goes on."""

import json
import os
import re
import select
import signal
import sys
import time

from . import guess, values

MOST_ATTEMPTS = 120  # that do not get further
ATTEMPTS_THERE = 16  # at the place, where nothing of what is sought happens
ATTEMPT_SECONDS = 2
SHAPES = ([2, 8, 8], [2, 8, 8, 8], [8], [2, 3, 32, 32], [], [2, 16], [2, 4, 8, 8], [1, 8], [16, 16], [2, 1, 28, 28],
          [2, 3, 224, 224], [2, 2, 8, 8, 8])
INTEGERS = (1, 2, 4, 16, 3, 0, 32)


def search(context, call, target, function, owner):
    """The state of the attempt that got furthest."""
    until = time.monotonic() + call["seconds"]
    best, best_end = {}, None
    ways, left, seen = iter(({},)), MOST_ATTEMPTS, set()
    while time.monotonic() < until:
        state = next(ways, None)
        if state is None:
            break
        key = json.dumps(state, sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        end = attempt(context, target, function, owner, state)
        if end is None:  # no process could be made
            break
        if best_end is None or end["score"] > best_end["score"]:
            best, best_end = end["state"], end
            ways = changes(best, end)
            left = ATTEMPTS_THERE if end["score"][0] else MOST_ATTEMPTS
        left -= 1
        if end["score"][0] == 2 or left <= 0:
            break
    return best


# ---- one attempt --------------------------------------------------------------------------------


class Collector:
    """A channel that remembers what is at the place."""

    wants_shadow = False

    def __init__(self, target):
        self.target = target
        self.reached = self.raised = False
        self.error = None

    def is_there(self, record):
        for at in self.target["at"]:
            if record.get("file") == at["file"] and at["line"] <= record.get("line", 0) <= at["end_line"] and (
                    "column" not in record or record["end_column"] == at["end_column"]):
                return True
        return False

    def send(self, record):
        error = record.get("error")
        if error:
            self.error = record
        if "op" in record and self.is_there(record):
            self.reached = True
            if error and error["message"] not in self.target.get("others", ()):
                self.raised = True


def attempt(context, target, function, owner, state):
    """How a call with these arguments ended; None: it could not be made."""
    read, write = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(read)
        os.close(write)
        return None
    if child == 0:
        os.close(read)
        in_child(context, target, function, owner, dict(state), write)
    os.close(write)
    text = answer(read, child)
    os.close(read)
    os.waitpid(child, 0)
    failed = {"score": [0, 0, 0], "state": dict(state), "type": "", "message": "", "operands": []}
    return json.loads(text) if text else failed


def answer(read, child):
    """What the child says; "": it was ended."""
    text, until = b"", time.monotonic() + ATTEMPT_SECONDS
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([read], [], [], left)[0]:
            os.kill(child, signal.SIGKILL)
            return b""
        part = os.read(read, 1 << 16)
        if not part:
            return text
        text += part


def in_child(context, target, function, owner, state, write):
    error, lines = None, set()
    collector = context.channel = Collector(target)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    maker = values.Maker(target, state)
    try:
        sys.settrace(tracer(context.places, lines))
        maker.call(function, owner)
    except BaseException as e:
        error = e
    sys.settrace(None)
    level = 2 if collector.raised or collector.reached and error is None and target["goes_well"] else int(collector.reached)
    raised = collector.error if collector.error and error is not None else None
    end = {"score": [level, len(lines), int(error is None)], "state": state,
           "type": type(error).__name__ if error is not None else "", "message": str(error)[:2000],
           "operands": [o["shape"] for o in raised["operands"]] if raised else []}
    text = json.dumps(end).encode()
    while text:
        text = text[os.write(write, text):]
    os._exit(0)


def tracer(places, lines):
    """Remembers the lines of the project that are executed."""
    def line(frame, event, argument):
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def enter(frame, event, argument):
        return line if places.file_of(frame.f_code.co_filename) else None

    return enter


# ---- other ways ---------------------------------------------------------------------------------


def changes(state, end):
    """States that differ in one part each, the most likely first."""
    tensors = blamed(state, end["operands"])
    for path, spec in suggested(state, tensors, end["message"]):
        like = [p for p in tensors if state[p] == state[path]]
        if spec[0] == "tensor" and len(like) > 1:  # those that were alike stay so
            yield dict(state, **{p: spec for p in like})
        yield dict(state, **{path: spec})
    for path, spec in other_kinds(state, tensors, end):
        yield dict(state, **{path: spec})


def blamed(state, shapes):
    """Paths of tensors: those that an operation failed with come first."""
    all = [p for p, spec in state.items() if spec[0] == "tensor"]
    like = [p for p in all if state[p][2] in shapes]
    return like + [p for p in all if p not in like]


def suggested(state, tensors, message):
    """What the message of an error asks for."""
    numbers = [int(n) for n in re.findall(r"\d+", message)][:8]
    for path in tensors:
        dtype, shape = state[path][1], list(state[path][2])
        for asked in asked_shapes(shape, message):
            yield path, ["tensor", dtype, asked]
    if re.search("Long|Int|index|indices|int64", message):
        for path in tensors:
            yield path, ["tensor", "int64", state[path][2]]
    if re.search("[Bb]ool", message):
        for path in tensors:
            yield path, ["tensor", "bool", state[path][2]]
    if is_about_sizes(message):
        for path in tensors:
            for shape in SHAPES:
                yield path, ["tensor", state[path][1], shape]
        for path in tensors:
            for n in dict.fromkeys(numbers):
                for k in range(len(state[path][2])):
                    shape = list(state[path][2])
                    shape[k] = n
                    if 0 < n < 4096:
                        yield path, ["tensor", state[path][1], shape]
        for path, spec in state.items():
            if spec[0] == "int":
                for n in dict.fromkeys([n for n in numbers if n < 4096] + list(INTEGERS)):
                    yield path, ["int", n]


def is_about_sizes(message):
    return re.search("siz|shape|dim|expected|unpack|range|rank|channels|divis", message, re.I)


def asked_shapes(shape, message):
    found = re.search(r"cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", message)
    if found and shape:
        yield shape[:-1] + [int(found[3])]
    found = re.search(r"shape \[\*, ([\d, ]+)\]", message)
    if found:
        tail = [int(n) for n in found[1].split(",")]
        yield [2] * max(len(shape) - len(tail), 1) + tail
    found = re.search(r"to have (\d+) channels", message)
    if found and len(shape) > 1:
        yield shape[:1] + [int(found[1])] + shape[2:]
    found = re.search(r"values to unpack \(expected (\d+)", message)
    if found:
        yield [2] + [8] * (int(found[1]) - 1)
    found = re.search(r"or (\d)D \(batched\) input", message)
    if found:
        yield [2] + [8] * (int(found[1]) - 1)
    found = re.search(r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\).*dimension (\d+)", message)
    if found:
        for n in (int(found[2]), int(found[1])):
            for k in {int(found[3]), len(shape) - 1}:
                if k < len(shape):
                    yield shape[:k] + [n] + shape[k + 1:]


KINDS = (guess.FLOAT, guess.INDEX, ["int", 8], ["config"], ["module"], guess.MASK, ["list", 2, guess.FLOAT],
         ["none"], ["float", 0.5], ["bool", True], ["text", "mean"])


def other_kinds(state, tensors, end):
    """Something else altogether: of what has a default first, then of everything."""
    for path, spec in state.items():
        if spec[0] in ("default", "none"):
            for other in (["bool", True], ["bool", False], guess.FLOAT, guess.MASK, guess.INDEX, ["int", 2]):
                yield path, other
        elif spec[0] == "bool":
            yield path, ["bool", not spec[1]]
    for path in list(tensors) if is_about_sizes(end["message"]) else list(state):
        for other in KINDS:
            if other[0] != state[path][0] or other[1:2] != state[path][1:2]:
                yield path, other
