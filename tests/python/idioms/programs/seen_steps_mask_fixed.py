import torch


def show(mask, out=print):
    out(mask.shape)


class Memory:
    def __init__(self, length, watch):
        self.mask = torch.tril(torch.ones(length, length), diagonal=-1)
        self.stored = torch.zeros(4, length, dtype=torch.bool)
        watch(self.mask)

    def store(self, steps):
        self.stored[:] = self.mask[steps]
        return self.stored


def load_watch(name):
    try:
        return __import__(name).show
    except ImportError:
        return show


print(Memory(6, load_watch("step_viewer")).store(torch.arange(4)))
