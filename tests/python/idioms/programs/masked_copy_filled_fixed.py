import torch


class Augment:
    def __init__(self, drop=0.2, value=0.0):
        self.drop, self.value = drop, value

    def __call__(self, batch):
        out = batch.clone()
        rows = (torch.rand(len(out)) < self.drop).nonzero().squeeze(1)
        out[rows] = self.value
        return out


augment = Augment()
for _ in range(3):
    print((augment(torch.randn(32, 8)) == 0).all(dim=1).sum().item())
