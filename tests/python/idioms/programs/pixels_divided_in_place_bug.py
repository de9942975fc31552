import numpy as np
import torch
from torch import nn

MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
STD = np.array([0.229, 0.224, 0.225], dtype=np.float32)


def preprocess(image, half=False):
    image = image[:, :, ::-1].transpose(2, 0, 1)
    image = np.ascontiguousarray(image)
    image /= 255.0
    image = (image - MEAN[:, None, None]) / STD[:, None, None]
    image = torch.from_numpy(image)
    return image.half() if half else image


frame = np.full((8, 8, 3), 128, dtype=np.uint8)
counts = np.bincount(np.array([1, 2, 2]))
share = counts[1]
share /= counts.sum()
print(nn.Conv2d(3, 4, 3)(preprocess(frame)[None]).shape, share)
