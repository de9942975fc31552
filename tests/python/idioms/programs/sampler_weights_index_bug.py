from typing import Iterator

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Sampler, TensorDataset


class HardExampleSampler(Sampler):
    """Draws examples in proportion to their last loss."""

    def __init__(self, size, num_samples):
        self.scores = torch.ones(size)
        self.num_samples = num_samples

    def update(self, idx, losses):
        self.scores[idx] = losses.detach()

    def __iter__(self) -> Iterator[int]:
        yield from torch.multinomial(self.scores, self.num_samples, replacement=True).tolist()

    def __len__(self):
        return self.num_samples


def main():
    n = 64
    data = TensorDataset(torch.arange(n, dtype=torch.float32), torch.randn(n, 5), torch.randn(n))
    sampler = HardExampleSampler(n, 32)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = nn.Linear(5, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    criterion = nn.MSELoss(reduction="none")
    for idx, x, y in loader:
        losses = criterion(model(x).squeeze(1), y)
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        sampler.update(idx, losses)
    print(sampler.scores.mean())


if __name__ == "__main__":
    main()
