"""Runs an operation on labelled tensors: casts of autocast, then PyTorch's rules for devices and
dtypes on cuda, then the computation on the CPU.

The rules for devices are here, those for dtypes in dtypes.py. Where the CPU has the same, it is left
to refuse.
"""

import torch

from . import autocast, compute, dtypes, ops
from .labels import CPU, CannotSimulate, Tensor, is_cuda, label, put_all, tensors_in

def name_of(func):
    name = getattr(func, "__name__", str(func)).split(".")[0]  # torch.ops.aten.add.Tensor
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
        self.is_as_first = self.base in ops.AS_FIRST
        self.has_half = self.base not in ops.NO_HALF
        self.is_joined = self.base in ops.JOINED or self.name.startswith("_foreach_")
        self.is_second_joined = self.base in ops.SECOND_JOINED
        self.check = dtypes.CHECKS.get(self.base)
        self.compute = dtypes.COMPUTE.get(self.base, compute.run)
        self.title = title_of(func)

    def __call__(self, func, args, kwargs):
        tensors = tensors_in(args, [])
        if kwargs:
            tensors_in(kwargs.values(), tensors)
        for t in tensors:
            if is_cuda(t):
                return self.run(func, args, kwargs, tensors)
        if not compute.HALF_ON_CPU and any(t.dtype in compute.LOW for t in tensors):
            return compute.complete(func, args, kwargs, tensors, self)
        return func(*args, **kwargs)

    def run(self, func, args, kwargs, tensors):
        if not self.is_known:
            raise CannotSimulate(self.title)
        if self.cast and "out" not in kwargs and autocast.is_enabled():
            args, kwargs = autocast.apply(self.cast, self.name, args, kwargs)
            tensors = tensors_in(kwargs.values(), tensors_in(args, []))
        if self.check and self.base in ops.CONVOLUTIONS:  # which look at dtypes first
            self.check(self, tensors, args, kwargs)
        self.check_devices(args, kwargs, tensors)
        if self.check:
            self.check(self, tensors, args, kwargs)
        if not autocast.is_cpu_enabled():
            result = self.compute(func, args, kwargs, tensors, self)
        else:
            autocast.set_cpu_enabled(False)
            try:
                result = self.compute(func, args, kwargs, tensors, self)
            finally:
                autocast.set_cpu_enabled(True)
        if self.is_inplace:
            return result
        if self.name in LABEL_OF_FIRST:
            return put_all(result, label(tensors[0]))
        if self.name == "broadcast_tensors":
            for part, of in zip(result, tensors):
                put_all(part, label(of))
            return result
        device = next(label(t) for t in tensors if is_cuda(t))
        if self.name in SECOND_ON_CPU:
            put_all(result[0], device)
            return result
        return put_all(result, device)

    def check_devices(self, args, kwargs, tensors):
        places = [label(t) for t in tensors]
        if all(p is places[0] for p in places):
            return
        if self.name in DEVICE_RULES:
            DEVICE_RULES[self.name](self, args, tensors, places)
        elif self.is_joined or self.is_second_joined:
            self.check_joined(kwargs.get("out"), tensors)
        else:
            self.other_device(args, kwargs, tensors)

    def check_joined(self, out, tensors):
        """Operands without dimensions may be on the CPU; where the result is written counts in no way."""
        begin = 1 if self.is_second_joined or self.is_inplace else 0
        given = list(tensors)
        if isinstance(out, Tensor):
            given.pop()  # as it is given by name
        device = next((label(t) for t in given if is_cuda(t)), None)
        for i, t in enumerate(given):
            if label(t) is not device and not (label(t) is CPU and i >= begin and not t.dim()):
                two_devices(tensors)
        if isinstance(out, Tensor) and label(out) is not device:
            two_devices(tensors)

    def other_device(self, args, kwargs, tensors):
        """The words of a generated check of arguments."""
        names = ARGUMENTS.get(self.base, ())
        given = [(n, a) for n, a in zip(names, args) if isinstance(a, Tensor)]
        given += [(n, a) for n, a in kwargs.items() if isinstance(a, Tensor)]
        odd = next(((n, a) for n, a in given[1:] if label(a) is not label(given[0][1])), None)
        if not names or odd is None:
            two_devices(tensors)
        others = label(given[0][1])
        if self.base in FIRST_IS_ODD and not is_cuda(given[0][1]) and (self.base != "linear" or len(given) > 2):
            others, odd = label(odd[1]), given[0]
        raise RuntimeError(
            "Expected all tensors to be on the same device, but got %s is on %s, different from other tensors on %s "
            "(when checking argument in method wrapper_CUDA_%s)" % (
                odd[0], label(odd[1]), others, KERNELS.get(self.base, self.base)))


