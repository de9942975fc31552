import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def make_sampler(labels):
    counts = torch.bincount(labels)
    per_class = 1000 / counts
    weights = per_class[labels].double()
    return WeightedRandomSampler(weights, num_samples=len(labels)), weights


def main():
    torch.manual_seed(0)
    labels = torch.cat([torch.zeros(1500), torch.ones(400), torch.full((100,), 2)]).long()
    sampler, weights = make_sampler(labels)
    data = TensorDataset(torch.randn(2000, 4), labels)
    loader = DataLoader(data, batch_size=100, sampler=sampler)
    seen = torch.cat([y for _, y in loader]).bincount(minlength=3)
    print(weights.unique().tolist(), seen.tolist())


main()
