"""Threads are watched, too."""
import threading

import torch


def work():
    torch.tensor([200.0]).exp()  # expect: run-overflow


thread = threading.Thread(target=work)
thread.start()
thread.join()
