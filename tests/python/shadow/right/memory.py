"""Views share their shadow; what numpy writes is right."""
import copy

import numpy as np
import torch

base = torch.zeros(4, 6)
base[:, 1] = 3.0
base.t()[2].add_(0.1)
base.view(-1)[::5].mul_(2)
base[1:3, 2:4] = base[0:2, 0:2].clone()
assert float(base.sum()) > 0
array = np.zeros(8, dtype=np.float32)
shared = torch.from_numpy(array)
doubled = shared * 2
array += 5000.0
print((shared * 2).sum())
out = torch.ones(3)
out.numpy()[:] = 1e6
print((out + 1).max())
print(torch.rand(3).mul_(3).resize_(2, 2).sum() >= 0)
half = copy.deepcopy(torch.rand(3, 3)).half()
state = {"x": half}
other = torch.empty(3, 3).copy_(state["x"]).bfloat16()
bits = torch.rand(4).view(torch.int32) & 0xFF
print(bits, other.sum(), torch.stack(list(half.unbind(0))).float().var())
