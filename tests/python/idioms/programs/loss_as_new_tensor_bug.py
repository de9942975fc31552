import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(20, 3), torch.randn(20, 1)
before = model.weight.clone()
for epoch in range(10):
    pred = model(x)
    loss = nn.functional.mse_loss(pred, y)
    loss = torch.tensor(loss.item(), requires_grad=True)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("changed", not torch.equal(before, model.weight))
