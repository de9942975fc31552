"""Runs an operation on the CPU. Where the CPU has no kernel for half precision, operands are made
float32, and the result is rounded to what the operation would have returned.
"""

import re

import torch

from .labels import CannotSimulate, Tensor

LOW = (torch.float16, torch.bfloat16)
NAMES = {torch.float16: "Half", torch.bfloat16: "BFloat16", torch.float32: "Float", torch.float64: "Double",
         torch.int64: "Long", torch.int32: "Int", torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte",
         torch.bool: "Bool", torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble"}
NO_KERNEL = re.compile("not (?:implemented|supported)[^\\n]*(?:Half|half|BFloat16)|primitive descriptor|mkldnn|"
                       "[Uu]nsupported[^\\n]*(?:Half|BFloat16)|only support[^\\n]*float|'weight' to have one of the following")
NO_BOOL = re.compile("not implemented for 'Bool'")
VERSION = tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2])
# Before, the CPU has few kernels for half precision, and fewer for its gradients.
HALF_ON_CPU = VERSION >= (2, 2)


def in_place(func):
    name = getattr(func, "__name__", "")
    return name.endswith("_") and not name.endswith("__")


def run(func, args, kwargs, tensors, operation=None):
    """operation: what is known of it; None: it makes a tensor."""
    narrow_ok = operation is None or operation.has_half
    if not HALF_ON_CPU and narrow_ok and not (operation and operation.is_simple) and torch.is_grad_enabled():
        for t in tensors:
            if t.dtype is torch.float16 and t.requires_grad and can_widen(tensors, operation):
                return run_wide(func, args, kwargs, tensors, operation)
    if func in LACKING and narrow_ok and any(t.dtype in LACKING[func] for t in tensors) and can_widen(tensors, operation):
        return run_wide(func, args, kwargs, tensors, operation)
    try:
        return func(*args, **kwargs)
    except IndexError as error:
        if "out of range" in str(error) and "Dimension" not in str(error) and operation is not None:
            raise RuntimeError("CUDA error: device-side assert triggered") from None
        raise
    except (RuntimeError, NotImplementedError) as error:
        text = str(error)
        if NO_BOOL.search(text) and operation is not None and operation.base in BOOL_AS_BYTE and len(tensors) < 2:
            return run_as_bytes(func, args, kwargs)
        dtypes = [t.dtype for t in tensors] + [kwargs.get("dtype")]
        low = any(d in LOW for d in dtypes)
        if operation is not None and any(t.is_complex() for t in tensors):
            raise CannotSimulate("%s of complex numbers" % operation.title) from None  # cuda has other kernels for them
        if not low or not narrow_ok or not NO_KERNEL.search(text) or not can_widen(tensors, operation):
            if "_cpu" in text and "not implemented for" in text:
                raise type(error)(text.replace("_cpu", "_cuda")) from None
            raise
    if tensors:
        LACKING.setdefault(func, set()).update(t.dtype for t in tensors if t.dtype in LOW)
    return run_wide(func, args, kwargs, tensors, operation)


def complete(func, args, kwargs, tensors, operation):
    """An operation on the CPU itself, for which later versions have kernels for half precision."""
    can = operation.is_known and operation.has_half and can_widen(tensors, operation)
    if can and not operation.is_simple and torch.is_grad_enabled() and any(
            t.dtype is torch.float16 and t.requires_grad for t in tensors):
        return run_wide(func, args, kwargs, tensors, operation)
    try:
        return func(*args, **kwargs)
    except (RuntimeError, NotImplementedError) as error:
        if not lacks_kernel(error):
            raise
        if not can:
            if operation.check:  # dtypes that may not meet are the reason, not the kernel
                operation.check(operation, tensors, args, kwargs)
            raise
    return run_wide(func, args, kwargs, tensors, operation)


def lacks_kernel(error):
    return NO_KERNEL.search(str(error)) is not None


LACKING = {}  # functions that the CPU has not for some half precision
BOOL_AS_BYTE = ("abs", "absolute", "median", "pow")


