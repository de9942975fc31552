import io

import numpy as np
import torch

EDGES = "0 1\n1 2\n2 0\n"


def read_edges(f):
    return torch.from_numpy(np.loadtxt(f).T.copy())


x = torch.rand(3, 4)
source, target = read_edges(io.StringIO(EDGES))
print(torch.zeros_like(x).index_add(0, target.long(), x[source]))
