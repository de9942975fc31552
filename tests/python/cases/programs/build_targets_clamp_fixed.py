import torch
from torch import nn


class ComputeLoss:
    def __init__(self, na=3, nl=2, device="cpu"):
        self.na, self.nl, self.device = na, nl, device
        self.anchors = torch.rand(nl, na, 2)

    def build_targets(self, p, targets):
        na, nt = self.na, targets.shape[0]
        indices, tbox = [], []
        gain = torch.ones(7, device=self.device)
        ai = torch.arange(na, device=self.device).float().view(na, 1).repeat(1, nt)
        targets = torch.cat((targets.repeat(na, 1, 1), ai[..., None]), 2)
        for i in range(self.nl):
            gain[2:6] = torch.tensor(p[i].shape)[[3, 2, 3, 2]]
            t = (targets * gain).view(-1, 7)
            gxy = t[:, 2:4]
            gij = gxy.long()
            gi, gj = gij.T
            b, a = t[:, 0].long(), t[:, 6].long()
            indices.append((b, a, gj.clamp_(0, gain[3].long() - 1), gi.clamp_(0, gain[2].long() - 1)))
            tbox.append(torch.cat((gxy - gij, t[:, 4:6]), 1))
        return indices, tbox

    def __call__(self, p, targets):
        indices, tbox = self.build_targets(p, targets)
        return sum(x.sum() for x in tbox)


p = [torch.rand(2, 3, 8, 8, 9), torch.rand(2, 3, 4, 4, 9)]
targets = torch.rand(5, 6)
targets[:, :2] = 0
print(ComputeLoss()(p, targets))
