import torch
import torch.nn as nn


class ContrastiveHead(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.logit_scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, a, b):
        a = nn.functional.normalize(self.proj(a), dim=-1)
        b = nn.functional.normalize(self.proj(b), dim=-1)
        scale = self.logit_scale.exp()
        return scale * a @ b.t()


torch.manual_seed(0)
head = ContrastiveHead(16)
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
a = torch.randn(12, 16)
b = a + 0.5 * torch.randn(12, 16)
labels = torch.arange(12)
for _ in range(20):
    loss = nn.functional.cross_entropy(head(a, b), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("temperature %.4f" % head.logit_scale.item())
