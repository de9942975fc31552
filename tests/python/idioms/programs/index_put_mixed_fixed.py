import torch


class Memory:
    def __init__(self, slots, dim):
        self.bank = torch.zeros(slots, dim)
        self.ptr = 0

    @torch.no_grad()
    def write(self, feats):
        n = feats.size(0)
        idx = (torch.arange(n) + self.ptr) % self.bank.size(0)
        self.bank[idx] = feats.to(self.bank.dtype)
        self.ptr = (self.ptr + n) % self.bank.size(0)


mem = Memory(16, 4)
enc = torch.nn.Linear(8, 4).double()
for _ in range(3):
    mem.write(enc(torch.randn(5, 8, dtype=torch.double)))
print(mem.ptr)
