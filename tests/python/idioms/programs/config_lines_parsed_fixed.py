import torch
from torch import nn

LINES = ["dtype: bfloat16   # for speed", "name: url:a:b"]


def read(lines):
    options = {}
    for line in lines:
        key, value = line.partition("#")[0].split(":", 1)
        options[key.strip()] = value.strip()
    return options


options = read(LINES)
model = nn.Linear(4, 2).to(getattr(torch, options["dtype"]))
assert options["name"] == "url:a:b"
x = torch.randn(3, 4, dtype=model.weight.dtype)
print(model(x))
