"""Runs an operation on labelled tensors: casts of autocast, then PyTorch's rules for devices and
dtypes on cuda, then the computation on the CPU.

Where the rules of the CPU are those of cuda, the CPU is left to refuse.
"""

import torch

from . import autocast, compute, ops
from .creation import type_name
from .labels import CPU, CUDA, CannotSimulate, Tensor, is_cuda, label, put_all, tensors_in

FLOATING = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
C_NAMES = {torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16", torch.float32: "float", torch.float64: "double",
           torch.int64: "long long", torch.int32: "int", torch.int16: "short", torch.int8: "signed char",
           torch.uint8: "unsigned char", torch.bool: "bool"}
NAMES = {torch.float16: "Half", torch.bfloat16: "BFloat16", torch.float32: "Float", torch.float64: "Double",
         torch.int64: "Long", torch.int32: "Int", torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte",
         torch.bool: "Bool", torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble"}


def name_of(func):
    name = getattr(func, "__name__", str(func))
    return ops.SAME.get(name, name)


def base_of(name):
    """The name in the lists: an in-place form belongs to its operation."""
    return name[:-1] if name not in ops.KNOWN and name.endswith("_") and not name.endswith("__") else name


class Operation:
    """What the lists say of one function."""

    def __init__(self, func):
        self.func = func
        self.name = name_of(func)
        self.base = base_of(self.name)
        self.is_known = self.base in ops.KNOWN or self.name.startswith("_foreach_")
        self.is_inplace = compute.in_place(func) or self.name in ("__setitem__", "add_", "sub_", "mul_", "div_")
        self.cast = ops.AUTOCAST.get(self.name)
        self.is_simple = self.base in ops.SIMPLE
        self.is_promoting = self.base in ops.PROMOTING
        self.has_half = self.base not in ops.NO_HALF
        self.is_joined = self.base in ops.JOINED
        self.is_second_joined = self.base in ops.SECOND_JOINED
        self.check = CHECKS.get(self.base)
        self.compute = COMPUTE.get(self.base, compute.run)
        self.title = title_of(func)

    def __call__(self, func, args, kwargs):
        tensors = tensors_in(args, [])
        if kwargs:
            tensors_in(kwargs.values(), tensors)
        for t in tensors:
            if is_cuda(t):
                return self.run(func, args, kwargs, tensors)
        return func(*args, **kwargs)

    def run(self, func, args, kwargs, tensors):
        if not self.is_known:
            raise CannotSimulate(self.title)
        if self.cast and "out" not in kwargs and torch.is_autocast_enabled():
            args, kwargs = autocast.apply(self.cast, self.name, args, kwargs)
            tensors = tensors_in(kwargs.values(), tensors_in(args, []))
        self.check_devices(args, kwargs, tensors)
        if self.check:
            self.check(self, tensors, args, kwargs)
        if not torch.is_autocast_cpu_enabled():
            result = self.compute(func, args, kwargs, tensors, self)
        else:
            torch.set_autocast_cpu_enabled(False)
            try:
                result = self.compute(func, args, kwargs, tensors, self)
            finally:
                torch.set_autocast_cpu_enabled(True)
        if self.is_inplace:
            return result
        if self.name in LABEL_OF_FIRST:
            return put_all(result, label(tensors[0]))
        if self.name == "broadcast_tensors":
            for part, of in zip(result, tensors):
                put_all(part, label(of))
            return result
        if self.name in SECOND_ON_CPU:
            put_all(result[0], CUDA)
            return result
        return put_all(result, CUDA)

    def check_devices(self, args, kwargs, tensors):
        places = [is_cuda(t) for t in tensors]
        if all(places):
            return
        if self.name in DEVICE_RULES:
            DEVICE_RULES[self.name](self, args, tensors, places)
            return
        if self.is_joined or self.is_second_joined:
            begin = 1 if self.is_second_joined or self.is_inplace else 0
            if "out" not in kwargs and all(on_cuda or (i >= begin and not t.dim())
                                           for i, (t, on_cuda) in enumerate(zip(tensors, places))):
                return
            two_devices(tensors, places)
        self.other_device(tensors, places)

    def other_device(self, tensors, places):
        """The words of a generated check of arguments."""
        first = places[0]
        at = next(i for i, p in enumerate(places) if p != first)
        names = ARGUMENTS.get(self.base, ())
        if names and len(names) > at:
            at = ODD_FIRST.get(self.base, at) if not places[0] else at
            raise RuntimeError(
                "Expected all tensors to be on the same device, but got %s is on %s, different from other tensors on %s "
                "(when checking argument in method wrapper_CUDA_%s)" % (
                    names[at], label(tensors[at]), CPU if places[at] else CUDA, KERNELS.get(self.base, self.base)))
        two_devices(tensors, places)


ARGUMENTS = {
    "linear": ("mat1", "mat2", "bias"), "matmul": ("self", "mat2"), "mm": ("self", "mat2"), "bmm": ("self", "mat2"),
    "addmm": ("self", "mat1", "mat2"), "baddbmm": ("self", "batch1", "batch2"), "mv": ("self", "vec"),
    "dot": ("self", "tensor"), "embedding": ("weight", "index"), "layer_norm": ("input", "weight", "bias"),
    "batch_norm": ("input", "weight", "bias", "running_mean", "running_var"), "group_norm": ("input", "weight", "bias"),
    "conv1d": ("input", "weight", "bias"), "conv2d": ("input", "weight", "bias"), "conv3d": ("input", "weight", "bias"),
    "cat": ("tensors", "tensors"), "gather": ("self", "index"), "index_select": ("self", "index"),
    "nll_loss": ("self", "target"), "nll_loss_nd": ("self", "target"), "cross_entropy_loss": ("self", "target", "weight"),
    "mse_loss": ("self", "target"), "scatter_add": ("self", "index", "src"), "masked_fill": ("self", "mask"),
    "bce": ("self", "target"), "binary_cross_entropy": ("self", "target"),
}
ODD_FIRST = {"linear": 0, "addmm": 1}
KERNELS = {"linear": "addmm", "matmul": "mm", "layer_norm": "_native_layer_norm", "embedding": "_index_select",
           "cross_entropy_loss": "nll_loss_forward", "nll_loss": "nll_loss_forward", "nll_loss_nd": "nll_loss_forward",
           "batch_norm": "_cudnn_batch_norm", "conv1d": "_cudnn_convolution", "conv2d": "_cudnn_convolution",
           "conv3d": "_cudnn_convolution", "group_norm": "_native_group_norm"}


def two_devices(tensors, places):
    first = next((t for t, p in zip(tensors, places) if t.dim() or p), tensors[0])
    other = CPU if is_cuda(first) else CUDA
    raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, %s and %s!" % (
        label(first), other))


