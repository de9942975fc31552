"""Starts a program as its own interpreter would, with modes around it.

    main(["PLAN", "PROGRAM", "ARGUMENT"...])

PLAN is a file of JSON that says what is to be seen ("-": nothing). Members:
    roots     folders of the project; default: the folder of the program
    modules   modules of this package whose mode(context) is entered, in this order: the last one
              sees a call of the program first, and its own calls go to the one before it
"""

import atexit
import importlib
import json
import os
import sys
from contextlib import ExitStack

from . import channel as channels
from . import places


class Context:
    """What modes share: the plan, the places of the project, and the channel (None: there is no
    miscast to send to)."""

    def __init__(self, plan, program):
        roots = plan.get("roots") or [os.path.dirname(os.path.abspath(program))]
        self.plan = plan
        self.program = program
        self.places = places.Places(roots)
        self.channel = channels.open_channel()

        self.observer = None  # set by observe
        self.ended = None  # what the program ended with, for the closing record

    def send(self, record):
        if self.channel is not None:
            self.channel.send(record)

    def failed(self, error):
        if self.observer is not None:
            self.ended = self.observer.uncaught(error)

    def finish(self):
        if self.observer is not None:
            self.observer.recorder.end(self.ended)


def read_plan(name):
    if name == "-":
        return {}
    with open(name, encoding="utf-8") as f:
        return json.load(f)


def run_program(program, arguments):
    """The program as __main__. As the interpreter does, but in this process."""
    sys.argv = [program] + arguments
    sys.path.insert(0, os.path.dirname(os.path.realpath(program)))
    main = type(sys)("__main__")
    main.__file__ = program
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    with open(program, "rb") as f:
        code = compile(f.read(), program, "exec", dont_inherit=True)
    exec(code, main.__dict__)


def own_part(error):
    """The traceback from the program's first frame on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(places.HERE):
        trace = trace.tb_next
    return trace


def main(words):
    plan, program, arguments = read_plan(words[0]), words[1], words[2:]
    context = Context(plan, program)
    atexit.register(context.finish)  # the first one runs last
    status = 0
    with ExitStack() as stack:
        for name in plan.get("modules", ()):
            module = importlib.import_module("." + name, __package__)
            stack.enter_context(module.mode(context))
        try:
            run_program(program, arguments)
        except SystemExit as error:
            status = error.code
            context.ended = {"exit": status if isinstance(status, int) else int(status is not None)}
        except BaseException as error:
            status = 1
            context.failed(error)
            sys.excepthook(type(error), error, own_part(error))
    sys.exit(status)
