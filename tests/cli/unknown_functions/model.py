import torch
import mylib
from fastnet import attention


def forward(x, layers):
    x = mylib.mix(mylib.mix(x))
    x = attention(x, x, x)
    x = layers[0](x)
    return torch.relu(x).strange(3)


print(forward(torch.randn(3, 4), mylib.layers()))
