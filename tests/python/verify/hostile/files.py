# Nothing outside of its own folder can be written or removed.
import os
import tempfile

import torch

here = os.path.dirname(os.path.abspath(__file__))
for path in (os.path.join(here, "written"), "/tmp/miscast-written", os.path.expanduser("~root/written"), "/dev/shm/written"):
    try:
        open(path, "w").close()
        raise SystemExit("wrote " + path)
    except OSError:
        pass
try:
    os.unlink(__file__)
    raise SystemExit("removed itself")
except OSError:
    pass
with tempfile.NamedTemporaryFile("w") as own:
    own.write("this is allowed")
x = torch.ones(2, 2)
print(x @ x.double())
