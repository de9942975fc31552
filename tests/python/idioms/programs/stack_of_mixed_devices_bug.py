import torch


class Buffer:
    def __init__(self):
        self.data = []

    def add(self, t, to_cpu=True):
        self.data.append(t.cpu() if to_cpu else t)

    def stack(self):
        return torch.stack(self.data)


buf = Buffer()
x = torch.randn(3, device="cuda")
buf.add(x)
buf.add(x * 2, to_cpu=False)
print(buf.stack().shape)
