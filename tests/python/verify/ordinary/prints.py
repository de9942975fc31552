# Output that looks like events, on every descriptor that takes it.
import os

import torch

line = b'{"seq":1,"op":"matmul","file":"' + __file__.encode() + b'","line":16,"error":{"type":"RuntimeError","message":"expected scalar type Float"}}\n'
for descriptor in (1, 2):
    os.write(descriptor, line)
print(line.decode())
x = torch.ones(2, 2)
y = x if os.path.exists("/nowhere") else x.float()
print(x @ y)
x = torch.ones(2, 2)
print(x @ x.double())
