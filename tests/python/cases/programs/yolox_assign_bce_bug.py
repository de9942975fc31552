import torch
import torch.nn.functional as F
from torch import nn


class YOLOXHead(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.classes = classes
        self.cls_conv = nn.Conv2d(8, classes, 1)
        self.obj_conv = nn.Conv2d(8, 1, 1)

    def get_assignments(self, cls_preds, obj_preds, gt_classes):
        gt = F.one_hot(gt_classes, self.classes).float()
        p = (cls_preds.float().sigmoid_() * obj_preds.float().sigmoid_()).sqrt_()
        return F.binary_cross_entropy(p, gt, reduction="none").sum(-1)

    def forward(self, feat, gt_classes):
        cls = self.cls_conv(feat).flatten(2).mean(-1)
        obj = self.obj_conv(feat).flatten(2).mean(-1)
        return self.get_assignments(cls, obj, gt_classes)


class Trainer:
    def __init__(self, fp16=True):
        self.amp_training = fp16
        self.model = YOLOXHead().cuda()

    def train_one_iter(self, inps, targets):
        with torch.cuda.amp.autocast(enabled=self.amp_training):
            return self.model(inps, targets).mean()


trainer = Trainer()
print(trainer.train_one_iter(torch.randn(2, 8, 4, 4).cuda(), torch.tensor([1, 3]).cuda()))
