"""Tensors as records describe them: which one it is, what it is, where it is.

A tensor, and memory that tensors share, have numbers as long as somebody in the program holds them;
what is made later never gets the number of something that is gone.
"""

import weakref

import torch

DTYPES = {
    torch.bool: "bool",
    torch.uint8: "u8",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.complex64: "c64",
    torch.complex128: "c128",
}
for _name, _short in (
    ("float8_e4m3fn", "f8e4m3"),
    ("float8_e5m2", "f8e5m2"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
):
    if hasattr(torch, _name):
        DTYPES[getattr(torch, _name)] = _short

class NoFunction:
    """Operations in it are not those of the program. (With torch 1.13, modes still see them.)"""

    def __enter__(self):
        self.guard = torch._C.DisableTorchFunction()
        self.guard.__enter__()

    def __exit__(self, *args):
        self.guard.__exit__(*args)


class Unseen:
    """In it, properties of tensors are read, by no mode in any version: that takes a tenth of the
    time."""

    def __enter__(self):
        self.guard = torch._C.DisableTorchFunction()
        self.guard.__enter__()
        self.was_on = STACKED is not None and torch._C._is_torch_function_mode_enabled()
        if self.was_on:
            torch._C._set_torch_function_mode(None)

    def __exit__(self, *args):
        if self.was_on:
            torch._C._set_torch_function_mode(STACKED)
        self.guard.__exit__(*args)


# 1.13 has one mode in C++, which runs those of a stack.
STACKED = getattr(torch.overrides, "_TorchFunctionStackMode", lambda: None)()
if not hasattr(torch._C, "_set_torch_function_mode"):
    STACKED = None
MOST_COMPARED = 1 << 22  # elements that are kept to see whether a write changes them


def dtype_name(dtype):
    return DTYPES.get(dtype) or str(dtype).replace("torch.", "")


class Known(weakref.ref):
    """A tensor that has a number: where it is known, and the address of its memory."""

    __slots__ = ("key", "number", "address")


class Tensors:
    """device_of: the name of the device that a tensor is on."""

    def __init__(self, device_of=None):
        self.device_of = device_of or (lambda t: str(t.device))
        self.known = {}  # by id()
        self.count = 0
        self.stored = {}  # by address of the memory: [number, how many tensors]
        self.storages = 0

    def number_of(self, t):
        """Of the tensor and of its memory."""
        key = id(t)
        entry = self.known.get(key)
        if entry is None or entry() is not t:
            self.count += 1
            entry = self.known[key] = Known(t, self.forget)
            entry.key, entry.number, entry.address = key, self.count, 0
        return entry.number, self.storage_of(t, entry)

    def forget(self, entry):
        if self.known.get(entry.key) is entry:
            del self.known[entry.key]
        self.release(entry.address)

    def release(self, address):
        shared = self.stored.get(address)
        if shared is not None:
            shared[1] -= 1
            if shared[1] <= 0:
                del self.stored[address]

    def storage_of(self, t, entry):
        address = storage_address(t)
        if not address:
            return 0
        if address != entry.address:  # its memory was replaced
            self.release(entry.address)
            entry.address = address
            shared = self.stored.get(address)
            if shared is None:
                self.storages += 1
                shared = self.stored[address] = [self.storages, 0]
            shared[1] += 1
        return self.stored[address][0]

    def reference(self, t):
        number, storage = self.number_of(t)
        return {"id": number, "storage": storage or None}

    def describe(self, t, name=None):
        number, storage = self.number_of(t)
        return {
            "name": name,
            "id": number,
            "storage": storage or None,
            "dtype": dtype_name(t.dtype),
            "device": self.device_of(t),
            "shape": shape_of(t),
            "version": version_of(t),
            "bytes": bytes_of(t),
            "requires_grad": bool(t.requires_grad),
            "leaf": is_leaf(t),
        }


def storage_address(t):
    try:
        return t.data_ptr() - t.storage_offset() * t.element_size()
    except Exception:  # sparse tensors, subclasses without memory
        return 0


def shape_of(t):
    try:
        return [int(n) for n in t.shape]
    except RuntimeError:  # a parameter of a lazy module, before its first call
        return []


def bytes_of(t):
    try:
        return t.numel() * t.element_size()
    except RuntimeError:
        return 0


def is_leaf(t):
    try:
        return bool(t.is_leaf)
    except RuntimeError:  # a view that was made without gradients, and written to
        return False


def version_of(t):
    try:
        return t._version
    except Exception:  # made in inference mode
        return 0


def kept_elements(t):
    """What it holds now, to compare with later; None: too much."""
    if t.layout != torch.strided or not shape_of(t) and not bytes_of(t) or t.numel() > MOST_COMPARED:
        return None
    return t.detach().clone()


def is_same(before, t):
    """Whether it still holds that. What is not a number is like itself."""
    now = t.detach()
    if before.dtype != now.dtype or before.shape != now.shape:
        return False
    same = before == now
    if before.is_floating_point() or before.is_complex():
        same = same | ((before != before) & (now != now))
    return bool(same.all())


def flatten(value, out, name=None, depth=0):
    """The tensors in an argument or a result, in their order, with the name of a keyword."""
    if isinstance(value, torch.Tensor):
        out.append((name, value))
    elif depth < 3 and isinstance(value, (list, tuple)) and type(value) is not torch.Size:
        for v in value:
            flatten(v, out, name, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for v in value.values():
            flatten(v, out, name, depth + 1)


def tensors_of(args, kwargs):
    out = []
    for a in args:
        if isinstance(a, torch.Tensor):
            out.append((None, a))
        elif not isinstance(a, PLAIN):
            flatten(a, out)
    if kwargs:
        for name, a in kwargs.items():
            flatten(a, out, name)
    return out


PLAIN = (int, float, str, type(None), torch.dtype, torch.device, torch.Size)
