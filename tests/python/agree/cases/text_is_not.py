# runs: [{"args": [], "env": {}, "gpu": true}, {"args": [], "env": {"AMP": "1"}, "gpu": true}]
# A negated comparison of what is one of several.
import os

import torch

w = torch.zeros(2)
if os.environ.get("AMP", "0") != "0":
    w = w.half()
reveal_type(w)
v = torch.zeros(2)
is_set = os.environ.get("AMP") != "1"
if is_set:
    v = v.double()
reveal_type(v)
if not is_set:
    v = v.double()
reveal_type(v)
