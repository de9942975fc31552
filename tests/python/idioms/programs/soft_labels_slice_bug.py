import torch
import torch.nn.functional as F


def mixup(x, y, classes, alpha=0.3):
    order = torch.randperm(x.shape[0])
    lam = torch.distributions.Beta(alpha, alpha).sample()
    hard = F.one_hot(y, classes)
    targets = torch.zeros_like(hard)
    targets[:] = lam * hard + (1 - lam) * hard[order]
    return lam * x + (1 - lam) * x[order], targets


images = torch.rand(8, 3, 4, 4)
labels = torch.randint(0, 10, (8,))
mixed, targets = mixup(images, labels, 10)
logits = torch.randn(8, 10, requires_grad=True)
loss = -(targets * logits.log_softmax(-1)).sum(-1).mean()
print(loss)
