# Closes everything that it has not opened.
import os

import torch

os.closerange(3, 256)
x = torch.ones(2, 2)
print(x @ x.double())
