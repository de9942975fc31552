# The module is run where it is: tensors among the arguments are moved there.
import _mc
import torch
from torch.nn.modules.module import Module


def _moved(x, device):
    if _mc.is_unknown(x):
        return x
    if isinstance(x, torch.Tensor):
        return x.to(device)
    if isinstance(x, (list, tuple)):
        return type(x)([_moved(e, device) for e in x])
    if isinstance(x, dict):
        return {key: _moved(e, device) for key, e in x.items()}
    return x


def _run(module, inputs, kwargs):
    for p in module.parameters():
        device = p.device
        return module(*[_moved(x, device) for x in inputs], **{key: _moved(x, device) for key, x in kwargs.items()})
    return module(*inputs, **kwargs)


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = device_ids
        self.output_device = output_device
        self.dim = dim

    def forward(self, *inputs, **kwargs):
        return _run(self.module, inputs, kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    return _run(module, inputs, {} if module_kwargs is None else module_kwargs)
