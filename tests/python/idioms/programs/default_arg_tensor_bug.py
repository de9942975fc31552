import torch
from torch import nn

IMAGENET_MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
IMAGENET_STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)


def normalize(img, mean=IMAGENET_MEAN, std=IMAGENET_STD):
    return (img - mean) / std


net = nn.Conv2d(3, 4, 3).cuda()
imgs = torch.rand(2, 3, 8, 8).cuda()
print(net(normalize(imgs)).shape)