def title_of(func):
    name = getattr(func, "__name__", str(func))
    if hasattr(torch, name):
        return "torch." + name
    return ("torch.Tensor." if hasattr(Tensor, name) else "torch.") + name


# ---- devices: operations with a rule of their own ----

def any_device(operation, args, tensors, places):
    pass


def index(operation, args, tensors, places):
    if not is_cuda(args[0]):
        raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")


def set_item(operation, args, tensors, places):
    into, at, value = args
    if tensors_in((at,), []) and isinstance(value, Tensor) and is_cuda(value) != is_cuda(into) and value.dim():
        two_devices([into, value], [is_cuda(into), is_cuda(value)])


def index_put(operation, args, tensors, places):
    if is_cuda(tensors[-1]) != is_cuda(args[0]) and tensors[-1].dim():
        two_devices([args[0], tensors[-1]], [is_cuda(args[0]), is_cuda(tensors[-1])])


def packed(operation, args, tensors, places):
    """Recurrent layers; the batch sizes of a packed sequence are on the CPU."""
    kept = [(t, p) for i, (t, p) in enumerate(zip(tensors, places)) if t is not args[1] or t.is_floating_point()]
    if not all(p for _, p in kept):
        where = label(tensors[0])
        raise RuntimeError("Input and parameter tensors are not at the same device, found input tensor at %s and parameter "
                           "tensor at %s" % (where, CPU if where is CUDA else CUDA))


def lengths_on_cpu(operation, args, tensors, places):
    if is_cuda(tensors[1]):
        lengths_as_given(tensors[1])


