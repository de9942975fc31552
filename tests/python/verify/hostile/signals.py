# It can end the process that has started it, and ends with it.
import os
import signal
import time

import torch

os.kill(os.getppid(), signal.SIGKILL)
time.sleep(5)
x = torch.ones(2, 2)
print(x @ x.double())
