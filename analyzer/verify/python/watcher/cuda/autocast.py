"""Regions of autocast on cuda: what PyTorch would cast is cast here, as the CPU has other lists. The
region itself (its dtype, nesting, whether it is enabled) is PyTorch's own state.

Which operation belongs to which list is in ops.txt.
"""

import torch

from .labels import Tensor, is_cuda, label, put

CACHE = {}  # by id of a float32 leaf: the leaf, and what it was cast to

if hasattr(torch, "get_autocast_dtype"):  # the others are deprecated, and warn
    def region_dtype():
        return torch.get_autocast_dtype("cuda")

    def is_enabled():
        return torch.is_autocast_enabled("cuda")

    def is_cpu_enabled():
        return torch.is_autocast_enabled("cpu")

    def set_cpu_enabled(enabled):
        torch.set_autocast_enabled("cpu", enabled)
else:
    region_dtype = torch.get_autocast_gpu_dtype
    is_enabled = torch.is_autocast_enabled
    is_cpu_enabled = torch.is_autocast_cpu_enabled
    set_cpu_enabled = torch.set_autocast_cpu_enabled


def eligible(value):
    return isinstance(value, Tensor) and value.dtype is not torch.float64 and value.is_floating_point() and is_cuda(value)


def cast(value, dtype, low):
    """A value, or the values in a list, in a dtype."""
    if isinstance(value, Tensor):
        return cast_tensor(value, dtype, low) if eligible(value) and value.dtype is not dtype else value
    if type(value) in (list, tuple):
        return type(value)([cast(v, dtype, low) for v in value])
    return value


def cast_tensor(value, dtype, low):
    keeps = (dtype is low and value.dtype is torch.float32 and value.requires_grad and value.is_leaf
             and not value._is_view() and torch.is_autocast_cache_enabled())
    if not keeps:
        return put(value.to(dtype), label(value))
    found = CACHE.get(id(value))
    if found is None or found[1].dtype is not dtype:
        found = CACHE[id(value)] = (value, put(value.to(dtype), label(value)))
    return found[1]


def cast_all(args, kwargs, dtype, low):
    return [cast(a, dtype, low) for a in args], {k: cast(v, dtype, low) for k, v in kwargs.items()}


def widest(values, current):
    for value in values:
        if type(value) in (list, tuple):
            current = widest(value, current)
        elif isinstance(value, Tensor) and current is torch.float64:
            raise RuntimeError("promote type is double in at::autocast::prioritize")
        elif eligible(value):
            if value.dtype is torch.float32 or current is torch.float32:
                current = torch.float32
            elif value.dtype is not current:
                raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
    return current


def apply(kind, name, args, kwargs):
    """The arguments with which an operation of a list is called inside the region."""
    low = region_dtype()
    if kind == "low":
        return cast_all(args, kwargs, low, low)
    if kind == "f32":
        return cast_all(args, kwargs, torch.float32, low)
    if kind == "promote":
        return cast_all(args, kwargs, widest(list(args) + list(kwargs.values()), low), low)
    if kind == "f32_dtype":
        # A dtype that the program gives counts; otherwise the result is made float32.
        if kwargs.get("dtype") is None and not any(isinstance(a, torch.dtype) for a in args) and args and eligible(args[0]):
            return args, dict(kwargs, dtype=torch.float32)
        return args, kwargs
    raise RuntimeError("torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
                       "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
                       "In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\n"
                       "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
                       "safe to autocast.")


def install():
    original = torch.clear_autocast_cache

    def clear_autocast_cache():
        CACHE.clear()
        original()

    torch.clear_autocast_cache = clear_autocast_cache
