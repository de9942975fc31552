# Processes that work together. Collectives write tensors in place, and keep their dtype.
import _mc


class ReduceOp:
    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4


class _Work:
    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


def init_process_group(backend=None, *args, **kwargs):
    pass


def destroy_process_group(group=None):
    pass


def is_available():
    return bool(_mc.unknown())


def is_initialized():
    return bool(_mc.unknown())


def is_nccl_available():
    return bool(_mc.unknown())


def get_rank(group=None):
    return int(_mc.unknown())


def get_world_size(group=None):
    return int(_mc.unknown())


def get_backend(group=None):
    return str(_mc.unknown())


def new_group(*args, **kwargs):
    return _mc.unknown()


def barrier(*args, **kwargs):
    pass


def monitored_barrier(*args, **kwargs):
    pass


def all_reduce(tensor, op=0, group=None, async_op=False):
    return _Work()


def reduce(tensor, dst=0, op=0, group=None, async_op=False):
    return _Work()


def broadcast(tensor, src=0, group=None, async_op=False):
    return _Work()


def all_gather(tensor_list, tensor, group=None, async_op=False):
    return _Work()


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    return _Work()


def gather(tensor, gather_list=None, dst=0, group=None, async_op=False):
    return _Work()


def scatter(tensor, scatter_list=None, src=0, group=None, async_op=False):
    return _Work()


def reduce_scatter(output, input_list, op=0, group=None, async_op=False):
    return _Work()


def reduce_scatter_tensor(output, input, op=0, group=None, async_op=False):
    return _Work()


def send(tensor, dst=0, group=None, tag=0):
    pass


def recv(tensor, src=None, group=None, tag=0):
    return int(_mc.unknown())


def all_gather_object(object_list, obj, group=None):
    pass


def broadcast_object_list(object_list, src=0, group=None, device=None):
    pass
