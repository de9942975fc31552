"""Tensors that are made on cuda, moved there or back, and what a tensor says of its device.

Each function takes the operation and its arguments, as a mode gets them, and returns its result.
"""

import torch

from . import compute
from .labels import ATTRIBUTE, CPU, Tensor, current, device_of, is_cuda, label, put, state

FACTORIES = """arange as_tensor asarray bartlett_window blackman_window empty empty_strided eye full hamming_window
    hann_window kaiser_window linspace logspace ones rand randint randn randperm range scalar_tensor tensor
    tril_indices triu_indices zeros empty_permuted""".split()
LIKES = "empty_like full_like ones_like rand_like randint_like randn_like zeros_like".split()
NEWS = "new_empty new_empty_strided new_full new_ones new_tensor new_zeros new".split()
PINNED = "_miscast_pinned"


# ---- making ----

def make(func, args, kwargs):
    """zeros, tensor, arange...: on the device asked for, else the default."""
    given = kwargs.get("device")
    device = device_of(given)
    out = kwargs.get("out")
    if device is None:
        device = label(out) if isinstance(out, Tensor) else state.default or CPU
        source = args[0] if args else kwargs.get("data", kwargs.get("obj"))
        if isinstance(source, Tensor) and func.__name__ in ("tensor", "as_tensor", "asarray"):
            device = label(source)
    elif isinstance(device, torch.device) and device.type not in ("cpu", "cuda"):
        return func(*args, **kwargs)
    check_generator(kwargs.get("generator"), device)
    if compute.VERSION < (2, 0) and args and isinstance(args[0], (list, tuple)) and func.__name__ in ("tensor", "as_tensor"):
        args, kwargs = plain_numbers(args, kwargs)
    pinned = kwargs.get("pin_memory")
    if given is not None or pinned:
        kwargs = dict(kwargs)
        kwargs.pop("pin_memory", None)
        if given is not None:
            kwargs["device"] = "cpu"
    if device is CPU and not pinned:
        return func(*args, **kwargs) if compute.HALF_ON_CPU else make_on_cpu(func, args, kwargs)
    if func.__name__ == "randperm" and kwargs.get("dtype") is torch.bfloat16:
        raise NotImplementedError("\"randperm_out_cuda\" not implemented for 'BFloat16'")
    result = make_on_cpu(func, args, kwargs)
    if pinned:
        result.__dict__[PINNED] = True
    source = args[0] if args else None
    if result is source:
        if label(source) is device:
            return result
        result = source.clone()
    elif func.__name__ in ("as_tensor", "asarray") and device is not CPU:
        result = result.clone()  # not the memory of an array
    return put(result, device)


def plain_numbers(args, kwargs):
    """Tensors without dimensions in a list, as numbers. That reading by index goes through modes makes
    tensors sequences in old versions, which torch.tensor() would try to walk."""
    dtypes = []

    def plain(value):
        if isinstance(value, Tensor) and value.numel() == 1:
            dtypes.append(value.dtype)
            return value.item()
        if isinstance(value, Tensor):
            raise ValueError("only one element tensors can be converted to Python scalars")
        return type(value)([plain(v) for v in value]) if type(value) in (list, tuple) else value

    made = plain(args[0])
    if not dtypes:
        return args, kwargs
    if kwargs.get("dtype") is None:
        found = torch.tensor(made).dtype if not all_tensors(args[0]) else dtypes[0]
        for dtype in dtypes:
            found = torch.promote_types(found, dtype)
        kwargs = dict(kwargs, dtype=found)
    return (made,) + tuple(args[1:]), kwargs


def all_tensors(values):
    return all(isinstance(v, Tensor) or (type(v) in (list, tuple) and all_tensors(v)) for v in values)


def make_on_cpu(func, args, kwargs):
    return compute.run(func, args, kwargs, [])


