import torch


class Confusion:
    def __init__(self, classes):
        self.matrix = torch.zeros(classes, classes, dtype=torch.uint8)

    def update(self, pred, target):
        for t, p in zip(target.tolist(), pred.tolist()):
            self.matrix[t, p] += 1

    def accuracy(self):
        m = self.matrix.float()
        return (m.diagonal().sum() / m.sum()).item()


def main():
    torch.manual_seed(0)
    confusion = Confusion(3)
    for _ in range(20):
        target = torch.randint(0, 3, (128,))
        pred = torch.where(torch.rand(128) < 0.8, target, (target + 1) % 3)
        confusion.update(pred, target)
    print(confusion.accuracy(), confusion.matrix.sum().item())


main()
