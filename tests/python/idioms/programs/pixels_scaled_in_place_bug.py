import numpy as np
import torch


def to_tensor(image):
    image = image.copy()
    image /= 255
    return torch.from_numpy(image).permute(2, 0, 1)


rng = np.random.default_rng(0)
print(to_tensor(rng.integers(0, 256, size=(4, 4, 3), dtype=np.uint8)).mean())
