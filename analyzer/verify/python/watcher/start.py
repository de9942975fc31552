"""Starts a program as its own interpreter would, with modes around it.

    main(["PLAN", "PROGRAM", "ARGUMENT"...])
    main(["--serve", "FOLDER"])                  such words come in requests (serve.py)
    main(["--cases", "FOLDER", ...])             the cases of a bundle (cases.py)

PLAN is a file of JSON that says what is to be seen ("-": nothing). Members:
    roots     folders of the project; default: the folder of the program
    call      a function of the file, which is called from a harness: the file does not start
    texts     by file: what it is to hold instead of what it does
    modules   modules of this package whose mode(context) is entered, in this order: the last one
              sees a call of the program first, and its own calls go to the one before it
"""

import atexit
import importlib
import json
import os
import sys
import threading
from contextlib import ExitStack

from . import arrays, compatible, places, plain, texts
from . import channel as channels


class Context:
    """What modes share: the plan, the places of the project, and the channel (None: there is no
    miscast to send to)."""

    def __init__(self, plan, program, channel):
        roots = plan.get("roots") or [os.path.dirname(os.path.abspath(program))]
        self.plan = plan
        self.program = program
        self.places = places.Places(roots)
        self.channel = channel

        self.observer = None  # set by observe
        self.ended = None  # what the program ended with, for the closing record
        self.called = None  # a function: what a harness has called, and with what

    def send(self, record):
        if self.channel is not None:
            self.channel.send(record)

    def failed(self, error):
        if self.observer is not None:
            self.ended = self.observer.uncaught(error)

    def finish(self):
        if self.observer is not None:
            self.observer.recorder.end(self.ended, self.called() if self.called else None)


def read_plan(name):
    if name == "-":
        return {}
    with open(name, encoding="utf-8") as f:
        return json.load(f)


def start(context, program, arguments):
    """The program, or a function of it."""
    if "call" in context.plan:
        from . import harness

        harness.run(context, program, arguments)
    else:
        run_program(program, arguments)


def run_program(program, arguments):
    """The program as __main__. As the interpreter does, but in this process."""
    sys.argv = [program] + arguments
    sys.path.insert(0, os.path.dirname(os.path.realpath(program)))
    main = type(sys)("__main__")
    main.__file__ = program
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    exec(texts.compiled(program), main.__dict__)


def own_part(error):
    """The traceback from the program's first frame on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(places.HERE):
        trace = trace.tb_next
    return trace


def leave(status):
    """As sys.exit, but without taking everything down piece by piece, which takes longer than most
    programs."""
    if status is not None and not isinstance(status, int):
        print(status, file=sys.stderr)
    code = status if isinstance(status, int) else int(status is not None)
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed by the program
            pass
    os._exit(code & 0xFF)


def enter_modes(stack, context):
    compatible.settle()
    plain.install()
    texts.install(context.plan.get("texts"))
    arrays.install(context)
    modules = list(context.plan.get("modules", ()))
    if context.channel is not None and context.channel.wants_shadow:
        modules.append("shadow")
    if context.plan.get("branches"):
        modules.append("branches")
    for name in modules:
        module = importlib.import_module("." + name, __package__)
        stack.enter_context(module.mode(context))


def main(words):
    if words[0] == "--cases":
        from . import cases

        return cases.main(words[1:])
    if words[0] == "--serve":
        from . import serve

        channel, words = serve.serve(words[1])  # returns in a child for each run
    else:
        channel = channels.open_channel()
    run(channel, read_plan(words[0]), words[1], words[2:])


def run(channel, plan, program, arguments):
    """Never returns."""
    context = Context(plan, program, channel)
    status = 0
    with ExitStack() as stack:
        enter_modes(stack, context)
        atexit.register(context.finish)  # the first one runs last
        try:
            start(context, program, arguments)
        except SystemExit as error:
            status = error.code
            context.ended = {"exit": status if isinstance(status, int) else int(status is not None)}
        except BaseException as error:
            status = 1
            context.failed(error)
            sys.excepthook(type(error), error, own_part(error))
    leave(status)
