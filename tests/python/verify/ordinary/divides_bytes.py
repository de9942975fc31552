# NumPy refuses to write a fraction into bytes.
import numpy as np
import torch

picture = np.full((4, 4), 128, dtype=np.uint8)
picture /= 255
print(torch.from_numpy(picture))
