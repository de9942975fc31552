import torch


def masked_softmax(scores, mask, value=-1e9):
    return scores.masked_fill(~mask, value).softmax(-1)


s = torch.randn(2, 4, 4, dtype=torch.half, device="cuda")
m = torch.ones(4, 4, dtype=torch.bool, device="cuda").tril()
print(masked_softmax(s, m).sum(-1))
