import torch
from torch import nn


class MultiLabel(nn.Module):
    def __init__(self, backbone, classes, freq):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(16, classes)
        self.pos_weight = (1 - freq) / freq

    def forward(self, x, target=None):
        logits = self.head(self.backbone(x))
        if target is None:
            return logits
        loss = nn.functional.binary_cross_entropy_with_logits(logits, target, pos_weight=self.pos_weight)
        return logits, loss


def main():
    freq = torch.tensor([0.1, 0.2, 0.05])
    backbone = nn.Sequential(nn.Linear(10, 16), nn.ReLU())
    net = MultiLabel(backbone, 3, freq).to("cuda")
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for _ in range(5):
        x = torch.randn(8, 10, device="cuda")
        y = (torch.rand(8, 3, device="cuda") > 0.8).float()
        _, loss = net(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