LAYER = ("input", "weight", "bias")
# The names by which PyTorch refuses an argument on another device.
ARGUMENTS = {
    "linear": ("mat1", "mat2", "bias"), "matmul": ("self", "mat2"), "mm": ("self", "mat2"), "bmm": ("self", "mat2"),
    "addmm": ("self", "mat1", "mat2"), "baddbmm": ("self", "batch1", "batch2"), "mv": ("self", "vec"),
    "dot": ("self", "tensor"), "bilinear": ("self", "mat2", "mat2"), "embedding": ("weight", "index"),
    "embedding_bag": ("weight", "indices"), "layer_norm": ("input", "shape", "weight", "bias"), "prelu": LAYER,
    "batch_norm": ("input", "weight", "bias", "running_mean", "running_var"),
    "instance_norm": ("input", "weight", "bias", "running_mean", "running_var"),
    "group_norm": ("input", "groups", "weight", "bias"), "gather": ("self", "dim", "index"),
    "index_select": ("self", "dim", "index"), "nll_loss": ("self", "target", "weight"),
    "nll_loss_nd": ("self", "target", "weight"), "cross_entropy_loss": ("self", "target", "weight"),
    "mse_loss": ("self", "target"), "scatter_add": ("self", "dim", "index", "src"), "masked_fill": ("self", "mask"),
    "binary_cross_entropy": ("self", "target", "weight"), "rnn_tanh_cell": ("mat1", "hx", "weight"),
    "rnn_relu_cell": ("mat1", "hx", "weight"), "gru_cell": ("mat1", "hx", "weight"),
}
ARGUMENTS.update({base: LAYER for base in ops.CONVOLUTIONS})
# Of these the first one is named if it is the one on the CPU.
FIRST_IS_ODD = ("linear", "rnn_tanh_cell", "rnn_relu_cell", "gru_cell")
KERNELS = {"linear": "addmm", "matmul": "mm", "layer_norm": "_native_layer_norm", "embedding": "_index_select",
           "cross_entropy_loss": "nll_loss_forward", "nll_loss": "nll_loss_forward", "nll_loss_nd": "nll_loss_forward",
           "batch_norm": "_cudnn_batch_norm", "conv1d": "_cudnn_convolution", "conv2d": "_cudnn_convolution",
           "conv3d": "_cudnn_convolution", "group_norm": "_native_group_norm"}


def two_devices(tensors):
    first = label(next((t for t in tensors if t.dim() or is_cuda(t)), tensors[0]))
    other = next(label(t) for t in tensors if label(t) is not first)
    raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, %s and %s!" % (
        first, other))


def title_of(func):
    name = getattr(func, "__name__", str(func))
    if hasattr(torch, name):
        return "torch." + name
    return ("torch.Tensor." if hasattr(Tensor, name) else "torch.") + name


# ---- devices: operations with a rule of their own ----

def any_device(operation, args, tensors, places):
    pass


def index(operation, args, tensors, places):
    device = label(args[0])
    for p in places:
        if p is not device and p is not CPU:
            raise RuntimeError(
                "indices should be either on cpu or on the same device as the indexed tensor (%s)" % device)


def set_item(operation, args, tensors, places):
    into, at, value = args
    if tensors_in((at,), []) and isinstance(value, Tensor) and label(value) is not label(into) and value.dim():
        two_devices([into, value])


def index_put(operation, args, tensors, places):
    if places[-1] is not label(args[0]) and tensors[-1].dim():
        two_devices([args[0], tensors[-1]])


def recurrent(operation, args, tensors, places):
    """Recurrent layers: the input, the sizes of the batches if it is packed, which are on the CPU, the hidden state, the
    parameters."""
    is_packed = isinstance(args[1], torch.Tensor) and not args[1].is_floating_point()
    hidden = args[2 if is_packed else 1]
    hidden = hidden if isinstance(hidden, (list, tuple)) else [hidden]
    for t, place in zip(tensors, places):
        if place is not places[0] and not (is_packed and t is args[1]):
            name = "hidden" if any(t is h for h in hidden) else "parameter"
            raise RuntimeError("Input and %s tensors are not at the same device, found input tensor at %s and %s tensor at %s"
                               % (name, places[0], name, place))


def lerp(operation, args, tensors, places):
    """Only the weight may be on the CPU."""
    if places[0] is not places[1] or any(p is not places[0] and (p is not CPU or t.dim())
                                         for t, p in zip(tensors[2:], places[2:])):
        two_devices(tensors)


def masked_fill(operation, args, tensors, places):
    """Only the value may be on the CPU."""
    if places[0] is not places[1]:
        operation.other_device(args, {}, tensors)
    if places[2:] and (places[2] is not CPU or tensors[2].dim()) and places[2] is not places[0]:
        two_devices(tensors)


def with_logits(operation, args, tensors, places):
    """The weights may be on the CPU, and an input without dimensions."""
    x, target = tensors[:2]
    if target_is_elsewhere(x, target) or any(p is not places[1] and (p is not CPU or t.dim())
                                             for t, p in zip(tensors[2:], places[2:])):
        two_devices(tensors)


def target_is_elsewhere(x, target):
    return label(x) is not label(target) and (is_cuda(x) or bool(x.dim()) or bool(target.dim()))


def tensor_split(operation, args, tensors, places):
    """Where to split is read on the CPU."""
    if places[-1] is not CPU:
        raise RuntimeError("tensor_split expected tensor_indices_or_sections to be on cpu, but it's on %s" % places[-1])


def lengths_on_cpu(operation, args, tensors, places):
    if is_cuda(tensors[1]):
        dtypes.lengths_as_given(tensors[1])


DEVICE_RULES = {
    "tensor_split": tensor_split, "lerp": lerp, "lerp_": lerp, "masked_fill": masked_fill, "masked_fill_": masked_fill, "binary_cross_entropy_with_logits": with_logits,
    "_pack_padded_sequence": lengths_on_cpu, "_pad_packed_sequence": any_device, "lstm": recurrent, "gru": recurrent,
    "rnn_tanh": recurrent, "rnn_relu": recurrent, "ctc_loss": any_device,
    "copy_": any_device, "fill_": any_device, "expand_as": any_device, "view_as": any_device, "reshape_as": any_device,
    "set_": any_device, "type_as": any_device, "result_type": any_device, "is_same_size": any_device,
    "__getitem__": index, "__setitem__": set_item, "index_put_": index_put, "index_put": index_put,
    "resize_as_": any_device, "is_set_to": any_device, "_is_view": any_device,
    "_has_compatible_shallow_copy_type": any_device, "broadcast_tensors": any_device,
}

SECOND_ON_CPU = ("_pack_padded_sequence", "_pad_packed_sequence")
LABEL_OF_FIRST = ("expand_as", "view_as", "reshape_as")
