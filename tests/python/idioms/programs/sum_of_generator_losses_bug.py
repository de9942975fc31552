import torch
from torch import nn


def losses(heads, feats, targets):
    for name, head in heads.items():
        yield name, nn.functional.l1_loss(head(feats), targets[name])


heads = nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)}).cuda()
feats = torch.randn(8, 4).cuda()
targets = {k: torch.zeros(8, 1) for k in heads}
report = dict(losses(heads, feats, targets))
sum(report.values()).backward()
