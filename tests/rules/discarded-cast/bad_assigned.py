import torch


class Holder:
    def __init__(self):
        self.mask = torch.ones(8)

    def prepare(self):
        self.mask.half()  # expect: discarded-cast warning


def widen(x):
    x.float().cpu()  # expect: discarded-cast warning
    return x


holder = Holder()
holder.prepare()
y = torch.randn(4, 8)
y.to(torch.float64)  # expect: discarded-cast warning
print(widen(torch.ones(2).half()), y, holder.mask)
