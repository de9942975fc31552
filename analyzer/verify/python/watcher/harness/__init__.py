"""Calls a function that no program calls: its file is imported, its class is constructed, and its
arguments are made up.

    run(context, program, words)

What the function is given is one of its own defaults, or fits its annotations, its names and what it
does with them (guess.py), and is changed until the call gets to the place of the finding (search.py).
All tensors are on one device, and all that are floats have one dtype: a mixture would fail for
reasons of ours. The closing record says what the function was called with.

    module.py   the file, as a module
    guess.py    what a parameter is
    values.py   makes it
    search.py   changes it
"""

import json
import sys

from . import module, search, values


def run(context, program, words):
    """The function of the plan, called towards the place that the first word describes, with the others
    on the command line."""
    call = context.plan["call"]
    target = json.loads(words[0])
    sys.argv = [program] + words[1:]
    function, owner = module.find(module.load(program), call["function"])
    state = search.search(context, call, target, function, owner)
    maker = values.Maker(target, state)
    context.called = lambda: " ".join([maker.text(call["function"])] + words[1:])
    maker.call(function, owner)
