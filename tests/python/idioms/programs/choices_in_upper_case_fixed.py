import argparse
import torch
import torch.nn as nn

DTYPES = {"fp32": torch.float32, "fp64": torch.float64}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--precision", choices=["FP32", "FP64"], default="FP64")
    args = p.parse_args()
    dtype = DTYPES[args.precision.lower()]
    net = nn.Linear(4, 2).to(dtype)
    x = torch.randn(3, 4, dtype=dtype)
    print(net(x).shape)


if __name__ == "__main__":
    main()
