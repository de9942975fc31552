"""What a program does that is no operation on tensors, but decides what they mean: autocast regions,
gradient scalers, optimizers, clipping. Their methods are wrapped, and reported as operations under
the names that miscast has for them."""

import functools
import sys

import torch

from .records import error_record
from .training import Training


def install(observer):
    for scaler in scaler_classes():
        for name in ("scale", "unscale_", "step", "update"):
            wrap(observer, scaler, name, "grad_scaler_" + name, scaler_details)
    wrap(observer, torch.optim.Optimizer, "zero_grad", "optimizer_zero_grad")
    wrap_optimizers(observer)
    for name in ("clip_grad_norm_", "clip_grad_value_"):
        wrap(observer, torch.nn.utils, name, name)
    wrap_autocast(observer)


def scaler_classes():
    """The classes that define the methods."""
    found = [torch.cuda.amp.GradScaler]
    for module in (getattr(torch, "amp", None), getattr(getattr(torch, "cpu", None), "amp", None)):
        scaler = getattr(module, "GradScaler", None)
        if scaler is not None:
            found.append(scaler)
    return {c for s in found for c in s.__mro__ if "unscale_" in vars(c)}


def scaler_details(scaler):
    try:
        return {"scale": float(scaler.get_scale()) if scaler.is_enabled() else 1.0}
    except Exception:
        return {}


def report(observer, op, frame, error=None, details=None, tensors=(), is_statement=False):
    recorder = observer.recorder
    recorder.ops += 1
    more = {"result": None, "error": error_record(error) if error else None}
    if details:
        more["details"] = details
    if error is not None:
        if error is recorder.raised:
            return
        recorder.raised = error
    recorder.full(op, frame, recorder.describe_all([(None, t) for t in tensors]), more,
                  is_statement)


def wrap(observer, owner, name, op, details=None):
    """Reports each call of the method, after it has ended."""
    plain = vars(owner).get(name)
    if plain is None or not callable(plain):
        return

    @functools.wraps(plain)
    def wrapped(*args, **kwargs):
        recorder = observer.recorder
        frame, _ = recorder.frame_of(sys._getframe(1))
        if frame is None or recorder.nested:
            return plain(*args, **kwargs)
        known = details(args[0]) if details and args else None
        recorder.nested += 1
        try:
            result = plain(*args, **kwargs)
        except Exception as error:
            report(observer, op, frame, error, known)
            raise
        finally:
            recorder.nested -= 1
        report(observer, op, frame, None, known)
        return result

    setattr(owner, name, wrapped)


def wrap_optimizers(observer):
    """Optimizers make their own step functions; each class is wrapped when the first of it is made,
    and what it was made of is reported."""
    plain = torch.optim.Optimizer.__init__
    done = set()
    training = observer.recorder.training = Training(observer.recorder)

    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        plain(self, *args, **kwargs)
        owner = next((c for c in type(self).__mro__ if "step" in vars(c)), None)
        if owner is not None and owner is not torch.optim.Optimizer and owner not in done:
            done.add(owner)
            wrap_step(owner, training)
            wrap(observer, owner, "step", "optimizer_step")
        training.made(self)
        frame, _ = observer.recorder.frame_of(sys._getframe(1))
        if frame is not None:
            held = [p for g in self.param_groups for p in g["params"]][:8]
            report(observer, "optimizer", frame, tensors=held)

    torch.optim.Optimizer.__init__ = __init__


def wrap_step(owner, training):
    """Also where a scaler makes the step."""
    plain = owner.step

    @functools.wraps(plain)
    def step(self, *args, **kwargs):
        result = plain(self, *args, **kwargs)
        training.stepped(self)
        return result

    owner.step = step


def wrap_autocast(observer):
    recorder = observer.recorder
    owner = torch.autocast
    enter, leave = owner.__enter__, owner.__exit__

    @functools.wraps(enter)
    def __enter__(self):
        result = enter(self)
        if recorder.quiet:
            return result
        frame, _ = recorder.frame_of(sys._getframe(1))
        place = recorder.places.place_of(frame) if frame is not None else None
        recorder.open_regions.append((id(self), place))
        if frame is not None:
            report(observer, "autocast_begin", frame, is_statement=True)
        return result

    @functools.wraps(leave)
    def __exit__(self, *args):
        if recorder.quiet:
            return leave(self, *args)
        for i in range(len(recorder.open_regions) - 1, -1, -1):
            if recorder.open_regions[i][0] == id(self):
                del recorder.open_regions[i]
                break
        return leave(self, *args)

    owner.__enter__, owner.__exit__ = __enter__, __exit__
