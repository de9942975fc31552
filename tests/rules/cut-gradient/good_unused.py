import torch
from torch import nn


# One of two layers is not used; the gradient of the other one goes around the index.
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 8)
        self.layers = nn.ModuleDict({"used": nn.Linear(8, 8), "unused": nn.LayerNorm(8)})

    def forward(self, x):
        x = self.layers["used"](x)
        x = x + self.embed(x.argmax(-1))
        return x


def main():
    head = Head().to(torch.device("cpu"))
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    for epoch in range(1):
        optimizer.zero_grad()
        loss = head(torch.ones(4, 8)).sum()
        loss.backward()
        optimizer.step()


main()
