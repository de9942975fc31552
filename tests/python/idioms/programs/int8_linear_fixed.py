import torch
from torch import nn


def quantize(weight, bits=8):
    limit = 2 ** (bits - 1) - 1
    scale = weight.abs().amax(dim=1, keepdim=True) / limit
    q = torch.round(weight / scale).clamp(-limit, limit).to(torch.int8)
    return q, scale


class QuantLinear(nn.Module):
    def __init__(self, linear):
        super().__init__()
        q, scale = quantize(linear.weight.data)
        self.register_buffer("q", q)
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, x):
        y = torch.matmul(x, self.q.t().to(x.dtype))
        y = y * self.scale.t()
        return y if self.bias is None else y + self.bias


def quantize_model(model):
    for name, module in model.named_children():
        if isinstance(module, nn.Linear):
            setattr(model, name, QuantLinear(module))
        else:
            quantize_model(module)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.fc2 = nn.Linear(16, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main():
    net = Net().eval()
    quantize_model(net)
    with torch.no_grad():
        print(net(torch.randn(4, 8)))


if __name__ == "__main__":
    main()
