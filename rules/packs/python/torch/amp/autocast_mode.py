# autocast as a region and as a decorator; without a dtype it casts to float16 on cuda, bfloat16 on the CPU.
import _mc
import torch


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        self.device = device_type
        self.fast_dtype = dtype
        self._enabled = True if enabled else False  # asked once: `a and b` is the value of one of the two

    def __enter__(self):
        self._token = _mc.autocast_begin(self.device, self.fast_dtype, self._enabled)
        return self

    def __exit__(self, *exception):
        _mc.autocast_end(self._token)

    def __call__(self, fn):
        def inside(*args, **kwargs):
            token = _mc.autocast_begin(self.device, self.fast_dtype, self._enabled)
            try:
                return fn(*args, **kwargs)
            finally:
                _mc.autocast_end(token)

        return inside


def is_autocast_available(device_type):
    return True


# forward() runs outside of autocast, with its tensors cast, or as it is.
def custom_fwd(fwd=None, *, device_type="cuda", cast_inputs=None):
    if fwd is None:
        return lambda fn: custom_fwd(fn, device_type=device_type, cast_inputs=cast_inputs)
    if cast_inputs is None:
        return fwd

    def cast(x):
        return x.to(cast_inputs) if isinstance(x, torch.Tensor) and x.is_floating_point() else x

    def inside(ctx, *args, **kwargs):
        ctx._uses_autocast = False
        with autocast(device_type, enabled=False):
            return fwd(ctx, *[cast(a) for a in args], **{k: cast(v) for k, v in kwargs.items()})

    return inside


# A backward() that runs in autocast if forward() did.
class _AsForward:
    def __init__(self, bwd):
        self.bwd = bwd

    def __call__(self, *args):
        return self.bwd(*args)


def custom_bwd(bwd=None, *, device_type="cuda"):
    if bwd is None:
        return _AsForward
    return _AsForward(bwd)
