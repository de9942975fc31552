import torch

w = torch.randn(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x = torch.randn(20, 3)
y = x @ torch.tensor([1.0, -2.0, 0.5]) + 0.3

for step in range(10):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    w -= 0.1 * w.grad
    b -= 0.1 * b.grad
    w.grad = None
    b.grad = None
print(w)