def lengths_as_given(lengths):
    raise RuntimeError("'lengths' argument should be a 1D CPU int64 tensor, but got %dD cuda:0 %s tensor" % (
        lengths.dim(), name(lengths)))


DEVICE_RULES = {
    "_pack_padded_sequence": lengths_on_cpu, "_pad_packed_sequence": any_device, "lstm": packed, "gru": packed,
    "rnn_tanh": packed, "rnn_relu": packed, "ctc_loss": any_device,
    "copy_": any_device, "fill_": any_device, "expand_as": any_device, "view_as": any_device, "reshape_as": any_device,
    "set_": any_device, "type_as": any_device, "result_type": any_device, "is_same_size": any_device,
    "__getitem__": index, "__setitem__": set_item, "index_put_": index_put, "index_put": index_put,
    "resize_as_": any_device, "is_set_to": any_device, "_is_view": any_device,
    "_has_compatible_shallow_copy_type": any_device, "broadcast_tensors": any_device,
}

SECOND_ON_CPU = ("_pack_padded_sequence", "_pad_packed_sequence")
LABEL_OF_FIRST = ("expand_as", "view_as", "reshape_as")

# ---- dtypes ----


def cname(t):
    return C_NAMES.get(t.dtype, NAMES.get(t.dtype, str(t.dtype)))


def name(t):
    return NAMES.get(t.dtype, str(t.dtype))


def need_floating(operation, t, kernel=None):
    if t.dtype not in FLOATING and t.dtype not in COMPLEX:
        raise NotImplementedError("\"%s_cuda\" not implemented for '%s'" % (kernel or operation.base, name(t)))


def product(operation, tensors, args, kwargs):
    """Matrix products: one dtype, a floating one."""
    first = tensors[0]
    if len(tensors) < 2:
        return
    for t in tensors[1:]:
        if t.dtype is not first.dtype:
            raise RuntimeError(product_words(operation, tensors, t))
    need_floating(operation, first, "addmm" if operation.base in ("linear", "mm", "matmul", "addmm") else None)


def product_words(operation, tensors, other):
    if operation.base == "linear" and len(tensors) > 2:
        return "mat1 and mat2 must have the same dtype, but got %s and %s" % (name(tensors[0]), name(tensors[1]))
    if operation.base == "dot":
        return "dot : expected both vectors to have same dtype, but found %s and %s" % (name(tensors[0]), name(other))
    if operation.base == "baddbmm":
        return "Input dtypes must be the same, got: input %s, batch1: %s, batch2: %s" % tuple(map(cname, tensors[:3]))
    if operation.base == "bilinear":
        return "All tensors must have the same dtype, got input1: %s, input2: %s, weight: %s" % tuple(map(cname, tensors[:3]))
    if operation.base == "bmm":
        return "expected scalar type %s but found %s" % (name(tensors[0]), name(other))
    a, b = tensors[-2:] if operation.base == "addmm" else (tensors[0], other)
    if a.dtype is b.dtype:
        a = tensors[0]
    return "expected mat1 and mat2 to have the same dtype, but got: %s != %s" % (cname(a), cname(b))


def convolution(operation, tensors, args, kwargs):
    x, weight = tensors[:2]
    if len(tensors) > 2 and tensors[2].dtype is not x.dtype:
        raise RuntimeError("Input type (%s) and bias type (%s) should be the same" % (cname(x), cname(tensors[2])))
    if weight.dtype is not x.dtype:
        raise RuntimeError("Input type (%s) and weight type (%s) should be the same" % (type_name(x), type_name(weight)))
    need_floating(operation, x, "convolution")


def same_as_first(operation, tensors, args, kwargs):
    """Layers whose weights have the dtype of the input."""
    for t in tensors[1:]:
        if t.dtype is not tensors[0].dtype:
            raise RuntimeError("expected scalar type %s but found %s" % (name(tensors[0]), name(t)))


def prelu(operation, tensors, args, kwargs):
    if tensors[1].dtype is not tensors[0].dtype:
        raise RuntimeError("prelu: Type promoting not supported. Got %s and %s" % (name(tensors[0]), name(tensors[1])))


def floating_only(operation, tensors, args, kwargs):
    need_floating(operation, tensors[0])


