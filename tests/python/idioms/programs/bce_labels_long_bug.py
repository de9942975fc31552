import torch
from torch import nn

model = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters())

x = torch.randn(20, 12)
y = torch.randint(0, 2, (20,))
for epoch in range(2):
    optimizer.zero_grad()
    logits = model(x).squeeze(-1)
    loss = criterion(logits, y)
    loss.backward()
    optimizer.step()
print(loss.item())
