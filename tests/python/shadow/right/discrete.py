"""What is not continuous follows the real run: order, indices, branches, corners, rounding."""
import torch

torch.manual_seed(0)
x = torch.rand(64, 8).half().float() / 3
values, order = (x * 1e-3 + 1).sort(dim=1)
best = x.half().float().argmax(dim=1)
picked = x.gather(1, best[:, None])
top = (x.half() * 7).float().topk(3).values
levels = torch.floor(x.half().float() * 3 * 64)
ids = levels.long()
again = torch.embedding(torch.rand(256, 4), ids)
w = (x - 0.16).requires_grad_()
torch.relu(w).sum().backward()
torch.nn.functional.smooth_l1_loss(w, torch.zeros_like(w), beta=0.05).backward()
while x.sum() > 1:
    x = x / 2
print(torch.multinomial(torch.rand(5), 3).shape, torch.bernoulli(x).sum(), again.shape, values.shape)
