import os
import tempfile

import numpy as np
import torch
import torch.nn.functional as F


def read(path, n=12):
    np.arange(n).astype("<i4").tofile(path)
    return torch.from_numpy(np.fromfile(path, dtype="<i4").astype("<i8"))


labels = read(os.path.join(tempfile.mkdtemp(), "labels.bin")) % 3
scores = torch.randn(12, 3)
print(F.cross_entropy(scores, labels))
