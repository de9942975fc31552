import torch


def weights(scores, temperature=0.05):
    e = torch.exp((scores / temperature).float()).half()
    return e / e.sum()


scores = torch.tensor([0.9, 0.5, 0.1])
print("nan", torch.isnan(weights(scores)).any().item())
