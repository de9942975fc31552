import torch


def torch_int(x):
    return x.to(torch.int64) if isinstance(x, torch.Tensor) else int(x)


def torch_float(x):
    return x.to(torch.float32) if isinstance(x, torch.Tensor) else int(x)
