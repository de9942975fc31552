import torch


def class_weights(labels, classes):
    counts = torch.zeros(classes)
    for c in range(classes):
        counts[c] = (labels == c).sum()
    counts /= counts.sum()
    return counts


labels = torch.randint(0, 4, (100,))
weights = class_weights(labels, 4)
criterion = torch.nn.CrossEntropyLoss(weight=weights)
print(criterion(torch.randn(8, 4), torch.randint(0, 4, (8,))).item())
