import torch


def frequency_weights(labels, classes):
    counts = torch.bincount(labels, minlength=classes)
    weights = counts.sum() // (counts * classes)
    return weights.float()


torch.manual_seed(0)
labels = torch.cat([torch.zeros(70), torch.ones(20), torch.full((10,), 2)]).long()
print(frequency_weights(labels, 3).tolist())