def run_as_bytes(func, args, kwargs):
    """cuda has kernels for bool that the CPU has not."""
    made = [a.byte() if isinstance(a, Tensor) else int(a) if isinstance(a, bool) else a for a in args]
    result = func(*made, **kwargs)
    if in_place(func):
        return args[0].copy_(result)
    return result.bool()


def can_widen(tensors, operation):
    """Whether operands of these dtypes may meet: otherwise float32 would hide that they may not."""
    if operation is None or operation.is_promoting:
        return True
    return len({t.dtype for t in tensors if t.is_floating_point() and t.dim()}) < 2


def common_low(tensors):
    """The half precision that a result has; None: it has another dtype."""
    floats = [t for t in tensors if t.is_floating_point()]
    floats = [t for t in floats if t.dim()] or floats
    dtypes = {t.dtype for t in floats}
    return dtypes.pop() if len(dtypes) == 1 and dtypes & set(LOW) else None


class RefusedLater(torch.autograd.Function):
    """A result whose gradient PyTorch refuses to compute."""

    @staticmethod
    def forward(ctx, result, words, *tensors):
        ctx.words = words
        return result.clone()

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError(ctx.words)


def refused_later(operation, tensors):
    """Losses of two dtypes that can be computed, but not their gradients; in float32 they could."""
    if operation is None or operation.base not in ("mse_loss", "huber_loss") or not torch.is_grad_enabled():
        return False
    return tensors[0].dtype is not tensors[1].dtype and any(t.requires_grad for t in tensors)


def run_wide(func, args, kwargs, tensors, operation=None):
    if refused_later(operation, tensors):
        with torch.no_grad():
            result = run_wide(func, args, kwargs, tensors, operation)
        words = "Found dtype %s but expected %s" % (NAMES[tensors[1].dtype], NAMES[tensors[0].dtype])
        return RefusedLater.apply(result, words, *[t for t in tensors if t.requires_grad])
    low = common_low(tensors[:1] if operation is not None and operation.is_as_first else tensors)
    asked = kwargs.get("dtype")
    kwargs = dict(kwargs)
    if asked in LOW:
        kwargs["dtype"] = torch.float32
    requires_grad = kwargs.pop("requires_grad", None)
    wide = {}
    into = kwargs.get("out") if not in_place(func) else args[0]
    args, kwargs = widen(args, wide), widen(kwargs, wide)
    result = func(*args, **kwargs)
    if into is not None:
        return copy_back(into, result, wide)
    result = narrow(result, asked if asked in LOW else None if asked else low, wide)
    if requires_grad:
        result.requires_grad_(True)
    return result


def widen(value, wide):
    """The same arguments, with float32 for half precision. wide: by id, what was made of a tensor."""
    if isinstance(value, Tensor):
        if value.dtype not in LOW:
            return value
        if id(value) not in wide:
            wide[id(value)] = (value, value.float())
        return wide[id(value)][1]
    if isinstance(value, (tuple, list)):
        made = [widen(v, wide) for v in value]
        return type(value)(made) if type(value) in (tuple, list) else tuple(made)
    if isinstance(value, dict):
        return {k: widen(v, wide) for k, v in value.items()}
    return value


def copy_back(into, result, wide):
    """What was done to the copies is done to the operands."""
    for original, copied in wide.values():
        if original is into or (isinstance(into, (tuple, list)) and any(original is t for t in into)):
            with torch.no_grad() if not copied.requires_grad else torch.enable_grad():
                original.copy_(copied)
    return into if isinstance(result, (Tensor, tuple, list)) else result


def narrow(result, low, wide):
    if isinstance(result, Tensor):
        for original, copied in wide.values():
            if result is copied:
                return original
        return result.to(low) if low is not None and result.dtype is torch.float32 else result
    if isinstance(result, (tuple, list)):
        made = [narrow(r, low, wide) for r in result]
        if type(result) in (tuple, list):
            return type(result)(made)
        return type(result)(made)  # a structure with names takes a sequence
    return result
