# An end without the closing record: nothing is known of what comes later, or not at all.
import os

import torch

x = torch.ones(2, 2)
y = x.double()
if os.getpid() > 0:
    os._exit(0)
print(x @ y)