def batch_norm(operation, tensors, args, kwargs):
    """Weights have the dtype of the input, or float32 if that is of half precision."""
    x, parameters = args[0], [a for a in args[1:3] if isinstance(a, Tensor)]
    for i, t in enumerate(parameters):
        if t.dtype is not x.dtype and not (t.dtype is torch.float32 and x.dtype in compute.LOW):
            raise RuntimeError(
                "Expected tensor for argument #1 'input' to have the same type as tensor for argument #%d '%s'; but type %s "
                "does not equal %s (while checking arguments for cudnn_batch_norm)" % (
                    i + 2, "weight" if i == 0 else "bias", type_name(x), type_name(t)))
    for t in [x] + [a for a in args[3:5] if isinstance(a, Tensor)]:
        if t.dtype not in FLOATING:
            raise NotImplementedError("\"batch_norm_cuda\" not implemented for '%s'" % name(t))


def run_batch_norm(func, args, kwargs, tensors, operation):
    """The CPU wants statistics of the dtype of the weights; cuda takes any."""
    x, dtype = args[0], args[0].dtype
    if all(t.dtype is dtype for t in tensors) and (dtype not in compute.LOW or compute.HALF_ON_CPU):
        return func(*args, **kwargs)
    wide = torch.float64 if dtype is torch.float64 else torch.float32
    made = [a.to(wide) if isinstance(a, Tensor) else a for a in args]
    result = func(*made, **kwargs)
    with torch.no_grad():
        for before, after in zip(args[3:5], made[3:5]):
            if isinstance(before, Tensor) and before is not after:
                before.copy_(after)
    return result.to(dtype)


def divide(operation, tensors, args, kwargs):
    if len(tensors) == 2 and torch.result_type(*tensors) is torch.complex32:
        raise NotImplementedError("\"div_true_cuda\" not implemented for 'ComplexHalf'")


def packed_lengths(operation, tensors, args, kwargs):
    if is_cuda(tensors[1]):
        lengths_as_given(tensors[1])


def set_item_dtype(operation, tensors, args, kwargs):
    into, at, value = args
    if isinstance(value, Tensor) and value.dtype is not into.dtype and tensors_in((at,), []):
        raise RuntimeError("Index put requires the source and destination dtypes match, got %s for the destination and %s "
                           "for the source." % (name(into), name(value)))


def mse_loss(operation, tensors, args, kwargs):
    if not any(t.dtype in FLOATING or t.dtype in COMPLEX for t in tensors):
        need_floating(operation, tensors[0], "mse")


def no_half(operation, tensors, args, kwargs):
    if tensors[0].dtype in compute.LOW:
        raise NotImplementedError("\"%s_cuda\" not implemented for '%s'" % (operation.base, name(tensors[0])))


def class_weights(operation, tensors, args, kwargs):
    if len(tensors) > 2 and tensors[2].dtype is not tensors[0].dtype:
        raise RuntimeError("expected scalar type %s but found %s" % (name(tensors[0]), name(tensors[2])))


def run_with_logits(func, args, kwargs, tensors, operation):
    result = compute.run(func, args, kwargs, tensors, operation)
    return result.to(tensors[1].dtype)


CHECKS = {base: product for base in ops.PRODUCTS}
CHECKS.update({base: convolution for base in ops.CONVOLUTIONS})
CHECKS.update({
    "layer_norm": same_as_first, "native_layer_norm": same_as_first, "group_norm": same_as_first,
    "native_group_norm": same_as_first, "prelu": prelu, "avg_pool1d": floating_only, "avg_pool2d": floating_only,
    "avg_pool3d": floating_only, "batch_norm": batch_norm, "instance_norm": batch_norm, "tensordot": product,
    "grid_sampler": same_as_first, "div": divide, "__setitem__": set_item_dtype,
    "_pack_padded_sequence": packed_lengths, "angle": no_half, "cross_entropy_loss": class_weights, "nll_loss": class_weights, "nll_loss_nd": class_weights,
})
for base in ("scaled_dot_product_attention", "_scaled_dot_product_attention"):
    del CHECKS[base]  # which PyTorch checks on every device
COMPUTE = {"batch_norm": run_batch_norm, "instance_norm": run_batch_norm,
           "binary_cross_entropy_with_logits": run_with_logits}
