import torch
from manager import ModelCache

cache = ModelCache()
for i in range(2):
    w = torch.randn(256, 256, device="cuda")
    cache.offload(f"layer{i}", w)
    print(cache.checksum(f"layer{i}"))
