"""Memory that others can write to: arrays of numpy, memory shared between processes, kernels that
get a pointer. What they do is not seen, so the real values there count as right.
"""

import functools
import sys

import torch

from .frames import TORCH
from .ledger import is_plain

GIVING = ("numpy", "__array__", "__dlpack__", "data_ptr", "share_memory_")
TAKING = ("from_numpy", "as_tensor", "asarray", "frombuffer", "from_dlpack")


def watch(shadow):
    for name in GIVING:
        if hasattr(torch.Tensor, name):
            setattr(torch.Tensor, name, giving(shadow, getattr(torch.Tensor, name)))
    for name in TAKING:
        if hasattr(torch, name):
            setattr(torch, name, taking(shadow, getattr(torch, name)))


def expose(shadow, t):
    if isinstance(t, torch.Tensor) and is_plain(t):
        with shadow.lock:
            entry = shadow.ledger.have(t)
            entry.exposed = True
            entry.forget()


def giving(shadow, function):
    @functools.wraps(function)
    def wrapper(self, *args, **kwargs):
        if not sys._getframe(1).f_code.co_filename.startswith(TORCH):  # which only reads there
            expose(shadow, self)
        return function(self, *args, **kwargs)
    return wrapper


def taking(shadow, function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        made = function(*args, **kwargs)
        if not (args and isinstance(args[0], torch.Tensor)):
            expose(shadow, made)
        return made
    return wrapper
