import argparse

import torch


class Pipeline:
    def __init__(self, channels=4, size=8, device="cuda"):
        self.channels, self.size = channels, size
        self.device = torch.device(device)

    def prepare_latents(self, batch, generator=None, dtype=torch.float32):
        shape = (batch, self.channels, self.size, self.size)
        return torch.randn(shape, generator=generator, device=self.device, dtype=dtype)

    def __call__(self, prompt, num=1, generator=None):
        latents = self.prepare_latents(num, generator)
        return latents.clamp(-1, 1)


parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
pipe = Pipeline()
gen = torch.Generator(device=pipe.device).manual_seed(args.seed)
print(pipe("a cat", generator=gen).mean())
print(torch.randn(2, generator=torch.Generator(), device="meta").shape)
