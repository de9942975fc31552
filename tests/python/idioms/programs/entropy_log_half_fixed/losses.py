import torch

EPS = 1e-10


def entropy(probs):
    probs = probs.float()
    return -(probs * torch.log(probs + EPS)).sum(dim=-1).mean()
