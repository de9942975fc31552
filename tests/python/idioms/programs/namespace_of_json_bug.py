import json
import sys
from types import SimpleNamespace

import torch
from torch import nn

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}

cfg = SimpleNamespace(**json.loads(sys.argv[1] if len(sys.argv) > 1 else '{"dtype":"float32","width":6}'))
encoder = nn.Linear(cfg.width, cfg.width).to(DTYPES[cfg.dtype])
x = torch.ones(3, cfg.width)
print(encoder(x).sum().item())