def make_like(func, args, kwargs):
    """zeros_like, new_zeros...: on the device asked for, else that of the first operand."""
    like = args[0] if args else kwargs.get("input", kwargs.get("self"))
    device = device_of(kwargs.get("device")) or label(like)
    if device.type not in ("cpu", "cuda"):
        return func(*args, **kwargs)
    if kwargs.get("device") is not None or kwargs.get("pin_memory"):
        kwargs = dict(kwargs, device="cpu")
        kwargs.pop("pin_memory", None)
    tensors = [like] if like.dtype in compute.LOW else []
    with torch.no_grad():
        result = compute.run(func, args, kwargs, tensors)
    return put(result, device)


def check_generator(generator, device):
    if generator is not None:
        where = getattr(generator, "device", CPU)
        if where.type != device.type:
            raise RuntimeError("Expected a '%s' device type for generator but found '%s'" % (device.type, where.type))


# ---- moving ----

def to(func, args, kwargs):
    x, rest = args[0], list(args[1:])
    kwargs = dict(kwargs)
    other = rest[0] if rest and isinstance(rest[0], Tensor) else kwargs.get("other")
    if isinstance(other, Tensor):
        kwargs.pop("other", None)
        device, dtype = label(other), other.dtype
        rest = rest[1:]
        return move(func, x, device, dtype, rest, kwargs)
    device = device_of(kwargs.pop("device", None))
    dtype = kwargs.pop("dtype", None)
    if rest and (rest[0] is None or device_of(rest[0]) is not None):
        device = device_of(rest.pop(0))
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0)
    elif rest and isinstance(rest[0], torch.dtype):
        dtype = rest.pop(0)
    return move(func, x, device or label(x), dtype or x.dtype, rest, kwargs)


def move(func, x, device, dtype, rest, kwargs):
    """rest: non_blocking and copy, by position."""
    if device.type not in ("cpu", "cuda"):
        return Tensor.to(x, device, dtype, *rest, **kwargs)
    if device is not label(x):
        kwargs.pop("copy", None)
        rest = rest[:1]
        kwargs["copy"] = True
    return put_copy(Tensor.to(x, CPU, dtype, *rest, **kwargs), x, device)


def put_copy(result, x, device):
    return result if result is x else put(result, device)


def cuda(func, args, kwargs):
    x = args[0]
    asked = args[1] if len(args) > 1 else kwargs.get("device")
    device = current() if asked is None else device_of(asked)
    if device is None or device.type != "cuda":
        raise RuntimeError("Invalid device, must be cuda device")
    memory = {k: v for k, v in kwargs.items() if k == "memory_format"}
    return x if label(x) is device else move(func, x, device, x.dtype, [], memory)


def cpu(func, args, kwargs):
    x = args[0]
    return move(func, x, CPU, x.dtype, [], dict(kwargs)) if is_cuda(x) else func(*args, **kwargs)


TYPES = {
    "Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16,
    "Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32, "Long": torch.int64,
    "Bool": torch.bool, "ComplexFloat": torch.complex64, "ComplexDouble": torch.complex128,
}
TYPE_NAMES = {dtype: name for name, dtype in TYPES.items()}


def type_name(tensor):
    name = TYPE_NAMES.get(tensor.dtype, str(tensor.dtype)[6:])
    return "torch.%s%sTensor" % ("cuda." if is_cuda(tensor) else "", name)


def parse_type(name):
    """Device and dtype of torch.cuda.FloatTensor and the like."""
    name = name if isinstance(name, str) else "%s.%s" % (name.__module__, name.__name__)
    words = name.split(".")
    if words[0] != "torch" or not words[-1].endswith("Tensor"):
        raise ValueError("invalid type: '%s'" % name)
    kind = words[-1][:-len("Tensor")]
    dtype = TYPES[kind] if kind else torch.get_default_dtype()
    return (current() if "cuda" in words else CPU), dtype


def type_(func, args, kwargs):
    x = args[0]
    asked = args[1] if len(args) > 1 else kwargs.get("dtype")
    if asked is None:
        return type_name(x)
    if isinstance(asked, torch.dtype):
        return put_copy(func(*args, **kwargs), x, label(x))
    device, dtype = parse_type(asked)
    return move(func, x, device, dtype, [], {})


