# Exceptions where nobody can catch them, and a hook for those that nobody does.
import sys

import torch


class Loud:
    def __del__(self):
        raise ValueError("in a destructor")


sys.excepthook = lambda *args: None
loud = Loud()
del loud
kept = Loud()
x = torch.ones(2, 2)
print(x @ x.double())
