import numpy as np
import torch


class Augment:
    def __init__(self, strength):
        self.strength = np.float64(strength)
        self.rng = np.random.default_rng(0)

    def __call__(self, x):
        noise = self.rng.normal(size=tuple(x.shape)) * self.strength
        return x + torch.from_numpy(noise)


aug = Augment(0.1)
batch = torch.rand(4, 3, 8, 8)
out = aug(batch)
print(out.mean())
