import torch
from torch import nn

model = nn.Linear(8, 8)
model.half()  # a module changes in place
model.to(torch.float32)
for layer in [model]:
    layer.float()
x = torch.randn(4, 8)
x = x.to(torch.float64)
x.requires_grad_()
x.detach_()
print(model(x.float()))
_ = x.half()
x[0]  # a part that is looked at
x[1:]
x.T
torch.zeros(1).half()  # as programs do that start a device
try:
    x.cuda()  # is there one?
except RuntimeError:
    print("no GPU")
