import torch


class TokenDropper:
    """Frequent tokens are dropped more often."""

    def __init__(self, frequencies, scale=4):
        self.frequencies = torch.tensor(frequencies)
        self.scale = scale

    def __call__(self, tokens):
        keep = 1 - torch.clamp(self.frequencies[tokens] / self.scale, max=1)
        return tokens[torch.bernoulli(keep).bool()]


drop = TokenDropper([1, 2, 3, 8, 9])
print(drop(torch.randint(0, 5, (40,))).shape)
