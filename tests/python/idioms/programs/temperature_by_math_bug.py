import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrastive(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    @property
    def temperature(self):
        return math.exp(self.logit_scale)

    def forward(self, a, b):
        a, b = F.normalize(self.proj(a), dim=-1), F.normalize(self.proj(b), dim=-1)
        logits = self.temperature * a @ b.t()
        return F.cross_entropy(logits, torch.arange(len(a)))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Contrastive()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    loss = model(torch.randn(4, 8), torch.randn(4, 8))
    loss.backward()
    opt.step()
    print(model.logit_scale.grad)
