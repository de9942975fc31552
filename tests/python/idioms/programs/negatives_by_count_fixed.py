from collections import Counter

import torch


def vocabulary(text):
    counts = Counter(text.split())
    words = sorted(counts)
    return words, [counts[w] for w in words]


class NegativeSampler:
    def __init__(self, counts, power=0.75):
        self.counts = torch.tensor(counts)
        self.power = power

    def draw(self, batch, negatives):
        weights = self.counts.float().pow(self.power)
        return torch.multinomial(weights, batch * negatives, replacement=True).view(batch, negatives)


sampler = NegativeSampler([10, 4, 3, 1, 1])
print(sampler.draw(4, 5))
