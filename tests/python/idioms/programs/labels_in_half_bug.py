import torch
from torch import nn


class Batch:
    def __init__(self, **tensors):
        self.tensors = tensors

    def to(self, *args):
        for name in list(self.tensors):
            self.tensors[name] = self.tensors[name].to(*args)
        return self

    def __getattr__(self, name):
        return self.tensors[name]


model = nn.Linear(8, 5000).cuda().half()
batch = Batch(x=torch.randn(4, 8), y=torch.randint(0, 5000, (4,))).to("cuda")
batch = batch.to(torch.float16)
print(nn.functional.cross_entropy(model(batch.x).float(), batch.y.long()))
