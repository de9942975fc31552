"""`miscast run` on a Python program: shadow values from the moment that the program has imported
torch. MISCAST_RUN is the file for the losses, as for C programs; its percent signs are doubled.
MISCAST_RUN_THRESHOLD is the relative error above which a result is reported.
"""

import ctypes
import math
import os
import threading

from . import after_import

THRESHOLD = 0.01
MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1  # of mallopt(3)


def begin():
    for name in ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE"):
        os.environ.setdefault(name, "1")  # compiled code has other operations
    after_import.when_imported(start)


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
