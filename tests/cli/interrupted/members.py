import argparse
import logging
import sys

import torch

# What no model file describes of a library's class is there all the same.
sys.stdin.close()
logging.StreamHandler().addFilter(print)
torch.distributions.Normal(0.0, 1.0).icdf(torch.tensor(0.5))

weights = torch.ones(2, 2)
if hasattr(torch.nn.ReLU(), "weight"):  # of these it is known what they have
    print(weights @ weights.double())
if hasattr(argparse.Namespace(half=True), "bfloat"):
    print(weights @ weights.bfloat16())
print(weights @ weights.half())
