import numpy as np
import torch


def to_tensor(image, half):
    image = np.ascontiguousarray(image.transpose((2, 0, 1))[::-1])
    image = torch.from_numpy(image)
    image = image.half() if half else image.float()
    image /= 255.0
    return image
