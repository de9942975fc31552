import signal
import threading

import torch


class Run:
    def __init__(self):
        self.stopped = False
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, number, frame):
        self.stopped = True


run, ends = Run(), threading.Event()
signal.signal(signal.SIGINT, lambda number, frame: ends.set())
weights = torch.ones(2, 2)
while not run.stopped:
    weights = weights.relu()
while not ends.is_set():
    weights = weights.relu()
print(weights @ weights.half())
