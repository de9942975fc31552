"""What differs from one version of torch to another."""

import torch

from .tensors import dtype_name

HAS_DEVICES = hasattr(torch, "get_autocast_dtype")


def autocast_state():
    """By device: the dtype that autocast has there; None: it is off."""
    if HAS_DEVICES:  # the others are deprecated, and warn
        return {d: dtype_name(torch.get_autocast_dtype(d)) if torch.is_autocast_enabled(d) else None
                for d in ("cpu", "cuda")}
    cuda = torch.is_autocast_enabled()
    cpu = torch.is_autocast_cpu_enabled()
    return {
        "cpu": dtype_name(torch.get_autocast_cpu_dtype()) if cpu else None,
        "cuda": dtype_name(torch.get_autocast_gpu_dtype()) if cuda else None,
    }


def is_autocasting():
    if HAS_DEVICES:
        return torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda")
    return torch.is_autocast_cpu_enabled(), torch.is_autocast_enabled()


def settle():
    """Uses no library that cannot do on this machine what torch could do without it."""
    try:
        one = torch.ones(1, 1, 1, 1, dtype=torch.bfloat16)
        torch.nn.functional.conv2d(one, one)  # miscast: ignore[lost-write] only whether it can
    except RuntimeError:
        torch._C._set_mkldnn_enabled(False)
