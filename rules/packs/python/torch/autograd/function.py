# Functions with a backward of their own: apply() runs forward(); backward() is run by nobody here.
class FunctionCtx:
    def __init__(self):
        self.saved_tensors = ()
        self.needs_input_grad = ()

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


class Function(FunctionCtx):
    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = FunctionCtx()
        if hasattr(cls, "setup_context"):
            output = cls.forward(*args, **kwargs)
            cls.setup_context(ctx, args, output)
            return output
        return cls.forward(ctx, *args, **kwargs)


def once_differentiable(fn):
    return fn
