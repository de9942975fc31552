import torch


def prepare_text_ids(length):
    ids = torch.zeros(length, 3)
    ids[:, 2] = torch.arange(length)
    return ids


def to_train_dtype(inputs, dtype):
    return {k: v if k.endswith("_ids") else v.to(dtype) for k, v in inputs.items()}
