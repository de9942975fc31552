# The function is run, and again in backward.
import torch


# If it is reentrant, the tensors that it is given decide alone whether its result requires a gradient.
def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False,
               preserve_rng_state=True, early_stop=True, **kwargs):
    if use_reentrant and not _any_requires_grad(args):
        with torch.no_grad():
            return function(*args, **kwargs)
    return function(*args, **kwargs)


def _any_requires_grad(args):
    for x in args:
        if not isinstance(x, torch.Tensor) or x.requires_grad:
            return True
    return False


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for function in functions:
        input = function(input)
    return input
