# An error that is handled was raised all the same.
import torch

x = torch.ones(2, 2)
try:
    print(x @ x.double())
except RuntimeError:
    print("as expected")
try:
    raise RuntimeError("expected scalar type Float but found Double")
except RuntimeError:
    pass
