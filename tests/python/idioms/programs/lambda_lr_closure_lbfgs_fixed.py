import torch

w = torch.zeros(3, requires_grad=True)
X = torch.randn(20, 3)
y = X @ torch.tensor([1.0, 2.0, 3.0])
opt = torch.optim.LBFGS([w], lr=0.5)


def closure():
    opt.zero_grad()
    pred = X @ w
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    return loss


for _ in range(3):
    opt.step(closure)
print(w)
