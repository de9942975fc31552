import torch

weights = torch.ones(2, 2)
try:
    while True:
        weights = weights.relu()
except (KeyboardInterrupt, EOFError):
    print(weights @ weights.half())
try:
    for step in range(100):
        while True:
            weights = weights.relu()
except ValueError:
    print("never: a loop is only left by what a handler waits for")
print(weights.half() @ weights)
