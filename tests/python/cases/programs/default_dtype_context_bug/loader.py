import contextlib

import torch


@contextlib.contextmanager
def set_default_torch_dtype(dtype):
    old = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    yield
    torch.set_default_dtype(old)


def get_model(cls, dtype):
    with set_default_torch_dtype(dtype):
        model = cls()
    return model.eval()
