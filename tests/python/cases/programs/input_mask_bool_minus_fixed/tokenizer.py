import torch


def encode(batch, pad=0):
    length = max(len(x) for x in batch)
    ids = torch.full((len(batch), length), pad)
    for i, x in enumerate(batch):
        ids[i, :len(x)] = torch.tensor(x)
    return ids, ids != pad
