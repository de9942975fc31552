import torch
from torch import nn
from match_cost import CrossEntropyLossCost


class HungarianAssigner:
    def __init__(self):
        self.cost = CrossEntropyLossCost()

    def assign(self, preds, gts):
        return self.cost(preds, gts)


decoder = nn.Conv2d(3, 8, 1).cuda()
assigner = HungarianAssigner()
images = torch.randn(1, 3, 512, 512, device="cuda")
gts = (torch.rand(3, 512, 512, device="cuda") > 0.5)
with torch.autocast("cuda", dtype=torch.float16):
    preds = decoder(images)[0]
    print(assigner.assign(preds, gts).max())
