"""What was lost, by place and kind; the records are those of the runtime for C programs
(runtime/trace/losses.c), so that miscast reads both alike.
"""

import math

# Worst first.
KINDS = ("overflow", "not-finite", "wrap", "underflow", "lost-update", "truncated",
         "inexact-integer", "accumulated", "cancellation", "rounding")
RANK = {kind: i for i, kind in enumerate(KINDS)}
MOST_HELD = 64


class Site:
    """A place in the source, and what ran there."""

    __slots__ = ("place", "op", "backward", "gradient", "number")

    def __init__(self, place, op, backward, number):
        self.place = place  # None: unknown
        self.op = op
        self.backward = backward
        self.gradient = None  # the site of the gradient of this operation
        self.number = number

    def record(self):
        out = self.place.record() if self.place else {"file": None, "line": 0, "function": None}
        out["op"] = self.op
        out["backward"] = self.backward
        return out


class Loss:
    __slots__ = ("kind", "site", "dtype", "real", "wide", "worst", "shape", "elements", "introduced",
                 "inherited", "since", "origin", "times", "entry")

    def __init__(self, kind, site, dtype, shape, shown, introduced, total):
        self.kind = kind
        self.site = site
        self.dtype = dtype
        self.shape = shape
        self.real = shown.real
        self.wide = shown.wide
        self.worst = max(shown.worst, 0)
        self.elements = shown.differing
        self.introduced = introduced
        self.inherited = total - introduced if introduced < total else 0.0
        self.since = None  # the site that decided the dtype
        self.origin = None  # the site that wrote the operand with the largest error
        self.times = 1
        self.entry = None  # of the storage that has it

    def total(self):
        return self.introduced + self.inherited

    def index(self):
        index, rest = [], self.worst
        for size in reversed(self.shape):
            index.append(rest % size if size else 0)
            rest //= size or 1
        return index[::-1]

    def record(self, dtype_name):
        got, expected = texts(self.real, self.wide)
        count = 1
        for size in self.shape:
            count *= size
        out = {
            "loss": self.kind,
            "dtype": dtype_name(self.dtype),
            "at": self.site.record(),
            "shape": list(self.shape),
            "index": self.index(),
            "got": got,
            "expected": expected,
            "elements": self.elements,
            "of": count,
            "times": self.times,
            "introduced": rounded(self.introduced),
            "inherited": rounded(self.inherited),
        }
        if self.since is not None:
            out["since"] = self.since.record()
        if self.origin is not None:
            out["from"] = self.origin.record()
        return out


def rounded(error):
    return float("%.3g" % min(error, 1e300))


def is_whole(v):
    return not math.isfinite(v) or (v == math.floor(v) and abs(v) < 1e15)


def texts(got, expected):
    """What it is, and what it should be, with as many digits as it takes to distinguish the two."""
    if isinstance(got, int) and isinstance(expected, int):
        return str(got), str(expected)
    if is_whole(got) and is_whole(expected):
        return "%.0f" % got, "%.0f" % expected
    for digits in range(5, 18, 2):
        a, b = "%.*g" % (digits, got), "%.*g" % (digits, expected)
        if a != b:
            break
    return a, b


class Losses:
    def __init__(self):
        self.found = {}  # by site and kind
        self.held = []

    def add(self, loss):
        """Puts it with those of the same site and kind, of which the worst is kept."""
        key = (loss.site, loss.kind)
        old = self.found.get(key)
        if old is None:
            self.found[key] = loss
            return
        worse = (loss.total(), loss.elements) > (old.total(), old.elements)
        times = old.times + 1
        if worse:
            self.found[key] = loss
        self.found[key].times = times

    def hold(self, loss):
        """A gradient that became infinite: a scaler may notice it and skip the step. Or one that
        became 0, which matters to a step only. It is added when the next step is taken, or
        dropped."""
        if len(self.held) == MOST_HELD:
            self.release()
        self.held.append(loss)

    def release(self, dropped=False):
        held, self.held = self.held, []
        for loss in () if dropped else held:
            self.add(loss)

    def all(self):
        """One for each site, the worst kind, which the others only accompany; worst first."""
        self.held = [l for l in self.held if l.kind != "underflow"]
        self.release()
        found, seen = [], set()
        order = sorted(self.found.values(),
                       key=lambda l: (RANK[l.kind], -l.total(), l.site.number))
        for loss in order:
            if loss.site not in seen:
                seen.add(loss.site)
                found.append(loss)
        return found
