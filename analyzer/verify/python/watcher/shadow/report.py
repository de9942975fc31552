"""Where losses go at the end of the program: to the channel of `miscast verify`, or as lines of JSON
to the file of `miscast run`.
"""

import atexit
import json
import os
import signal
import sys
import threading

from ..tensors import dtype_name


def records(shadow):
    found = [loss.record(dtype_name) for loss in shadow.result()]
    coverage = {"ops": shadow.ops, "kernels": shadow.ops, "uncovered": shadow.uncovered,
                "names": list(shadow.names)}
    return found, coverage


def to_channel(context):
    def write(found, coverage):
        for record in found:
            context.send(record)
    return write


def to_file(path):
    def write(found, coverage):
        lines = found + [{"coverage": coverage}]
        text = "".join(json.dumps(l, separators=(",", ":")) + "\n" for l in lines)
        with open(path, "ab", buffering=0) as f:
            f.write(text.encode())
    return write


class End:
    """Writes once per process, however it ends."""

    def __init__(self, shadow, write):
        self.shadow = shadow
        self.write = write
        self.done = False

    def __call__(self):
        if self.done:
            return
        self.done = True
        if not self.shadow.lock.acquire(timeout=5):
            return
        try:
            self.write(*records(self.shadow))
        finally:
            self.shadow.on = False
            self.shadow.lock.release()


def at_end(shadow, write):
    end = End(shadow, write)
    atexit.register(end)
    leave = os._exit

    def exit_now(status):
        end()
        leave(status)

    os._exit = exit_now
    for number in (signal.SIGTERM, signal.SIGHUP):
        try:
            if signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, lambda n, f: killed(end, n))
        except ValueError:  # not the main thread
            pass
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: in_child(shadow))
    return end


def in_child(shadow):
    """What the parent lost, the parent reports."""
    shadow.lock = threading.RLock()  # another thread may have had it
    shadow.losses.found = {}
    shadow.losses.held = []
    shadow.frames.groups = {}
    shadow.waiting = []
    shadow.read_by_waiting = set()
    shadow.ops = shadow.uncovered = 0


def killed(end, number):
    end()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    sys.exit(128 + number)
