# Few variables are passed on, and its home is its own.
import os

import torch

if "MISCAST_TEST_SECRET" in os.environ or os.listdir(os.path.expanduser("~")):
    raise SystemExit("sees what is the user's")
x = torch.ones(2, 2)
print(x @ x.double())
