"""What training gets at: at each step of an optimizer, whether the parameters that it holds have had a
gradient so far that is not 0, and which tensors have one although no optimizer holds them."""

import gc

import torch

from .tensors import Unseen

MOST_SEARCHED = 3  # steps at which all objects of the program are looked through


class Training:
    def __init__(self, recorder):
        self.recorder = recorder
        self.steps = 0
        self.held = {}  # by id(): each tensor that some optimizer steps with
        self.idle = {}  # those of them that had no gradient but 0 so far
        self.left_out = set()  # memory of tensors with a gradient that no optimizer holds
        self.optimizers = []

    def made(self, optimizer):
        self.optimizers.append(optimizer)

    def stepped(self, optimizer):
        """After a step of it, while the gradients are still there."""
        with Unseen(), torch.no_grad():
            self.steps += 1
            self.note(optimizer)
            if self.steps <= MOST_SEARCHED:
                self.search()

    def note(self, optimizer):
        for t in tensors_of(optimizer):
            if t.requires_grad and id(t) not in self.held:
                self.held[id(t)] = self.idle[id(t)] = t
            if id(t) in self.idle and has_gradient(t):
                del self.idle[id(t)]

    def search(self):
        held = {id(t) for o in self.optimizers for t in tensors_of(o)}
        for t in gc.get_objects():
            if type(t) in (torch.Tensor, torch.nn.Parameter) and t.is_leaf and t.requires_grad \
                    and id(t) not in held and t.grad is not None:
                self.left_out.add(self.recorder.tensors.number_of(t)[1])

    def record(self):
        return {"steps": self.steps, "held": len(self.held), "idle": len(self.idle),
                "idle_optimizers": sum(self.is_idle(o) for o in self.optimizers),
                "left_out": sorted(self.left_out)}

    def is_idle(self, optimizer):
        """Whether it stepped, and nothing that it holds ever had a gradient."""
        held = [t for t in tensors_of(optimizer) if id(t) in self.held]
        return bool(held) and all(id(t) in self.idle for t in held)


def tensors_of(optimizer):
    return [t for group in optimizer.param_groups for t in group["params"]]


def has_gradient(t):
    grad = t.grad
    if grad is None:
        return False
    if grad.layout != torch.strided:
        return True
    return bool(grad.ne(0).any())
