"""torch.cuda as it is with one GPU: what a program can ask, set and wait for.

Everything that would reach the driver is replaced; what only computes with tensors is left alone.
"""

import os
import time

import torch

from . import labels
from .labels import CPU, CannotSimulate, Tensor, device_of, put, state

NAME = "simulated cuda"
MEMORY = 16 << 30
CAPABILITY = (9, 0)


class Properties:
    name = NAME
    major, minor = CAPABILITY
    total_memory = MEMORY
    multi_processor_count = 128
    is_integrated = is_multi_gpu_board = 0
    warp_size = 32
    max_threads_per_multi_processor = 2048
    regs_per_multiprocessor = 65536
    L2_cache_size = 50 << 20
    gcnArchName = NAME

    def __repr__(self):
        return "_CudaDeviceProperties(name='%s', major=%d, minor=%d, total_memory=%dMB, multi_processor_count=%d)" % (
            self.name, self.major, self.minor, self.total_memory >> 20, self.multi_processor_count)


class Event:
    """An event that is over as soon as it is recorded."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self.time = None

    def record(self, stream=None):
        self.time = time.monotonic()

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, end_event):
        if self.time is None or end_event.time is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return (end_event.time - self.time) * 1000.0

    def synchronize(self):
        pass


class Stream:
    """A stream in which everything is done already. Entering one makes it the current one."""

    def __init__(self, device=None, priority=0, **kwargs):
        check_cuda(device)
        self.device = labels.current() if device is None else device_of(device)
        self.device_index, self.priority = self.device.index, priority
        self.device_type, self.stream_id, self.cuda_stream = 1, id(self), id(self)
        self.before = []

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def query(self):
        return True

    def synchronize(self):
        pass

    def __enter__(self):
        self.before.append(current["stream"])
        current["stream"] = self
        return self

    def __exit__(self, *raised):
        current["stream"] = self.before.pop()


class ExternalStream(Stream):
    def __init__(self, stream_ptr, device=None, **kwargs):
        super().__init__(device)


class StreamContext:
    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is not None:
            self.stream.__enter__()

    def __exit__(self, *raised):
        if self.stream is not None:
            self.stream.__exit__(*raised)


class DeviceGuard:
    """with torch.cuda.device(0)"""

    def __init__(self, device):
        self.index, self.before = index_of(device), state.current

    def __enter__(self):
        self.before, state.current = state.current, self.index
        return self

    def __exit__(self, *raised):
        state.current = self.before
        return False


class DeviceOf(DeviceGuard):
    def __init__(self, obj):
        super().__init__(obj.get_device() if isinstance(obj, Tensor) and obj.is_cuda else None)


current = {}


def index_of(device):
    """The number of a GPU; that of the current one if none is meant."""
    if device is None or (isinstance(device, int) and device < 0):
        return state.current
    found = device_of(device)
    if found is None or found.type != "cuda":
        raise ValueError("Expected a cuda device, but got: %s" % (device,))
    return found.index


def check_cuda(device):
    index_of(device)


def set_device(device):
    state.current = index_of(device)


def answer(value):
    """A function of a device that returns the same for each."""
    def ask(device=None, *args, **kwargs):
        check_cuda(device)
        return value() if callable(value) else value
    return ask


# ---- random numbers: a generator of cuda's own ----

class AnyGenerator(type(torch._C.Generator)):
    def __instancecheck__(cls, value):
        return isinstance(value, torch._C.Generator)


class Generator(torch._C.Generator, metaclass=AnyGenerator):
    """torch.Generator, of which one may be said to be on cuda."""

    def __new__(cls, device="cpu"):
        made = super().__new__(cls, "cpu")
        where = device_of(device)
        made.where = CPU if where is None else where
        return made

    @property
    def device(self):
        return self.where


def random_functions():
    """All random numbers come from the default generator."""
    default = torch.default_generator

    def manual_seed(seed):
        default.manual_seed(int(seed))

    def set_state(new_state, device="cuda"):
        default.set_state(new_state.cpu())

    return {
        "manual_seed": manual_seed, "manual_seed_all": manual_seed, "seed": lambda: None, "seed_all": lambda: None,
        "initial_seed": default.initial_seed,
        "get_rng_state": lambda device="cuda": default.get_state(),
        "get_rng_state_all": lambda: [default.get_state()],
        "set_rng_state": set_state,
        "set_rng_state_all": lambda states: [set_state(s) for s in states] and None,
    }


# ---- torch.cuda.FloatTensor and the like ----

def legacy_type(name, dtype):
    """The class whose call makes tensors on cuda; isinstance asks for dtype and device."""
    class Meta(type):
        def __instancecheck__(cls, value):
            return isinstance(value, Tensor) and value.dtype is dtype and value.is_cuda

        def __call__(cls, *args, device=None):
            check_cuda(device)
            from_cpu = getattr(torch, name)
            args = [a.cpu() if isinstance(a, Tensor) else a for a in args]
            return put(from_cpu(*args), labels.current())

    made = Meta(name, (), {"dtype": dtype, "is_cuda": True, "is_sparse": False})
    made.__module__ = "torch.cuda"
    return made


def set_default_tensor_type(original):
    from . import creation

    def set_default(t):
        device, dtype = creation.parse_type(t)
        if device is not CPU:
            torch.set_default_dtype(dtype)
            set_default_device(device)
        else:
            original(t)
            set_default_device(None)
    return set_default


def set_default_device(device):
    device = None if device is None else device_of(device)
    if device is not None and device.type not in ("cpu", "cuda"):
        raise CannotSimulate("torch.set_default_device(%s)" % device)
    state.default = None if device is CPU else device
    state.active = state.active or state.default is not None


QUERIES = {
    "is_available": True, "device_count": 1, "current_device": lambda: state.current, "is_initialized": True,
    "is_bf16_supported": True, "is_tf32_supported": True, "is_current_stream_capturing": False,
    "get_arch_list": lambda: ["sm_%d%d" % CAPABILITY], "get_gencode_flags": "", "current_blas_handle": 0,
}
OF_A_DEVICE = {
    "get_device_name": NAME, "get_device_capability": CAPABILITY, "get_device_properties": Properties,
    "synchronize": None, "utilization": 0, "memory_usage": 0, "temperature": 40, "power_draw": 0, "clock_rate": 0,
    "memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0,
    "memory_cached": 0, "max_memory_cached": 0, "reset_peak_memory_stats": None, "reset_max_memory_allocated": None,
    "reset_max_memory_cached": None, "reset_accumulated_memory_stats": None, "memory_stats": dict,
    "memory_summary": "", "mem_get_info": lambda: (MEMORY, MEMORY), "list_gpu_processes": "",
    "memory_snapshot": list, "memory_stats_as_nested_dict": dict,
    "current_stream": lambda: current["stream"], "default_stream": lambda: current["default"],
}
NOTHING = "init _lazy_init empty_cache ipc_collect set_per_process_memory_fraction set_sync_debug_mode".split()
TYPES = {"Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16,
         "Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32, "Long": torch.int64,
         "Bool": torch.bool}


def is_hidden():
    """As users hide their GPUs."""
    return os.environ.get("CUDA_VISIBLE_DEVICES") == "-1"


def install():
    cuda = torch.cuda
    current["default"] = current["stream"] = Stream()
    if is_hidden():
        QUERIES.update(is_available=False, device_count=0, is_initialized=False, is_bf16_supported=False)
    changed = {name: (lambda v: lambda *a, **k: v() if callable(v) else v)(value) for name, value in QUERIES.items()}
    changed.update({name: answer(value) for name, value in OF_A_DEVICE.items()})
    changed.update({name: (lambda *a, **k: None) for name in NOTHING})
    changed.update(Stream=Stream, ExternalStream=ExternalStream, Event=Event, StreamContext=StreamContext,
                   stream=StreamContext, device=DeviceGuard, device_of=DeviceOf, set_device=set_device, _initialized=True,
                   can_device_access_peer=lambda a, b: False, get_sync_debug_mode=lambda: 0,
                   set_stream=lambda stream: current.update(stream=stream))
    changed["graph"] = changed["CUDAGraph"] = changed["make_graphed_callables"] = unknown("torch.cuda.CUDAGraph")
    changed.update(random_functions(), default_generators=(Generator("cuda"),))
    for kind, dtype in TYPES.items():
        changed[kind + "Tensor"] = legacy_type(kind + "Tensor", dtype)
    for module in (cuda, cuda.memory, cuda.random, cuda.streams):
        for name, value in changed.items():
            if module is cuda or hasattr(module, name):
                setattr(module, name, value)
    Tensor.record_stream = lambda self, stream: None
    torch.Generator = Generator
    torch.version.cuda = torch.version.cuda or "13.0"
    if hasattr(torch, "set_default_tensor_type"):
        torch.set_default_tensor_type = set_default_tensor_type(torch.set_default_tensor_type)
    if hasattr(torch, "set_default_device"):
        torch.set_default_device = set_default_device
        torch.get_default_device = lambda: state.default or torch.device("cpu")
    backends()


def unknown(what):
    def use(*args, **kwargs):
        raise CannotSimulate(what)
    return use


def backends():
    torch.backends.cudnn.is_available = lambda: not state.is_hidden
    torch.backends.cudnn.is_acceptable = lambda tensor: False  # nothing is to be laid out for it
    torch.backends.cuda.is_built = lambda: True
    if not torch.backends.cudnn.version():
        torch.backends.cudnn.version = lambda: 91000
