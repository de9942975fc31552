"""Operations on lists of tensors; nothing is lost by an optimizer that uses them in f32."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(*[nn.Linear(16, 16) for _ in range(3)])
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
for step in range(5):
    loss = model(torch.randn(4, 16)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
counts = [torch.full((5,), 2000.0, dtype=torch.bfloat16) for _ in range(6)]
for step in range(20):
    torch._foreach_add_(counts, 1.0)  # expect: run-lost-update
