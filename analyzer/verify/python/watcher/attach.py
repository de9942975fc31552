"""`miscast verify --run`: an interpreter that a command of the user starts, such as a test runner, is
observed from the moment that it has imported torch. MISCAST_VERIFY names the plan (start.py).
"""

import atexit
import os
import select
import subprocess
import sys
from contextlib import ExitStack

from . import after_import
from . import channel as channels

WAIT_SECONDS = 5  # for a key: other processes may have taken those that were there


def begin():
    for name in ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE"):
        os.environ.setdefault(name, "1")  # compiled code has other operations
    leave_channel_open()
    after_import.when_imported(start)


def leave_channel_open():
    """Processes that this one starts have the channel, too."""
    plain = subprocess.Popen.__init__

    def __init__(self, *args, **kwargs):
        if kwargs.get("close_fds", True) and len(args) < 8 and is_open():
            kwargs["pass_fds"] = tuple(kwargs.get("pass_fds", ())) + (channels.DESCRIPTOR,)
        plain(self, *args, **kwargs)

    __init__.__wrapped__ = plain
    subprocess.Popen.__init__ = __init__


def is_open():
    try:
        os.fstat(channels.DESCRIPTOR)
    except OSError:
        return False
    return True


def command():
    """Without the interpreter, if that runs a file."""
    words = list(getattr(sys, "orig_argv", sys.argv))
    is_file = len(words) > 1 and os.path.basename(words[0]).startswith("python") and words[1][:1] != "-"
    return " ".join(words[1:] if is_file else words)


def start():
    from .start import Context, enter_modes, read_plan

    if not is_open():
        return
    select.select([channels.DESCRIPTOR], [], [], WAIT_SECONDS)
    channel = channels.open_channel()
    if channel is None:
        return
    context = Context(read_plan(os.environ["MISCAST_VERIFY"]), sys.argv[0] if sys.argv else "", channel)
    context.send({"begin": True, "pid": os.getpid(), "command": command()})
    stack = ExitStack()
    enter_modes(stack, context)
    atexit.register(context.finish)
    before = sys.excepthook

    def excepthook(kind, error, trace):
        context.failed(error)
        before(kind, error, trace)

    sys.excepthook = excepthook
    context.stack = stack  # for as long as the process lives
