import threading

import torch

stopped = False


def stop():
    global stopped
    stopped = True


threading.Timer(60, stop).start()
weights = torch.ones(2, 2)
while not stopped:  # for now it is not
    print(weights @ weights.half())
