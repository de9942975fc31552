"""`miscast run` on a Python program: shadow values from the moment that the program has imported
torch. MISCAST_RUN is the file for the losses, as for C programs; its percent signs are doubled.
MISCAST_RUN_THRESHOLD is the relative error above which a result is reported.
"""

import ctypes
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import sys
import threading

THRESHOLD = 0.01
MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1  # of mallopt(3)


def begin():
    for name in ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE"):
        os.environ.setdefault(name, "1")  # compiled code has other operations
    if "torch" in sys.modules:
        try_start(sys.modules["torch"])
    else:
        sys.meta_path.insert(0, Finder())


class Finder(importlib.abc.MetaPathFinder):
    """Finds torch as others do, and starts after it was loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.loader is not None:
            spec.loader = Loader(spec.loader)
        return spec


class Loader(importlib.abc.Loader):
    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        try_start(module)


def try_start(torch):
    """The program runs, whatever happens here."""
    try:
        start()
    except Exception as error:
        version = getattr(torch, "__version__", "")
        sys.stderr.write("miscast: PyTorch %s cannot be watched: %s\n" % (version, error))


def threshold():
    try:
        value = float(os.environ.get("MISCAST_RUN_THRESHOLD", ""))
    except ValueError:
        return THRESHOLD
    return value if value > 0 and math.isfinite(value) else THRESHOLD


def keep_memory():
    """Shadow values come and go: memory that goes back to the system each time has to be cleared
    each time."""
    try:
        libc = ctypes.CDLL(None)
        libc.mallopt(MMAP_THRESHOLD, 32 << 20)
        libc.mallopt(TRIM_THRESHOLD, 1 << 30)
    except (OSError, AttributeError):
        pass


def start():
    from . import shadow
    from .places import Places
    from .shadow import report

    keep_memory()
    path = os.environ["MISCAST_RUN"].replace("%%", "%")
    places = Places([os.sep])
    mode = shadow.begin(places, threshold(), report.to_file(path))
    mode.__enter__()
    follow_threads(mode)


def follow_threads(mode):
    """A mode is one of the thread that entered it."""
    begin = threading.Thread._bootstrap_inner

    def bootstrap(self):
        run = self.run

        def within():
            with type(mode)(mode.shadow):
                run()

        self.run = within
        begin(self)

    threading.Thread._bootstrap_inner = bootstrap
