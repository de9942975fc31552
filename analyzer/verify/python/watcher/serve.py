"""One interpreter for many runs. It imports torch, and then forks for every run that it is asked for;
the child becomes the program, and this process waits for it and reports how it ended.

A request is a message on the channel: the key of the run, then the path of a file of JSON with its
words, environment, folders and limit.
"""

import gc
import json
import os
import select
import signal
import sys
import time

from . import channel as channels

MOST_MESSAGE = 512


def serve(room):
    """Returns in a child, with its channel and its words; the server itself never does."""
    own = channels.open_channel(is_server=True)
    if own is None:
        sys.exit(2)
    import torch  # noqa: F401: once, for all

    from . import observe  # noqa: F401

    gc.collect()
    gc.freeze()  # what is here now is shared by all runs
    own.send({"ready": True})
    while True:
        request = wait_for_request()
        if request is None:
            os._exit(0)
        hello, how = request
        begun = time.monotonic_ns()
        child = os.fork()
        if child == 0:
            return channels.Channel(hello), begin(how)
        report = wait_for(child, begun, how["wall_ms"])
        clear(how["room"])
        own.send(report)


def wait_for_request():
    """None: there will be no more."""
    while True:
        select.select([channels.DESCRIPTOR], [], [])
        try:
            message = os.read(channels.DESCRIPTOR, MOST_MESSAGE)
        except BlockingIOError:
            continue
        size = channels.HELLO.size
        if len(message) <= size:
            return None
        with open(message[size:].decode(), encoding="utf-8") as f:
            return channels.HELLO.unpack(message[:size]), json.load(f)


# ---- the child ----------------------------------------------------------------------------------


def begin(how):
    os.setsid()
    os.makedirs(how["room"], exist_ok=True)
    os.environ.clear()
    os.environ.update(how["environment"])
    os.chdir(how["cwd"])
    stdin = os.open(how["input"] or os.devnull, os.O_RDONLY)
    os.dup2(stdin, 0)
    os.close(stdin)
    return how["words"]


# ---- the server ---------------------------------------------------------------------------------


def wait_for(child, begun, wall_ms):
    """How the child ended, and with it everything that it had started."""
    deadline = begun + wall_ms * 1000000
    pause, timed_out = 0.0005, False
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic_ns() > deadline and not timed_out:
            timed_out = True
            os.kill(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    end_all()
    report = {"ended": True, "ns": time.monotonic_ns() - begun, "timed_out": timed_out,
              "cpu_ns": int((usage.ru_utime + usage.ru_stime) * 1e9)}
    if os.WIFSIGNALED(status):
        report["signal"] = os.WTERMSIG(status)
    else:
        report["status"] = os.WEXITSTATUS(status)
    return report


def end_all():
    """In namespaces of our own, these are the processes that programs have left."""
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


def clear(folder):
    """Removes a folder with everything in it, whatever the permissions."""
    for path, folders, files in os.walk(folder, topdown=True):
        for name in folders:
            try:
                os.chmod(os.path.join(path, name), 0o700, follow_symlinks=False)
            except (OSError, NotImplementedError):
                pass
    for path, folders, files in os.walk(folder, topdown=False):
        for name in files + folders:
            each = os.path.join(path, name)
            try:
                os.rmdir(each) if name in folders and not os.path.islink(each) else os.unlink(each)
            except OSError:
                pass
    try:
        os.rmdir(folder)
    except OSError:
        pass
