# Functions with a backward of their own: apply() runs forward(), and backward() behind it where a gradient is needed,
# with gradients of the dtype of what forward() returned. Programs call backward() outside of autocast, so that this one
# is inside it only where custom_bwd says so.
import torch
from torch.amp.autocast_mode import _AsForward


class FunctionCtx:
    def __init__(self):
        self.saved_tensors = ()
        self.needs_input_grad = ()
        self._uses_autocast = True

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *args):
        pass

    def mark_non_differentiable(self, *args):
        pass

    def set_materialize_grads(self, value):
        pass


def _needs_grad(args):
    for x in args:
        if isinstance(x, torch.Tensor) and x.requires_grad:
            return True
    return False


def _run_backward(cls, ctx, grad):
    if isinstance(cls.backward, _AsForward) and ctx._uses_autocast:
        cls.backward(ctx, grad)
    else:
        with torch.autocast("cuda", enabled=False), torch.autocast("cpu", enabled=False):
            cls.backward(ctx, grad)


class Function(FunctionCtx):
    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = FunctionCtx()
        ctx.needs_input_grad = [isinstance(x, torch.Tensor) and x.requires_grad for x in args]
        if hasattr(cls, "setup_context"):
            output = cls.forward(*args, **kwargs)
            cls.setup_context(ctx, args, output)
        else:
            output = cls.forward(ctx, *args, **kwargs)
        if isinstance(output, torch.Tensor) and torch.is_grad_enabled() and _needs_grad(args):
            with torch.no_grad():
                _run_backward(cls, ctx, torch.empty_like(output))
        return output


def once_differentiable(fn):
    return fn
