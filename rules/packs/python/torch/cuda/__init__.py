# torch.cuda: which device, how much memory. is_available() and device_count() are in the packs.
import _mc
import torch


class _Region:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass


class device(_Region):
    def __init__(self, device):
        self.device = device


class Stream(_Region):
    def __init__(self, device=None, priority=0, **kwargs):
        self.device = device

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        return Event()

    def synchronize(self):
        pass


class Event:
    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        pass

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return bool(_mc.unknown())

    def synchronize(self):
        pass

    def elapsed_time(self, end_event):
        return float(_mc.unknown())


def stream(stream):
    return _Region()


def current_stream(device=None):
    return Stream()


def default_stream(device=None):
    return Stream()


def set_device(device):
    pass


def current_device():
    return 0


def get_device_name(device=None):
    return str(_mc.unknown())


def get_device_properties(device=None):
    return _mc.unknown()


def get_device_capability(device=None):
    return int(_mc.unknown()), int(_mc.unknown())


def is_bf16_supported(including_emulation=True):
    return bool(_mc.unknown())


def is_initialized():
    return bool(_mc.unknown())


def init():
    pass


def synchronize(device=None):
    pass


def empty_cache():
    pass


def ipc_collect():
    pass


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def seed_all():
    pass


def get_rng_state(device="cuda"):
    return torch.zeros(1, dtype=torch.uint8)


def get_rng_state_all():
    return [torch.zeros(1, dtype=torch.uint8)]


def set_rng_state(state, device="cuda"):
    pass


def set_rng_state_all(states):
    pass


def memory_allocated(device=None):
    return int(_mc.unknown())


def max_memory_allocated(device=None):
    return int(_mc.unknown())


def memory_reserved(device=None):
    return int(_mc.unknown())


def max_memory_reserved(device=None):
    return int(_mc.unknown())


def reset_peak_memory_stats(device=None):
    pass


def mem_get_info(device=None):
    return int(_mc.unknown()), int(_mc.unknown())


def memory_summary(device=None, abbreviated=False):
    return str(_mc.unknown())
