# runs: [{"args": [], "env": {}, "gpu": true}]
# A tensor of an array has a tensor's methods.
import numpy as np
import torch

a = np.ones((4, 8))
x = torch.as_tensor(a)
reveal_type(x.square())
reveal_type(x.float())
reveal_type(torch.as_tensor(a, dtype=torch.float32).abs())
reveal_type(torch.asarray(a.astype(np.float32)).to("cpu"))
