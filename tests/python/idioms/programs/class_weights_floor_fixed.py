import torch
from torch import nn


def class_weights(labels, num_classes):
    counts = torch.bincount(labels, minlength=num_classes)
    weights = labels.numel() / (num_classes * counts)
    return weights


def main():
    torch.manual_seed(0)
    labels = torch.multinomial(torch.tensor([0.5, 0.3, 0.15, 0.05]), 1000, replacement=True)
    weights = class_weights(labels, 4)
    criterion = nn.CrossEntropyLoss(weight=weights)
    logits = torch.randn(1000, 4)
    print(weights.tolist(), criterion(logits, labels).item())


main()
