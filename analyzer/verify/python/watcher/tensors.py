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
    """Operations in it are seen by no mode."""

    def __enter__(self):
        self.guard = torch._C.DisableTorchFunction()
        self.guard.__enter__()
        if HAS_ONE_MODE:  # 1.13: the guard is for subclasses of tensors only
            self.mode = torch._C._get_torch_function_mode()
            torch._C._set_torch_function_mode(None)

    def __exit__(self, *args):
        if HAS_ONE_MODE:
            torch._C._set_torch_function_mode(self.mode)
        self.guard.__exit__(*args)


HAS_ONE_MODE = hasattr(torch._C, "_get_torch_function_mode")
MOST_COMPARED = 1 << 22  # elements that are kept to see whether a write changes them


def dtype_name(dtype):
    return DTYPES.get(dtype) or str(dtype).replace("torch.", "")


class Tensors:
    """device_of: the name of the device that a tensor is on."""

    def __init__(self, device_of=None):
        self.device_of = device_of or (lambda t: str(t.device))
        self.known = {}  # by id(): a weak reference, and the number
        self.count = 0
        self.stored = {}  # by address of the memory: [number, how many tensors]
        self.storages = 0

    def number_of(self, t):
        """Of the tensor and of its memory."""
        entry = self.known.get(id(t))
        if entry is not None and entry[0]() is t:
            return entry[1], self.storage_of(t, entry)
        self.count += 1
        key = id(t)
        entry = [None, self.count, 0]
        entry[0] = weakref.ref(t, lambda _: self.forget(key, entry))
        self.known[key] = entry
        return entry[1], self.storage_of(t, entry)

    def forget(self, key, entry):
        if self.known.get(key) is entry:
            del self.known[key]
        self.release(entry[2])

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
        if address != entry[2]:  # its memory was replaced
            self.release(entry[2])
            entry[2] = address
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
            "shape": [int(n) for n in t.shape],
            "version": version_of(t),
            "bytes": t.numel() * t.element_size(),
            "requires_grad": bool(t.requires_grad),
            "leaf": is_leaf(t),
        }


def storage_address(t):
    try:
        return t.data_ptr() - t.storage_offset() * t.element_size()
    except Exception:  # sparse tensors, subclasses without memory
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
    if t.layout != torch.strided or t.numel() > MOST_COMPARED:
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
    elif depth < 3 and isinstance(value, (list, tuple)):
        for v in value:
            flatten(v, out, name, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for v in value.values():
            flatten(v, out, name, depth + 1)


def tensors_of(args, kwargs):
    out = []
    for a in args:
        flatten(a, out)
    if kwargs:
        for name, a in kwargs.items():
            flatten(a, out, name)
    return out
