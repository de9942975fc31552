import torch

def accuracy(pred, y):
    correct = (pred == y).sum().item()
    total = y.size(0)
    acc = 100 * (correct / total)
    print("accuracy: %.2f" % acc)

accuracy(torch.tensor([1, 0, 1]), torch.tensor([1, 1, 1]))
