import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-4)
parser.add_argument("--steps", type=int, default=200)
args = parser.parse_args()

torch.manual_seed(0)
model = nn.Linear(4, 1, bias=False)
with torch.no_grad():
    model.weight.fill_(1.0)
x = torch.ones(8, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
for _ in range(args.steps):
    optimizer.zero_grad()
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
print("weight", model.weight.float().mean().item())
