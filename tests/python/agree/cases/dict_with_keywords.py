# runs: [{"args": [], "env": {}, "gpu": true}]
# Keywords replace what a dict has.
import torch

x = torch.zeros(2)
d = dict({"x": x, "y": x}, x=x.double())
reveal_type(d["x"])
reveal_type(d["y"])
d.update({"y": x}, y=x.int())
reveal_type(d["y"])
