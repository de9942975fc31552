"""Turns off what would hide operations or cannot run here: compilers, workers, other processes. What
the program computes stays the same; `used` says what it asked for and did not get."""

import functools
import inspect

import torch

used = set()


def install():
    turn_off_compiler()
    turn_off_workers()
    be_alone()


# ---- compilers ----------------------------------------------------------------------------------


def compiled(model=None, *args, **kwargs):
    """As torch.compile, with and without arguments; the result is what it was given."""
    used.add("torch.compile")
    return (lambda given: given) if model is None else model


def turn_off_compiler():
    if hasattr(torch, "compile"):
        torch.compile = compiled
        torch.nn.Module.compile = lambda self, *args, **kwargs: used.add("torch.compile")


# ---- workers ------------------------------------------------------------------------------------


def turn_off_workers():
    loader = torch.utils.data.DataLoader
    plain = loader.__init__
    names = list(inspect.signature(plain).parameters)

    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        kwargs.update(zip(names[1:], args))
        if kwargs.get("num_workers"):
            used.add("workers of DataLoader")
            for name in ("num_workers", "prefetch_factor", "persistent_workers",
                         "multiprocessing_context", "timeout"):
                kwargs.pop(name, None)
        plain(self, **kwargs)

    loader.__init__ = __init__


# ---- other processes ----------------------------------------------------------------------------


class Alone(torch.nn.Module):
    """As DistributedDataParallel in a group of one process."""

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def no_sync(self):
        import contextlib

        return contextlib.nullcontext()


class Done:
    """What an asynchronous operation returns."""

    def wait(self, *args):
        return True

    def is_completed(self):
        return True


def same(tensor, *args, **kwargs):
    return Done() if kwargs.get("async_op") else None


def gathered(tensors, tensor, *args, **kwargs):
    for each in tensors:
        each.copy_(tensor)
    return same(tensor, **kwargs)


def gathered_objects(objects, given, *args, **kwargs):
    for i in range(len(objects)):
        objects[i] = given


def be_alone():
    """A process group of one: no other process can be reached from here."""
    import torch.multiprocessing

    distributed = torch.distributed
    if not distributed.is_available():
        return
    state = {"is_there": False}

    def begin(*args, **kwargs):
        used.add("other processes")
        state["is_there"] = True

    def end(*args, **kwargs):
        state["is_there"] = False

    replaced = {
        "init_process_group": begin,
        "destroy_process_group": end,
        "is_initialized": lambda: state["is_there"],
        "get_rank": lambda group=None: 0,
        "get_world_size": lambda group=None: 1,
        "get_backend": lambda group=None: "gloo",
        "new_group": lambda *args, **kwargs: None,
        "barrier": lambda *args, **kwargs: None,
        "all_reduce": same, "reduce": same, "broadcast": same,
        "all_gather": gathered,
        "all_gather_object": gathered_objects,
        "broadcast_object_list": lambda *args, **kwargs: None,
    }
    for name, function in replaced.items():
        for owner in (distributed, getattr(distributed, "distributed_c10d", None)):
            if owner is not None and hasattr(owner, name):
                setattr(owner, name, function)
    torch.nn.parallel.DistributedDataParallel = Alone
    torch.nn.parallel.distributed.DistributedDataParallel = Alone

    def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
        used.add("other processes")
        fn(0, *args)

    torch.multiprocessing.spawn = spawn
