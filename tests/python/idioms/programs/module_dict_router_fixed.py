import torch
import torch.nn as nn


class Router(nn.Module):
    def __init__(self, dims, hidden=16, out_dtype=torch.float32):
        super().__init__()
        self.encoders = nn.ModuleDict()
        for name, dim in dims.items():
            self.encoders[name] = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU())
        self.fuse = nn.Linear(hidden * len(dims), 1)

    def forward(self, batch):
        parts = []
        for name, enc in self.encoders.items():
            parts.append(enc(batch[name]))
        return self.fuse(torch.cat(parts, dim=-1))


def featurize(record):
    out = {}
    for key, value in record.items():
        if isinstance(value, str):
            out[key] = torch.tensor([ord(c) for c in value], dtype=torch.float32)
        elif isinstance(value, (list, tuple)):
            out[key] = torch.tensor(value, dtype=torch.float32)
        else:
            out[key] = torch.tensor([float(value)])
    return out


record = {"name": "abcd", "size": 3, "box": [0.1, 0.2, 0.5, 0.7]}
model = Router({"name": 4, "size": 1, "box": 4})
print(model(featurize(record)))
