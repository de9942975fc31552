import torch


def logit(p, margin=1e-6):
    p = torch.clamp(p, min=margin, max=1 - margin)
    return torch.log(p) - torch.log1p(-p)


print(logit(torch.sigmoid(torch.tensor([-40.0, 0.0, 40.0]))))
