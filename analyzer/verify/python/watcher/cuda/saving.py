"""torch.save and torch.load keep labels: a storage of a labelled tensor is saved as on cuda:0, and one
that is loaded to cuda labels the tensors made of it. Also parameters and copies made of tensors.
"""

import contextlib

import torch

from .labels import Tensor, device_of, is_cuda, label, put

SAVED = {}  # by address of a storage: its device, and the storage, kept alive
LOADED = {}
files = []  # calls of torch.save and torch.load under way


def key_of(storage):
    for name in ("_untyped_storage", "_storage"):
        inner = getattr(storage, name, None)
        if inner is not None and not callable(inner):
            storage = inner
    return storage._cdata, storage


def storage_of(tensor):
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage()
    return tensor._storage()


def note_saved():
    """A tensor is written to a file."""
    original = Tensor._reduce_ex_internal
    # Before 2.0, _storage() returned something else if there was a mode.
    no_mode = getattr(torch.overrides, "_no_torch_function_mode", contextlib.nullcontext)

    def _reduce_ex_internal(self, proto):
        with no_mode():
            if not files:
                SAVED.clear()  # a copy, made of one tensor at a time
            if is_cuda(self) and self.layout is torch.strided:
                key, storage = key_of(storage_of(self))
                SAVED[key] = (label(self), storage)
            return original(self, proto)

    Tensor._reduce_ex_internal = _reduce_ex_internal


def tag(storage):
    found = SAVED.get(key_of(storage)[0])
    return str(found[0]) if found else None


def restore(storage, location):
    if not location.startswith("cuda"):
        return None
    key, kept = key_of(storage)
    LOADED[key] = (device_of(location), kept)
    return storage


def set_(func, args, kwargs):
    """A tensor is made of a storage."""
    result = func(*args, **kwargs)
    source = args[1] if len(args) > 1 else kwargs.get("source")
    if isinstance(source, Tensor):
        return put(result, label(source))
    found = LOADED.get(key_of(source)[0]) if source is not None else None
    return put(result, found[0]) if found else result


def note_loaded():
    """A tensor is made of what was read from a file."""
    original = torch._utils._rebuild_tensor

    def _rebuild_tensor(storage, *args):
        made = original(storage, *args)
        key = key_of(storage)[0]
        found = LOADED.get(key) or SAVED.get(key)
        return put(made, found[0]) if found else made

    torch._utils._rebuild_tensor = _rebuild_tensor


def released(original):
    """What is kept for one file is dropped after it."""
    def call(*args, **kwargs):
        files.append(original)
        try:
            return original(*args, **kwargs)
        finally:
            files.pop()
            if not files:
                SAVED.clear()
                LOADED.clear()
    call.__wrapped__ = original
    call.__doc__ = original.__doc__
    return call


def storage_cuda(self, device=None, *args, **kwargs):
    return restore(self, "cuda" if device is None else str(device_of(device)))


def make_subclass():
    """nn.Parameter(t)"""
    original = Tensor._make_subclass

    # The names of its parameters are compared with PyTorch's own when torch._dynamo is imported.
    def _make_subclass(cls, data, requires_grad=False, **kwargs):
        return put(original(cls, data, requires_grad, **kwargs), label(data))

    Tensor._make_subclass = staticmethod(_make_subclass)


def hide_attribute():
    """From 2.0 on the attributes of a tensor are saved with it; the label is not the program's."""
    original = getattr(torch._utils, "_get_obj_state", None)
    if original is None:
        return

    def plain(state):
        return {k: v for k, v in state.items() if not k.startswith("_miscast")}

    def _get_obj_state(obj):
        state = original(obj)
        if isinstance(obj, Tensor) and isinstance(state, dict):
            return plain(state)
        if isinstance(obj, Tensor) and isinstance(state, tuple) and state and isinstance(state[0], dict):
            return (plain(state[0]),) + state[1:]
        return state

    torch._utils._get_obj_state = _get_obj_state


def handlers():
    return {Tensor.set_: set_}


def install():
    torch.serialization.register_package(5, tag, restore)
    torch.save = torch.serialization.save = released(torch.serialization.save)
    torch.load = torch.serialization.load = released(torch.serialization.load)
    note_saved()
    note_loaded()
    make_subclass()
    hide_attribute()
    for name in ("UntypedStorage", "TypedStorage", "_UntypedStorage", "_TypedStorage"):
        kind = getattr(torch.storage, name, None) or getattr(torch, name, None)
        if kind is not None:
            try:
                kind.cuda = storage_cuda
            except TypeError:
                pass
