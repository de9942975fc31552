import random

import torch


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


class Brightness:
    def __init__(self, amount):
        self.amount = amount

    def __call__(self, image):
        return (image.int() + random.randint(1, self.amount)).clamp(0, 255).to(torch.uint8)


class Normalise:
    def __call__(self, image):
        return image.float() / 255 - 0.5


augment = Compose([Brightness(60), Normalise()])
photos = torch.randint(0, 256, (4, 3, 8, 8), dtype=torch.uint8)
print(torch.stack([augment(p) for p in photos]).mean())
