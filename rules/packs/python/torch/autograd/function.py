# Functions with a backward of their own: apply() runs forward(), which records nothing, and backward() behind it where
# a gradient is needed, with gradients of the dtype of what forward() returned. Programs call backward() outside of autocast, so that this one
# is inside it only where custom_bwd says so.
import torch
from torch.amp.autocast_mode import _AsForward


class FunctionCtx:
    def __init__(self):
        self.saved_tensors = ()
        self.needs_input_grad = ()
        self._without_grad = ()
        self._uses_autocast = True

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *args):
        pass

    def mark_non_differentiable(self, *args):
        self._without_grad = args

    def set_materialize_grads(self, value):
        pass


def _needs_grad(args):
    for x in args:
        if isinstance(x, torch.Tensor) and x.requires_grad:
            return True
    return False


def _with_grad(ctx, output, args):
    if not isinstance(output, torch.Tensor) or not output.is_floating_point():
        return output
    for x in ctx._without_grad:
        if x is output:
            return output
    out = torch._applied(output, [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad])
    for x in ctx.saved_tensors:
        if isinstance(x, torch.Tensor):
            out = torch._applied_with(out, x)
    return out


def _run_backward(cls, ctx, grad):
    if isinstance(cls.backward, _AsForward) and ctx._uses_autocast:
        cls.backward(ctx, grad)
    else:
        with torch.autocast("cuda", enabled=False), torch.autocast("cpu", enabled=False):
            cls.backward(ctx, grad)


class Function(FunctionCtx):
    setup_context = None  # then forward() takes the context

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = FunctionCtx()
        ctx.needs_input_grad = [isinstance(x, torch.Tensor) and x.requires_grad for x in args]
        with torch.no_grad():
            if cls.setup_context is not None:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args, **kwargs)
        if not torch.is_grad_enabled() or not _needs_grad(args):
            return output
        if isinstance(output, tuple):
            return tuple([_with_grad(ctx, x, args) for x in output])
        result = _with_grad(ctx, output, args)
        if isinstance(output, torch.Tensor):
            with torch.no_grad():
                _run_backward(cls, ctx, torch.empty_like(output))
        return result


def once_differentiable(fn):
    return fn
