import argparse
import random

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
random.seed(parser.parse_args().seed)
styles = {name: torch.randn(8) for name in ("calm", "loud", "fast")}
codes = {k: v.double() for k, v in styles.items()}
layer = nn.Linear(8, 2)
names = sorted(codes)
print(layer(codes[names[random.randrange(3)]]))
