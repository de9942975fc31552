"""Which dtypes operations refuse on cuda, in PyTorch's words, where the CPU would not or says it
otherwise; and operations that cuda computes in other dtypes than the CPU.

A check takes the operation, its tensors in order, and its arguments.
"""

import torch

from . import compute, ops
from .compute import NAMES
from .creation import type_name
from .labels import Tensor, is_cuda, tensors_in

FLOATING = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
C_NAMES = {torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16", torch.float32: "float", torch.float64: "double",
           torch.int64: "long long", torch.int32: "int", torch.int16: "short", torch.int8: "signed char",
           torch.uint8: "unsigned char", torch.bool: "bool"}


def cname(t):
    return C_NAMES.get(t.dtype, NAMES.get(t.dtype, str(t.dtype)))


def name(t):
    return NAMES.get(t.dtype, str(t.dtype))


def need_floating(operation, t, kernel=None):
    if t.dtype not in FLOATING and t.dtype not in COMPLEX:
        raise NotImplementedError("\"%s_cuda\" not implemented for '%s'" % (kernel or operation.base, name(t)))


RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")


def recurrent(operation, tensors, args, kwargs):
    """Input, hidden state and weights have one dtype."""
    x = args[0]
    floats = [t for t in tensors if t.is_floating_point()]
    if floats[-1].dtype is not x.dtype:
        raise ValueError("RNN input dtype (%s) does not match weight dtype (%s). Convert input: input.to(%s), or convert "
                         "model: model.to(%s)" % (x.dtype, floats[-1].dtype, floats[-1].dtype, x.dtype))
    for t in floats:
        if t.dtype is not x.dtype:
            raise RuntimeError("Input and hidden tensors are not the same dtype, found input tensor with %s and hidden "
                               "tensor with %s" % (name(x), name(t)))


def cell(operation, tensors, args, kwargs):
    """Cells of recurrent layers multiply the input by the weights."""
    weights = [t for t in args[2:4] if isinstance(t, Tensor)]
    for t in weights:
        if t.dtype is not args[0].dtype:
            raise RuntimeError("mat1 and mat2 must have the same dtype, but got %s and %s" % (name(args[0]), name(t)))


def lengths_as_given(lengths):
    raise RuntimeError("'lengths' argument should be a 1D CPU int64 tensor, but got %dD cuda:0 %s tensor" % (
        lengths.dim(), name(lengths)))


def product(operation, tensors, args, kwargs):
    """Matrix products: one dtype, a floating one."""
    first = tensors[0]
    if len(tensors) < 2:
        return
    for t in tensors[1:]:
        if t.dtype is not first.dtype:
            raise RuntimeError(product_words(operation, tensors, t))
    need_floating(operation, first, "addmm" if operation.base in ("linear", "mm", "matmul", "addmm") else None)


def einsum(operation, tensors, args, kwargs):
    """A product of matrices, but where each index is one of the result: then elements are multiplied."""
    equation = args[0] if isinstance(args[0], str) else ""
    operands, arrow, result = equation.replace(" ", "").partition("->")
    if not arrow or not set(operands) - {","} <= set(result):
        product(operation, tensors, args, kwargs)


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
    if len(tensors) > 2 and tensors[2].dtype is not x.dtype and "transpose" not in operation.base:
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
            if x.dim() == 2 and operation.base == "batch_norm":
                raise RuntimeError("expected scalar type %s but found %s" % (name(x), name(t)))
            raise RuntimeError(
                "Expected tensor for argument #1 'input' to have the same type as tensor for argument #%d '%s'; but type %s "
                "does not equal %s (while checking arguments for cudnn_batch_norm)" % (
                    i + 2, "weight" if i == 0 else "bias", type_name(x), type_name(t)))
    for t in [x] + [a for a in args[3:5] if isinstance(a, Tensor)]:
        if t.dtype not in FLOATING:
            raise NotImplementedError("\"batch_norm_cuda\" not implemented for '%s'" % name(t))


def run_batch_norm(func, args, kwargs, tensors, operation):
    """The CPU wants statistics of the dtype of the weights; cuda takes any."""
    dtype = args[0].dtype
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


def run_trace(func, args, kwargs, tensors, operation):
    if args[0].dtype is torch.bool:
        args = (args[0].long(),) + tuple(args[1:])
    return compute.run(func, args, kwargs, tensors, operation)


