"""Gradients are computed by PyTorch on the CPU. Here they get labels where a program can see them
(hooks, custom functions, torch.autograd.grad), and what exists only on cuda is computed: the checks
of gradient scaling, and fused optimizers.
"""

import torch

from . import compute
from .labels import CPU, Tensor, is_cuda, label, put, tensors_in


# ---- hooks and functions ----

def register_hook(func, args, kwargs):
    """The hook gets the gradient with the label of its tensor."""
    tensor, hook = args
    if not is_cuda(tensor):
        return func(*args, **kwargs)

    def labelled(grad):
        return hook(put(grad, label(tensor)))

    return func(tensor, labelled, **kwargs)


def label_gradients(results, inputs):
    """The results of torch.autograd.grad."""
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    for grad, of in zip(results, inputs):
        if isinstance(grad, Tensor):
            put(grad, label(of))
    return results


def wrap_grad():
    original = torch.autograd.grad

    def grad(outputs, inputs, *args, **kwargs):
        return label_gradients(original(outputs, inputs, *args, **kwargs), inputs)

    grad.__wrapped__ = original
    torch.autograd.grad = grad


def wrap_functions():
    """torch.autograd.Function: results that are inputs under another name, saved tensors and the
    gradients that backward gets."""
    function = torch.autograd.function
    base = torch.autograd.Function
    original = base.__dict__.get("apply") or torch._C._FunctionBase.__dict__["apply"]

    def apply(cls, *args, **kwargs):
        results = original.__get__(None, cls)(*args, **kwargs)
        outputs = tensors_in((results,), [])
        for out in outputs:
            if not is_cuda(out):
                for t in tensors_in(args, []):
                    if is_cuda(t) and out is not t and out.numel() and out.data_ptr() == t.data_ptr():
                        put(out, label(t))
        for out in outputs:
            if out.grad_fn is not None:
                try:
                    out.grad_fn._miscast_labels = [label(o) for o in outputs]
                except AttributeError:
                    pass
        return results

    base.apply = classmethod(apply)
    wrap_backward(function)


def wrap_backward(function):
    node = function.BackwardCFunction
    run = node.apply

    def apply(self, *grads):
        labels = getattr(self, "_miscast_labels", ())
        for grad, device in zip(grads, labels):
            if isinstance(grad, Tensor):
                put(grad, device)
        return run(self, *grads)

    node.apply = apply
    context = function.FunctionCtx
    save = context.save_for_backward

    def save_for_backward(self, *tensors):
        self._miscast_saved = [label(t) if isinstance(t, Tensor) else None for t in tensors]
        return save(self, *tensors)

    context.save_for_backward = save_for_backward
    saved = torch._C._FunctionBase.saved_tensors

    def saved_tensors(self):
        found = saved.__get__(self)
        for t, device in zip(found, getattr(self, "_miscast_saved", ())):
            if isinstance(t, Tensor) and device is not CPU:
                put(t, device)
        return found

    node.saved_tensors = property(saved_tensors)


# ---- gradient scaling ----

def unscale(func, args, kwargs):
    """_amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)"""
    grads, found_inf, inv_scale = args
    for t in grads:
        if not is_cuda(t):
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!")
    with torch.no_grad():
        scale = inv_scale.float()
        for t in grads:
            wide = t.float() if t.dtype in compute.LOW else t
            if not bool(torch.isfinite(wide).all()):
                found_inf.fill_(1.0)
            t.copy_(wide * scale)


def update_scale(func, args, kwargs):
    """_amp_update_scale_(scale, growth_tracker, found_inf, growth_factor, backoff_factor, interval)"""
    scale, tracker, found_inf, growth, backoff, interval = args
    with torch.no_grad():
        if float(found_inf):
            scale.mul_(backoff)
            tracker.zero_()
            return scale
        if int(tracker) + 1 == interval:
            grown = float(scale) * growth
            if grown < float("inf"):
                scale.fill_(grown)
            tracker.zero_()
        else:
            tracker.add_(1)
    return scale


