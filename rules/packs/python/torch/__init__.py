# torch itself: regions, defaults, files, compilation. Operations on tensors are in the packs.
import _mc
import torch
from torch.amp import autocast


class device:
    def __new__(cls, type, index=None):
        return _mc.device(type) if index is None else _mc.device(type, index)


class dtype:
    pass


class _GradMode:
    def __init__(self, mode):
        self.mode = mode

    def _begin(self):
        return _mc.grad_mode_begin(self.mode)

    def __enter__(self):
        self._token = self._begin()
        return self

    def __exit__(self, *exception):
        _mc.grad_mode_end(self._token)

    def __call__(self, fn):  # as a decorator
        def inside(*args, **kwargs):
            token = self._begin()
            try:
                return fn(*args, **kwargs)
            finally:
                _mc.grad_mode_end(token)

        return inside


def no_grad(fn=None):
    return _GradMode(False) if fn is None else _GradMode(False)(fn)


def enable_grad(fn=None):
    return _GradMode(True) if fn is None else _GradMode(True)(fn)


class _InferenceMode(_GradMode):
    def _begin(self):
        return _mc.inference_mode_begin(self.mode)


def inference_mode(mode=True):
    return _InferenceMode(mode) if isinstance(mode, bool) else _InferenceMode(True)(mode)


class set_grad_enabled(_GradMode):  # takes effect at once; as a region, until its end
    def __init__(self, mode):
        self.mode = mode
        self._token = _mc.grad_mode_begin(mode)

    def __enter__(self):
        return self


def is_grad_enabled():
    return _mc.grad_mode()


# ---- defaults ----

def set_default_device(device):
    _mc.set_default_device(device)


def get_default_dtype():
    return torch.empty(0).dtype


def promote_types(type1, type2):
    return (torch.empty(0, dtype=type1) + torch.empty(0, dtype=type2)).dtype


def result_type(tensor1, tensor2):
    a = torch.empty_like(tensor1, device="cpu") if isinstance(tensor1, torch.Tensor) else tensor1
    b = torch.empty_like(tensor2, device="cpu") if isinstance(tensor2, torch.Tensor) else tensor2
    return (a + b).dtype


def get_default_device():
    return torch.empty(0).device


def set_default_tensor_type(t):
    name = t if isinstance(t, str) else t.__name__
    if "HalfTensor" in name:
        _mc.set_default_dtype(torch.float16)
    elif "DoubleTensor" in name:
        _mc.set_default_dtype(torch.float64)
    elif "BFloat16Tensor" in name:
        _mc.set_default_dtype(torch.bfloat16)
    else:
        _mc.set_default_dtype(torch.float32)
    if "cuda" in name:
        _mc.set_default_device("cuda")


# ---- files: what is loaded is what was saved there; else it may be anything ----

_files = {}


def _inside(x, device):
    return x.to(device) if isinstance(x, torch.Tensor) else x


# Tensors, by name, or next to other things in a dict.
def _placed(x, device):
    if not isinstance(x, dict):
        return [_inside(v, device) for v in x] if isinstance(x, list) else _inside(x, device)
    placed = {}
    for key, value in x.items():
        if isinstance(value, dict):
            placed[key] = {k: _inside(v, device) for k, v in value.items()}
        else:
            placed[key] = _inside(value, device)
    return placed


def load(f, map_location=None, pickle_module=None, *, weights_only=True, mmap=None, **options):
    if _mc.is_unknown(f) or f not in _files:
        return _mc.unknown()
    saved = _mc.copy(_files[f])
    return _placed(saved, map_location) if isinstance(map_location, (str, torch.device)) else saved


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    if not _mc.is_unknown(f):
        _files[f] = _mc.copy(obj)


# ---- compilation changes no dtype ----

def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    return (lambda fn: fn) if model is None else model


# ---- settings ----

class Generator:
    def __init__(self, device="cpu"):
        self.device = torch.device(device)
        self._mc_device = self.device

    def manual_seed(self, seed):
        return self

    def seed(self):
        return int(_mc.unknown())

    def initial_seed(self):
        return int(_mc.unknown())

    def get_state(self):
        return torch.zeros(1, dtype=torch.uint8)

    def set_state(self, state):
        return self


def manual_seed(seed):
    return Generator()


def seed():
    return int(_mc.unknown())


def initial_seed():
    return int(_mc.unknown())


def get_rng_state():
    return torch.zeros(1, dtype=torch.uint8)


def set_rng_state(state):
    pass


def set_num_threads(n):
    pass


def get_num_threads():
    return int(_mc.unknown())


def set_num_interop_threads(n):
    pass


def set_printoptions(*args, **kwargs):
    pass


def use_deterministic_algorithms(mode, *, warn_only=False):
    pass


def set_deterministic_debug_mode(mode):
    pass


def set_float32_matmul_precision(precision):
    pass


def set_flush_denormal(mode):
    return True


def set_warn_always(b):
    pass


class finfo:
    def __init__(self, type=None):
        if type is None:
            type = torch.get_default_dtype()
        self.dtype = str(type)
        torch._float_limits(type)
        if _mc.is_open(type):  # a number for each dtype there is says nothing
            unknown = float(_mc.unknown())
            self._set(int(_mc.unknown()), unknown, unknown, unknown, unknown)
        elif type == torch.float16:
            self._set(16, 65504.0, 0.0009765625, 6.103515625e-05, 0.001)
        elif type == torch.bfloat16:
            self._set(16, 3.3895313892515355e38, 0.0078125, 1.1754943508222875e-38, 0.01)
        elif type == torch.float32:
            self._set(32, 3.4028234663852886e38, 1.1920928955078125e-07, 1.1754943508222875e-38, 1e-06)
        elif type == torch.float64:
            self._set(64, 1.7976931348623157e308, 2.220446049250313e-16, 2.2250738585072014e-308, 1e-15)
        else:
            unknown = float(_mc.unknown())
            self._set(int(_mc.unknown()), unknown, unknown, unknown, unknown)

    def _set(self, bits, largest, eps, tiny, resolution):
        self.bits = bits
        self.max = largest
        self.min = -largest
        self.eps = eps
        self.tiny = tiny
        self.smallest_normal = tiny
        self.resolution = resolution


class iinfo:
    def __init__(self, type):
        self.dtype = str(type)
        torch._int_limits(type)
        if _mc.is_open(type):
            self._set(int(_mc.unknown()), int(_mc.unknown()), int(_mc.unknown()))
        elif type == torch.uint8:
            self._set(8, 0, 255)
        elif type == torch.int8:
            self._set(8, -128, 127)
        elif type == torch.int16:
            self._set(16, -32768, 32767)
        elif type == torch.int32:
            self._set(32, -2147483648, 2147483647)
        elif type == torch.int64:
            self._set(64, -9223372036854775807 - 1, 9223372036854775807)
        else:
            self._set(int(_mc.unknown()), int(_mc.unknown()), int(_mc.unknown()))

    def _set(self, bits, smallest, largest):
        self.bits = bits
        self.min = smallest
        self.max = largest
