import argparse

import torch
from torch import nn

DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


class LM(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.fc1 = nn.Linear(dim, dim)
        self.fc2 = nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--torch-dtype", choices=["bf16", "fp32"], default="bf16")
    args = parser.parse_args()
    dtype = DTYPES[args.torch_dtype]
    model = LM().to(dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    for step in range(3):
        x = torch.randn(4, 32).to(dtype)
        loss = (model(x) - x).float().pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
