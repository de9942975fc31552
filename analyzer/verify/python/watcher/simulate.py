"""Simulated cuda: without a GPU, a program runs as if there were one.

    install()        once, before code of the program is imported: torch.cuda, saving, tools, training
    mode(context)    what every operation goes through
    label(tensor)    the device a tensor is said to be on

Tensors have labels, their data is on the CPU. What PyTorch would refuse on a GPU is refused with its
words; what it would compute is computed on the CPU, in the dtype that it would have. An operation of
which that is not known raises CannotSimulate, and state.unknown names it. Half precision on the CPU,
which old versions have not, is computed as later ones do.

Functions of torch that are written in Python are not operations: they run, and their own operations
are seen. Only the mode of this module sees those; whoever observes the program saw the call.
"""

import sys
import threading

import torch
from torch.overrides import TorchFunctionMode

from .cuda import autocast, compute, creation, device, ops, rules, saving, tools, training
from .cuda import labels
from .cuda.labels import CannotSimulate, is_cuda, put_all, state


class Skip(threading.local):
    """once: the next check for modes is not to find one. running: functions that run under a mode
    that has seen them."""

    def __init__(self):
        self.once = False
        self.running = []


skip = Skip()
BASE = torch.Tensor.__base__
HANDLERS = {}


class Cuda(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        handler = HANDLERS.get(func)
        if handler is None:
            if not state.active:
                try:
                    return func(*args, **kwargs)
                except (RuntimeError, NotImplementedError) as error:
                    if compute.HALF_ON_CPU or not compute.lacks_kernel(error):
                        raise
                state.active = True  # from here on, half precision is computed as later versions do
            handler = HANDLERS[func] = find(func)
        return handler(func, args, kwargs)


def find(func):
    if hasattr(func, "__code__") and func.__name__ not in ops.WHOLE:
        return inside
    name = getattr(func, "__name__", "")
    if name == "__get__":
        return get
    if name in ("__set__", "__delete__"):
        return set_
    return rules.Operation(func)


def inside(func, args, kwargs):
    """A function of torch that is written in Python: its own operations are seen."""
    if skip.running and skip.running[-1] is func and not (func in ALWAYS_INSIDE and skip.running.count(func) < NESTED):
        return beneath(func)(func, args, kwargs)
    with Cuda():
        skip.once = True
        skip.running.append(func)
        try:
            return func(*args, **kwargs)
        finally:
            skip.once = False
            skip.running.pop()


BENEATH = {}


def beneath(func):
    """What a function does that has called itself: the method of the base class if it has that name,
    else it is one operation."""
    if func not in BENEATH:
        base = getattr(BASE, func.__name__, None)
        operation = rules.Operation(func)
        if base is not None and getattr(torch.Tensor, func.__name__, None) is func:
            BENEATH[func] = lambda _, args, kwargs: operation(base, args, kwargs)
        else:
            BENEATH[func] = operation
    return BENEATH[func]


def get(func, args, kwargs):
    """T, real, requires_grad..."""
    return put_all(func(*args, **kwargs), labels.label(args[0]))


def set_(func, args, kwargs):
    """requires_grad, names..."""
    return func(*args, **kwargs)


def guarded(original):
    def has_torch_function(*args):
        if skip.once:
            skip.once = False
            return False
        return original(*args)
    return has_torch_function


CHECKS = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


def open_functions():
    """Lets functions that are written in Python run under the mode that has seen them already."""
    guards = {}
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("torch"):
            for name in CHECKS:
                original = module.__dict__.get(name)
                if original is not None and type(original).__name__ == "builtin_function_or_method":
                    if original not in guards:
                        guards[original] = guarded(original)
                    setattr(module, name, guards[original])


class Probe(TorchFunctionMode):
    seen = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen += 1
        return func(*args, **(kwargs or {}))


def see_indexing():
    """Before 2.0, reading by index, and writing by a tensor, did not go through modes."""
    tensor, index = torch.zeros(1), torch.zeros(1, dtype=torch.int64)
    read, write = BASE.__getitem__, BASE.__setitem__
    with Probe() as probe:
        tensor[0]  # miscast: ignore[discarded-cast] only whether a mode sees it
        tensor[index] = torch.ones(1)
    if probe.seen >= 3:
        return

    def __getitem__(self, index):
        if torch._C._is_torch_function_mode_enabled():
            return torch.overrides.handle_torch_function(__getitem__, (self,), self, index)
        return read(self, index)

    def __setitem__(self, index, value):
        if torch._C._is_torch_function_mode_enabled():
            return torch.overrides.handle_torch_function(__setitem__, (self,), self, index, value)
        return write(self, index, value)

    torch.Tensor.__getitem__ = __getitem__
    torch.Tensor.__setitem__ = __setitem__
    HANDLERS[__getitem__] = instead(read)
    HANDLERS[__setitem__] = instead(write)


def instead(method):
    """A method that other modes see as a function of ours."""
    operation = rules.Operation(method)

    def handle(func, args, kwargs):
        return operation(method, args, kwargs) if state.active else method(*args, **kwargs)
    return handle


def normal(func, args, kwargs):
    """An operation on tensors, or a way to make one."""
    is_operation = labels.tensors_in(tuple(args) + (kwargs.get("mean"), kwargs.get("std")), [])
    return (rules.Operation(func) if is_operation else creation.make)(func, args, kwargs)


# They call code of the program, which may call them again: checkpoints do.
ALWAYS_INSIDE = (torch.Tensor.backward, torch.autograd.backward)
NESTED = 16


def enter_threads():
    """Modes belong to a thread; every thread of the program gets this one."""
    original = threading.Thread._bootstrap_inner

    def _bootstrap_inner(self):
        with Cuda():
            original(self)

    threading.Thread._bootstrap_inner = _bootstrap_inner


def label(tensor):
    """The name of the device that a tensor is said to be on."""
    return str(labels.label(tensor)) if is_cuda(tensor) else str(tensor.device)


def install():
    """Once, before code of the program is imported."""
    if HANDLERS:
        return
    for part in (device, tools, autocast, training, saving):
        part.install()
    HANDLERS.update(creation.handlers())
    HANDLERS.update(training.handlers())
    HANDLERS.update(saving.handlers())
    HANDLERS[torch.normal] = normal
    state.is_hidden = device.is_hidden()  # from here on: the parts above need the device
    HANDLERS.update({func: inside for func in ALWAYS_INSIDE})
    open_functions()
    see_indexing()
    enter_threads()


def mode(context):
    install()
    return Cuda()
