# No socket leads out, and none is made.
import socket

import torch

for family, address in ((socket.AF_INET, ("127.0.0.1", 80)), (socket.AF_INET6, ("::1", 80))):
    try:
        socket.socket(family, socket.SOCK_STREAM).connect(address)
        raise SystemExit("reached the network")
    except OSError:
        pass
x = torch.ones(2, 2)
print(x @ x.double())
