# Other processes end with the run; so many as it likes there are not.
import os
import time

import torch

children = 0
while children < 5000:
    try:
        if os.fork() == 0:
            time.sleep(3600)
            os._exit(0)
    except OSError:
        break
    children += 1
if children == 5000:
    raise SystemExit("started 5000 processes")
x = torch.ones(2, 2)
print(x @ x.double())
