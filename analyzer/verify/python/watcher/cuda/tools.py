"""What is around a device: tools that watch it, one device among several, and ways to run a program
that would run outside of modes.
"""

import contextlib

import torch
import torch.utils.dlpack

from .device import answer, current, set_device
from .labels import CannotSimulate, is_cuda, state, tensors_in


def accelerator():
    """The same under the name that newer versions have for any device."""
    module = getattr(torch, "accelerator", None)
    if module is None:
        return
    nothing = answer(None)
    for name, value in {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device_index": lambda: state.current,
        "current_device_idx": lambda: state.current, "current_accelerator": lambda check_available=False: torch.device("cuda"),
        "set_device_index": set_device, "set_device_idx": set_device, "synchronize": nothing,
        "current_stream": lambda device=None: current["stream"], "set_stream": torch.cuda.set_stream,
        "empty_cache": lambda: None, "memory_allocated": answer(0), "max_memory_allocated": answer(0),
        "memory_reserved": answer(0), "max_memory_reserved": answer(0), "reset_peak_memory_stats": nothing,
    }.items():
        if hasattr(module, name):
            setattr(module, name, value)


def markers():
    """What tools that watch a GPU would show."""
    @contextlib.contextmanager
    def marked(*args, **kwargs):
        yield

    nvtx = torch.cuda.nvtx
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
        setattr(nvtx, name, lambda *args, **kwargs: 0)
    nvtx.range = marked
    for name in ("start", "stop", "init"):
        if hasattr(torch.cuda.profiler, name):
            setattr(torch.cuda.profiler, name, lambda *args, **kwargs: None)
    torch.cuda.profiler.profile = marked


def transforms():
    """torch.func computes with tensors of its own, which would lose their labels."""
    def refused(name, original):
        def transform(*args, **kwargs):
            made = original(*args, **kwargs)
            if not callable(made):
                return made

            def call(*args, **kwargs):
                if any(is_cuda(t) for t in tensors_in(kwargs.values(), tensors_in(args, []))):
                    raise CannotSimulate(name)
                return made(*args, **kwargs)
            return call
        return transform

    for module in (getattr(torch, "func", None), torch):
        for name in ("vmap", "grad_and_value", "jacrev", "jacfwd", "hessian", "grad"):
            original = getattr(module, name, None)
            if original is not None and "functorch" in getattr(original, "__module__", ""):
                setattr(module, name, refused("torch.func." + name, original))


def exchange():
    """What is handed to another library would be on the CPU there."""
    original = torch.utils.dlpack.to_dlpack

    def to_dlpack(tensor):
        if is_cuda(tensor):
            raise CannotSimulate("torch.utils.dlpack.to_dlpack")
        return original(tensor)

    torch.utils.dlpack.to_dlpack = to_dlpack
    if hasattr(torch, "to_dlpack"):
        torch.to_dlpack = to_dlpack


def profilers():
    """They see what the CPU does."""
    from torch.autograd import profiler
    original = profiler.profile.__init__

    def __init__(self, enabled=True, **kwargs):
        kwargs.pop("use_cuda", None)
        kwargs.pop("use_device", None)
        original(self, enabled, **kwargs)

    profiler.profile.__init__ = __init__
    if hasattr(torch, "profiler"):
        cpu = torch.profiler.ProfilerActivity.CPU
        torch.profiler.supported_activities = lambda: {cpu}
        kineto = torch.profiler.profiler._KinetoProfile
        start = kineto.__init__

        def only_cpu(self, *args, **kwargs):
            start(self, *args, **kwargs)
            self.activities = {cpu}

        kineto.__init__ = only_cpu


def several_devices():
    """What DataParallel does with its one device."""
    torch._C._scatter = lambda tensor, devices, *rest: [tensor.cuda(devices[0])]
    torch._C._gather = lambda tensors, dim, destination=None: torch.cat([t.cuda(destination) for t in tensors], dim)
    torch._C._broadcast_coalesced = lambda tensors, devices, size: [list(tensors)]
    torch._C._broadcast = lambda tensor, devices: [tensor]
    if torch.distributed.is_available():
        original = torch.distributed.init_process_group

        def init_process_group(backend=None, *args, **kwargs):
            kwargs.pop("device_id", None)
            return original("gloo" if backend is None or "nccl" in str(backend).lower() else backend, *args, **kwargs)

        torch.distributed.init_process_group = init_process_group


def install():
    """After device.install()."""
    torch.jit._state.disable()  # what it compiles runs outside of modes
    accelerator()
    markers()
    profilers()
    transforms()
    exchange()
    several_devices()