def type_as(func, args, kwargs):
    other = args[1] if len(args) > 1 else kwargs["other"]
    return move(func, args[0], label(other), other.dtype, [], {})


def copy_(func, args, kwargs):
    """Between any devices."""
    into = args[0]
    func(*args, **kwargs)
    return into


# ---- asking ----

def get_device(func, args, kwargs):
    return label(args[0]).index if is_cuda(args[0]) else func(*args, **kwargs)


def get_data(func, args, kwargs):
    return put(func(*args, **kwargs), label(args[0]))


def set_data(func, args, kwargs):
    func(*args, **kwargs)
    put(args[0], label(args[1]))


def get_grad(func, args, kwargs):
    """A gradient is where its tensor is; once seen, it stays there."""
    grad = func(*args, **kwargs)
    if grad is not None and ATTRIBUTE not in grad.__dict__ and is_cuda(args[0]):
        put(grad, label(args[0]))
    return grad


def set_grad(func, args, kwargs):
    tensor, grad = args
    if isinstance(grad, Tensor) and label(grad) is not label(tensor):
        raise RuntimeError(
            "attempting to assign a gradient with device type '%s' to a tensor with device type '%s'. Please ensure that "
            "the gradient and the tensor are on the same device" % (label(grad).type, label(tensor).type))
    func(*args, **kwargs)


def numpy(func, args, kwargs):
    if is_cuda(args[0]) and not (kwargs.get("force")):
        raise TypeError("can't convert %s device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                        "first." % label(args[0]))
    return func(*args, **kwargs)


def pin_memory(func, args, kwargs):
    x = args[0]
    if is_cuda(x):
        raise RuntimeError("cannot pin '%s' only dense CPU tensors can be pinned" % type_name(x))
    if PINNED in x.__dict__:
        return x
    pinned = x.detach().clone()
    pinned.__dict__[PINNED] = True
    return pinned


def is_pinned(func, args, kwargs):
    return PINNED in args[0].__dict__


TEXT_AFTER_DEVICE = (", size=", ", dtype=", ", grad_fn=", ", requires_grad=")


def show(func, args, kwargs):
    """A tensor as text, with its device where PyTorch puts it."""
    text = func(*args, **kwargs)
    if not is_cuda(args[0]):
        return text
    at = min([text.rfind(word) for word in TEXT_AFTER_DEVICE if word in text] + [text.rfind(")")])
    return text[:at] + ", device='%s'" % label(args[0]) + text[at:] if at > 0 else text


def getter(name):
    return getattr(Tensor, name).__get__


def setter(name):
    return getattr(Tensor, name).__set__


def handlers():
    """What is handled here, by the operation that a mode sees."""
    found = {}
    for name in FACTORIES:
        if hasattr(torch, name):
            found[getattr(torch, name)] = make
    for name in LIKES:
        found[getattr(torch, name)] = make_like
    for name in NEWS:
        if hasattr(Tensor, name):
            found[getattr(Tensor, name)] = make_like
    methods = {"to": to, "cuda": cuda, "cpu": cpu, "type": type_, "type_as": type_as, "copy_": copy_,
               "get_device": get_device, "numpy": numpy, "pin_memory": pin_memory, "is_pinned": is_pinned,
               "__repr__": show}
    for name, handler in methods.items():
        found[getattr(Tensor, name)] = handler
    if hasattr(torch, "get_device"):
        found[torch.get_device] = get_device
    found[getter("device")] = lambda func, args, kwargs: label(args[0]) if is_cuda(args[0]) else func(*args)
    found[getter("is_cuda")] = lambda func, args, kwargs: is_cuda(args[0])
    if hasattr(Tensor, "is_cpu"):
        found[getter("is_cpu")] = lambda func, args, kwargs: func(*args) and not is_cuda(args[0])
    found[getter("data")] = get_data
    found[setter("data")] = set_data
    found[getter("grad")] = get_grad
    found[setter("grad")] = set_grad
    return found
