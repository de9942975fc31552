import torch
from torch import nn


def to_device(obj, device):
    if torch.is_tensor(obj):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(v, device) for v in obj)
    return obj


class TwoTower(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.user = nn.Linear(dim, 8)
        self.item = nn.Linear(dim, 8)

    def forward(self, user, item):
        return (self.user(user) * self.item(item)).sum(-1)


def main():
    device = torch.device("cuda")
    net = TwoTower(6).to(device)
    data = [{"pair": (torch.randn(4, 6), torch.randn(4, 6)), "label": torch.rand(4)} for _ in range(3)]
    for batch in data:
        batch = to_device(batch, device)
        score = net(*batch["pair"])
        nn.functional.binary_cross_entropy_with_logits(score, batch["label"]).backward()


main()
