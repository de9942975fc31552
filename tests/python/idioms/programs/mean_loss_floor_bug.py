import torch
from torch import nn


def evaluate(model, batches):
    total = torch.zeros(())
    count = 0
    with torch.no_grad():
        for x, y in batches:
            total += nn.functional.cross_entropy(model(x), y, reduction="sum")
            count += len(y)
    return total // count


def main():
    torch.manual_seed(0)
    model = nn.Linear(10, 3)
    batches = [(torch.randn(8, 10), torch.randint(0, 3, (8,))) for _ in range(5)]
    print(evaluate(model, batches).item())


main()
