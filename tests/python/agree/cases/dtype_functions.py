# runs: [{"args": [], "env": {}, "gpu": true}]
# Dtypes that are computed.
import torch

x = torch.zeros(4, dtype=torch.bfloat16)
y = x.to(torch.promote_types(x.dtype, torch.float32))
reveal_type(y)
reveal_type(torch.zeros(2, dtype=torch.result_type(x, 1.0)))
reveal_type(torch.zeros(2, dtype=torch.result_type(x, y)))
reveal_type(torch.zeros(2, dtype=torch.result_type(1, torch.zeros(2, dtype=torch.int32))))
reveal_type(torch.hypot(y, y.double()))
