import sys

import torch

# What is compared on the other side of a branch is shown the other way round, unless it is in a call or a string.
x = torch.randn(4)
if sys.argv[1] != "half":
    pass
else:
    x = x.half()
if sys.argv[2] == "a == b" or len(sys.argv) == 3:
    pass
elif known(sys.argv[2] == "c"):
    pass
else:
    print(x @ torch.randn(4, 4))
