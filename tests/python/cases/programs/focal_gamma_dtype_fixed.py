import torch
import torch.nn as nn
import torch.nn.functional as F


class FocalLoss(nn.Module):
    def __init__(self, alpha, gamma=2.0):
        super().__init__()
        self.alpha = alpha
        self.gamma = torch.tensor(gamma).reshape(1)
        self.eps = 1e-6

    def forward(self, input, target):
        input_soft = F.softmax(input, dim=1) + self.eps
        one_hot = F.one_hot(target, num_classes=input.shape[1]).permute(0, 3, 1, 2).to(input.dtype)
        weight = torch.pow(1.0 - input_soft, self.gamma.to(input.device, input.dtype))
        focal = -self.alpha * weight * torch.log(input_soft)
        return torch.sum(one_hot * focal, dim=1).mean()


def main():
    device = "cuda"
    net = nn.Conv2d(3, 5, 1).to(device)
    loss_fn = FocalLoss(alpha=0.5)
    images = torch.rand(2, 3, 8, 8, device=device)
    labels = torch.randint(0, 5, (2, 8, 8), device=device)
    loss = loss_fn(net(images), labels)
    loss.backward()


main()
