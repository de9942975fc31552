import torch
import torch.nn.functional as F
from torch import nn


def pair_wise_sigmoid_cross_entropy_loss(inputs, labels):
    height_and_width = inputs.shape[1]
    criterion = nn.BCEWithLogitsLoss(reduction="none")
    pos = criterion(inputs, torch.ones_like(inputs))
    neg = criterion(inputs, torch.zeros_like(inputs))
    loss_pos = torch.matmul(pos, labels.T)
    loss_neg = torch.matmul(neg, (1 - labels).T)
    return (loss_pos + loss_neg) / height_and_width


class HungarianMatcher(nn.Module):
    @torch.no_grad()
    def forward(self, masks, labels):
        return pair_wise_sigmoid_cross_entropy_loss(masks.flatten(1), labels.flatten(1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)

    def forward(self, x):
        return self.conv(x)[0]


net = Net().cuda()
matcher = HungarianMatcher()
labels = (torch.rand(2, 384, 384, device="cuda") > 0.5).float()
with torch.autocast("cuda", dtype=torch.float16):
    cost = matcher(net(torch.randn(1, 3, 384, 384, device="cuda") * 50), labels)
print(cost.isinf().any())