# ---- fused optimizers ----

def scaled(grads, grad_scale):
    """The gradients without the scale of a GradScaler that leaves that to the optimizer."""
    if grad_scale is None:
        return [g.float() if g.dtype in compute.LOW else g for g in grads]
    inverse = 1.0 / float(grad_scale)
    return [(g.float() if g.dtype in compute.LOW else g) * inverse for g in grads]


def fused_adam(decoupled):
    def step(func, args, kwargs):
        names = ("self", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs", "state_steps")
        given = dict(zip(names, args), **kwargs)
        if given.get("found_inf") is not None and float(given["found_inf"]):
            return None
        beta1, beta2, eps = given["beta1"], given["beta2"], given["eps"]
        rate, decay = float(given["lr"]), given.get("weight_decay", 0.0)
        with torch.no_grad():
            for i, (p, g) in enumerate(zip(given["self"], scaled(given["grads"], given.get("grad_scale")))):
                g = -g if given.get("maximize") else g
                average, square = given["exp_avgs"][i], given["exp_avg_sqs"][i]
                count = float(given["state_steps"][i])
                wide = p.float() if p.dtype in compute.LOW else p
                if decay and decoupled:
                    wide = wide * (1 - rate * decay)
                elif decay:
                    g = g + decay * wide
                average.copy_(average + (g - average) * (1 - beta1))
                square.copy_(square * beta2 + g * g * (1 - beta2))
                largest = square
                if given.get("amsgrad"):
                    largest = given["max_exp_avg_sqs"][i]
                    largest.copy_(torch.maximum(largest, square))
                bottom = largest.sqrt() / (1 - beta2 ** count) ** 0.5 + eps
                p.copy_(wide - rate / (1 - beta1 ** count) * average / bottom)
        return None
    return step


def fused_sgd(func, args, kwargs):
    given = dict(zip(("self", "grads", "momentum_buffer_list"), args), **kwargs)
    if given.get("found_inf") is not None and float(given["found_inf"]):
        return None
    momentum, buffers = given["momentum"], given.get("momentum_buffer_list") or []
    with torch.no_grad():
        for i, (p, g) in enumerate(zip(given["self"], scaled(given["grads"], given.get("grad_scale")))):
            g = -g if given.get("maximize") else g
            g = g + given["weight_decay"] * p if given["weight_decay"] else g
            if momentum:
                buffer = buffers[i]
                buffer.copy_(g if given["is_first_step"] else momentum * buffer + (1 - given["dampening"]) * g)
                g = g + momentum * buffer if given["nesterov"] else buffer
            p.copy_(p - float(given["lr"]) * g)
    return None


def group_tensors():
    """Optimizers group parameters by device; PyTorch would see the CPU."""
    original = getattr(torch._C, "_group_tensors_by_device_and_dtype", None)
    if original is None:
        return

    def group(lists, with_indices=False):
        found = {}
        for i, first in enumerate(lists[0]):
            key = (label(first), first.dtype)
            columns, indices = found.setdefault(key, ([[] for _ in lists], []))
            for column, values in zip(columns, lists):
                if values:
                    column.append(values[i])
            indices.append(i)
        return {key: (columns, indices if with_indices else []) for key, (columns, indices) in found.items()}

    torch._C._group_tensors_by_device_and_dtype = group


def handlers():
    found = {Tensor.register_hook: register_hook}
    for name, handler in {
        "_amp_foreach_non_finite_check_and_unscale_": unscale, "_amp_update_scale_": update_scale,
        "_fused_adam_": fused_adam(False), "_fused_adamw_": fused_adam(True), "_fused_sgd_": fused_sgd,
    }.items():
        if hasattr(torch, name):
            found[getattr(torch, name)] = handler
    return found


def install():
    wrap_grad()
    wrap_functions()
    group_tensors()
