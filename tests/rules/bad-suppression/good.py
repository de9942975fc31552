import os  # noqa: F401 - re-exported for backward compatibility
import sys  # noqa: F401, E402 re-exported, as it was

import torch

x = torch.randn(4, 4)
y = x @ x.half()  # noqa: F821 MC101
