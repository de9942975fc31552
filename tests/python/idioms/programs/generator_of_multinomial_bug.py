import torch


class Sampler:
    def __init__(self, seed, device):
        self.device = device
        self.generator = torch.Generator().manual_seed(seed)

    def draw(self, weights, n):
        return torch.multinomial(weights.to(self.device), n, generator=self.generator)


if __name__ == "__main__":
    print(Sampler(0, "cuda").draw(torch.rand(10), 3))
