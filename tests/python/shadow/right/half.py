"""Half where rounding is what it is for: a cast, an epsilon that is added to more, residuals."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 16)
low = x.bfloat16()
residual = low.float() - x.half().float()
norm = low.float() / (low.float().norm(dim=-1, keepdim=True) + 1e-8)
probabilities = F.softmax(x.float() * 20, -1).half()
entropy = -(probabilities.float() * (probabilities.float() + 1e-8).log()).sum()
master = nn.Linear(16, 16)
copies = [p.detach().bfloat16() for p in master.parameters()]
optimizer = torch.optim.SGD(master.parameters(), lr=1e-3)
for step in range(10):
    for p in master.parameters():
        p.grad = torch.randn_like(p)
    optimizer.step()
    for c, p in zip(copies, master.parameters()):
        c.copy_(p.data)
safe = torch.nan_to_num(torch.tensor([1.0, float("inf")]), posinf=10.0) * 2
sum_of_bytes = torch.randint(0, 255, (3000,), dtype=torch.uint8).sum()
mask = torch.full((4, 4), -1e9).triu(1)
milliseconds = torch.tensor([19074221045, 5]).float() / 1000
print(residual.abs().max(), norm.shape, entropy, safe, sum_of_bytes, mask.softmax(-1)[0], milliseconds)