def divide(operation, tensors, args, kwargs):
    if len(tensors) == 2 and torch.result_type(*tensors) is torch.complex32:
        raise NotImplementedError("\"div_true_cuda\" not implemented for 'ComplexHalf'")


def packed_lengths(operation, tensors, args, kwargs):
    if is_cuda(tensors[1]):
        lengths_as_given(tensors[1])


def lerp(operation, tensors, args, kwargs):
    if tensors[1].dtype is not tensors[0].dtype:
        raise RuntimeError("expected dtype %s for `end` but got dtype %s" % (cname(tensors[0]), cname(tensors[1])))
    if len(tensors) > 2 and tensors[2].dtype is not tensors[0].dtype:
        raise RuntimeError("expected dtype %s for `weight` but got dtype %s" % (cname(tensors[0]), cname(tensors[2])))


def index_put_dtype(operation, tensors, args, kwargs):
    values = args[2] if len(args) > 2 else kwargs.get("values")
    if isinstance(values, Tensor) and values.dtype is not args[0].dtype:
        refuse_source(args[0], values)


def refuse_source(into, value):
    raise RuntimeError("Index put requires the source and destination dtypes match, got %s for the destination and %s for the "
                       "source." % (name(into), name(value)))


def set_item_dtype(operation, tensors, args, kwargs):
    into, at, value = args
    is_number = isinstance(value, Tensor) and not value.dim() and is_cuda(into) and not is_cuda(value)
    if isinstance(value, Tensor) and value.dtype is not into.dtype and tensors_in((at,), []) and not is_number:
        refuse_source(into, value)


def mse_loss(operation, tensors, args, kwargs):
    if not any(t.dtype in FLOATING or t.dtype in COMPLEX for t in tensors):
        need_floating(operation, tensors[0], "mse")


def bce(operation, tensors, args, kwargs):
    if tensors[1].dtype is not tensors[0].dtype:
        raise RuntimeError("Found dtype %s but expected %s" % (name(tensors[1]), name(tensors[0])))


def only_on_cpu(operation, tensors, args, kwargs):
    raise TypeError("%s is only implemented on CPU tensors" % operation.name)


def no_half(operation, tensors, args, kwargs):
    if tensors[0].dtype in compute.LOW:
        raise NotImplementedError("\"%s_cuda\" not implemented for '%s'" % (operation.base, name(tensors[0])))


def classes(operation, tensors, args, kwargs):
    """Losses whose targets may be classes."""
    x, target = tensors[:2]
    if target.dim() < x.dim() <= 2 and target.dtype not in (torch.int64, torch.uint8):
        raise NotImplementedError("\"nll_loss_forward_reduce_cuda_kernel_2d_index\" not implemented for '%s'" % name(target))
    if len(tensors) > 2 and tensors[2].dtype is not tensors[0].dtype:
        raise RuntimeError("expected scalar type %s but found %s" % (name(tensors[0]), name(tensors[2])))


def run_with_logits(func, args, kwargs, tensors, operation):
    result = compute.run(func, args, kwargs, tensors, operation)
    return result.to(tensors[1].dtype)


CHECKS = {base: product for base in ops.PRODUCTS}
CHECKS.update({base: convolution for base in ops.CONVOLUTIONS})
CHECKS.update({
    "einsum": einsum, "layer_norm": same_as_first, "native_layer_norm": same_as_first, "group_norm": same_as_first,
    "native_group_norm": same_as_first, "prelu": prelu, "binary_cross_entropy": bce, "avg_pool1d": floating_only, "avg_pool2d": floating_only,
    "avg_pool3d": floating_only, "batch_norm": batch_norm, "instance_norm": batch_norm, "tensordot": product,
    "grid_sampler": same_as_first, "lerp": lerp, "div": divide, "__setitem__": set_item_dtype,
    "index_put": index_put_dtype, "index_put_": index_put_dtype, "apply_": only_on_cpu, "map_": only_on_cpu, "map2_": only_on_cpu,
    "_pack_padded_sequence": packed_lengths, "angle": no_half, "cross_entropy_loss": classes, "nll_loss": classes, "nll_loss_nd": classes,
})
CHECKS.update({base: recurrent for base in RECURRENT})
CHECKS.update({base: cell for base in ("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell")})
for base in ("scaled_dot_product_attention", "_scaled_dot_product_attention"):
    del CHECKS[base]  # which PyTorch checks on every device
COMPUTE = {"trace": run_trace, "batch_norm": run_batch_norm, "instance_norm": run_batch_norm,
           "binary_cross_entropy_with_logits": run_with_logits}
